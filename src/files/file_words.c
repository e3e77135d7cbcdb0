/* SPDX-License-Identifier: Apache-2.0 */

/* The command line of writ-file, and what it says. */

#include "files/file_words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "os/file.h"

enum {
	USAGE_EXIT = 2,
	SAID_MAX = 8192,
	DECIMAL = 10,
};

/* ---- saying ---- */

int
w_files_fail(const char *fmt, ...)
{
	W_AUTO_BUF struct w_buf buf;
	char text[SAID_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	w_buf_init(&buf, SAID_MAX * 4);
	w_buf_add_fmt(&buf, "%s\n", text);
	(void)w_file_write_all(STDERR_FILENO, buf.data, buf.len);
	return 1;
}

static const char *
advice(int error)
{
	switch (error) {
	case EROFS:
	case EBUSY:
	case EXDEV:
		return ": it is protected, or outside of what this sandbox "
		       "lets be written";
	case EACCES:
	case EPERM:
		return ": its permissions or the sandbox do not allow it";
	case ELOOP:
		return ": there is a symbolic link on the way now that was "
		       "not judged";
	case ENOENT:
		return ": use list to see what is there";
	default:
		return "";
	}
}

int
w_files_fail_at(const char *what, const char *path, int error)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, SAID_MAX);
	(void)w_printable_add(&shown, path, 0);
	if (error == ESTALE)
		return w_files_fail("'%s' was changed by somebody else "
				    "meanwhile: read it again",
		    shown.data);
	return w_files_fail("cannot %s '%s': %s%s", what, shown.data,
	    strerror(error), advice(error));
}

int
w_files_say(const struct w_buf *buf)
{
	if (buf->failed)
		return w_files_fail("no memory for the answer");
	return w_file_write_all(STDOUT_FILENO, buf->data, buf->len) == 0 ? 0
									 : 1;
}

/* ---- words ---- */

enum word_kind {
	FLAG,
	TEXT,
	COUNT,
	PLACE,   /* where the last path leads to */
	CHANGED, /* another path */
	REMOVED,
};

struct word_row {
	const char *name;
	enum word_kind kind;
	size_t offset;
};

#define MEMBER(member) offsetof(struct w_files_words, member)

static const struct word_row rows[] = {
    {"--at", PLACE, 0},
    {"--remove-at", PLACE, 0},
    {"--change", CHANGED, 0},
    {"--remove", REMOVED, 0},
    {"--match", TEXT, MEMBER(match)},
    {"--from", COUNT, MEMBER(from)},
    {"--lines", COUNT, MEMBER(lines)},
    {"--depth", COUNT, MEMBER(depth)},
    {"--context", COUNT, MEMBER(context)},
    {"--bytes", COUNT, MEMBER(shown)},
    {"--images", FLAG, MEMBER(shows_images)},
    {"--literal", FLAG, MEMBER(is_literal)},
    {"--ignore-case", FLAG, MEMBER(ignores_case)},
    {"--names", FLAG, MEMBER(names_only)},
    {"--all", FLAG, MEMBER(has_ignored)},
};

static bool
word_read_count(const char *text, void *slot)
{
	char *end = NULL;

	errno = 0;
	const long long number = strtoll(text, &end, DECIMAL);
	if (errno != 0 || end == text || *end != '\0' || number < -INT32_MAX ||
	    number > INT32_MAX)
		return false;
	const int64_t value = number;
	memcpy(slot, &value, sizeof(value));
	return true;
}

static bool
word_add_path(struct w_files_words *words, const char *text, bool is_removed)
{
	if (words->count == W_FILES_PATHS_MAX || text[0] == '\0')
		return false;
	struct w_files_path *path = &words->paths[words->count++];
	path->spelled = text;
	if (path->place == NULL)
		path->place = text;
	path->is_removed = is_removed;
	return true;
}

static bool
word_take(
    struct w_files_words *words, const struct word_row *row, const char *value)
{
	char *slot = (char *)words + row->offset;

	switch (row->kind) {
	case FLAG:
		*(bool *)slot = true;
		return true;
	case TEXT:
		memcpy(slot, &value, sizeof(value));
		return true;
	case COUNT:
		/* Only a line may be counted from the end. */
		return (value[0] != '-' || row->offset == MEMBER(from)) &&
		       word_read_count(value, slot);
	case PLACE:
		/* That of an operand, which comes behind all options. */
		words->paths[words->count == 0 ? 0 : words->count - 1].place =
		    value;
		return true;
	case CHANGED:
	case REMOVED:
		return word_add_path(words, value, row->kind == REMOVED);
	}
	return false;
}

static const struct word_row *
word_find(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

/* Operands stand behind all options. */
static bool
word_read_operands(int argc, char **argv, struct w_files_words *out, int *at)
{
	const bool is_search = strcmp(out->command, "search") == 0;

	if (strcmp(out->command, "patch") == 0)
		return true;
	if (is_search && *at < argc)
		out->pattern = argv[(*at)++];
	return *at < argc && word_add_path(out, argv[(*at)++], false);
}

bool
w_files_words_read(int argc, char **argv, struct w_files_words *out)
{
	int at = 2;

	*out = (struct w_files_words){.shown = W_FILES_SHOWN};
	out->command = argc > 1 ? argv[1] : "";
	while (at < argc) {
		const struct word_row *row = word_find(argv[at]);
		const bool has_value = row != NULL && row->kind != FLAG;

		if (strcmp(argv[at], "--") == 0) {
			at++;
			break;
		}
		if (argv[at][0] != '-' || argv[at][1] != '-')
			break;
		if (row == NULL || (has_value && at + 1 == argc) ||
		    !word_take(out, row, has_value ? argv[at + 1] : "")) {
			(void)w_files_fail("wrong usage: '%s'", argv[at]);
			return false;
		}
		at += has_value ? 2 : 1;
	}
	if (!word_read_operands(argc, argv, out, &at) || at != argc ||
	    out->count == 0) {
		(void)w_files_fail("wrong usage: a path was expected");
		return false;
	}
	return true;
}
