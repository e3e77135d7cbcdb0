/* SPDX-License-Identifier: Apache-2.0 */

/* Punycode (RFC 3492): the characters of a label as letters and digits. */

#include <string.h>

#include "schema/format/idna.h"

#define BASE        36U
#define T_MIN       1U
#define T_MAX       26U
#define SKEW        38U
#define DAMP        700U
#define BIAS_FIRST  72U
#define CODE_FIRST  0x80U
#define CODE_MAX    0x10ffffU
#define ENCODED_MAX (W_IDNA_LABEL_MAX - 4)

static int
digit_value(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= '0' && c <= '9')
		return c - '0' + 26;
	return -1;
}

static uint32_t
adapt(uint32_t delta, uint32_t count, bool is_first)
{
	uint32_t k = 0;

	delta = is_first ? delta / DAMP : delta / 2;
	delta += delta / count;
	while (delta > (BASE - T_MIN) * T_MAX / 2) {
		delta /= BASE - T_MIN;
		k += BASE;
	}
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return T_MIN;
	return k >= bias + T_MAX ? T_MAX : k - bias;
}

/* Reads one number. */
static bool
decode_delta(const char *text, size_t len, size_t *at, uint32_t bias,
    uint32_t *out_delta)
{
	uint64_t delta = 0;
	uint64_t weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		int digit = *at < len ? digit_value(text[*at]) : -1;
		uint32_t t = threshold(k, bias);

		if (digit < 0)
			return false;
		++*at;
		delta += (uint64_t)digit * weight;
		if (delta > UINT32_MAX)
			return false;
		if ((uint32_t)digit < t)
			break;
		weight *= BASE - t;
		if (weight > UINT32_MAX)
			return false;
	}
	*out_delta = (uint32_t)delta;
	return true;
}

static bool
insert_code(struct w_idna_label *label, size_t at, uint32_t code)
{
	if (label->count == W_IDNA_LABEL_MAX)
		return false;
	memmove(label->codes + at + 1, label->codes + at,
	    (label->count - at) * sizeof(label->codes[0]));
	label->codes[at] = code;
	label->count++;
	return true;
}

/* The part before the last hyphen is literal. */
static size_t
decode_basic(const char *text, size_t len, struct w_idna_label *label)
{
	const char *hyphen = memrchr(text, '-', len);
	const size_t count = hyphen != NULL ? (size_t)(hyphen - text) : 0;

	label->count = 0;
	for (size_t i = 0; i < count && i < W_IDNA_LABEL_MAX; i++) {
		bool is_upper = text[i] >= 'A' && text[i] <= 'Z';

		label->codes[label->count++] =
		    (unsigned char)text[i] | (is_upper ? 0x20U : 0);
	}
	return hyphen != NULL ? count + 1 : 0;
}

static bool
decode_rest(const char *text, size_t len, size_t at, struct w_idna_label *label)
{
	uint64_t code = CODE_FIRST;
	uint64_t place = 0;
	uint32_t bias = BIAS_FIRST;
	bool is_first = true;

	while (at < len) {
		uint32_t delta;

		if (!decode_delta(text, len, &at, bias, &delta))
			return false;

		const uint32_t count = (uint32_t)label->count + 1;

		bias = adapt(delta, count, is_first);
		is_first = false;
		place += delta;
		code += place / count;
		place %= count;
		if (code > CODE_MAX || (code >= 0xd800 && code <= 0xdfff) ||
		    !insert_code(label, (size_t)place, (uint32_t)code))
			return false;
		place++;
	}
	return true;
}

/* The smallest character at or above from. */
static uint32_t
next_code(const struct w_idna_label *label, uint32_t from)
{
	uint32_t next = UINT32_MAX;

	for (size_t i = 0; i < label->count; i++) {
		if (label->codes[i] >= from && label->codes[i] < next)
			next = label->codes[i];
	}
	return next;
}

/* State of the encoder. */
struct encoder {
	char *out; /* NULL: only the length is wanted */
	uint32_t code;
	uint32_t bias;
	uint64_t delta;
	uint32_t done;
	size_t basic;
	size_t len;
};

/* Beyond the longest label only the length goes on. */
static void
put_char(struct encoder *encoder, char c)
{
	if (encoder->out != NULL && encoder->len < ENCODED_MAX)
		encoder->out[encoder->len] = c;
	encoder->len++;
}

static void
put_delta(struct encoder *encoder, uint32_t delta)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";

	for (uint32_t k = BASE;; k += BASE) {
		const uint32_t t = threshold(k, encoder->bias);

		if (delta < t)
			break;
		put_char(encoder, digits[t + (delta - t) % (BASE - t)]);
		delta = (delta - t) / (BASE - t);
	}
	put_char(encoder, digits[delta]);
}

/* The literal part, which a hyphen ends. */
static void
put_basic(struct encoder *encoder, const struct w_idna_label *label)
{
	for (size_t i = 0; i < label->count; i++) {
		if (label->codes[i] < CODE_FIRST)
			put_char(encoder, (char)label->codes[i]);
	}
	encoder->basic = encoder->len;
	if (encoder->basic > 0)
		put_char(encoder, '-');
}

/* Encodes every occurrence of the current character. */
static bool
encode_code(struct encoder *encoder, const struct w_idna_label *label)
{
	for (size_t i = 0; i < label->count; i++) {
		if (label->codes[i] < encoder->code)
			encoder->delta++;
		if (label->codes[i] != encoder->code)
			continue;
		if (encoder->delta > UINT32_MAX)
			return false;

		uint32_t delta = (uint32_t)encoder->delta;

		put_delta(encoder, delta);
		encoder->done++;
		encoder->bias = adapt(
		    delta, encoder->done, encoder->done == encoder->basic + 1);
		encoder->delta = 0;
	}
	return true;
}

size_t
w_punycode_encode(const struct w_idna_label *label, char *out)
{
	struct encoder encoder = {
	    .out = out, .code = CODE_FIRST, .bias = BIAS_FIRST};

	put_basic(&encoder, label);
	encoder.done = (uint32_t)encoder.basic;
	while (encoder.done < label->count) {
		uint32_t next = next_code(label, encoder.code);

		encoder.delta +=
		    (uint64_t)(next - encoder.code) * (encoder.done + 1);
		encoder.code = next;
		if (!encode_code(&encoder, label))
			return 0;
		encoder.delta++;
		encoder.code++;
	}
	return encoder.len <= ENCODED_MAX ? encoder.len : 0;
}

bool
w_punycode_decode(const char *text, size_t len, struct w_idna_label *out_label)
{
	if (len == 0 || len > ENCODED_MAX)
		return false;

	size_t at = decode_basic(text, len, out_label);

	/* Something must be encoded, and a hyphen needs literal text before it.
	 */
	if (at == len || at == 1)
		return false;
	return decode_rest(text, len, at, out_label) &&
	       w_punycode_encode(out_label, NULL) == len;
}
