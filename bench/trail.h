/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TRAIL_H
#define BENCH_TRAIL_H

#include <stddef.h>
#include <stdint.h>

/* Records as a run leaves them, made without a run. */

enum {
	TRAIL_PAYLOAD = 600, /* bytes of each */
	TRAIL_ID = 26
};

/* The id of the run with this number: looks like any other, and can be told
 * again from the number. */
void trail_id(uint64_t number, char out[TRAIL_ID + 1]);

/* Payloads for w_log_append(), TRAIL_PAYLOAD bytes and a NUL. */
void trail_begin(uint64_t number, char out[TRAIL_PAYLOAD + 1]);
void trail_end(uint64_t number, char out[TRAIL_PAYLOAD + 1]);

#endif /* BENCH_TRAIL_H */
