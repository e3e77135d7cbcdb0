/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_SHA256_BACKENDS_H
#define W_BASE_SHA256_BACKENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The implementations of the SHA-256 compression function. sha256.c chooses one
 * for the processor; all give the same results.
 */
enum {
	W_SHA256_BLOCK = 64,
	W_SHA256_ROUNDS = 64
};

struct w_sha256_backend {
	const char *word;
	bool (*is_here)(void); /* whether this processor supports it */
	void (*mix)(uint32_t state[8], const uint8_t *blocks, size_t count);
};

/* The best first; the last one always works. NULL-ended. */
extern const struct w_sha256_backend *const w_sha256_backends[];

extern const uint32_t w_sha256_constants[W_SHA256_ROUNDS];

extern const struct w_sha256_backend w_sha256_portable;
#if defined(__x86_64__)
extern const struct w_sha256_backend w_sha256_x86;
#elif defined(__aarch64__)
extern const struct w_sha256_backend w_sha256_arm;
#endif

#endif /* W_BASE_SHA256_BACKENDS_H */
