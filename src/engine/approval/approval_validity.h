/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_VALIDITY_H
#define W_ENGINE_APPROVAL_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long something counts, and whether somebody still lives, in files that
 * other processes and other boots read.
 *
 * Clocks are set, also far; the clock that counts since the boot is not. So a
 * span knows both: within one boot the latter is believed, and after another
 * one the wall clock, unless that shows a time before the span began.
 */
#define W_BOOT_ID_LEN 36

/* Now. */
struct w_timestamp {
	uint64_t wall_ms; /* since 1970 */
	uint64_t boot_ms; /* since the boot */
	char boot[W_BOOT_ID_LEN + 1];
};
void w_timestamp_now(struct w_timestamp *out_timestamp);
/* Later in the same boot: only the clocks are looked at. */
void w_timestamp_update(struct w_timestamp *timestamp);

struct w_validity {
	uint64_t at_ms; /* wall clock */
	uint64_t until_ms;
	uint64_t boot_ms; /* when it began */
	char boot[W_BOOT_ID_LEN + 1];
};

void w_validity_init(struct w_validity *validity, const struct w_timestamp *now,
    uint64_t length_ms);

/* is_strict: whichever clock is the first. */
bool w_validity_is_over(const struct w_validity *validity,
    const struct w_timestamp *now, bool is_strict);

/* A process. */
struct w_pidref {
	int pid;
	uint64_t pidns;
	uint64_t ticks; /* when it was started; 0: not known */
	char boot[W_BOOT_ID_LEN + 1];
};
void w_pidref_of_self(struct w_pidref *out_pidref);

/* Whether it has surely ended; what cannot be seen from here may live. */
bool w_pidref_is_dead(const struct w_pidref *pidref);

#endif /* W_ENGINE_APPROVAL_VALIDITY_H */
