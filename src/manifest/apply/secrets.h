/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_SECRETS_H
#define W_MANIFEST_SECRETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "expr/value.h"

/*
 * The secret values of a resource, and their redaction: each occurrence becomes
 * W_VALUE_HIDDEN, also where occurrences overlap.
 *
 * All zero is an empty set. Values are copied into the arena that is passed.
 */
struct w_secrets {
	const char **items; /* NULL-ended; no empty values */
	size_t count;
	size_t cap;
	size_t longest;
	uint64_t firsts[4]; /* bitmap of first bytes */
};

/* Adds a value, and each of its lines that is long enough. false: no memory. */
bool w_secrets_add(struct w_secrets *secrets, struct w_arena *arena,
    const char *text, size_t len);

/* Adds all strings and numbers of a value, and the value as text. */
bool w_secrets_add_value(struct w_secrets *secrets, struct w_arena *arena,
    const struct w_value *value);

/* Appends the text, redacted. */
void w_secrets_redact(const struct w_secrets *secrets, struct w_buf *buf,
    const char *text, size_t len);

/*
 * The same for a stream, where secrets may be split between chunks: the tail is
 * held back while a secret may begin in it. All zero is the start of a stream.
 */
struct w_redaction {
	char *held; /* bytes that may begin a secret */
	size_t len;
	size_t cap;
	size_t covered;    /* of these belong to a secret already */
	bool is_redacting; /* the byte before them did */
};

void w_redaction_done(struct w_redaction *redaction);

/* Appends what is certain after these bytes. false: no memory; then nothing was
 * appended, and the bytes are lost. */
bool w_redaction_feed(struct w_redaction *redaction,
    const struct w_secrets *secrets, const char *bytes, size_t len,
    struct w_buf *buf);

/* Appends the rest at the end of the stream. */
void w_redaction_finish(struct w_redaction *redaction,
    const struct w_secrets *secrets, struct w_buf *buf);

#endif /* W_MANIFEST_SECRETS_H */
