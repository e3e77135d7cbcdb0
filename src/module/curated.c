/* SPDX-License-Identifier: Apache-2.0 */

/* The descriptions that are built in. Their tables are made by
 * tools/embed_commands.c; names are in the order of strcmp(). */

#include "module/curated.h"

#include <stdint.h>
#include <string.h>

struct program {
	uint32_t name;
	uint32_t text;
	uint32_t text_len;
};

struct name {
	uint32_t text;
	uint32_t program;
};

/* Programs, names. */
extern const uint32_t w_curated_counts[2];
extern const struct program w_curated_programs[];
extern const struct name w_curated_names[];
extern const char w_curated_strings[];
extern const char w_curated_texts[];

size_t
w_curated_count(void)
{
	return w_curated_counts[0];
}

struct w_curated
w_curated_at(size_t place)
{
	const struct program *program = &w_curated_programs[place];

	return (struct w_curated){
	    .name = w_curated_strings + program->name,
	    .json = w_curated_texts + program->text,
	    .len = program->text_len,
	};
}

/* Like strcmp() of the word and the name. */
static int
compare(const char *word, size_t len, const char *name)
{
	int order = strncmp(word, name, len);

	return order != 0 ? order : -(name[len] != '\0');
}

bool
w_curated_find(const char *name, size_t len, struct w_curated *out_curated)
{
	size_t from = 0;
	size_t to = w_curated_counts[1];

	if (memchr(name, '\0', len) != NULL)
		return false;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct name *row = &w_curated_names[middle];
		int order = compare(name, len, w_curated_strings + row->text);

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
