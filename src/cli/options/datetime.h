/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DATETIME_H
#define W_CLI_DATETIME_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/error.h>

/*
 * Times in the notation of the command line, in microseconds since 1970.
 *
 *     2h, 3d, 1h30m              that long ago
 *     today, yesterday           midnight, when the day begins
 *     2026-11-16                 likewise
 *     2026-11-16T04:20[:05[.5]]  a blank may replace the T
 *     ...Z, ...+01:00            in that zone; else local time
 */

/* is_end: a day without a time means its last microsecond, not its first.
 * Fails with WRIT_E_INVALID. */
writ_status w_datetime_parse(const char *text, uint64_t now_us, bool is_end,
    uint64_t *out_us, writ_error *err);

uint64_t w_datetime_now(void);

#define W_DATETIME_MAX 48

/* Local time: "04:20:05" for the day of now_us, else "2026-11-15 04:20". */
void w_datetime_format_short(
    uint64_t us, uint64_t now_us, char out[W_DATETIME_MAX]);

/* Local time with its offset, as in RFC 3339, to the millisecond. */
void w_datetime_format(uint64_t us, char out[W_DATETIME_MAX]);

#endif /* W_CLI_DATETIME_H */
