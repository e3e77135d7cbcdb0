/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_SIGNING_H
#define W_AUDIT_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Ed25519 signatures of checkpoints, by libcrypto, which is loaded on first
 * use: nothing else in writ needs it.
 *
 * The signed text, with a newline at its end and no NUL:
 *
 *     writ checkpoint 1
 *     SEQ
 *     HASH
 *
 * SEQ is the decimal number of the record that the checkpoint covers, HASH
 * its hash in 64 lower-case hexadecimal digits. `openssl pkeyutl -verify
 * -rawin` can check one without writ.
 *
 * A key id is the start of the SHA-256 of its 32 raw public bytes, in
 * W_SIGNER_LEN hexadecimal digits.
 */
#define W_SIGNATURE_SIZE 64
#define W_SIGNER_LEN     16

struct w_signing_key;

/* Reads a PEM file: a private key, which nobody else may be able to read, or a
 * public one. WRIT_E_INVALID: not an Ed25519 key; WRIT_E_SYSTEM: it cannot be
 * read, or libcrypto is not available. */
writ_status w_signing_key_read(const char *path, bool is_private,
    struct w_signing_key **out_key, writ_error *err);
void w_signing_key_free(struct w_signing_key *key);

/* The key's id. Borrowed. */
const char *w_signing_key_id(const struct w_signing_key *key);

writ_status w_signing_sign(const struct w_signing_key *key, uint64_t seq,
    const char *hash, uint8_t out_signature[W_SIGNATURE_SIZE], writ_error *err);

/* Whether the signature is by this key. */
bool w_signing_verify(const struct w_signing_key *key, uint64_t seq,
    const char *hash, const uint8_t *signature, size_t len);

#endif /* W_AUDIT_SIGNING_H */
