/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_DURATION_H
#define W_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* The longest duration writ accepts: 10 years of 365 days. */
#define W_DURATION_MAX_MS (UINT64_C(3650) * 24 * 3600 * 1000)

/*
 * Parses a duration: one or more NUMBER UNIT pairs, largest unit first, each
 * unit once: d h m s ms; a number may have a fraction ("1.5s", "1h30m",
 * "250ms"). A lone 0 needs no unit; any other number without a unit is an error
 * that suggests one. Rounded down to milliseconds, but a non-zero value never
 * becomes zero. White space is not allowed.
 */
writ_status w_duration_parse(
    const char *text, uint64_t *out_ms, writ_error *err);

/* Writes the shortest form that parses back ("1h30m", "1.5s", "0s"). */
#define W_DURATION_TEXT_MAX 48
void w_duration_format(uint64_t ms, char out[W_DURATION_TEXT_MAX]);

/* Appends WORD and a duration for people: "Took 1.5s", "Took 2m 5.0s". */
void w_duration_add(struct w_buf *buf, const char *word, uint64_t ms);

#endif /* W_BASE_DURATION_H */
