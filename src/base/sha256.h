/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_SHA256_H
#define W_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

/*
 * SHA-256 and HMAC-SHA-256.
 *
 * Not from libcrypto, because loading that library would take longer than a
 * single run. Uses the processor's SHA instructions where it has them.
 */
#define W_SHA256_SIZE     32
#define W_SHA256_HEX      64 /* characters, without a NUL */
#define W_SHA256_KEY_SIZE 32 /* of the keys that writ generates */

struct w_sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t block[64];
};

void w_sha256_init(struct w_sha256 *sum);
void w_sha256_add(struct w_sha256 *sum, const void *bytes, size_t len);
void w_sha256_end(struct w_sha256 *sum, uint8_t out[W_SHA256_SIZE]);

/* In one call. */
void w_sha256(const void *bytes, size_t len, uint8_t out[W_SHA256_SIZE]);

/* A prepared key: saves two blocks per message. */
struct w_hmac_key {
	uint32_t inner[8];
	uint32_t outer[8];
};

void w_hmac_key_init(struct w_hmac_key *key, const void *bytes, size_t len);

struct w_hmac {
	struct w_sha256 inner;
	const struct w_hmac_key *key; /* borrowed */
};

void w_hmac_init(struct w_hmac *mac, const struct w_hmac_key *key);
void w_hmac_add(struct w_hmac *mac, const void *bytes, size_t len);
void w_hmac_end(struct w_hmac *mac, uint8_t out[W_SHA256_SIZE]);

/* The backend that is used: "sha-ni", "armv8", "portable". */
const char *w_sha256_backend(void);

#endif /* W_BASE_SHA256_H */
