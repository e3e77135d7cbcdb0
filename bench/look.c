/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Looking something up in a long trail, by the library and by programs.
 *
 * Each sample looks for another run, so that no answer is warm because it was
 * given before; what is looked for is found out before the clock starts.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log_format.h"
#include "shots.h"
#include "trail.h"

enum {
	WORDS_MAX = 16,
	SPAN_US = 200
};

/* What a sample looks for. */
struct wanted {
	char id[TRAIL_ID + 1];
	uint64_t begin_us;
	char since[W_LOG_TIME_LEN + 1];
	char until[W_LOG_TIME_LEN + 1];
};

/* One handle for all samples of a seat: a program that reads a trail keeps
 * it open. */
static writ_audit *
audit_of(const struct seat *seat)
{
	static writ_audit *audit;
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_error err = {0};

	options.state_dir = seat->settings->trail;
	if (audit == NULL && writ_audit_open(&options, &audit, &err) != WRIT_OK)
		(void)fprintf(stderr, "bench: %s\n", err.message);
	return audit;
}

static bool
note_begin(void *ctx, const writ_audit_run *run)
{
	struct wanted *wanted = ctx;

	wanted->begin_us = run->begin_us;
	return true;
}

static bool
choose(const struct seat *seat, struct wanted *wanted)
{
	static unsigned seed = 4711;
	const char *records = seat->settings->records;
	uint64_t runs = records == NULL ? 0 : strtoull(records, NULL, 10) / 2;
	writ_audit *audit = audit_of(seat);

	if (runs == 0 || audit == NULL)
		return false;
	*wanted = (struct wanted){0};
	trail_id((uint64_t)rand_r(&seed) % runs, wanted->id);
	if (writ_audit_find(audit, wanted->id, note_begin, wanted, NULL) !=
	    WRIT_OK)
		return false;
	w_log_time_format(wanted->begin_us, wanted->since);
	w_log_time_format(wanted->begin_us + SPAN_US, wanted->until);
	return true;
}

static bool
count_one(void *ctx, const writ_record *record)
{
	size_t *count = ctx;

	(void)record;
	++*count;
	return true;
}

struct sample
shot_look(const struct seat *seat, const struct variant *variant)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	struct sample sample = {0};
	struct wanted wanted;
	size_t count = 0;

	if (!choose(seat, &wanted))
		return sample;
	if (strcmp(variant->argv[0], "id") == 0) {
		filter.run_id = wanted.id;
	} else {
		filter.since_us = wanted.begin_us;
		filter.until_us = wanted.begin_us + SPAN_US;
	}
	uint64_t start = bench_now_ns();
	if (writ_audit_records(
		audit_of(seat), &filter, count_one, &count, NULL) == WRIT_OK &&
	    count > 0)
		sample.ns = bench_now_ns() - start;
	return sample;
}

static const char *
put_in(const struct seat *seat, const struct wanted *wanted, const char *word)
{
	const struct {
		const char *word;
		const char *value;
	} places[] = {
	    {"@writ", seat->settings->writ},
	    {"@trail", seat->settings->trail},
	    {"@id", wanted->id},
	    {"@since", wanted->since},
	    {"@until", wanted->until},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (strcmp(word, places[i].word) == 0)
			return places[i].value;
	}
	return word;
}

/* Whether it looks for something, or reads all. */
static bool
asks(const struct variant *variant)
{
	for (size_t i = 0; variant->argv[i] != NULL; i++) {
		if (strcmp(variant->argv[i], "@id") == 0 ||
		    strcmp(variant->argv[i], "@since") == 0)
			return true;
	}
	return false;
}

struct sample
shot_trail(const struct seat *seat, const struct variant *variant)
{
	static char state[300];
	char *const envp[] = {state, (char[]){"PATH=/usr/bin:/bin"}, NULL};
	const char *argv[WORDS_MAX] = {NULL};
	struct wanted wanted = {0};

	if (seat->settings->trail == NULL ||
	    (asks(variant) && !choose(seat, &wanted)))
		return (struct sample){0};
	(void)snprintf(
	    state, sizeof(state), "WRIT_STATE_DIR=%s", seat->settings->trail);
	for (size_t i = 0; i < WORDS_MAX - 1 && variant->argv[i] != NULL; i++)
		argv[i] = put_in(seat, &wanted, variant->argv[i]);
	return spawn_and_wait(argv[0], argv, envp);
}
