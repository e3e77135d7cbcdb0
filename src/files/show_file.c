/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ-file read`: the lines of a file with their numbers, as many as there is
 * room for, and how to go on. The file is read in blocks: its size does not
 * matter.
 *
 * Text begins with a number or a bracket, so nothing in a file can look like
 * the bytes of an image, which are shown as they are.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "edit/edit_lines.h"
#include "files/file_kind.h"
#include "files/file_place.h"
#include "files/file_words.h"
#include "os/file.h"

enum {
	LINE_SHOWN = 2000,
	IMAGE_MAX = 3750 * 1024, /* 5 MB in base64 */
	FOOT = 256,
};

/* A file on its way past. */
struct file_showing {
	const struct w_files_words *words;
	struct w_buf out;
	struct w_buf line;  /* the current one, as far as it is shown */
	size_t line_len;    /* all of it */
	uint64_t from;      /* the first line to show */
	uint64_t number;    /* of the current line */
	uint64_t last;      /* the last that was shown; 0: none */
	uint64_t ends;      /* lines with an end */
	uint64_t crlf_ends; /* of those, with CR LF */
	char before;        /* the last byte */
	bool is_full;
};

static bool
show_file_wants(const struct file_showing *showing)
{
	const uint64_t lines = showing->words->lines;

	return !showing->is_full && showing->number >= showing->from &&
	       (lines == 0 || showing->number - showing->from < lines);
}

/* The current line is complete. */
static void
show_file_end_line(struct file_showing *showing)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, (size_t)LINE_SHOWN * 8);
	if (!show_file_wants(showing))
		return;
	if (showing->line.len == showing->line_len && showing->line.len > 0 &&
	    w_buf_last(&showing->line) == '\r') {
		showing->line.len--;
		showing->line_len--;
	}
	w_buf_add_fmt(&shown, "%" PRIu64 "\t", showing->number);
	w_edit_add_shown(
	    &shown, showing->line.data, showing->line.len, LINE_SHOWN);
	if (showing->line_len > showing->line.len)
		w_buf_add_fmt(&shown, " [%zu more bytes]",
		    showing->line_len - showing->line.len);
	w_buf_add_char(&shown, '\n');
	if (showing->out.len > 0 &&
	    showing->out.len + shown.len + FOOT > showing->words->shown) {
		showing->is_full = true;
		return;
	}
	w_buf_add(&showing->out, shown.data, shown.len);
	showing->last = showing->number;
}

static void
show_file_next_line(struct file_showing *showing)
{
	showing->number++;
	showing->line.len = 0;
	showing->line_len = 0;
}

static int
show_file_add(void *ctx, const char *bytes, size_t len)
{
	struct file_showing *showing = ctx;

	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		const size_t part = end == NULL ? len : (size_t)(end - bytes);
		const size_t room = LINE_SHOWN - showing->line.len;

		if (show_file_wants(showing))
			w_buf_add(
			    &showing->line, bytes, part < room ? part : room);
		showing->line_len += part;
		if (part > 0)
			showing->before = bytes[part - 1];
		if (end == NULL)
			return 0;
		showing->ends++;
		showing->crlf_ends += showing->before == '\r';
		show_file_end_line(showing);
		show_file_next_line(showing);
		showing->before = '\n';
		bytes = end + 1;
		len -= part + 1;
	}
	return 0;
}

static int
show_file_pass(struct file_showing *showing, int fd)
{
	const int error = w_files_pass(fd, show_file_add, showing);

	if (error != 0)
		return error;
	if (showing->line_len > 0)
		show_file_end_line(showing);
	return 0;
}

/* ---- from the end ---- */

static int
show_file_count(int fd, uint64_t *out_lines)
{
	struct file_showing counting = {.from = UINT64_MAX, .number = 1};
	const struct w_files_words nothing = {.shown = 0};

	counting.words = &nothing;
	w_buf_init(&counting.out, 1);
	w_buf_init(&counting.line, 1);
	const int error = show_file_pass(&counting, fd);
	*out_lines = counting.ends + (counting.line_len > 0);
	w_buf_done(&counting.out);
	w_buf_done(&counting.line);
	return error;
}

static int
show_file_find_start(
    const struct w_files_words *words, int fd, uint64_t *out_from)
{
	uint64_t lines = 0;

	*out_from = words->from > 0 ? (uint64_t)words->from : 1;
	if (words->from >= 0)
		return 0;
	const int error = show_file_count(fd, &lines);
	const uint64_t back = (uint64_t)-words->from;
	*out_from = lines > back ? lines - back + 1 : 1;
	return error;
}

/* ---- the answer ---- */

static void
show_file_add_foot(struct file_showing *showing)
{
	const uint64_t lines = showing->ends + (showing->line_len > 0);
	struct w_buf *out = &showing->out;

	if (lines == 0)
		w_buf_add_str(out, "[the file is empty]\n");
	else if (showing->last == 0)
		w_buf_add_fmt(out, "[the file has %" PRIu64 " lines]\n", lines);
	else if (showing->last < lines)
		w_buf_add_fmt(out,
		    "[lines %" PRIu64 " to %" PRIu64 " of %" PRIu64
		    "; go on with offset %" PRIu64 "]\n",
		    showing->from, showing->last, lines, showing->last + 1);
	if (showing->crlf_ends > 0)
		w_buf_add_str(out, showing->crlf_ends == showing->ends
				       ? "[its lines end with CR LF]\n"
				       : "[some lines end with CR LF]\n");
	if (showing->line_len > 0)
		w_buf_add_str(out, "[no line end at the end of the file]\n");
}

static int
show_file_text(const struct w_files_words *words, int fd)
{
	struct file_showing showing = {.words = words, .number = 1};

	int error = show_file_find_start(words, fd, &showing.from);
	w_buf_init(&showing.out, words->shown + (size_t)LINE_SHOWN * 8);
	w_buf_init(&showing.line, LINE_SHOWN + 1);
	if (error == 0)
		error = show_file_pass(&showing, fd);
	show_file_add_foot(&showing);
	const int status =
	    error != 0 ? w_files_fail_at("read", words->paths[0].spelled, error)
		       : w_files_say(&showing.out);
	w_buf_done(&showing.out);
	w_buf_done(&showing.line);
	return status;
}

static int
show_file_image(const struct w_files_words *words, int fd)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, IMAGE_MAX + 1);
	const int error = w_files_load(fd, IMAGE_MAX, &bytes);
	return error != 0
		   ? w_files_fail_at("read", words->paths[0].spelled, error)
		   : w_files_say(&bytes);
}

static int
show_file_binary(const char *kind, off_t size)
{
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, FOOT);
	w_buf_add_fmt(&out,
	    "[%s, %lld bytes: not shown; a program for it can be run with "
	    "exec]\n",
	    kind, (long long)size);
	return w_files_say(&out);
}

int
w_files_read(const struct w_files_words *words)
{
	const struct w_files_path *path = &words->paths[0];
	char head[W_FILES_KIND_BYTES];
	bool is_image = false;
	W_AUTO_FD int fd = -1;
	struct stat st;

	const int error = w_files_open(path->place, &fd, &st);
	if (error != 0)
		return w_files_fail_at("read", path->spelled, error);
	if (S_ISDIR(st.st_mode))
		return w_files_fail(
		    "'%s' is a directory: use list", path->spelled);
	if (fd < 0)
		return w_files_fail("'%s' is %s: not read", path->spelled,
		    w_files_kind_word(st.st_mode));
	const ssize_t n = pread(fd, head, sizeof(head), 0);
	if (n < 0)
		return w_files_fail_at("read", path->spelled, errno);
	const char *kind = w_files_kind(head, (size_t)n, &is_image);
	if (kind == NULL)
		return show_file_text(words, fd);
	return is_image && words->shows_images && st.st_size <= IMAGE_MAX
		   ? show_file_image(words, fd)
		   : show_file_binary(kind, st.st_size);
}
