/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a module index. It may come from a damaged file, so nothing in it is
 * used before it is validated. This is the only place that does; after it every
 * offset is a valid string.
 */

#include "module/registry/module_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The structures are read in place. */
_Static_assert(sizeof(struct w_module_index_head) == 88, "no holes");
_Static_assert(sizeof(struct w_module_index_file) == 96, "no holes");
_Static_assert(sizeof(struct w_module_index_entry) == 48, "no holes");
_Static_assert(sizeof(struct w_module_index_problem) == 32, "no holes");

static uint64_t
stir(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ (sum >> 29);
}

/*
 * Four sums side by side, so that multiplications overlap. Every step is
 * reversible, so a single damaged word always changes the result.
 */
uint64_t
w_module_index_checksum(const void *bytes, size_t len)
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

/* Whether this version of writ made it, for this user, and it is undamaged. */
static bool
module_index_is_ours(const void *bytes, size_t size)
{
	const struct w_module_index_head *head = bytes;

	return size >= sizeof(*head) &&
	       memcmp(head->magic, W_MODULE_INDEX_MAGIC, sizeof(head->magic)) ==
		   0 &&
	       head->format == W_MODULE_INDEX_FORMAT &&
	       head->user == (uint32_t)geteuid() &&
	       strncmp(head->version, WRIT_VERSION, sizeof(head->version)) ==
		   0 &&
	       head->checksum ==
		   w_module_index_checksum(
		       (const char *)bytes + W_MODULE_INDEX_CHECKED_FROM,
		       size - W_MODULE_INDEX_CHECKED_FROM);
}

/* Computes where the parts are. The counts have 32 bits and the parts are
 * small, so nothing here overflows. */
static bool
module_index_lay_out(struct w_module_index *module_index)
{
	const struct w_module_index_head *head = module_index->bytes;
	const char *bytes = module_index->bytes;
	uint64_t files = sizeof(*head);
	uint64_t modules =
	    files + (uint64_t)head->file_count * sizeof(*module_index->files);
	uint64_t order = modules + (uint64_t)head->module_count *
				       sizeof(*module_index->modules);
	uint64_t problems =
	    order + (uint64_t)head->module_count * sizeof(*module_index->order);
	uint64_t strings = problems + (uint64_t)head->problem_count *
					  sizeof(*module_index->problems);

	uint64_t texts = strings + head->strings_len;

	if (texts > module_index->size ||
	    head->texts_len != module_index->size - texts ||
	    head->strings_len == 0 || bytes[strings] != '\0' ||
	    bytes[texts - 1] != '\0')
		return false;
	module_index->head = head;
	module_index->files = (const void *)(bytes + files);
	module_index->modules = (const void *)(bytes + modules);
	module_index->order = (const void *)(bytes + order);
	module_index->problems = (const void *)(bytes + problems);
	module_index->strings = bytes + strings;
	module_index->texts = bytes + texts;
	return true;
}

static bool
is_string(const struct w_module_index *module_index, uint32_t offset)
{
	return offset < module_index->head->strings_len;
}

/* As many strings must follow the first as the count says. */
static bool
module_index_check_list(
    const struct w_module_index *module_index, uint64_t at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (at >= module_index->head->strings_len)
			return false;
		at +=
		    strlen(w_module_index_string(module_index, (uint32_t)at)) +
		    1;
	}
	return true;
}

static bool
module_index_check_text(
    const struct w_module_index *module_index, uint32_t text, uint32_t len)
{
	return (uint64_t)text + len <= module_index->head->texts_len;
}

/* Each file owns the next modules and problems, in order. */
static bool
check_files(struct w_module_index *module_index)
{
	const struct w_module_index_head *head = module_index->head;
	uint64_t modules = 0;
	uint64_t problems = 0;
	uint64_t names = 0;

	if (!is_string(module_index, head->dir))
		return false;
	module_index->dir_len =
	    strlen(w_module_index_string(module_index, head->dir));
	for (uint32_t i = 0; i < head->file_count; i++) {
		const struct w_module_index_file *file =
		    &module_index->files[i];

		names += file->name_count;
		if (!is_string(module_index, file->path) ||
		    file->first_module != modules ||
		    file->first_problem != problems ||
		    strlen(w_module_index_string(module_index, file->path)) <=
			module_index->dir_len ||
		    !module_index_check_text(
			module_index, file->text, file->text_len) ||
		    names > head->strings_len ||
		    !module_index_check_list(
			module_index, file->names, file->name_count))
			return false;
		modules += file->module_count;
		problems += file->problem_count;
	}
	return modules == head->module_count && problems == head->problem_count;
}

static bool
check_problems(const struct w_module_index *module_index)
{
	for (uint32_t i = 0; i < module_index->head->problem_count; i++) {
		const struct w_module_index_problem *problem =
		    &module_index->problems[i];

		if (problem->file >= module_index->head->file_count ||
		    problem->status >= 0 ||
		    !is_string(module_index, problem->stage) ||
		    !is_string(module_index, problem->message) ||
		    !is_string(module_index, problem->suggestion))
			return false;
	}
	return true;
}

static bool
check_module(const struct w_module_index *module_index,
    const struct w_module_index_entry *module)
{
	return module->file < module_index->head->file_count &&
	       is_string(module_index, module->id) &&
	       is_string(module_index, module->description) &&
	       is_string(module_index, module->command) &&
	       is_string(module_index, module->version) &&
	       module_index_check_text(
		   module_index, module->text, module->text_len) &&
	       module_index_check_list(
		   module_index, module->tags, module->tag_count);
}

static bool
check_modules(const struct w_module_index *module_index)
{
	uint64_t tags = 0;

	for (uint32_t i = 0; i < module_index->head->module_count; i++) {
		tags += module_index->modules[i].tag_count;
		if (tags > module_index->head->strings_len ||
		    !check_module(module_index, &module_index->modules[i]))
			return false;
	}
	return tags == module_index->head->tag_count;
}

/* Strictly ascending by id and index, so each module occurs once. */
static bool
check_order(const struct w_module_index *module_index)
{
	const char *before = NULL;

	for (uint32_t i = 0; i < module_index->head->module_count; i++) {
		uint32_t place = module_index->order[i];

		if (place >= module_index->head->module_count)
			return false;
		const char *id = w_module_index_string(
		    module_index, module_index->modules[place].id);
		int order = before == NULL ? -1 : strcmp(before, id);
		if (order > 0 ||
		    (order == 0 && module_index->order[i - 1] >= place))
			return false;
		before = id;
	}
	return true;
}

bool
w_module_index_open(
    struct w_module_index *module_index, void *bytes, size_t size)
{
	struct w_module_index opened = {.bytes = bytes, .size = size};

	if (!module_index_is_ours(bytes, size) ||
	    !module_index_lay_out(&opened) || !check_files(&opened) ||
	    !check_problems(&opened) || !check_modules(&opened) ||
	    !check_order(&opened))
		return false;
	*module_index = opened;
	return true;
}

void
w_module_index_done(struct w_module_index *module_index)
{
	free(module_index->bytes);
	*module_index = (struct w_module_index){0};
}
