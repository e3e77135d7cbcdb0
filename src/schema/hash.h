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

/* The first and the last bytes of a text. */
struct w_ends {
	uint64_t head;
	uint64_t tail;
};

/* Up to this length, the ends cover the whole text. */
#define W_ENDS_WHOLE 16

static inline struct w_ends
w_ends_of(const char *text, size_t len)
{
	struct w_ends ends = {0, 0};

	if (len >= 8) {
		memcpy(&ends.head, text, 8);
		memcpy(&ends.tail, text + len - 8, 8);
	} else if (len >= 4) {
		memcpy(&ends.head, text, 4);
		memcpy(&ends.tail, text + len - 4, 4);
	} else if (len > 0) {
		ends.head = (unsigned char)text[0];
		ends.tail = (uint64_t)(unsigned char)text[len / 2] << 8 |
			    (unsigned char)text[len - 1];
	}
	return ends;
}

/* Fast, and good enough for the property names of a schema. */
static inline uint64_t
w_hash_ends(const struct w_ends *ends, size_t len)
{
	return w_hash_mix(ends->head + len, ends->tail);
}

/* Hash over all bytes. */
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
	struct w_ends ends = w_ends_of(at, len);
	return w_hash_mix(hash, w_hash_ends(&ends, len));
}

#endif /* W_SCHEMA_HASH_H */
