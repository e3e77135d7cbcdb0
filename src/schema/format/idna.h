/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_IDNA_H
#define W_SCHEMA_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Labels of internationalized domain names (RFC 5891 to 5893). Normalization
 * form C is not checked.
 */
#define W_IDNA_LABEL_MAX 63

/* A label as code points. */
struct w_idna_label {
	uint32_t codes[W_IDNA_LABEL_MAX];
	size_t count;
};

/* Whether the characters form a valid label. */
bool w_idna_label_valid(const struct w_idna_label *label);

/* Whether the label has a right-to-left character; then the whole name must
 * obey the Bidi rule. */
bool w_idna_is_rtl(const struct w_idna_label *label);

/* Whether a label obeys the Bidi rule. */
bool w_idna_bidi_valid(const struct w_idna_label *label);

/* Decodes the part of an A-label after "xn--"; false: invalid, or not the
 * canonical encoding. */
bool w_punycode_decode(
    const char *text, size_t len, struct w_idna_label *out_label);

/* Encodes a label into out, which has room for W_IDNA_LABEL_MAX bytes; NULL:
 * only the length is wanted. There is no NUL, and no "xn--" before it. Returns
 * the length; 0: it does not fit. */
size_t w_punycode_encode(const struct w_idna_label *label, char *out);

#endif /* W_SCHEMA_IDNA_H */
