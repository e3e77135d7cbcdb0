/* SPDX-License-Identifier: Apache-2.0 */

/* `writ-file list`: the entries of a directory, or those below it that a glob
 * matches, with their sizes. */

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "edit/edit_lines.h"
#include "files/file_place.h"
#include "files/file_words.h"
#include "files/path_glob.h"
#include "files/tree_walk.h"

enum {
	FOOT = 256,
};

struct tree_listing {
	const struct w_files_words *words;
	struct w_buf out;
	size_t shown;
	bool is_full;
};

static void
list_tree_add(struct tree_listing *listing, const struct w_files_entry *entry)
{
	const mode_t mode = entry->st.st_mode;
	char target[PATH_MAX];
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, (size_t)PATH_MAX * 16);
	w_edit_add_shown(&line, entry->below, strlen(entry->below), PATH_MAX);
	if (S_ISDIR(mode)) {
		w_buf_add_char(&line, '/');
	} else if (S_ISLNK(mode)) {
		const ssize_t len =
		    readlink(entry->path, target, sizeof(target) - 1);

		w_buf_add_str(&line, " -> ");
		if (len > 0)
			w_edit_add_shown(&line, target, (size_t)len, PATH_MAX);
	} else if (S_ISREG(mode)) {
		w_buf_add_fmt(&line, "\t%" PRId64, (int64_t)entry->st.st_size);
	} else {
		w_buf_add_fmt(&line, "\t(%s)", w_files_kind_word(mode));
	}
	w_buf_add_char(&line, '\n');
	if (listing->out.len + line.len + FOOT > listing->words->shown) {
		listing->is_full = true;
		return;
	}
	w_buf_add(&listing->out, line.data, line.len);
	listing->shown++;
}

static bool
list_tree_each(void *ctx, const struct w_files_entry *entry)
{
	struct tree_listing *listing = ctx;
	const char *match = listing->words->match;

	if (match == NULL || (!S_ISDIR(entry->st.st_mode) &&
				 w_files_glob_any(match, entry->below)))
		list_tree_add(listing, entry);
	return !listing->is_full;
}

static int
list_tree_file(const struct w_files_words *words, const struct stat *st)
{
	const struct w_files_path *path = &words->paths[0];
	const struct w_files_entry entry = {
	    .below = path->spelled, .path = path->place, .st = *st};
	struct tree_listing listing = {.words = words};

	w_buf_init(&listing.out, words->shown + FOOT);
	list_tree_add(&listing, &entry);
	const int status = w_files_say(&listing.out);
	w_buf_done(&listing.out);
	return status;
}

static void
list_tree_add_foot(
    struct tree_listing *listing, const struct w_files_walk *walk)
{
	struct w_buf *out = &listing->out;

	if (listing->shown == 0 && !listing->is_full)
		w_buf_add_str(out, listing->words->match != NULL
				       ? "[no file matches]\n"
				       : "[nothing in it]\n");
	if (listing->is_full || walk->is_cut)
		w_buf_add_fmt(out,
		    "[cut after %zu entries: name a directory below it, or "
		    "give a narrower match]\n",
		    listing->shown);
	if (walk->has_left_out)
		w_buf_add_str(out, "[ignored files are left out; all: true "
				   "shows them]\n");
}

int
w_files_list(const struct w_files_words *words)
{
	const struct w_files_path *path = &words->paths[0];
	struct tree_listing listing = {.words = words};
	struct w_files_walk walk = {
	    .depth = words->depth != 0      ? words->depth
		     : words->match != NULL ? 0
					    : 1,
	    /* Who looks into one directory wants to know all of it. */
	    .has_ignored = words->has_ignored ||
			   (words->match == NULL && words->depth <= 1),
	    .each = list_tree_each,
	    .ctx = &listing,
	};
	W_AUTO_FD int fd = -1;
	struct stat st;

	int error = w_files_open(path->place, &fd, &st);
	if (error != 0)
		return w_files_fail_at("list", path->spelled, error);
	if (!S_ISDIR(st.st_mode))
		return list_tree_file(words, &st);
	w_buf_init(&listing.out, words->shown + FOOT);
	error = w_files_walk(path->place, &walk);
	list_tree_add_foot(&listing, &walk);
	const int status = error != 0
			       ? w_files_fail_at("list", path->spelled, error)
			       : w_files_say(&listing.out);
	w_buf_done(&listing.out);
	return status;
}
