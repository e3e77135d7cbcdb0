/* SPDX-License-Identifier: Apache-2.0 */

/* The cache of modules: whatever its index holds, it is either no image or one
 * of which every part can be read, copied and opened again. The sum is
 * made right first, or nothing would get past it. */

#include "module/registry_maker.h"

#include <unistd.h>

#include "check.h"

#define TEXTS_MAX 65536

static void
make_believable(char *bytes, size_t size)
{
	struct w_image_head head;

	memcpy(&head, bytes, sizeof(head));
	memcpy(head.magic, W_IMAGE_MAGIC, sizeof(head.magic));
	head.format = W_IMAGE_FORMAT;
	head.index_len = size;
	head.user = (uint32_t)geteuid();
	memset(head.version, 0, sizeof(head.version));
	memcpy(head.version, WRIT_VERSION, strlen(WRIT_VERSION));
	memcpy(bytes, &head, sizeof(head));
	head.checksum = w_image_checksum(
	    bytes + W_IMAGE_CHECKED_FROM, size - W_IMAGE_CHECKED_FROM);
	memcpy(bytes, &head, sizeof(head));
}

static void
read_all(const struct w_image *image)
{
	const char *before = NULL;
	size_t sum = 0;

	for (uint32_t i = 0; i < image->head->module_count; i++) {
		const struct w_image_module *module =
		    &image->modules[image->order[i]];
		const char *id = w_image_string(image, module->id);

		CHECK(before == NULL || strcmp(before, id) <= 0);
		before = id;
		sum += strlen(w_image_string(image, module->description));
		sum += strlen(w_image_string(image, module->command));
		char *text = w_image_text(image, module);
		if (text != NULL)
			sum += strlen(text);
		free(text);
		CHECK(module->file < image->head->file_count);
	}
	for (uint32_t i = 0; i < image->head->file_count; i++) {
		const struct w_image_file *file = &image->files[i];
		const char *name = w_image_string(image, file->names);

		for (uint32_t k = 0; k < file->name_count; k++) {
			sum += strlen(name);
			name += strlen(name) + 1;
		}
		char *text = w_image_description(image, file);
		if (text != NULL)
			sum += strlen(text);
		free(text);
	}
	for (uint32_t i = 0; i < image->head->problem_count; i++)
		sum +=
		    strlen(w_image_string(image, image->problems[i].message));
	CHECK(sum < SIZE_MAX);
}

/* As a load does it that finds some files changed. */
static void
copy_all(const struct w_image *image)
{
	W_AUTO_IMAGE_MAKER struct w_image_maker maker;
	struct w_image copy = {0};

	w_image_maker_init(&maker, w_image_string(image, image->head->dir));
	for (uint32_t i = 0; i < image->head->file_count; i++) {
		CHECK(strlen(w_image_name(image, &image->files[i])) <
		      image->size);
		w_image_maker_copy(&maker, image, &image->files[i]);
	}
	CHECK(w_image_maker_make(&maker, &copy, NULL) == WRIT_OK);
	CHECK(copy.head->module_count == image->head->module_count);
	CHECK(copy.head->tag_count == image->head->tag_count);
	read_all(&copy);
	w_image_done(&copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_image image = {0};
	char *bytes = copy_exact(data, size);

	if (size >= sizeof(struct w_image_head))
		make_believable(bytes, size);
	if (!w_image_open(&image, bytes, size)) {
		free(bytes);
		return 0;
	}
	/* Any texts will do: each has a sum of its own. */
	if (image.head->texts_len < TEXTS_MAX) {
		image.texts = calloc(1, image.head->texts_len + 1);
		CHECK(image.texts != NULL);
		read_all(&image);
		copy_all(&image);
	}
	w_image_done(&image);
	return 0;
}
