/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_HEX_H
#define W_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lower case, two digits a byte, no NUL. */
void w_hex_put(char *out, const void *bytes, size_t len);

/* Reads 2 * len lower-case digits. false: malformed. */
bool w_hex_get(void *out, const char *digits, size_t len);

/* The value of a digit of either case; -1: not a digit. */
int w_hex_digit(char c);

#endif /* W_BASE_HEX_H */
