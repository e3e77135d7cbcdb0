/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench.h"

/* What is measured, and what it is compared with. */

enum {
	VARIANTS_MAX = 32,
	SECTIONS_MAX = 20,
	PER_SAMPLE = 1000
};

#define WORDS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

#define TRUE_ARGV WORDS("/bin/true")

enum row_kind {
	ROW_RATIO, /* time of ours, divided by that of the floor: medians */
	ROW_MIN,   /* the same by minima, where the floor has two speeds */
	ROW_SAME,  /* the same thing twice: how noisy the machine is */
	ROW_RSS,   /* peak memory of ours, in MiB */
	ROW_RATE,  /* of so many a second, by a sample that is the time of
		      PER_SAMPLE; the bar is the least */
	ROW_TIME,  /* the time of ours itself, in milliseconds */
	ROW_MICRO, /* the same in microseconds */
	ROW_MORE,  /* what ours takes more than the floor, in milliseconds */
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

struct section {
	const char *name;
	unsigned rounds;
	unsigned quick_rounds;
	bool is_real_time;
	enum suite suite;
	const struct variant *variants; /* name NULL: end */
	const struct row *rows;         /* text NULL: end */
};

extern const struct section plan_sections[]; /* name NULL: end */

/* The sandboxes: warm and in process, without a pause, and cold. */
extern const struct variant confined_variants[];
extern const struct row confined_rows[];
extern const struct variant sustained_variants[];
extern const struct row sustained_rows[];
extern const struct variant walled_variants[];
extern const struct row walled_rows[];

/* The tool for agents, called in process. */
extern const struct variant tool_variants[];
extern const struct row tool_rows[];

/* The trail: writing, what it adds to a run, proving, searching. */
extern const struct variant log_variants[];
extern const struct row log_rows[];
extern const struct variant added_variants[];
extern const struct row added_rows[];
extern const struct variant digest_variants[];
extern const struct row digest_rows[];
extern const struct variant proof_variants[];
extern const struct row proof_rows[];
extern const struct variant index_variants[];
extern const struct row index_rows[];
extern const struct variant search_variants[];
extern const struct row search_rows[];

/* Modules: an input judged, an argv made, thousands known, one called. */
extern const struct variant judge_variants[];
extern const struct row judge_rows[];
extern const struct variant render_variants[];
extern const struct row render_rows[];
extern const struct variant fresh_variants[];
extern const struct row fresh_rows[];
extern const struct variant known_variants[];
extern const struct row known_rows[];
extern const struct variant call_variants[];
extern const struct row call_rows[];
extern const struct variant isolated_variants[];
extern const struct row isolated_rows[];

/* An argv understood: warm, for the first time, very long; and what the
 * descriptions that are built in cost who does not need them. */
extern const struct variant understand_variants[];
extern const struct row understand_rows[];
extern const struct variant first_variants[];
extern const struct row first_rows[];
extern const struct variant long_variants[];
extern const struct row long_rows[];
extern const struct variant builtin_variants[];
extern const struct row builtin_rows[];

/* An argv decided, and what deciding adds to a cold program. */
extern const struct variant decision_variants[];
extern const struct row decision_rows[];
extern const struct variant decided_variants[];
extern const struct row decided_rows[];

#endif /* BENCH_PLAN_H */
