/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_HASH_H
#define W_SCHEMA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define W_HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
w_hash_mix(uint64_t a, uint64_t b)
{
	uint64_t mixed =
	    (a ^ W_HASH_FACTOR) * (b ^ UINT64_C(0xd6e8feb86659fd93));

	return mixed ^ mixed >> 32;
}

/* The ends and the length of a key: enough to tell the names of a schema
 * apart, and quick. */
static inline uint64_t
w_hash_ends(const char *text, size_t len)
{
	uint64_t head = 0;
	uint64_t tail = 0;

	if (len >= 8) {
		memcpy(&head, text, 8);
		memcpy(&tail, text + len - 8, 8);
	} else if (len >= 4) {
		memcpy(&head, text, 4);
		memcpy(&tail, text + len - 4, 4);
	} else if (len > 0) {
		head = (unsigned char)text[0];
		tail = (uint64_t)(unsigned char)text[len / 2] << 8 |
		       (unsigned char)text[len - 1];
	}
	return w_hash_mix(head + len, tail);
}

/* All of the bytes. */
static inline uint64_t
w_hash_bytes(const void *bytes, size_t len)
{
	const char *at = bytes;
	uint64_t hash = len;

	for (; len > 8; at += 8, len -= 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		hash = w_hash_mix(hash, word);
	}
	return w_hash_mix(hash, w_hash_ends(at, len));
}

#endif /* W_SCHEMA_HASH_H */
