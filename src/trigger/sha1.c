/* SPDX-License-Identifier: Apache-2.0 */

/* SHA-1 (FIPS 180-4). */

#include "trigger/sha1.h"

#include <string.h>

enum {
	BLOCK = 64,
	ROUNDS = 80,
	LENGTH_AT = 56
};

static uint32_t
rotate(uint32_t value, unsigned by)
{
	return value << by | value >> (32 - by);
}

static uint32_t
mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
	static const uint32_t constants[] = {
	    0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	const unsigned part = round / 20;
	const uint32_t value = part == 0   ? (b & c) | (~b & d)
			       : part == 2 ? (b & c) | (b & d) | (c & d)
					   : b ^ c ^ d;

	return value + constants[part];
}

static void
take_block(struct w_sha1 *sum, const uint8_t *block)
{
	uint32_t words[ROUNDS];
	uint32_t v[5];

	for (unsigned i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 |
			   (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < ROUNDS; i++)
		words[i] = rotate(
		    words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16],
		    1);
	memcpy(v, sum->state, sizeof(v));
	for (unsigned i = 0; i < ROUNDS; i++) {
		const uint32_t next = rotate(v[0], 5) +
				      mix(i, v[1], v[2], v[3]) + v[4] +
				      words[i];

		v[4] = v[3];
		v[3] = v[2];
		v[2] = rotate(v[1], 30);
		v[1] = v[0];
		v[0] = next;
	}
	for (unsigned i = 0; i < 5; i++)
		sum->state[i] += v[i];
}

void
w_sha1_init(struct w_sha1 *sum)
{
	*sum = (struct w_sha1){.state = {0x67452301, 0xefcdab89, 0x98badcfe,
				   0x10325476, 0xc3d2e1f0}};
}

void
w_sha1_add(struct w_sha1 *sum, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	while (len > 0) {
		const size_t used = sum->bytes % BLOCK;
		const size_t part = len < BLOCK - used ? len : BLOCK - used;

		memcpy(sum->block + used, at, part);
		sum->bytes += part;
		at += part;
		len -= part;
		if (used + part == BLOCK)
			take_block(sum, sum->block);
	}
}

void
w_sha1_end(struct w_sha1 *sum, uint8_t out[W_SHA1_SIZE])
{
	static const uint8_t padding[BLOCK] = {0x80};
	const uint64_t bits = sum->bytes * 8;
	const size_t used = sum->bytes % BLOCK;
	uint8_t length[8];

	for (unsigned i = 0; i < sizeof(length); i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	w_sha1_add(sum, padding,
	    used < LENGTH_AT ? LENGTH_AT - used : LENGTH_AT + BLOCK - used);
	w_sha1_add(sum, length, sizeof(length));
	for (unsigned i = 0; i < W_SHA1_SIZE; i++)
		out[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}
