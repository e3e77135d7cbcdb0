/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "plan.h"
#include "series.h"

/* Everything that was measured. */
struct record {
	const struct settings *settings;
	struct series series[VARIANTS_MAX * SECTIONS_MAX];
	size_t count;
	unsigned seed;
	double seconds;
};

/* The table for people. */
void report_table(const struct record *record);

/* The same and more for programs. false: it could not be written. */
bool report_json(const struct record *record, const char *path);

#endif /* BENCH_REPORT_H */
