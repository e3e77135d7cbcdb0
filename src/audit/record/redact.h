/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_REDACT_H
#define W_AUDIT_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Keeps secrets out of records: wherever a secret value stands in a text it
 * is replaced. Values are those that the request marks, and those of
 * variables whose names speak of a secret (TOKEN, KEY, PASSWORD, ...) if they
 * are long enough not to be a word of every text.
 *
 * Texts are looked through as the bytes that they are, before anything is
 * escaped or encoded; so quotes, newlines and bytes that are no UTF-8 hide
 * nothing.
 */
#define W_REDACTED "[secret]"

/* The shortest value of a variable that is taken for a secret. */
#define W_REDACT_VALUE_MIN 8

/* The longest text of a writ_error. */
#define W_REDACT_MESSAGE_MAX sizeof(((writ_error *)NULL)->message)

/* Of a secret that a message cuts short this many bytes give it away. */
#define W_REDACT_PART_MIN 6

/* Shorter secrets are not looked for in names that records are found by. */
#define W_REDACT_NAME_MIN 5

/* Bytes of a command that are a secret where they stand, whatever else they
 * are elsewhere. */
#define W_REDACT_SHELL SIZE_MAX /* instead of a word: of the shell string */
#define W_REDACT_STDIN (SIZE_MAX - 1) /* of the standard input */
struct w_redact_span {
	size_t word; /* of the argv */
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
	bool has_redacted; /* something was replaced since the start */
};

/* All zero is a redactor that knows no secret. */
void w_redactor_done(struct w_redactor *redactor);

/* Adds values; they must outlive the redactor. NULL: none. */
writ_status w_redactor_add(
    struct w_redactor *redactor, const char *const *secrets, writ_error *err);

/* Adds one value, of that many bytes. */
writ_status w_redactor_add_len(struct w_redactor *redactor, const char *value,
    size_t len, writ_error *err);

/* Adds the values of the variables (NAME=VALUE) that speak of a secret. */
writ_status w_redactor_add_env(
    struct w_redactor *redactor, const char *const *env, writ_error *err);

/* Whether a variable of that name is taken to hold a secret. */
bool w_redact_is_secret_name(const char *name, size_t len);

/* Appends a text as a JSON value without its secrets: a string, {"b64":...}
 * where it is not UTF-8, null for NULL. */
void w_redact_add(
    struct w_redactor *redactor, struct w_buf *buf, const char *text);

/* Likewise for the first len bytes. */
void w_redact_add_len(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len);

/* Likewise for the bytes from `from` up to `to` of a standard input of len
 * bytes: of a secret that is cut there nothing is left. */
void w_redact_add_input(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len, size_t from, size_t to);

/* Likewise for a word of the argv, or W_REDACT_SHELL: its spans go, too. */
void w_redact_add_word(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t word);

/* Likewise for a name that records are found by, such as the agent. A short
 * secret would be in it by chance, and its gap would show what it is. */
void w_redact_add_name(
    struct w_redactor *redactor, struct w_buf *buf, const char *name);

/* Likewise for a message of a writ_error, in which a secret may be cut short
 * and has its control characters spelled out. */
void w_redact_add_message(
    struct w_redactor *redactor, struct w_buf *buf, const char *message);

/* Appends the text itself without its secrets. */
void w_redact_text(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len);

/* Takes the secrets out of an error that somebody will see. NULL: nobody. */
void w_redact_error(struct w_redactor *redactor, writ_error *error);

#endif /* W_AUDIT_REDACT_H */
