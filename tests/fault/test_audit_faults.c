/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/trail_maker.h"
#include "inject.h"

/*
 * Every allocation and every read of a question to the trail fails once: the
 * answer is the right one, or an error, and never a shorter one. What leaks is
 * found by the address sanitizer, in a build that has it.
 */

static struct temp temp;
static struct maker maker;

struct answer {
	char runs[256];
	unsigned records;
	unsigned rows;
	unsigned findings;
};

static int
set_up(void **state)
{
	const struct made_run bytes = {
	    .run = "B2", .argv = "[{\"b64\":\"Yf8=\"}]"};
	const struct made_run lost = {.run = "D4"};

	(void)temp_begin(&temp, state);
	maker_start(&maker, &temp);
	maker_ran(&maker, "A1", 0);
	maker_begin(&maker, &bytes);
	maker_end(&maker, "B2", "exited", 1);
	maker_rotate(&maker);
	maker_refused(&maker, "C3");
	maker_begin(&maker, &lost);
	return 0;
}

static bool
take_run(void *ctx, const writ_audit_run *run)
{
	struct answer *answer = ctx;

	strncat(answer->runs, run->run_id, 2);
	strncat(answer->runs, run->outcome == NULL ? "-" : run->outcome, 10);
	return true;
}

static bool
take_record(void *ctx, const writ_record *record)
{
	(void)record;
	((struct answer *)ctx)->records++;
	return true;
}

static bool
take_row(void *ctx, const writ_audit_count *row)
{
	(void)row;
	((struct answer *)ctx)->rows++;
	return true;
}

static void
take_finding(void *ctx, const writ_audit_finding *finding)
{
	((struct answer *)ctx)->findings += strcmp(finding->kind, "lost") == 0;
}

static writ_status
ask_all(bool no_index, struct answer *answer, writ_error *err)
{
	const struct w_audit_settings settings = {
	    .state_dir = temp.path, .no_index = no_index};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_audit *audit;

	*answer = (struct answer){.rows = 0};
	writ_status status = w_audit_new(&settings, &audit, err);
	if (status != WRIT_OK)
		return status;
	filter.text = "\"";
	filter.oldest_first = true;
	status = writ_audit_runs(audit, &filter, take_run, answer, err);
	filter.agent = NULL;
	filter.outcome = "exited";
	if (status == WRIT_OK)
		status = writ_audit_records(
		    audit, &filter, take_record, answer, err);
	if (status == WRIT_OK)
		status = writ_audit_stats(
		    audit, NULL, "program", take_row, answer, err);
	if (status == WRIT_OK)
		status = writ_audit_verify(
		    audit, NULL, take_finding, answer, NULL, err);
	writ_audit_free(audit);
	return status;
}

static void
check_answer(const struct answer *answer)
{
	assert_string_equal(answer->runs, "A1exitedB2exitedC3not_foundD4-");
	assert_int_equal(answer->records, 4);
	assert_int_equal(answer->rows, 2);
	assert_int_equal(answer->findings, 1);
}

static void
fail_each(const char *function, int error, bool no_index)
{
	bool has_failed = true;

	for (unsigned nth = 1; has_failed; nth++) {
		struct answer answer;
		writ_error err = {0};

		/* Half of the time there is no index yet. */
		if (nth % 2 == 0)
			(void)unlinkat(temp.fd, "audit/" W_INDEX_NAME, 0);
		inject_arm(function, nth, 1, error);
		writ_status status = ask_all(no_index, &answer, &err);
		has_failed = inject_disarm();
		if (status == WRIT_OK)
			check_answer(&answer);
		else
			assert_true(err.message[0] != '\0');
		assert_true(has_failed || status == WRIT_OK);
	}
}

static void
without_memory_an_answer_is_right_or_an_error(void **state)
{
	(void)state;
	fail_each("allocation", ENOMEM, true);
	fail_each("allocation", ENOMEM, false);
}

static void
without_reading_an_answer_is_right_or_an_error(void **state)
{
	static const char *const calls[] = {
	    "pread64", "openat64", "open64", "fdopendir", "read"};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		fail_each(calls[i], EIO, true);
		fail_each(calls[i], EIO, false);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(without_memory_an_answer_is_right_or_an_error),
	    CASE(without_reading_an_answer_is_right_or_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
