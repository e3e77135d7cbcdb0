/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_REDACT_H
#define W_AUDIT_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Keeps secrets out of records: every occurrence of a secret value in a text is
 * replaced. Secret values are those that the request marks, and those of
 * variables whose names suggest a secret (TOKEN, KEY, PASSWORD, ...) if they
 * are too long to be a common word.
 *
 * Texts are searched as raw bytes, before anything is escaped or encoded; so
 * quotes, newlines and bytes that are not UTF-8 hide nothing.
 */
#define W_REDACTED "[secret]"

/* The shortest value of a variable that is treated as a secret. */
#define W_REDACT_VALUE_MIN 8

/* The longest text of a writ_error. */
#define W_REDACT_MESSAGE_MAX sizeof(((writ_error *)NULL)->message)

/* A truncated secret of at least this many bytes is replaced too. */
#define W_REDACT_PART_MIN 6

/* Shorter secrets are not replaced in names that records are found by. */
#define W_REDACT_NAME_MIN 5

/* Bytes of a command that are a secret at this position only. */
#define W_REDACT_SHELL SIZE_MAX       /* in place of a word: the shell string */
#define W_REDACT_STDIN (SIZE_MAX - 1) /* the standard input */
struct w_redact_span {
	size_t word; /* index in argv */
	size_t offset;
	size_t len;
};

struct w_redactor {
	const char **values; /* borrowed; none is empty */
	size_t *lens;
	size_t count;
	size_t cap;
	const struct w_redact_span *spans; /* borrowed; ascending by word */
	size_t span_count;
	bool has_redacted; /* something was replaced */
};

/* All zeros is a redactor without secrets. */
void w_redactor_done(struct w_redactor *redactor);

/* Adds values; they must outlive the redactor. NULL: none. */
writ_status w_redactor_add(
    struct w_redactor *redactor, const char *const *secrets, writ_error *err);

/* Adds one value, of that many bytes. */
writ_status w_redactor_add_len(struct w_redactor *redactor, const char *value,
    size_t len, writ_error *err);

/* Adds the values of the variables (NAME=VALUE) whose names suggest a
 * secret. */
writ_status w_redactor_add_env(
    struct w_redactor *redactor, const char *const *env, writ_error *err);

/* Whether the name of a variable suggests a secret. */
bool w_redact_is_secret_name(const char *name, size_t len);

/* Appends a text as a JSON value without its secrets: a string, {"b64":...} if
 * it is not UTF-8, null for NULL. */
void w_redact_add(
    struct w_redactor *redactor, struct w_buf *buf, const char *text);

/* The same for the first len bytes. */
void w_redact_add_len(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len);

/* The same for the bytes `from` to `to` of a standard input of len bytes: a
 * secret that is cut there is removed entirely. */
void w_redact_add_input(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len, size_t from, size_t to);

/* The same for a word of the argv, or W_REDACT_SHELL, also removing its
 * spans. */
void w_redact_add_word(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t word);

/* The same for a name that the caller chose and that records are found by, such
 * as the agent or the trace id. A secret shorter than W_REDACT_NAME_MIN bytes
 * stays in it: it would match by chance, and the gap would reveal it. */
void w_redact_add_name(
    struct w_redactor *redactor, struct w_buf *buf, const char *name);

/* The same for the message of a writ_error, in which a secret may be truncated
 * and has its control characters escaped. */
void w_redact_add_message(
    struct w_redactor *redactor, struct w_buf *buf, const char *message);

/* Appends the text itself without its secrets. */
void w_redact_text(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len);

/* Removes the secrets from an error that somebody will see. NULL: nothing to
 * do. */
void w_redact_error(struct w_redactor *redactor, writ_error *error);

#endif /* W_AUDIT_REDACT_H */
