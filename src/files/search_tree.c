/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ-file search`: the lines of files that a regular expression matches.
 *
 * Each line is matched by itself. A pattern that takes too long for a line ends
 * the search: the limit of PCRE2 makes that a bounded time.
 */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <errno.h>
#include <pcre2.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "edit/edit_lines.h"
#include "files/file_kind.h"
#include "files/file_place.h"
#include "files/file_words.h"
#include "files/path_glob.h"
#include "files/tree_walk.h"

enum {
	LINE_SHOWN = 300,
	FOOT = 256,
	STEPS_MAX = 1000000, /* of one match */
	CONTEXT_MAX = 20,
	ERROR_MAX = 256,
};

struct searching {
	const struct w_files_words *words;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	struct w_buf out;
	struct w_buf text; /* of the current file */
	size_t files;      /* with a match */
	size_t matches;
	size_t too_large; /* files that were passed over */
	bool is_full;
	bool is_slow;
};

/* ---- the pattern ---- */

static bool
search_compile(struct searching *searching)
{
	const struct w_files_words *words = searching->words;
	const uint32_t options =
	    PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
	    (words->ignores_case ? PCRE2_CASELESS : 0) |
	    (words->is_literal ? PCRE2_LITERAL : PCRE2_NEVER_BACKSLASH_C);
	PCRE2_UCHAR why[ERROR_MAX];
	PCRE2_SIZE at = 0;
	int error = 0;

	searching->code = pcre2_compile((PCRE2_SPTR)words->pattern,
	    PCRE2_ZERO_TERMINATED, options, &error, &at, NULL);
	if (searching->code == NULL) {
		(void)pcre2_get_error_message(error, why, sizeof(why));
		(void)w_files_fail("the pattern is no regular expression: %s "
				   "at its character %zu; literal: true takes "
				   "it as it is",
		    (const char *)why, (size_t)at + 1);
		return false;
	}
	(void)pcre2_jit_compile(searching->code, PCRE2_JIT_COMPLETE);
	searching->data =
	    pcre2_match_data_create_from_pattern(searching->code, NULL);
	searching->limits = pcre2_match_context_create(NULL);
	if (searching->data == NULL || searching->limits == NULL) {
		(void)w_files_fail("no memory for the pattern");
		return false;
	}
	(void)pcre2_set_match_limit(searching->limits, STEPS_MAX);
	return true;
}

static void
search_done(struct searching *searching)
{
	pcre2_match_context_free(searching->limits);
	pcre2_match_data_free(searching->data);
	pcre2_code_free(searching->code);
	w_buf_done(&searching->out);
	w_buf_done(&searching->text);
}

static bool
search_matches(struct searching *searching, const struct w_edit_line *line)
{
	const int found = pcre2_match(searching->code, (PCRE2_SPTR)line->text,
	    line->len, 0, 0, searching->data, searching->limits);

	if (found == PCRE2_ERROR_MATCHLIMIT ||
	    found == PCRE2_ERROR_JIT_STACKLIMIT)
		searching->is_slow = true;
	return found >= 0;
}

/* ---- a file ---- */

static void
search_add(struct searching *searching, const struct w_buf *text)
{
	if (searching->out.len + text->len + FOOT > searching->words->shown) {
		searching->is_full = true;
		return;
	}
	w_buf_add(&searching->out, text->data, text->len);
}

static void
search_add_lines(struct searching *searching, const struct w_edit_lines *lines,
    size_t from, size_t match)
{
	const size_t context = searching->words->context > CONTEXT_MAX
				   ? CONTEXT_MAX
				   : searching->words->context;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)(CONTEXT_MAX + 2) * LINE_SHOWN * 8);
	if (match > from + context) {
		if (from > 0 && context > 0)
			w_buf_add_str(&text, "--\n");
		from = match - context;
	}
	for (; from <= match; from++) {
		w_buf_add_fmt(
		    &text, "%zu%c", from + 1, from == match ? ':' : '-');
		w_edit_add_shown(&text, lines->items[from].text,
		    lines->items[from].len, LINE_SHOWN);
		w_buf_add_char(&text, '\n');
	}
	search_add(searching, &text);
}

/* The lines behind a match, up to the next one. */
static void
search_add_after(struct searching *searching, const struct w_edit_lines *lines,
    size_t from, size_t until)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)(CONTEXT_MAX + 2) * LINE_SHOWN * 8);
	for (size_t i = from; i < until; i++) {
		w_buf_add_fmt(&text, "%zu-", i + 1);
		w_edit_add_shown(&text, lines->items[i].text,
		    lines->items[i].len, LINE_SHOWN);
		w_buf_add_char(&text, '\n');
	}
	search_add(searching, &text);
}

static void
search_lines(struct searching *searching, const struct w_edit_lines *lines,
    const struct w_buf *heading)
{
	const size_t context = searching->words->context > CONTEXT_MAX
				   ? CONTEXT_MAX
				   : searching->words->context;
	size_t shown = 0, after = 0;
	bool has_match = false;

	for (size_t i = 0; i < lines->count; i++) {
		if (searching->is_full || searching->is_slow)
			return;
		if (!search_matches(searching, &lines->items[i])) {
			if (i < after) {
				search_add_after(searching, lines, i, i + 1);
				shown = i + 1;
			}
			continue;
		}
		if (!has_match) {
			search_add(searching, heading);
			searching->files++;
			has_match = true;
		}
		searching->matches++;
		if (searching->words->names_only)
			return;
		search_add_lines(searching, lines, shown, i);
		shown = i + 1;
		after = i + 1 + context;
	}
}

static void
search_file(
    struct searching *searching, const char *place, const struct w_buf *heading)
{
	W_AUTO_LINES struct w_edit_lines lines = {NULL, 0};
	struct w_buf *text = &searching->text;
	W_AUTO_FD int fd = -1;
	bool is_image = false;
	struct stat st;

	if (w_files_open(place, &fd, &st) != 0 || fd < 0)
		return;
	text->len = 0;
	const int error = w_files_load(fd, W_FILES_BYTES_MAX, text);
	const size_t head =
	    text->len < W_FILES_KIND_BYTES ? text->len : W_FILES_KIND_BYTES;
	searching->too_large += error == EFBIG;
	if (error != 0 || w_files_kind(text->data, head, &is_image) != NULL)
		return;
	if (w_edit_lines_init(&lines, text->data, text->len))
		search_lines(searching, &lines, heading);
}

static bool
search_each(void *ctx, const struct w_files_entry *entry)
{
	struct searching *searching = ctx;
	const char *match = searching->words->match;
	const char *spelled = searching->words->paths[0].spelled;
	const bool is_here = strcmp(spelled, ".") == 0;
	W_AUTO_BUF struct w_buf heading;

	w_buf_init(&heading, W_FILES_SHOWN);
	if (!S_ISREG(entry->st.st_mode) ||
	    (match != NULL && !w_files_glob_any(match, entry->below)))
		return true;
	if (!is_here) {
		size_t len = strlen(spelled);

		while (len > 0 && spelled[len - 1] == '/')
			len--;
		w_edit_add_shown(&heading, spelled, len, W_FILES_SHOWN / 8);
		w_buf_add_char(&heading, '/');
	}
	w_edit_add_shown(
	    &heading, entry->below, strlen(entry->below), W_FILES_SHOWN / 8);
	w_buf_add_char(&heading, '\n');
	search_file(searching, entry->path, &heading);
	return !searching->is_full && !searching->is_slow;
}

/* ---- the answer ---- */

static int
search_answer(struct searching *searching, const struct w_files_walk *walk)
{
	struct w_buf *out = &searching->out;

	if (searching->is_slow)
		return w_files_fail("the pattern takes too long for a line: "
				    "make it simpler");
	if (searching->matches == 0 && !searching->is_full)
		w_buf_add_str(out, "[no line matches]\n");
	if (searching->is_full || walk->is_cut)
		w_buf_add_str(out, "[there is more: narrow the pattern or the "
				   "path, give a match, or set files_only]\n");
	if (searching->too_large > 0)
		w_buf_add_fmt(out, "[%zu files are too large to search]\n",
		    searching->too_large);
	if (walk->has_left_out && searching->matches == 0)
		w_buf_add_str(out, "[ignored files were not searched; all: "
				   "true searches them]\n");
	return w_files_say(out);
}

static int
search_start(struct searching *searching, struct w_files_walk *walk)
{
	const struct w_files_path *path = &searching->words->paths[0];
	W_AUTO_BUF struct w_buf heading;
	W_AUTO_FD int fd = -1;
	struct stat st;

	w_buf_init(&heading, W_FILES_SHOWN);
	const int error = w_files_open(path->place, &fd, &st);
	if (error != 0 || S_ISDIR(st.st_mode))
		return error != 0 ? error : w_files_walk(path->place, walk);
	w_edit_add_shown(
	    &heading, path->spelled, strlen(path->spelled), W_FILES_SHOWN / 8);
	w_buf_add_char(&heading, '\n');
	search_file(searching, path->place, &heading);
	return 0;
}

int
w_files_search(const struct w_files_words *words)
{
	struct searching searching = {.words = words};
	struct w_files_walk walk = {
	    .depth = words->depth,
	    .has_ignored = words->has_ignored,
	    .each = search_each,
	    .ctx = &searching,
	};
	int status = 1;

	w_buf_init(&searching.out, words->shown + FOOT * 4);
	w_buf_init(&searching.text, W_FILES_BYTES_MAX + 1);
	if (search_compile(&searching)) {
		const int error = search_start(&searching, &walk);

		status = error != 0 ? w_files_fail_at("search",
					  words->paths[0].spelled, error)
				    : search_answer(&searching, &walk);
	}
	search_done(&searching);
	return status;
}
