/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TRAIL200_H
#define BENCH_TRAIL200_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writers of one trail, killed with SIGKILL at random moments. Whatever one
 * of them was told is written must be there afterwards, and whatever is not
 * whole must be explained.
 */

enum {
	WRITERS = 8
};

struct shock {
	const char *writ;  /* the program, for runs */
	const char *state; /* the state directory */
	unsigned kills;
	unsigned seed;
};

/* What came of it. */
struct tally {
	uint64_t killed;
	uint64_t acknowledged;
	uint64_t missing;     /* of those; must be 0 */
	uint64_t refused;     /* told that they were not written */
	uint64_t cut;         /* runs without an end */
	uint64_t unexplained; /* of those; must be 0 */
	uint64_t recovered;   /* ends that a later writer had to mend */
	uint64_t records;
	uint64_t bad; /* findings of verification; must be 0 */
};

/* false: it could not be done at all; a message has been printed. */
bool shock_log(const struct shock *shock, struct tally *tally);
bool shock_runs(const struct shock *shock, struct tally *tally);

uint64_t shock_now_us(void);

/* Less than bound. */
unsigned shock_random(unsigned *seed, unsigned bound);

#endif /* BENCH_TRAIL200_H */
