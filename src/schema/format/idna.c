/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which characters a domain label may contain, and their context rules.
 */

#include "schema/format/idna.h"

#include "schema/format/idna_table.h"

#define MIDDLE_DOT          0xb7
#define GREEK_KERAIA        0x375
#define HEBREW_GERESH       0x5f3
#define HEBREW_GERSHAYIM    0x5f4
#define KATAKANA_MIDDLE_DOT 0x30fb
#define NON_JOINER          0x200c
#define JOINER              0x200d

static uint32_t
properties_of(uint32_t code)
{
	size_t low = 0;
	size_t high = w_idna_run_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (w_idna_runs[middle] >> W_IDNA_CODE_SHIFT <= code)
			low = middle;
		else
			high = middle;
	}
	return w_idna_runs[low] & ((1U << W_IDNA_CODE_SHIFT) - 1);
}

static bool
is_virama(uint32_t code)
{
	return (properties_of(code) & W_IDNA_VIRAMA) != 0;
}

/* Joining type of the next character in a direction that is not transparent. */
static uint32_t
joining_from(const struct w_idna_label *label, size_t at, bool backwards)
{
	for (;;) {
		if (backwards ? at == 0 : at + 1 >= label->count)
			return W_IDNA_NOT_JOINING;
		at = backwards ? at - 1 : at + 1;

		uint32_t joining =
		    W_IDNA_JOINING(properties_of(label->codes[at]));

		if (joining != W_IDNA_TRANSPARENT)
			return joining;
	}
}

static bool
non_joiner_fits(const struct w_idna_label *label, size_t at)
{
	if (at > 0 && is_virama(label->codes[at - 1]))
		return true;

	uint32_t before = joining_from(label, at, true);
	uint32_t after = joining_from(label, at, false);

	return (before == W_IDNA_JOINS_LEFT || before == W_IDNA_JOINS_BOTH) &&
	       (after == W_IDNA_JOINS_RIGHT || after == W_IDNA_JOINS_BOTH);
}

static bool
holds_script(const struct w_idna_label *label, enum w_idna_script script)
{
	for (size_t i = 0; i < label->count; i++) {
		/* The dot itself belongs to all scripts. */
		if (label->codes[i] != KATAKANA_MIDDLE_DOT &&
		    W_IDNA_SCRIPT(properties_of(label->codes[i])) == script)
			return true;
	}
	return false;
}

static bool
holds_range(const struct w_idna_label *label, uint32_t first, uint32_t last)
{
	for (size_t i = 0; i < label->count; i++) {
		if (label->codes[i] >= first && label->codes[i] <= last)
			return true;
	}
	return false;
}

/* The rules of RFC 5892, appendix A. */
static bool
fits_context(const struct w_idna_label *label, size_t at)
{
	const uint32_t *codes = label->codes;
	const uint32_t code = codes[at];
	const bool has_before = at > 0;
	const bool has_after = at + 1 < label->count;

	switch (code) {
	case NON_JOINER:
		return non_joiner_fits(label, at);
	case JOINER:
		return has_before && is_virama(codes[at - 1]);
	case MIDDLE_DOT:
		return has_before && has_after && codes[at - 1] == 'l' &&
		       codes[at + 1] == 'l';
	case GREEK_KERAIA:
		return has_after && W_IDNA_SCRIPT(properties_of(
					codes[at + 1])) == W_IDNA_GREEK;
	case HEBREW_GERESH:
	case HEBREW_GERSHAYIM:
		return has_before && W_IDNA_SCRIPT(properties_of(
					 codes[at - 1])) == W_IDNA_HEBREW;
	case KATAKANA_MIDDLE_DOT:
		return holds_script(label, W_IDNA_JAPANESE);
	default:
		break;
	}
	if (code >= 0x660 && code <= 0x669)
		return !holds_range(label, 0x6f0, 0x6f9);
	if (code >= 0x6f0 && code <= 0x6f9)
		return !holds_range(label, 0x660, 0x669);
	return true;
}

bool
w_idna_label_valid(const struct w_idna_label *label)
{
	const uint32_t *codes = label->codes;
	const size_t count = label->count;

	if (count == 0 || codes[0] == '-' || codes[count - 1] == '-' ||
	    (count >= 4 && codes[2] == '-' && codes[3] == '-') ||
	    (properties_of(codes[0]) & W_IDNA_MARK) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		if ((properties_of(codes[i]) & W_IDNA_VALID) == 0 ||
		    !fits_context(label, i))
			return false;
	}
	return true;
}

bool
w_idna_is_rtl(const struct w_idna_label *label)
{
	for (size_t i = 0; i < label->count; i++) {
		uint32_t bidi = W_IDNA_BIDI(properties_of(label->codes[i]));

		if (bidi == W_IDNA_BIDI_R || bidi == W_IDNA_BIDI_AN)
			return true;
	}
	return false;
}

/* The Bidi classes in the label, as bits; *out_last: the last one that is not a
 * mark. */
static unsigned
classes_of(const struct w_idna_label *label, uint32_t *out_last)
{
	unsigned classes = 0;

	*out_last = W_IDNA_BIDI_OTHER;
	for (size_t i = 0; i < label->count; i++) {
		uint32_t bidi = W_IDNA_BIDI(properties_of(label->codes[i]));

		classes |= 1U << bidi;
		if (bidi != W_IDNA_BIDI_NSM)
			*out_last = bidi;
	}
	return classes;
}

/* RFC 5893, section 2. */
bool
w_idna_bidi_valid(const struct w_idna_label *label)
{
	const unsigned both = 1U << W_IDNA_BIDI_EN | 1U << W_IDNA_BIDI_NSM |
			      1U << W_IDNA_BIDI_NEUTRAL;
	const unsigned digits = 1U << W_IDNA_BIDI_EN | 1U << W_IDNA_BIDI_AN;
	uint32_t last;
	const unsigned classes = classes_of(label, &last);

	switch (W_IDNA_BIDI(properties_of(label->codes[0]))) {
	case W_IDNA_BIDI_L:
		return (classes & ~(both | 1U << W_IDNA_BIDI_L)) == 0 &&
		       (last == W_IDNA_BIDI_L || last == W_IDNA_BIDI_EN);
	case W_IDNA_BIDI_R:
		return (classes & ~(both | 1U << W_IDNA_BIDI_R |
				      1U << W_IDNA_BIDI_AN)) == 0 &&
		       (classes & digits) != digits &&
		       (last == W_IDNA_BIDI_R || last == W_IDNA_BIDI_EN ||
			   last == W_IDNA_BIDI_AN);
	default:
		return false;
	}
}
