/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The SHA-256 compression function with the x86 SHA extensions.
 *
 * The instructions need the state as the halves ABEF and CDGH; two rounds turn
 * one into the next value of the other.
 */

#include "base/sha256/sha256_backends.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* In a virtual machine each cpuid instruction takes microseconds, and the C
 * library has the result already. */
#if __has_include(<sys/platform/x86.h>)

#include <sys/platform/x86.h>

static bool
sha256_x86_is_here(void)
{
	return x86_cpu_present(x86_cpu_SSSE3) &&
	       x86_cpu_present(x86_cpu_SSE4_1) && x86_cpu_present(x86_cpu_SHA);
}

#else

#include <cpuid.h>

static bool
sha256_x86_is_here(void)
{
	const unsigned vectors = bit_SSSE3 | bit_SSE4_1;
	unsigned a;
	unsigned b;
	unsigned c;
	unsigned d;

	if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & vectors) != vectors)
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
	       (b & bit_SHA) != 0;
}

#endif

#define NEEDS __attribute__((target("sha,sse4.1")))

struct sha256_x86_halves {
	__m128i abef;
	__m128i cdgh;
};

NEEDS static inline __m128i
sha256_x86_load(const void *from)
{
	return _mm_loadu_si128(from);
}

/* Four words of a block, which is big-endian. */
NEEDS static inline __m128i
load_words(const uint8_t *from)
{
	return _mm_shuffle_epi8(sha256_x86_load(from),
	    _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
}

NEEDS static inline struct sha256_x86_halves
unpack(const uint32_t state[8])
{
	__m128i cdab = _mm_shuffle_epi32(sha256_x86_load(state), 0xb1);
	__m128i efgh = _mm_shuffle_epi32(sha256_x86_load(state + 4), 0x1b);

	return (struct sha256_x86_halves){
	    .abef = _mm_alignr_epi8(cdab, efgh, 8),
	    .cdgh = _mm_blend_epi16(efgh, cdab, 0xf0),
	};
}

NEEDS static inline void
pack(struct sha256_x86_halves s, uint32_t state[8])
{
	__m128i feba = _mm_shuffle_epi32(s.abef, 0x1b);
	__m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xb1);
	void *low = state;
	void *high = state + 4;

	_mm_storeu_si128(low, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128(high, _mm_alignr_epi8(dchg, feba, 8));
}

NEEDS static inline void
four_rounds(struct sha256_x86_halves *s, __m128i words, const uint32_t *k)
{
	__m128i sum = _mm_add_epi32(words, sha256_x86_load(k));

	s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, sum);
	sum = _mm_shuffle_epi32(sum, 0x0e);
	s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, sum);
}

/* The four words of the schedule that follow these sixteen. */
NEEDS static inline __m128i
next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
	__m128i sum = _mm_add_epi32(
	    _mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));

	return _mm_sha256msg2_epu32(sum, w3);
}

NEEDS static inline struct sha256_x86_halves
mix_block(struct sha256_x86_halves s, const uint8_t *block)
{
	const uint32_t *k = w_sha256_constants;
	__m128i w0 = load_words(block);
	__m128i w1 = load_words(block + 16);
	__m128i w2 = load_words(block + 32);
	__m128i w3 = load_words(block + 48);

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
sha256_x86_mix(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	struct sha256_x86_halves s = unpack(state);

	for (; count > 0; count--, blocks += W_SHA256_BLOCK) {
		struct sha256_x86_halves mixed = mix_block(s, blocks);

		s.abef = _mm_add_epi32(s.abef, mixed.abef);
		s.cdgh = _mm_add_epi32(s.cdgh, mixed.cdgh);
	}
	pack(s, state);
}

const struct w_sha256_backend w_sha256_x86 = {
    .word = "sha-ni", .is_here = sha256_x86_is_here, .mix = sha256_x86_mix};

#endif
