/* SPDX-License-Identifier: Apache-2.0 */

/* The SHA-256 compression function with the ARMv8 cryptographic extension. */

#include "base/sha256/sha256_backends.h"

#if defined(__aarch64__)

/* clang up to 15 declares the intrinsics only if the whole file is compiled for
 * processors that have them. */
#if defined(__clang__) && !defined(__ARM_FEATURE_SHA2)
#define __ARM_FEATURE_SHA2 1
#endif

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

#if defined(__clang__)
#define NEEDS __attribute__((target("sha2")))
#else
#define NEEDS __attribute__((target("+crypto")))
#endif

static bool
sha256_arm_is_here(void)
{
	return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
}

struct sha256_arm_halves {
	uint32x4_t abcd;
	uint32x4_t efgh;
};

NEEDS static inline uint32x4_t
load_words(const uint8_t *from)
{
	return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(from)));
}

NEEDS static inline void
four_rounds(struct sha256_arm_halves *s, uint32x4_t words, const uint32_t *k)
{
	uint32x4_t sum = vaddq_u32(words, vld1q_u32(k));
	uint32x4_t before = s->abcd;

	s->abcd = vsha256hq_u32(s->abcd, s->efgh, sum);
	s->efgh = vsha256h2q_u32(s->efgh, before, sum);
}

/* The four words of the schedule that follow these sixteen. */
NEEDS static inline uint32x4_t
next_words(uint32x4_t w0, uint32x4_t w1, uint32x4_t w2, uint32x4_t w3)
{
	return vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
}

NEEDS static inline struct sha256_arm_halves
mix_block(struct sha256_arm_halves s, const uint8_t *block)
{
	const uint32_t *k = w_sha256_constants;
	uint32x4_t w0 = load_words(block);
	uint32x4_t w1 = load_words(block + 16);
	uint32x4_t w2 = load_words(block + 32);
	uint32x4_t w3 = load_words(block + 48);

	four_rounds(&s, w0, k);
	four_rounds(&s, w1, k + 4);
	four_rounds(&s, w2, k + 8);
	four_rounds(&s, w3, k + 12);
	for (size_t i = 16; i < W_SHA256_ROUNDS; i += 16) {
		w0 = next_words(w0, w1, w2, w3);
		four_rounds(&s, w0, k + i);
		w1 = next_words(w1, w2, w3, w0);
		four_rounds(&s, w1, k + i + 4);
		w2 = next_words(w2, w3, w0, w1);
		four_rounds(&s, w2, k + i + 8);
		w3 = next_words(w3, w0, w1, w2);
		four_rounds(&s, w3, k + i + 12);
	}
	return s;
}

NEEDS static void
sha256_arm_mix(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	struct sha256_arm_halves s = {
	    .abcd = vld1q_u32(state), .efgh = vld1q_u32(state + 4)};

	for (; count > 0; count--, blocks += W_SHA256_BLOCK) {
		struct sha256_arm_halves mixed = mix_block(s, blocks);

		s.abcd = vaddq_u32(s.abcd, mixed.abcd);
		s.efgh = vaddq_u32(s.efgh, mixed.efgh);
	}
	vst1q_u32(state, s.abcd);
	vst1q_u32(state + 4, s.efgh);
}

const struct w_sha256_backend w_sha256_arm = {
    .word = "armv8", .is_here = sha256_arm_is_here, .mix = sha256_arm_mix};

#endif
