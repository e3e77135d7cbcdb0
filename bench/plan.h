/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench.h"

/* What is measured, and what it is compared with. */

enum {
	VARIANTS_MAX = 24
};

struct section {
	const char *name;
	unsigned rounds;
	unsigned quick_rounds;
	bool is_real_time;
	const struct variant *variants; /* name NULL: end */
};

enum row_kind {
	ROW_RATIO, /* time of ours, divided by that of the floor: medians */
	ROW_MIN,   /* the same by minima, where the floor has two speeds */
	ROW_SAME,  /* the same thing twice: how noisy the machine is */
	ROW_RSS,   /* peak memory of ours, in MiB */
};

/* A line of the table. bar and aim are 0 where there is none. */
struct row {
	const char *text;
	enum row_kind kind;
	const char *floor; /* names of variants */
	const char *ours;
	double bar;
	double aim;
};

extern const struct section plan_sections[]; /* name NULL: end */
extern const struct row plan_rows[];         /* text NULL: end */

#endif /* BENCH_PLAN_H */
