/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inflate, with canonical codes that are decoded bit by bit: what it reads is
 * small. Every length and distance is checked before it is used.
 */

#include "trigger/inflate.h"

#include <stdint.h>
#include <string.h>

enum {
	BITS_MAX = 15,      /* of a code */
	LITERALS_MAX = 288, /* and lengths */
	DISTANCES_MAX = 30,
	LENGTH_CODES = 19,
	END_OF_BLOCK = 256,
	ZLIB_HEAD = 2,
	METHOD_DEFLATE = 8
};

struct inflating {
	const uint8_t *at;
	const uint8_t *end;
	uint32_t bits; /* not used yet, the next one lowest */
	unsigned count;
	bool has_failed;
	struct w_buf *out;
	size_t start; /* of this stream in out */
};

/* How many codes have each length, and the symbols in the order of their
 * codes. */
struct code {
	uint16_t counts[BITS_MAX + 1];
	uint16_t symbols[LITERALS_MAX];
};

static unsigned
take_bits(struct inflating *in, unsigned wanted)
{
	while (in->count < wanted) {
		if (in->at == in->end) {
			in->has_failed = true;
			return 0;
		}
		in->bits |= (uint32_t)*in->at++ << in->count;
		in->count += 8;
	}
	const unsigned value = in->bits & ((1U << wanted) - 1);
	in->bits >>= wanted;
	in->count -= wanted;
	return value;
}

/* false: the lengths describe no code. One that leaves codes unused is taken,
 * since a code of one symbol does so. */
static bool
make_code(struct code *code, const uint8_t *lengths, size_t count)
{
	uint16_t next[BITS_MAX + 2] = {0};
	int left = 1;

	memset(code, 0, sizeof(*code));
	for (size_t i = 0; i < count; i++)
		code->counts[lengths[i]]++;
	for (unsigned len = 1; len <= BITS_MAX; len++) {
		left = 2 * left - code->counts[len];
		if (left < 0)
			return false;
		next[len + 1] = (uint16_t)(next[len] + code->counts[len]);
	}
	for (size_t i = 0; i < count; i++) {
		if (lengths[i] != 0)
			code->symbols[next[lengths[i]]++] = (uint16_t)i;
	}
	return true;
}

static unsigned
take_symbol(struct inflating *in, const struct code *code)
{
	unsigned bits = 0, first = 0, index = 0;

	for (unsigned len = 1; len <= BITS_MAX; len++) {
		const unsigned count = code->counts[len];

		bits |= take_bits(in, 1);
		if (in->has_failed)
			return 0;
		if (bits < first + count)
			return code->symbols[index + (bits - first)];
		index += count;
		first = (first + count) << 1;
		bits <<= 1;
	}
	in->has_failed = true;
	return 0;
}

/* ---- blocks ---- */

static void
copy_back(struct inflating *in, size_t distance, size_t len)
{
	struct w_buf *out = in->out;

	if (distance > out->len - in->start) {
		in->has_failed = true;
		return;
	}
	for (; len > 0 && !out->failed; len--)
		w_buf_add_char(out, out->data[out->len - distance]);
}

static void
take_coded(struct inflating *in, const struct code *literals,
    const struct code *distances)
{
	static const uint16_t length_bases[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13,
	    15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
	    195, 227, 258};
	static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
	    1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
	static const uint16_t distance_bases[] = {1, 2, 3, 4, 5, 7, 9, 13, 17,
	    25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
	    3073, 4097, 6145, 8193, 12289, 16385, 24577};

	while (!in->has_failed && !in->out->failed) {
		const unsigned symbol = take_symbol(in, literals);

		if (in->has_failed || symbol == END_OF_BLOCK)
			return;
		if (symbol < END_OF_BLOCK) {
			w_buf_add_char(in->out, (char)(unsigned char)symbol);
			continue;
		}
		const unsigned which = symbol - END_OF_BLOCK - 1;
		if (which >= sizeof(length_bits)) {
			in->has_failed = true;
			return;
		}
		const size_t len =
		    length_bases[which] + take_bits(in, length_bits[which]);
		const unsigned far = take_symbol(in, distances);
		if (in->has_failed || far >= DISTANCES_MAX) {
			in->has_failed = true;
			return;
		}
		const unsigned more = far < 2 ? 0 : far / 2 - 1;
		copy_back(in, distance_bases[far] + take_bits(in, more), len);
	}
}

static void
take_stored(struct inflating *in)
{
	in->bits = 0;
	in->count = 0;
	if (in->end - in->at < 4) {
		in->has_failed = true;
		return;
	}
	const size_t len = in->at[0] | (size_t)in->at[1] << 8;
	const size_t check = in->at[2] | (size_t)in->at[3] << 8;
	in->at += 4;
	if (len != (check ^ 0xffff) || (size_t)(in->end - in->at) < len) {
		in->has_failed = true;
		return;
	}
	w_buf_add(in->out, in->at, len);
	in->at += len;
}

static void
take_fixed(struct inflating *in)
{
	uint8_t lengths[LITERALS_MAX];
	struct code literals, distances;

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	(void)make_code(&literals, lengths, LITERALS_MAX);
	memset(lengths, 5, DISTANCES_MAX);
	(void)make_code(&distances, lengths, DISTANCES_MAX);
	take_coded(in, &literals, &distances);
}

/* The lengths of both codes, themselves in a code. */
static bool
take_lengths(struct inflating *in, uint8_t *lengths, size_t count)
{
	static const uint8_t order[LENGTH_CODES] = {
	    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	uint8_t own[LENGTH_CODES] = {0};
	const unsigned given = take_bits(in, 4) + 4;
	struct code code;
	size_t used = 0;

	for (unsigned i = 0; i < given; i++)
		own[order[i]] = (uint8_t)take_bits(in, 3);
	if (in->has_failed || !make_code(&code, own, LENGTH_CODES))
		return false;
	while (used < count) {
		const unsigned symbol = take_symbol(in, &code);
		uint8_t value = 0;
		unsigned times = 1;

		if (in->has_failed || (symbol == 16 && used == 0))
			return false;
		if (symbol < 16) {
			value = (uint8_t)symbol;
		} else if (symbol == 16) {
			value = lengths[used - 1];
			times = 3 + take_bits(in, 2);
		} else {
			times = symbol == 17 ? 3 + take_bits(in, 3)
					     : 11 + take_bits(in, 7);
		}
		if (times > count - used)
			return false;
		memset(lengths + used, value, times);
		used += times;
	}
	return !in->has_failed;
}

static void
take_dynamic(struct inflating *in)
{
	uint8_t lengths[LITERALS_MAX + 32];
	struct code literals, distances;

	const size_t literal_count = take_bits(in, 5) + 257;
	const size_t distance_count = take_bits(in, 5) + 1;
	if (in->has_failed || literal_count > LITERALS_MAX - 2 ||
	    distance_count > DISTANCES_MAX ||
	    !take_lengths(in, lengths, literal_count + distance_count) ||
	    !make_code(&literals, lengths, literal_count) ||
	    !make_code(&distances, lengths + literal_count, distance_count)) {
		in->has_failed = true;
		return;
	}
	take_coded(in, &literals, &distances);
}

bool
w_inflate(const void *bytes, size_t len, struct w_buf *out)
{
	const uint8_t *head = bytes;
	struct inflating in = {.out = out, .start = out->len};
	bool is_last = false;

	if (len < ZLIB_HEAD || (head[0] & 0x0f) != METHOD_DEFLATE ||
	    (head[0] * 256 + head[1]) % 31 != 0 || (head[1] & 0x20) != 0)
		return false;
	in.at = head + ZLIB_HEAD;
	in.end = head + len;
	while (!is_last && !in.has_failed && !out->failed) {
		is_last = take_bits(&in, 1) == 1;
		switch (take_bits(&in, 2)) {
		case 0:
			take_stored(&in);
			break;
		case 1:
			take_fixed(&in);
			break;
		case 2:
			take_dynamic(&in);
			break;
		default:
			in.has_failed = true;
		}
	}
	return !in.has_failed && !out->failed;
}
