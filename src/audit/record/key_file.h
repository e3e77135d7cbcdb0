/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_KEY_FILE_H
#define W_AUDIT_KEY_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "base/sha256.h"

/*
 * Keys in files. Such a file must belong to the reader (or to root), and nobody
 * else may read or write it; otherwise reading fails with advice. A symbolic
 * link is not followed.
 */

/* Size limits of a chain key file; all its bytes are the key. */
#define W_CHAIN_KEY_MIN 16
#define W_CHAIN_KEY_MAX 1024

struct w_chain_key {
	uint8_t bytes[W_CHAIN_KEY_MAX];
	size_t len;
};

writ_status w_chain_key_read(
    const char *path, struct w_chain_key *out_key, writ_error *err);

/* The key of request hashes, DIR/request.key: random bytes, created on first
 * use. */
#define W_REQUEST_KEY_NAME "request.key"

writ_status w_audit_request_key_read(
    const char *dir, uint8_t out_key[W_SHA256_KEY_SIZE], writ_error *err);

#endif /* W_AUDIT_KEY_FILE_H */
