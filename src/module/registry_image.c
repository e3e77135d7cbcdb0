/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Taking an image apart. The index may come from a file that anything has
 * happened to, so nothing in it is used before it was found in order: here is
 * the one place that looks, and after it every offset leads to a string.
 */

#include "module/registry_image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

/* The structures are read as they lie there. */
_Static_assert(sizeof(struct w_image_head) == 104, "no holes");
_Static_assert(sizeof(struct w_image_file) == 104, "no holes");
_Static_assert(sizeof(struct w_image_module) == 56, "no holes");
_Static_assert(sizeof(struct w_image_problem) == 32, "no holes");

static uint64_t
stir(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ (sum >> 29);
}

/*
 * Four sums side by side, so that the processor has something to do while it
 * multiplies. Every step can be undone, so that no single damaged word leaves
 * the result as it was.
 */
uint64_t
w_image_checksum(const void *bytes, size_t len)
{
	const char *at = bytes;
	uint64_t sums[4] = {1, 2, 3, 4};
	uint64_t words[4];
	uint64_t sum = len;

	for (; len >= sizeof(words); len -= sizeof(words)) {
		memcpy(words, at, sizeof(words));
		for (int i = 0; i < 4; i++)
			sums[i] = stir(sums[i], words[i]);
		at += sizeof(words);
	}
	memset(words, 0, sizeof(words));
	if (len > 0)
		memcpy(words, at, len);
	for (int i = 0; i < 4; i++)
		sum = stir(sum, stir(sums[i], words[i]));
	return sum;
}

/* Whether this writ has made it, for this user, and nothing has happened to
 * it since. */
static bool
is_ours(const void *bytes, size_t size)
{
	const struct w_image_head *head = bytes;

	return size >= sizeof(*head) &&
	       memcmp(head->magic, W_IMAGE_MAGIC, sizeof(head->magic)) == 0 &&
	       head->format == W_IMAGE_FORMAT &&
	       head->user == (uint32_t)geteuid() &&
	       strncmp(head->version, WRIT_VERSION, sizeof(head->version)) ==
		   0 &&
	       head->checksum ==
		   w_image_checksum((const char *)bytes + W_IMAGE_CHECKED_FROM,
		       size - W_IMAGE_CHECKED_FROM);
}

/* Lays the parts one behind the other. The counts are of 32 bits and the
 * parts small, so that nothing here overflows. */
static bool
lay_out(struct w_image *image)
{
	const struct w_image_head *head = image->bytes;
	const char *bytes = image->bytes;
	uint64_t files = sizeof(*head);
	uint64_t modules =
	    files + (uint64_t)head->file_count * sizeof(*image->files);
	uint64_t order =
	    modules + (uint64_t)head->module_count * sizeof(*image->modules);
	uint64_t problems =
	    order + (uint64_t)head->module_count * sizeof(*image->order);
	uint64_t strings =
	    problems + (uint64_t)head->problem_count * sizeof(*image->problems);

	if (head->index_len != image->size ||
	    strings + head->strings_len != image->size ||
	    head->strings_len == 0 || bytes[strings] != '\0' ||
	    bytes[image->size - 1] != '\0')
		return false;
	image->head = head;
	image->files = (const void *)(bytes + files);
	image->modules = (const void *)(bytes + modules);
	image->order = (const void *)(bytes + order);
	image->problems = (const void *)(bytes + problems);
	image->strings = bytes + strings;
	return true;
}

static bool
is_string(const struct w_image *image, uint32_t offset)
{
	return offset < image->head->strings_len;
}

/* As many strings must follow the first as there are said to be. */
static bool
check_list(const struct w_image *image, uint64_t at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (at >= image->head->strings_len)
			return false;
		at += strlen(w_image_string(image, (uint32_t)at)) + 1;
	}
	return true;
}

static bool
check_text(const struct w_image *image, uint32_t text, uint32_t len)
{
	return (uint64_t)text + len <= image->head->texts_len;
}

/* The files share the modules and the problems out among them, in order. */
static bool
check_files(struct w_image *image)
{
	const struct w_image_head *head = image->head;
	uint64_t modules = 0;
	uint64_t problems = 0;
	uint64_t names = 0;

	if (!is_string(image, head->dir))
		return false;
	image->dir_len = strlen(w_image_string(image, head->dir));
	for (uint32_t i = 0; i < head->file_count; i++) {
		const struct w_image_file *file = &image->files[i];

		names += file->name_count;
		if (!is_string(image, file->path) ||
		    file->first_module != modules ||
		    file->first_problem != problems ||
		    strlen(w_image_string(image, file->path)) <=
			image->dir_len ||
		    !check_text(image, file->text, file->text_len) ||
		    names > head->strings_len ||
		    !check_list(image, file->names, file->name_count))
			return false;
		modules += file->module_count;
		problems += file->problem_count;
	}
	return modules == head->module_count && problems == head->problem_count;
}

static bool
check_problems(const struct w_image *image)
{
	for (uint32_t i = 0; i < image->head->problem_count; i++) {
		const struct w_image_problem *problem = &image->problems[i];

		if (problem->file >= image->head->file_count ||
		    problem->status >= 0 || !is_string(image, problem->stage) ||
		    !is_string(image, problem->message) ||
		    !is_string(image, problem->suggestion))
			return false;
	}
	return true;
}

static bool
check_module(const struct w_image *image, const struct w_image_module *module)
{
	return module->file < image->head->file_count &&
	       is_string(image, module->id) &&
	       is_string(image, module->description) &&
	       is_string(image, module->command) &&
	       is_string(image, module->version) &&
	       check_text(image, module->text, module->text_len) &&
	       check_list(image, module->tags, module->tag_count);
}

static bool
check_modules(const struct w_image *image)
{
	uint64_t tags = 0;

	for (uint32_t i = 0; i < image->head->module_count; i++) {
		tags += image->modules[i].tag_count;
		if (tags > image->head->strings_len ||
		    !check_module(image, &image->modules[i]))
			return false;
	}
	return tags == image->head->tag_count;
}

/* Strictly ascending by id and place, so that each module is there once. */
static bool
check_order(const struct w_image *image)
{
	const char *before = NULL;

	for (uint32_t i = 0; i < image->head->module_count; i++) {
		uint32_t place = image->order[i];

		if (place >= image->head->module_count)
			return false;
		const char *id =
		    w_image_string(image, image->modules[place].id);
		int order = before == NULL ? -1 : strcmp(before, id);
		if (order > 0 || (order == 0 && image->order[i - 1] >= place))
			return false;
		before = id;
	}
	return true;
}

bool
w_image_open(struct w_image *image, void *bytes, size_t size)
{
	struct w_image opened = {.bytes = bytes, .size = size};

	if (!is_ours(bytes, size) || !lay_out(&opened) ||
	    !check_files(&opened) || !check_problems(&opened) ||
	    !check_modules(&opened) || !check_order(&opened))
		return false;
	*image = opened;
	return true;
}

void
w_image_done(struct w_image *image)
{
	free(image->bytes);
	free(image->texts);
	if (image->has_fd)
		w_close(&image->fd);
	*image = (struct w_image){0};
}

/* Reads from the part of the file that has the texts. */
static bool
read_texts(const struct w_image *image, char *out, size_t len, uint64_t from)
{
	off_t at = (off_t)(image->head->index_len + from);

	while (len > 0) {
		ssize_t n = pread(image->fd, out, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		out += n;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

static char *
copy_text(
    const struct w_image *image, uint32_t from, uint32_t len, uint64_t checksum)
{
	W_AUTO_FREE char *text = malloc((size_t)len + 1);

	if (text == NULL)
		return NULL;
	if (image->texts != NULL)
		memcpy(text, image->texts + from, len);
	else if (!image->has_fd || !read_texts(image, text, len, from))
		return NULL;
	text[len] = '\0';
	if (w_image_checksum(text, len) != checksum)
		return NULL;
	return w_take_ptr(&text);
}

char *
w_image_text(const struct w_image *image, const struct w_image_module *module)
{
	return copy_text(
	    image, module->text, module->text_len, module->text_checksum);
}

char *
w_image_description(
    const struct w_image *image, const struct w_image_file *file)
{
	return copy_text(
	    image, file->text, file->text_len, file->text_checksum);
}

bool
w_image_fetch(struct w_image *image)
{
	if (image->texts != NULL)
		return true;
	if (!image->has_fd || image->head->texts_len > W_IMAGE_TEXTS_MAX)
		return false;
	size_t len = (size_t)image->head->texts_len;
	W_AUTO_FREE char *texts = malloc(len + 1);
	if (texts == NULL || !read_texts(image, texts, len, 0) ||
	    w_image_checksum(texts, len) != image->head->texts_checksum)
		return false;
	image->texts = w_take_ptr(&texts);
	return true;
}
