/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include "bench.h"

/* The samples of one variant, by round. A failed round has ns 0. */
struct series {
	const struct variant *variant;
	const char *absent; /* why there are none; NULL: there are */
	struct sample *samples;
	size_t count;
	size_t failed;
};

/* What a series comes to, in nanoseconds; 0 without a good sample. */
struct figures {
	uint64_t min;
	uint64_t median;
	uint64_t p90;
	uint64_t rss_kib; /* the largest */
};

void series_add(struct series *series, struct sample sample);
struct figures series_figures(const struct series *series);

/* The median over the rounds of ours / floor, both of the same round. */
double series_paired(const struct series *floor, const struct series *ours);

void series_done(struct series *series);

#endif /* BENCH_SERIES_H */
