/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_SIZE_H
#define W_BASE_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The largest size writ accepts: 1 EiB. */
#define W_SIZE_MAX (UINT64_C(1) << 60)

/*
 * Parses a size: NUMBER with an optional unit B, K/KiB, M/MiB, G/GiB, T/TiB
 * (powers of 1024; letters in any case) or kB, MB, GB, TB (powers of 1000). A
 * number may have a fraction ("1.5GiB"). No unit means bytes.
 */
writ_status w_size_parse(
    const char *text, uint64_t *out_bytes, writ_error *err);

/* Writes the shortest exact form in powers of 1024 ("64MiB", "1000B"). */
#define W_SIZE_TEXT_MAX 32
void w_size_format(uint64_t bytes, char out[W_SIZE_TEXT_MAX]);

/* Checked arithmetic: false: overflow. */
static inline int
w_size_add(size_t a, size_t b, size_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline int
w_size_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

#endif /* W_BASE_SIZE_H */
