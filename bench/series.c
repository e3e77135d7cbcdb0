/* SPDX-License-Identifier: Apache-2.0 */

/* Medians, minima and ratios of samples. */

#include "series.h"

#include <stdlib.h>
#include <string.h>

void
series_add(struct series *series, struct sample sample)
{
	if (sample.ns == 0 && strcmp(sample.by, REFUSED) == 0) {
		series->absent = "refused on this machine";
		return;
	}
	struct sample *more =
	    realloc(series->samples, (series->count + 1) * sizeof(*more));
	if (more == NULL)
		return;
	series->samples = more;
	series->samples[series->count++] = sample;
	series->failed += sample.ns == 0 ? 1 : 0;
}

static int
by_size(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static size_t
place(size_t count, double part)
{
	return (size_t)((double)(count - 1) * part + 0.5);
}

struct figures
series_figures(const struct series *series)
{
	struct figures figures = {0};
	double *times = calloc(series->count + 1, sizeof(*times));
	size_t count = 0;

	for (size_t i = 0; times != NULL && i < series->count; i++) {
		const struct sample *sample = &series->samples[i];

		if (sample->ns != 0)
			times[count++] = (double)sample->ns;
		if (sample->rss_kib > figures.rss_kib)
			figures.rss_kib = sample->rss_kib;
	}
	if (count > 0) {
		qsort(times, count, sizeof(*times), by_size);
		figures.min = (uint64_t)times[0];
		figures.median = (uint64_t)times[place(count, 0.5)];
		figures.p90 = (uint64_t)times[place(count, 0.9)];
	}
	free(times);
	return figures;
}

double
series_paired(const struct series *floor, const struct series *ours)
{
	double *ratios = calloc(floor->count + 1, sizeof(*ratios));
	size_t count = 0;
	double median = 0;

	for (size_t i = 0;
	     ratios != NULL && i < floor->count && i < ours->count; i++) {
		uint64_t below = floor->samples[i].ns;
		uint64_t above = ours->samples[i].ns;

		if (below != 0 && above != 0)
			ratios[count++] = (double)above / (double)below;
	}
	if (count > 0) {
		qsort(ratios, count, sizeof(*ratios), by_size);
		median = ratios[place(count, 0.5)];
	}
	free(ratios);
	return median;
}

void
series_done(struct series *series)
{
	free(series->samples);
	series->samples = NULL;
	series->count = 0;
}
