/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PRINT_H
#define W_CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

struct w_buf;

/* The maximum size of a help text, a completion script or a table. */
#define W_PRINT_MAX ((size_t)4 << 20)

/* Writes all bytes to standard output. Returns the exit status: 0, or 1 after
 * a message if they cannot be written. */
int w_print(const struct w_buf *buf);

/* The same for a JSON text; adds a newline. */
int w_print_json(const char *json, size_t len);

/* Writes one line "writ: ..." to standard error. */
void w_print_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Writes an error to standard error: "writ: message", then "  try: ..." if
 * there is a suggestion. document: the name of the file that the line and the
 * column of the error refer to; NULL: none.
 */
void w_print_error(const writ_error *err, const char *document);

/* Whether a suggestion is "did you mean 'x'?", which is appended to the
 * message; others go on a line of their own. */
bool w_print_is_question(const char *suggestion);

/* Writes an error as one JSON object to standard output. */
void w_print_error_json(const writ_error *err);

/* w_print_error_json() or w_print_error(). Returns exit_status. */
int w_print_failure(const writ_error *err, bool is_json, int exit_status);

/* Writes all bytes to a standard stream, waiting for its reader. Returns 0,
 * or -1 with errno set. */
int w_print_bytes(int fd, const char *bytes, size_t len);

/* Whether to use colours: a terminal, TERM is not "dumb", no NO_COLOR. */
bool w_print_has_colour(int fd);

#endif /* W_CLI_PRINT_H */
