/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESCRIPTION_TEXT_H
#define DESCRIPTION_TEXT_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/*
 * The text of a description of data/commands. A line
 *
 *     #include FOLDER/PART.yaml
 *
 * that begins in the first column stands for the lines of that file, which has
 * no such line. Its path begins at the folder of the description.
 */

#define DESCRIPTION_PATH_MAX  4096
#define DESCRIPTION_PARTS_MAX 64

/* From a line of the text on, counted from 1: the lines of a file from one of
 * its own on. */
struct description_part {
	char file[DESCRIPTION_PATH_MAX];
	unsigned line;
	unsigned file_line;
};

struct description_text {
	struct w_buf text; /* the caller's */
	unsigned line;     /* how many there are */
	struct description_part parts[DESCRIPTION_PARTS_MAX];
	size_t part_count;
	char error[DESCRIPTION_PATH_MAX + 64];
};

static inline bool
description_begin_part(
    struct description_text *description, const char *file, unsigned file_line)
{
	struct description_part *part;

	if (description->part_count == DESCRIPTION_PARTS_MAX) {
		(void)snprintf(description->error, sizeof(description->error),
		    "%s:%u: more than %d parts", file, file_line,
		    DESCRIPTION_PARTS_MAX / 2);
		return false;
	}
	part = &description->parts[description->part_count++];
	(void)snprintf(part->file, sizeof(part->file), "%s", file);
	part->line = description->line + 1;
	part->file_line = file_line;
	return true;
}

/* The path of the part that a line includes; false: it is no such line. */
static inline bool
description_include_path(const char *file, const char *line, char *path)
{
	static const char word[] = "#include ";
	const char *slash = strrchr(file, '/');
	int folder = slash == NULL ? 0 : (int)(slash - file) + 1;
	const char *name = line + sizeof(word) - 1;

	if (strncmp(line, word, sizeof(word) - 1) != 0)
		return false;
	(void)snprintf(path, DESCRIPTION_PATH_MAX, "%.*s%.*s", folder, file,
	    (int)strcspn(name, " \t\r\n"), name);
	return true;
}

/* Adds the lines of a file. Parts have no parts, so is_part bounds the
 * recursion. */
static inline bool
description_add_file(
    struct description_text *description, const char *file, bool is_part)
{
	char line[4096];
	char path[DESCRIPTION_PATH_MAX];
	unsigned number = 0;
	FILE *stream = fopen(file, "re");
	bool is_good =
	    stream != NULL && description_begin_part(description, file, 1);

	if (stream == NULL)
		(void)snprintf(description->error, sizeof(description->error),
		    "%s: %s", file, strerror(errno));
	while (is_good && fgets(line, (int)sizeof(line), stream) != NULL) {
		bool is_line = strchr(line, '\n') != NULL;

		if (!is_part && description_include_path(file, line, path)) {
			number++;
			is_good =
			    description_add_file(description, path, true) &&
			    description_begin_part(
				description, file, number + 1);
			continue;
		}
		w_buf_add_str(&description->text, line);
		number += is_line;
		description->line += is_line;
	}
	if (stream != NULL)
		(void)fclose(stream);
	return is_good;
}

/* max is the largest text. false: error says why. */
static inline bool
description_text_read(
    struct description_text *description, const char *file, size_t max)
{
	description->line = 0;
	description->part_count = 0;
	w_buf_init(&description->text, max);
	if (!description_add_file(description, file, false))
		return false;
	if (description->text.failed)
		(void)snprintf(description->error, sizeof(description->error),
		    "%s: more than %zu bytes", file, max);
	return !description->text.failed;
}

/* The file and its line of a line of the text. */
static inline const char *
description_text_place(const struct description_text *description,
    unsigned line, unsigned *out_line)
{
	size_t i = description->part_count - 1;

	while (i > 0 && description->parts[i].line > line)
		i--;
	*out_line =
	    description->parts[i].file_line + line - description->parts[i].line;
	return description->parts[i].file;
}

#endif /* DESCRIPTION_TEXT_H */
