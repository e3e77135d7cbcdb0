/* SPDX-License-Identifier: Apache-2.0 */

/* SHA-256 (FIPS 180-4) and HMAC (RFC 2104). */

#include "base/sha256.h"

#include <string.h>

enum {
	BLOCK = 64,
	LENGTH_AT = 56 /* where the count of bits stands in the last block */
};

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
    0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf,
    0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
    0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
    0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
    0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t
turn(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

static uint32_t
load(const uint8_t *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
	       (uint32_t)from[2] << 8 | from[3];
}

static void
store(uint8_t *to, uint32_t x)
{
	to[0] = (uint8_t)(x >> 24);
	to[1] = (uint8_t)(x >> 16);
	to[2] = (uint8_t)(x >> 8);
	to[3] = (uint8_t)x;
}

static void
spread(uint32_t w[64], const uint8_t *block)
{
	for (size_t i = 0; i < 16; i++)
		w[i] = load(block + 4 * i);
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = w[i - 15];
		uint32_t b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] +
		       (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

static void
mix(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];
	uint32_t s[8];

	spread(w, block);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < 64; i++) {
		uint32_t t1 =
		    s[7] + constants[i] + w[i] +
		    (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
		    ((s[4] & s[5]) ^ (~s[4] & s[6]));
		uint32_t t2 =
		    (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
		    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

static void
mix_blocks(uint32_t state[8], const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mix(state, bytes + BLOCK * i);
}

void
w_sha256_init(struct w_sha256 *sum)
{
	memcpy(sum->state, initial, sizeof(initial));
	sum->bytes = 0;
}

void
w_sha256_add(struct w_sha256 *sum, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;
	size_t held = sum->bytes % BLOCK;

	sum->bytes += len;
	if (held > 0) {
		size_t take = len < BLOCK - held ? len : BLOCK - held;

		memcpy(sum->block + held, from, take);
		from += take;
		len -= take;
		if (held + take < BLOCK)
			return;
		mix_blocks(sum->state, sum->block, 1);
	}
	mix_blocks(sum->state, from, len / BLOCK);
	memcpy(sum->block, from + len / BLOCK * BLOCK, len % BLOCK);
}

void
w_sha256_end(struct w_sha256 *sum, uint8_t out[W_SHA256_SIZE])
{
	size_t held = sum->bytes % BLOCK;
	uint64_t bits = sum->bytes * 8;

	sum->block[held++] = 0x80;
	if (held > LENGTH_AT) {
		memset(sum->block + held, 0, BLOCK - held);
		mix_blocks(sum->state, sum->block, 1);
		held = 0;
	}
	memset(sum->block + held, 0, LENGTH_AT - held);
	store(sum->block + LENGTH_AT, (uint32_t)(bits >> 32));
	store(sum->block + LENGTH_AT + 4, (uint32_t)bits);
	mix_blocks(sum->state, sum->block, 1);
	for (size_t i = 0; i < 8; i++)
		store(out + 4 * i, sum->state[i]);
}

void
w_sha256(const void *bytes, size_t len, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 sum;

	w_sha256_init(&sum);
	w_sha256_add(&sum, bytes, len);
	w_sha256_end(&sum, out);
}

static void
prepare_half(uint32_t state[8], const uint8_t key[BLOCK], uint8_t pad)
{
	uint8_t block[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = key[i] ^ pad;
	memcpy(state, initial, sizeof(initial));
	mix_blocks(state, block, 1);
}

void
w_hmac_key_init(struct w_hmac_key *key, const void *bytes, size_t len)
{
	uint8_t block[BLOCK] = {0};

	if (len > BLOCK)
		w_sha256(bytes, len, block);
	else if (len > 0)
		memcpy(block, bytes, len);
	prepare_half(key->inner, block, 0x36);
	prepare_half(key->outer, block, 0x5c);
}

void
w_hmac_init(struct w_hmac *mac, const struct w_hmac_key *key)
{
	mac->key = key;
	memcpy(mac->inner.state, key->inner, sizeof(key->inner));
	mac->inner.bytes = BLOCK;
}

void
w_hmac_add(struct w_hmac *mac, const void *bytes, size_t len)
{
	w_sha256_add(&mac->inner, bytes, len);
}

void
w_hmac_end(struct w_hmac *mac, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 outer = {.bytes = BLOCK};
	uint8_t inner[W_SHA256_SIZE];

	w_sha256_end(&mac->inner, inner);
	memcpy(outer.state, mac->key->outer, sizeof(outer.state));
	w_sha256_add(&outer, inner, sizeof(inner));
	w_sha256_end(&outer, out);
}

const char *
w_sha256_way(void)
{
	return "portable";
}
