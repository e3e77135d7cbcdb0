/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_IDNA_TABLE_H
#define W_SCHEMA_IDNA_TABLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Runs of characters with the same properties, in order; each ends where the
 * next begins. The upper 21 bits are the first character.
 */
extern const uint32_t w_idna_runs[];
extern const size_t w_idna_run_count;

#define W_IDNA_CODE_SHIFT 11

#define W_IDNA_VALID      0x001U /* allowed in a label */
#define W_IDNA_MARK       0x002U
#define W_IDNA_VIRAMA     0x004U
#define W_IDNA_SCRIPT(f)  ((f) >> 3 & 3U)
#define W_IDNA_JOINING(f) ((f) >> 5 & 7U)
#define W_IDNA_BIDI(f)    ((f) >> 8 & 7U)

enum w_idna_script {
	W_IDNA_OTHER_SCRIPT,
	W_IDNA_GREEK,
	W_IDNA_HEBREW,
	W_IDNA_JAPANESE, /* Hiragana, Katakana or Han */
};

enum w_idna_joining {
	W_IDNA_NOT_JOINING,
	W_IDNA_JOINS_BOTH,
	W_IDNA_JOINS_LEFT,
	W_IDNA_JOINS_RIGHT,
	W_IDNA_TRANSPARENT,
};

enum w_idna_bidi {
	W_IDNA_BIDI_L,
	W_IDNA_BIDI_R, /* R and AL */
	W_IDNA_BIDI_AN,
	W_IDNA_BIDI_EN,
	W_IDNA_BIDI_NSM,
	W_IDNA_BIDI_NEUTRAL, /* ES, CS, ET, ON and BN */
	W_IDNA_BIDI_OTHER,
};

#endif /* W_SCHEMA_IDNA_TABLE_H */
