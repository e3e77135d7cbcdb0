/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_VALIDITY_H
#define W_ENGINE_APPROVAL_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long something is valid, and whether a process is alive, in files that
 * other processes and other boots read.
 *
 * The wall clock may be set, even by years; the boot clock is not. So a
 * validity has both: within one boot the boot clock decides, after another boot
 * the wall clock, unless that shows a time before the validity began.
 */
#define W_BOOT_ID_LEN 36

/* The current time, on both clocks. */
struct w_timestamp {
	uint64_t wall_ms; /* since 1970 */
	uint64_t boot_ms; /* since boot */
	char boot[W_BOOT_ID_LEN + 1];
};
void w_timestamp_now(struct w_timestamp *out_timestamp);
/* Later in the same boot: updates only the clocks. */
void w_timestamp_update(struct w_timestamp *timestamp);

struct w_validity {
	uint64_t at_ms; /* wall clock */
	uint64_t until_ms;
	uint64_t boot_ms; /* boot clock at its begin */
	char boot[W_BOOT_ID_LEN + 1];
};

void w_validity_init(struct w_validity *validity, const struct w_timestamp *now,
    uint64_t length_ms);

/* is_strict: it ends with whichever clock is first. */
bool w_validity_is_over(const struct w_validity *validity,
    const struct w_timestamp *now, bool is_strict);

/* Identifies a process, across boots and PID namespaces. */
struct w_pidref {
	int pid;
	uint64_t pidns;
	uint64_t ticks; /* start time; 0: unknown */
	char boot[W_BOOT_ID_LEN + 1];
};
void w_pidref_of_self(struct w_pidref *out_pidref);

/* Whether it has certainly ended; one that cannot be seen from here may
 * live. */
bool w_pidref_is_dead(const struct w_pidref *pidref);

#endif /* W_ENGINE_APPROVAL_VALIDITY_H */
