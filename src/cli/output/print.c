/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Messages and results of writ itself, apart from the output of commands.
 *
 * Plain write() calls: a line appears whole or not at all, and `writ run` does
 * not set up stdio.
 */

#include "cli/output/print.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/result.h>

#include "base/auto.h"
#include "base/buf.h"

/* Room for a file position, a message and a suggestion. */
#define LINE_MAX_LEN 1024

/* EAGAIN: another process that shares the open file may have set O_NONBLOCK.
 */
int
w_print_bytes(int fd, const char *bytes, size_t len)
{
	struct pollfd writable = {.fd = fd, .events = POLLOUT};

	while (len > 0) {
		ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0 && errno == EAGAIN &&
		    poll(&writable, 1, -1) >= 0)
			continue;
		if (written < 0)
			return -1;
		bytes += written;
		len -= (size_t)written;
	}
	return 0;
}

static void
write_line(char *line)
{
	const size_t len = strlen(line);

	/* File names and arguments may contain terminal escape sequences. */
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)line[i];

		if (c < 0x20 || c == 0x7f)
			line[i] = '?';
	}
	line[len] = '\n';
	/* A failure to write to standard error cannot be reported. */
	(void)w_print_bytes(STDERR_FILENO, line, len + 1);
}

void
w_print_note(const char *fmt, ...)
{
	char line[LINE_MAX_LEN] = "writ: ";
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(line + 6, sizeof(line) - 7, fmt, args);
	va_end(args);
	write_line(line);
}

bool
w_print_is_question(const char *suggestion)
{
	static const char start[] = "did you mean ";

	return strncmp(suggestion, start, sizeof(start) - 1) == 0;
}

void
w_print_error(const writ_error *err, const char *document)
{
	const bool is_asked = w_print_is_question(err->suggestion);
	const char *comma = is_asked ? ", " : "";
	const char *question = is_asked ? err->suggestion : "";

	if (document != NULL && err->line > 0)
		w_print_note("%s:%u:%u: %s%s%s", document, err->line,
		    err->column, err->message, comma, question);
	else
		w_print_note("%s%s%s", err->message, comma, question);
	if (is_asked || err->suggestion[0] == '\0')
		return;

	char line[LINE_MAX_LEN];
	(void)snprintf(line, sizeof(line) - 1, "  try: %s", err->suggestion);
	write_line(line);
}

void
w_print_error_json(const writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	if (writ_error_json(err, &json, &len) != WRIT_OK ||
	    w_print_bytes(STDOUT_FILENO, json, len) < 0 ||
	    w_print_bytes(STDOUT_FILENO, "\n", 1) < 0)
		w_print_error(err, NULL);
}

int
w_print_failure(const writ_error *err, bool is_json, int exit_status)
{
	if (is_json)
		w_print_error_json(err);
	else
		w_print_error(err, NULL);
	return exit_status;
}

int
w_print(const struct w_buf *buf)
{
	if (buf->failed) {
		w_print_note("out of memory");
		return 1;
	}
	if (w_print_bytes(STDOUT_FILENO, buf->data, buf->len) < 0) {
		w_print_note(
		    "cannot write to standard output: %s", strerror(errno));
		return 1;
	}
	return 0;
}

int
w_print_json(const char *json, size_t len)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, len + 1);
	w_buf_add(&buf, json, len);
	w_buf_add_char(&buf, '\n');
	return w_print(&buf);
}

bool
w_print_has_colour(int fd)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_colour != NULL && no_colour[0] != '\0')
		return false;
	if (term == NULL || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fd) == 1;
}
