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
 * The secret values of a resource, and how they are kept out of what is shown
 * and recorded: each occurrence of any becomes W_VALUE_HIDDEN, also where
 * occurrences overlap.
 *
 * All zero has none. Values are copied into the arena that they are added
 * with.
 */
struct w_secrets {
	const char **items; /* NULL-ended; none is empty */
	size_t count;
	size_t cap;
	size_t longest;
	uint64_t firsts[4]; /* bytes that one of them begins with */
};

/* Adds a value; of several lines each one that is not too short to tell, as
 * well. false: no memory. */
bool w_secrets_add(struct w_secrets *secrets, struct w_arena *arena,
    const char *text, size_t len);

/* Adds all texts and numbers of a value, and the value as a text. */
bool w_secrets_add_value(struct w_secrets *secrets, struct w_arena *arena,
    const struct w_value *value);

/* Appends the text without the secrets. */
void w_secrets_redact(const struct w_secrets *secrets, struct w_buf *buf,
    const char *text, size_t len);

/*
 * The same for a stream, whose secrets may come in pieces: the end of what is
 * there is held back for as long as a secret may begin in it. All zero is the
 * beginning of a stream.
 */
struct w_redaction {
	char *held; /* bytes that may begin a secret */
	size_t len;
	size_t cap;
	size_t covered;    /* of these belong to a secret already */
	bool is_redacting; /* the byte before them did */
};

void w_redaction_done(struct w_redaction *redaction);

/* Appends what can be told of the stream after these bytes. false: no memory;
 * then nothing was appended, and nothing of the bytes is shown later. */
bool w_redaction_feed(struct w_redaction *redaction,
    const struct w_secrets *secrets, const char *bytes, size_t len,
    struct w_buf *buf);

/* Appends the rest: the stream has ended. */
void w_redaction_finish(struct w_redaction *redaction,
    const struct w_secrets *secrets, struct w_buf *buf);

#endif /* W_MANIFEST_SECRETS_H */
