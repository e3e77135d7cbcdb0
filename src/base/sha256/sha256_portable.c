/* SPDX-License-Identifier: Apache-2.0 */

/* The SHA-256 compression function for any processor. */

#include <string.h>

#include "base/sha256/sha256_backends.h"

const uint32_t w_sha256_constants[W_SHA256_ROUNDS] = {0x428a2f98, 0x71374491,
    0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb,
    0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb,
    0xbef9a3f7, 0xc67178f2};

enum {
	WORDS = 16 /* of a block, and of the kept part of the schedule */
};

static inline uint32_t
turn(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

static inline uint32_t
sha256_portable_load(const uint8_t *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
	       (uint32_t)from[2] << 8 | from[3];
}

/* Replaces 16 words of the schedule by the next 16. */
static inline void
spread(uint32_t w[WORDS])
{
	for (size_t i = 0; i < WORDS; i++) {
		uint32_t a = w[(i + 1) % WORDS];
		uint32_t b = w[(i + 14) % WORDS];

		w[i] += w[(i + 9) % WORDS] +
			(turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
			(turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

/* Round i of eight. Instead of moving the variables, their indexes rotate, so
 * that the compiler can keep all of them in registers. */
static inline void
sha256_portable_step(uint32_t s[8], unsigned i, uint32_t word)
{
	uint32_t a = s[(8 - i) % 8];
	uint32_t b = s[(9 - i) % 8];
	uint32_t c = s[(10 - i) % 8];
	uint32_t e = s[(12 - i) % 8];
	uint32_t f = s[(13 - i) % 8];
	uint32_t g = s[(14 - i) % 8];
	uint32_t *h = &s[(15 - i) % 8];
	uint32_t t = *h + word + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
		     (g ^ (e & (f ^ g)));

	s[(11 - i) % 8] += t;
	*h = t + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
	     ((a & b) | (c & (a | b)));
}

static inline void
eight_steps(uint32_t s[8], const uint32_t *k, const uint32_t *w)
{
	sha256_portable_step(s, 0, k[0] + w[0]);
	sha256_portable_step(s, 1, k[1] + w[1]);
	sha256_portable_step(s, 2, k[2] + w[2]);
	sha256_portable_step(s, 3, k[3] + w[3]);
	sha256_portable_step(s, 4, k[4] + w[4]);
	sha256_portable_step(s, 5, k[5] + w[5]);
	sha256_portable_step(s, 6, k[6] + w[6]);
	sha256_portable_step(s, 7, k[7] + w[7]);
}

static void
sha256_portable_mix(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	const uint32_t *k = w_sha256_constants;
	uint32_t w[WORDS];
	uint32_t s[8];

	for (; count > 0; count--, blocks += W_SHA256_BLOCK) {
		for (size_t i = 0; i < WORDS; i++)
			w[i] = sha256_portable_load(blocks + 4 * i);
		memcpy(s, state, sizeof(s));
		for (size_t i = 0; i < W_SHA256_ROUNDS; i += WORDS) {
			if (i > 0)
				spread(w);
			eight_steps(s, k + i, w);
			eight_steps(s, k + i + 8, w + 8);
		}
		for (size_t i = 0; i < 8; i++)
			state[i] += s[i];
	}
}

static bool
sha256_portable_is_here(void)
{
	return true;
}

const struct w_sha256_backend w_sha256_portable = {.word = "portable",
    .is_here = sha256_portable_is_here,
    .mix = sha256_portable_mix};
