/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures writ beside the floor and its peers. bench/run starts it.
 *
 * The exit status says whether everything could be measured, never how fast
 * it was: a slow machine is not a failure.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "seat.h"
#include "shots.h"

enum {
	WARM_UP = 3
};

static void
shuffle(size_t *order, size_t count, unsigned *seed)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)rand_r(seed) % i;
		size_t kept = order[i - 1];

		order[i - 1] = order[other];
		order[other] = kept;
	}
}

static void
open_series(struct series *series, const struct variant *variant,
    const struct seat *seat)
{
	*series = (struct series){.variant = variant, .absent = seat->absent};
	const char *program = peer_program(seat, variant->argv[0]);
	if (series->absent == NULL &&
	    (program == NULL ||
		(program[0] == '/' && access(program, X_OK) < 0)))
		series->absent = strcmp(variant->argv[0], "@before") == 0
				     ? "--before names none"
				     : "not installed";
}

static void
run_rounds(struct record *record, size_t first, const struct seat *seats,
    unsigned rounds)
{
	size_t count = record->count - first;
	size_t order[VARIANTS_MAX];
	unsigned warm_up = rounds > WARM_UP ? WARM_UP : 0;

	for (size_t i = 0; i < count; i++)
		order[i] = first + i;
	for (unsigned round = 0; round < rounds + warm_up; round++) {
		shuffle(order, count, &record->seed);
		for (size_t i = 0; i < count; i++) {
			struct series *series = &record->series[order[i]];

			if (series->absent != NULL)
				continue;
			struct sample sample = seat_ask(
			    &seats[series->variant->seat], series->variant);
			if (round >= warm_up)
				series_add(series, sample);
		}
	}
}

/* Only those that the section uses. */
static void
open_seats(struct seat *seats, const struct section *section,
    const struct settings *settings)
{
	for (int i = 0; i < SEAT_COUNT; i++) {
		seats[i] = (struct seat){
		    .kind = (enum seat_kind)i,
		    .settings = settings,
		    .absent = "not used",
		};
		for (const struct variant *variant = section->variants;
		     variant->name != NULL; variant++) {
			if ((int)variant->seat == i)
				seats[i].absent = NULL;
		}
		if (seats[i].absent == NULL)
			seat_open(&seats[i],
			    section->is_real_time && !settings->is_fair);
	}
}

static void
run_section(struct record *record, const struct section *section)
{
	const struct settings *settings = record->settings;
	unsigned rounds =
	    settings->is_quick ? section->quick_rounds : section->rounds;
	struct seat seats[SEAT_COUNT];
	size_t first = record->count;

	(void)fprintf(stderr, "%s, %u rounds\n", section->name, rounds);
	open_seats(seats, section, settings);
	for (const struct variant *variant = section->variants;
	     variant->name != NULL; variant++)
		open_series(&record->series[record->count++], variant,
		    &seats[variant->seat]);
	run_rounds(record, first, seats, rounds);
	for (int i = 0; i < SEAT_COUNT; i++)
		seat_close(&seats[i]);
}

static bool
is_wanted(const struct section *section, const struct settings *settings)
{
	return section->suite == settings->suite &&
	       (settings->only == NULL ||
		   strstr(section->name, settings->only) != NULL);
}

static int
count_failures(const struct record *record)
{
	int failures = 0;

	for (size_t i = 0; i < record->count; i++) {
		const struct series *series = &record->series[i];

		if (series->failed == 0)
			continue;
		failures++;
		(void)fprintf(stderr, "bench: %s failed %zu times of %zu\n",
		    series->variant->name, series->failed, series->count);
	}
	return failures;
}

static int
measure(const struct settings *settings)
{
	static struct record record;
	uint64_t start = bench_now_ns();

	record.settings = settings;
	record.seed = (unsigned)start;
	for (const struct section *section = plan_sections;
	     section->name != NULL; section++) {
		if (is_wanted(section, settings))
			run_section(&record, section);
	}
	record.seconds = (double)(bench_now_ns() - start) / 1e9;
	report_table(&record);
	int failures = count_failures(&record);
	if (settings->json != NULL && !report_json(&record, settings->json)) {
		perror(settings->json);
		failures++;
	}
	for (size_t i = 0; i < record.count; i++)
		series_done(&record.series[i]);
	return failures == 0 ? 0 : 1;
}

static int
usage(void)
{
	(void)fprintf(stderr,
	    "usage: writ-bench --writ FILE --flood FILE [--stage FOLDER] "
	    "[--state FOLDER] [--trail FOLDER --records N] [--codex FILE] "
	    "[--bwrap FILE] [--shelf FOLDER] [--small FILE] [--before FILE] "
	    "[--node FILE --judge FILE] "
	    "[--json FILE] [--confinement | --audit | --modules | "
	    "--understanding | --decision] [--quick] [--fair] "
	    "[--only SECTION]\n");
	return 2;
}

/* How many words the option took; 0: it is none. */
static int
take_option(struct settings *settings, char **argv)
{
	const struct {
		const char *name;
		const char **value;
		bool *flag;
	} options[] = {
	    {"--writ", &settings->writ, NULL},
	    {"--flood", &settings->flood, NULL},
	    {"--json", &settings->json, NULL},
	    {"--only", &settings->only, NULL},
	    {"--stage", &settings->stage, NULL},
	    {"--codex", &settings->codex, NULL},
	    {"--bwrap", &settings->bwrap, NULL},
	    {"--state", &settings->state, NULL},
	    {"--trail", &settings->trail, NULL},
	    {"--records", &settings->records, NULL},
	    {"--shelf", &settings->shelf, NULL},
	    {"--small", &settings->small, NULL},
	    {"--before", &settings->before, NULL},
	    {"--node", &settings->node, NULL},
	    {"--judge", &settings->judge, NULL},
	    {"--quick", NULL, &settings->is_quick},
	    {"--fair", NULL, &settings->is_fair},
	};
	const char *const suites[] = {[SUITE_CONFINEMENT] = "--confinement",
	    [SUITE_AUDIT] = "--audit",
	    [SUITE_MODULES] = "--modules",
	    [SUITE_UNDERSTANDING] = "--understanding",
	    [SUITE_DECISION] = "--decision"};

	for (int i = SUITE_CONFINEMENT; i <= SUITE_DECISION; i++) {
		if (strcmp(argv[0], suites[i]) != 0)
			continue;
		settings->suite = (enum suite)i;
		return 1;
	}

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (strcmp(argv[0], options[i].name) != 0)
			continue;
		if (options[i].flag != NULL) {
			*options[i].flag = true;
			return 1;
		}
		*options[i].value = argv[1];
		return argv[1] == NULL ? 0 : 2;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	struct settings settings = {.self = "/proc/self/exe"};
	int at = 1;

	while (at < argc && strcmp(argv[at], "--probe") != 0) {
		int taken = take_option(&settings, argv + at);

		if (taken == 0)
			return usage();
		at += taken;
	}
	if (at < argc)
		return probe_main(&settings, argc - at - 1, argv + at + 1);
	if (settings.writ == NULL || settings.flood == NULL)
		return usage();
	return measure(&settings);
}
