/* SPDX-License-Identifier: Apache-2.0 */

/* The cache of modules: whatever its index holds, it is either no image or one
 * of which every part can be read, copied and opened again. The sum is
 * made right first, or nothing would get past it. */

#include "module/registry/module_index_builder.h"

#include <unistd.h>

#include "check.h"

static void
make_believable(char *bytes, size_t size)
{
	struct w_module_index_head head;

	memcpy(&head, bytes, sizeof(head));
	memcpy(head.magic, W_MODULE_INDEX_MAGIC, sizeof(head.magic));
	head.format = W_MODULE_INDEX_FORMAT;
	head.user = (uint32_t)geteuid();
	memset(head.version, 0, sizeof(head.version));
	memcpy(head.version, WRIT_VERSION, strlen(WRIT_VERSION));
	memcpy(bytes, &head, sizeof(head));
	head.checksum =
	    w_module_index_checksum(bytes + W_MODULE_INDEX_CHECKED_FROM,
		size - W_MODULE_INDEX_CHECKED_FROM);
	memcpy(bytes, &head, sizeof(head));
}

static size_t
add_up(const char *text, size_t len)
{
	size_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += (unsigned char)text[i];
	return sum;
}

static void
read_all(const struct w_module_index *module_index)
{
	const char *before = NULL;
	size_t sum = 0;

	for (uint32_t i = 0; i < module_index->head->module_count; i++) {
		const struct w_module_index_entry *module =
		    &module_index->modules[module_index->order[i]];
		const char *id =
		    w_module_index_string(module_index, module->id);

		CHECK(before == NULL || strcmp(before, id) <= 0);
		before = id;
		sum += strlen(
		    w_module_index_string(module_index, module->description));
		sum += strlen(
		    w_module_index_string(module_index, module->command));
		sum += add_up(
		    module_index->texts + module->text, module->text_len);
		CHECK(module->file < module_index->head->file_count);
	}
	for (uint32_t i = 0; i < module_index->head->file_count; i++) {
		const struct w_module_index_file *file =
		    &module_index->files[i];
		const char *name =
		    w_module_index_string(module_index, file->names);

		for (uint32_t k = 0; k < file->name_count; k++) {
			sum += strlen(name);
			name += strlen(name) + 1;
		}
		sum += add_up(module_index->texts + file->text, file->text_len);
	}
	for (uint32_t i = 0; i < module_index->head->problem_count; i++)
		sum += strlen(w_module_index_string(
		    module_index, module_index->problems[i].message));
	CHECK(sum < SIZE_MAX);
}

/* As a load does it that finds some files changed. */
static void
copy_all(const struct w_module_index *module_index)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder maker;
	struct w_module_index copy = {0};

	w_module_index_builder_init(&maker,
	    w_module_index_string(module_index, module_index->head->dir));
	for (uint32_t i = 0; i < module_index->head->file_count; i++) {
		CHECK(strlen(w_module_index_name(module_index,
			  &module_index->files[i])) < module_index->size);
		w_module_index_builder_copy(
		    &maker, module_index, &module_index->files[i]);
	}
	CHECK(w_module_index_builder_make(&maker, &copy, NULL) == WRIT_OK);
	CHECK(copy.head->module_count == module_index->head->module_count);
	CHECK(copy.head->tag_count == module_index->head->tag_count);
	read_all(&copy);
	w_module_index_done(&copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_module_index module_index = {0};
	char *bytes = copy_exact(data, size);

	if (size >= sizeof(struct w_module_index_head))
		make_believable(bytes, size);
	if (!w_module_index_open(&module_index, bytes, size)) {
		free(bytes);
		return 0;
	}
	read_all(&module_index);
	copy_all(&module_index);
	w_module_index_done(&module_index);
	return 0;
}
