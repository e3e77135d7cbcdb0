/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_SHA1_H
#define W_TRIGGER_SHA1_H

#include <stddef.h>
#include <stdint.h>

/* SHA-1, by which git names its objects. For nothing else. */
#define W_SHA1_SIZE 20

struct w_sha1 {
	uint32_t state[5];
	uint64_t bytes;
	uint8_t block[64];
};

void w_sha1_init(struct w_sha1 *sum);
void w_sha1_add(struct w_sha1 *sum, const void *bytes, size_t len);
void w_sha1_end(struct w_sha1 *sum, uint8_t out[W_SHA1_SIZE]);

#endif /* W_TRIGGER_SHA1_H */
