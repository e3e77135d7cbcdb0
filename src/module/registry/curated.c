/* SPDX-License-Identifier: Apache-2.0 */

/* The built-in command descriptions. tools/embed_commands.c makes their tables;
 * names are sorted by strcmp(). */

#include "module/registry/curated.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct curated_name {
	uint32_t text;
	uint32_t program;
};

enum curated_count {
	PROGRAMS,
	NAMES,
	MODULES,
	TAGS,
	STRINGS_LEN,
	COUNT_COUNT,
};

extern const uint32_t w_curated_counts[COUNT_COUNT];
extern const struct curated_name w_curated_names[];
extern const struct w_module_index_file w_curated_files[];
extern const struct w_module_index_entry w_curated_modules[];
extern const uint32_t w_curated_order[];
extern const char w_curated_strings[];
extern const char w_curated_texts[];

size_t
w_curated_count(void)
{
	return w_curated_counts[PROGRAMS];
}

struct w_curated
w_curated_at(size_t place)
{
	const struct w_module_index_file *file = &w_curated_files[place];

	return (struct w_curated){
	    .name = w_curated_strings + file->names,
	    .json = w_curated_texts + file->text,
	    .len = file->text_len,
	    .place = place,
	};
}

/* Like strcmp(word, name). */
static int
curated_compare(const char *word, size_t len, const char *name)
{
	int order = strncmp(word, name, len);

	return order != 0 ? order : -(name[len] != '\0');
}

bool
w_curated_find(const char *name, size_t len, struct w_curated *out_curated)
{
	size_t from = 0;
	size_t to = w_curated_counts[NAMES];

	if (memchr(name, '\0', len) != NULL)
		return false;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct curated_name *row = &w_curated_names[middle];
		int order =
		    curated_compare(name, len, w_curated_strings + row->text);

		if (order == 0) {
			*out_curated = w_curated_at(row->program);
			return true;
		}
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return false;
}

bool
w_curated_open(struct w_module_index *module_index)
{
	struct w_module_index_head *head = calloc(1, sizeof(*head));

	if (head == NULL)
		return false;
	head->file_count = w_curated_counts[PROGRAMS];
	head->module_count = w_curated_counts[MODULES];
	head->tag_count = w_curated_counts[TAGS];
	head->strings_len = w_curated_counts[STRINGS_LEN];
	*module_index = (struct w_module_index){
	    .bytes = head,
	    .size = sizeof(*head),
	    .head = head,
	    .files = w_curated_files,
	    .modules = w_curated_modules,
	    .order = w_curated_order,
	    .strings = w_curated_strings,
	    .texts = w_curated_texts,
	};
	return true;
}
