/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EDIT_PATCH_H
#define W_EDIT_PATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * A patch of one or several files, in one of two forms:
 *
 *   a unified diff, as diff -u and git print it
 *   the text that Codex sends to apply_patch: "*** Begin Patch" ...
 *
 * Models write both by hand. So line numbers are hints, counts may be wrong,
 * and lines that are to be there may differ in white space at their ends.
 */
enum w_patch_action {
	W_PATCH_ADD,
	W_PATCH_CHANGE,
	W_PATCH_REMOVE,
};

struct w_patch_line {
	char sign;        /* ' ', '-', '+' */
	const char *text; /* without its end */
	size_t len;
};

struct w_patch_hunk {
	size_t first; /* in lines */
	size_t count;
	size_t old_line;   /* where it probably is, from 1; 0: not said */
	const char *place; /* a line that comes before it; NULL: none */
	size_t place_len;
	bool is_at_end;   /* of the file */
	bool old_is_open; /* the old file ends without a line end */
	bool new_is_open; /* likewise the new one */
};

struct w_patch_file {
	enum w_patch_action action;
	char *path;
	char *moved_to; /* NULL: it keeps its name */
	size_t first;   /* in hunks */
	size_t count;
};

struct w_patch {
	const char *text; /* borrowed; lines point into it */
	struct w_patch_file *files;
	struct w_patch_hunk *hunks;
	struct w_patch_line *lines;
	size_t file_count, hunk_count, line_count;
	size_t file_cap, hunk_cap, line_cap;
	bool is_unified;
};

#define W_PATCH_FILES_MAX 100
#define W_PATCH_BYTES_MAX ((size_t)16 << 20)

/*
 * Reads a patch. text must live as long as it. Every file is named once, by a
 * path without control characters. Fails with WRIT_E_INVALID and appends to why
 * what is wrong and in which line, or with WRIT_E_NOMEM; then there is nothing
 * to free.
 */
writ_status w_patch_read(
    const char *text, size_t len, struct w_patch *out_patch, struct w_buf *why);
void w_patch_done(struct w_patch *patch);

/*
 * Appends what becomes of a file: its old text with all hunks applied, or none.
 * The old text is empty for an added file. Line ends, and whether there is one
 * at the end of the file, stay as they are unless the patch says otherwise.
 *
 * Fails with WRIT_E_INVALID and appends to why which lines were not found and
 * what is nearest to them, or with WRIT_E_NOMEM.
 */
writ_status w_patch_apply(const struct w_patch *patch, size_t file,
    const char *text, size_t len, struct w_buf *out, struct w_buf *why);

/* ---- for the readers ---- */

/* Goes through the lines of a patch. */
struct w_patch_reader {
	struct w_patch *patch;
	const char *at;
	const char *end;
	size_t number;    /* of the current line, from 1 */
	const char *line; /* without its end */
	size_t len;
	struct w_buf *why;
};

/* Goes to the next line; false: there is none. */
bool w_patch_next(struct w_patch_reader *reader);

/* The line that comes next, without going there; false: there is none. */
bool w_patch_peek(
    const struct w_patch_reader *reader, const char **out_line, size_t *len);

bool w_patch_begins(const char *line, size_t len, const char *with);
writ_status w_patch_fail(struct w_patch_reader *reader, const char *what);

writ_status w_patch_add_file(struct w_patch_reader *reader,
    enum w_patch_action action, const char *path, size_t len);
writ_status w_patch_set_move(
    struct w_patch_reader *reader, const char *path, size_t len);
writ_status w_patch_add_hunk(struct w_patch_reader *reader);
writ_status w_patch_add_line(
    struct w_patch_reader *reader, char sign, const char *text, size_t len);

/* The file and the hunk that were added last; NULL: none. */
struct w_patch_file *w_patch_last_file(struct w_patch *patch);
struct w_patch_hunk *w_patch_last_hunk(struct w_patch *patch);

writ_status w_patch_read_unified(struct w_patch_reader *reader);
writ_status w_patch_read_codex(struct w_patch_reader *reader);

#endif /* W_EDIT_PATCH_H */
