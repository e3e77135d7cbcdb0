/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/index/index.h"
#include "trail_maker.h"

/*
 * The index gives the same answers as the trail: random queries of every kind
 * over a trail in which runs overlap, the clock jumps, files change, ends are
 * missing, and some lines are not records.
 */
enum {
	RUNS = 90,
	QUESTIONS = 600,
	ANSWER_MAX = 16384
};

static struct temp temp;
static struct maker maker;
static uint64_t seed;

/* The same sequence in each run of the test. */
static unsigned
chance(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % below;
}

static const char *
one_of(const char *const *words, unsigned count)
{
	return words[chance(count)];
}

static const char *const agents[] = {NULL, "bob", "eve", "a'b"};
static const char *const programs[] = {
    "/usr/bin/git", "/opt/git", "/bin/sh", "git"};
static const char *const outcomes[] = {
    "exited", "signaled", "timed_out", "cancelled"};

static void
make_run(unsigned number)
{
	char run[8];
	const struct made_run made = {
	    .run = run,
	    .agent = one_of(agents, 4),
	    .program = one_of(programs, 4),
	    .pid = chance(8) == 0 ? getpid() : 0,
	    .pidns = chance(12) == 0 ? 1 : 0,
	};

	(void)snprintf(
	    run, sizeof(run), "R%c%02u", 'A' + (char)(number % 3), number);
	if (chance(6) == 0) {
		maker_refused(&maker, run);
		return;
	}
	if (chance(20) != 0)
		maker_begin(&maker, &made);
	if (chance(9) == 0)
		maker_append(&maker, "no record\n", 10);
	if (chance(8) != 0)
		maker_end(&maker, run, one_of(outcomes, 4), (int)chance(3) - 1);
}

static int
set_up(void **state)
{
	seed = 4;
	(void)temp_begin(&temp, state);
	maker_start(&maker, &temp);
	for (unsigned i = 0; i < RUNS; i++) {
		make_run(i);
		if (chance(10) == 0)
			maker.time_us -= 20 * MAKER_STEP;
		if (chance(25) == 0)
			maker_rotate(&maker);
	}
	return 0;
}

static bool
hear_run(void *ctx, const writ_audit_run *run)
{
	char *answer = ctx;
	size_t len = strlen(answer);

	(void)snprintf(answer + len, ANSWER_MAX - len, "%s %d %d-%d %s\n",
	    run->run_id, (int)run->state, (int)run->begin_seq,
	    (int)run->end_seq, run->outcome == NULL ? "-" : run->outcome);
	return true;
}

static bool
hear_record(void *ctx, const writ_record *record)
{
	char *answer = ctx;
	size_t len = strlen(answer);

	(void)snprintf(answer + len, ANSWER_MAX - len, "%d %s@%d\n",
	    (int)record->seq, record->file, (int)record->offset);
	return true;
}

static uint64_t
some_time(void)
{
	return maker.time_us - chance(4 * RUNS) * MAKER_STEP;
}

static void
make_filter(writ_audit_filter *filter)
{
	static const char *const asked[] = {"ok", "failed", "refused", "lost",
	    "running", "unknown", "exited", "signaled", "not_found", "none"};
	static const char *const names[] = {
	    "git", "/usr/bin/git", "sh", "nowhere", "none"};
	static const char *const beginnings[] = {"R", "RA", "RB1", "Z", "RC05"};
	static const char *const kinds[] = {"begin", "end", "refused", "seal"};
	static const char *const texts[] = {"BOB", "srv", "nowhere", "zz"};

	if (chance(4) == 0)
		filter->since_us = some_time();
	if (chance(4) == 0)
		filter->until_us = some_time();
	if (chance(5) == 0)
		filter->after_seq = chance(2 * RUNS);
	if (chance(5) == 0)
		filter->kind = one_of(kinds, 4);
	if (chance(5) == 0)
		filter->run_id = one_of(beginnings, 5);
	if (chance(4) == 0)
		filter->agent = one_of(agents + 1, 3);
	if (chance(4) == 0)
		filter->program = one_of(names, 5);
	if (chance(3) == 0)
		filter->outcome = one_of(asked, 10);
	if (chance(6) == 0)
		filter->text = one_of(texts, 4);
	if (chance(3) == 0)
		filter->limit = 1 + chance(20);
	filter->oldest_first = chance(2) == 0;
}

static void
ask(writ_audit *audit, const writ_audit_filter *filter, bool has_runs,
    char answer[ANSWER_MAX])
{
	writ_error err = {0};

	answer[0] = '\0';
	writ_status status =
	    has_runs
		? writ_audit_runs(audit, filter, hear_run, answer, &err)
		: writ_audit_records(audit, filter, hear_record, answer, &err);
	if (status != WRIT_OK)
		fail_msg("%s", err.message);
}

static void
check_question(writ_audit *with, writ_audit *without, unsigned number)
{
	static char answers[2][ANSWER_MAX];
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	const bool has_runs = chance(2) == 0;

	make_filter(&filter);
	ask(with, &filter, has_runs, answers[0]);
	ask(without, &filter, has_runs, answers[1]);
	if (strcmp(answers[0], answers[1]) != 0)
		fail_msg("question %u (since %" PRIu64 ", until %" PRIu64
			 ", after %" PRIu64 ", kind %s, run %s, agent %s, "
			 "program %s, outcome %s, text %s, limit %zu)\n"
			 "index:\n%strail:\n%s",
		    number, filter.since_us, filter.until_us, filter.after_seq,
		    filter.kind, filter.run_id, filter.agent, filter.program,
		    filter.outcome, filter.text, filter.limit, answers[0],
		    answers[1]);
}

static void
every_question_has_one_answer(void **state)
{
	writ_audit *with = maker_open(&temp, false);
	writ_audit *without = maker_open(&temp, true);

	(void)state;
	for (unsigned i = 0; i < QUESTIONS; i++)
		check_question(with, without, i);
	assert_non_null(with->index);
	assert_null(without->index);
	writ_audit_free(with);
	writ_audit_free(without);
}

/* Also while the trail grows between queries. */
static void
every_question_has_one_answer_as_the_trail_grows(void **state)
{
	writ_audit *with = maker_open(&temp, false);
	writ_audit *without = maker_open(&temp, true);

	(void)state;
	for (unsigned i = 0; i < QUESTIONS / 4; i++) {
		check_question(with, without, i);
		if (i % 20 == 0)
			make_run(RUNS + i / 20);
		if (i % 50 == 0)
			maker_rotate(&maker);
	}
	writ_audit_free(with);
	writ_audit_free(without);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(every_question_has_one_answer),
	    CASE(every_question_has_one_answer_as_the_trail_grows),
	};
	const char *why;

	if (w_sqlite_load(&why) == NULL) {
		print_message("1..0 # SKIP %s\n", why);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
