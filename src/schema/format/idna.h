/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_IDNA_H
#define W_SCHEMA_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Labels of internationalized domain names, by RFC 5891 to 5893. Whether a
 * label is in the normal form C is not looked into.
 */
#define W_IDNA_LABEL_MAX 63

/* A label as characters, and what is known of it. */
struct w_idna_label {
	uint32_t codes[W_IDNA_LABEL_MAX];
	size_t count;
};

/* Whether these characters may stand together in a label. */
bool w_idna_label_valid(const struct w_idna_label *label);

/* Whether a character is written from right to left, which makes the whole
 * name one that must keep the Bidi rule. */
bool w_idna_is_rtl(const struct w_idna_label *label);

/* Whether a label keeps the Bidi rule. */
bool w_idna_bidi_valid(const struct w_idna_label *label);

/* Reads the part of an A-label behind "xn--"; false when it is none, or not
 * the one way to write these characters. */
bool w_punycode_decode(
    const char *text, size_t len, struct w_idna_label *out_label);

/* How long the Punycode of the label is, or 0 when it has none that fits. */
size_t w_punycode_len(const struct w_idna_label *label);

#endif /* W_SCHEMA_IDNA_H */
