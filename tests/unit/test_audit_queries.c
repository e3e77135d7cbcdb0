/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trail_maker.h"

/* Every query runs twice: on the trail itself and with its index. */
struct workspace {
	struct temp temp;
	struct maker maker;
	bool no_index;
	writ_audit *audit;
	char heard[2048];
};

static struct workspace site;

static int
set_up(void **state)
{
	site = (struct workspace){.no_index = *state != NULL};
	temp_open(&site.temp);
	maker_start(&site.maker, &site.temp);
	site.audit = maker_open(&site.temp, site.no_index);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_audit_free(site.audit);
	temp_close(&site.temp);
	return 0;
}

/* Results are compared as one line of words. */
__attribute__((format(printf, 1, 2))) static void
hear(const char *fmt, ...)
{
	size_t len = strlen(site.heard);
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(site.heard + len, sizeof(site.heard) - len, fmt, args);
	va_end(args);
}

static bool
hear_record(void *ctx, const writ_record *record)
{
	(void)ctx;
	assert_int_equal(strlen(record->json), record->json_len);
	assert_int_equal(record->json[record->json_len - 1], '}');
	hear("%" PRIu64 ":%s:%.2s ", record->seq, record->kind,
	    record->run_id == NULL ? "-" : record->run_id);
	return true;
}

static bool
hear_run(void *ctx, const writ_audit_run *run)
{
	(void)ctx;
	hear("%.2s:%s:%s ", run->run_id, writ_run_state_word(run->state),
	    run->outcome == NULL ? "-" : run->outcome);
	return true;
}

static const char *
records(const writ_audit_filter *filter)
{
	writ_error err = {0};

	site.heard[0] = '\0';
	if (writ_audit_records(site.audit, filter, hear_record, NULL, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	return site.heard;
}

static const char *
runs(const writ_audit_filter *filter)
{
	writ_error err = {0};

	site.heard[0] = '\0';
	if (writ_audit_runs(site.audit, filter, hear_run, NULL, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	return site.heard;
}

/* A1 ok, B2 failed, C3 refused, D4 lost, E5 killed. */
static void
make_five(void)
{
	const struct made_run agent = {.run = "B2",
	    .agent = "reviewer",
	    .argv = "[\"ls\",\"-l\",\"a b\"]",
	    .program = "/usr/bin/ls"};
	const struct made_run lost = {.run = "D4"};

	maker_ran(&site.maker, "A1", 0);
	maker_begin(&site.maker, &agent);
	maker_refused(&site.maker, "C3");
	maker_end(&site.maker, "B2", "exited", 2);
	maker_begin(&site.maker, &lost);
	maker_ran(&site.maker, "E5", -1);
}

static void
the_newest_records_come_first(void **state)
{
	(void)state;
	make_five();
	assert_string_equal(records(NULL),
	    "9:end:E5 8:begin:E5 7:begin:D4 6:end:B2 5:refused:C3 4:begin:B2 "
	    "3:end:A1 2:begin:A1 1:segment:- ");
}

static void
a_limit_takes_the_newest_or_the_oldest(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	make_five();
	filter.limit = 2;
	assert_string_equal(records(&filter), "9:end:E5 8:begin:E5 ");
	filter.oldest_first = true;
	assert_string_equal(records(&filter), "1:segment:- 2:begin:A1 ");
	assert_string_equal(runs(&filter), "A1:ended:exited B2:ended:exited ");
}

static void
records_are_filtered_by_kind_time_number_and_run(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	make_five();
	filter.kind = "end";
	assert_string_equal(records(&filter), "9:end:E5 6:end:B2 3:end:A1 ");
	filter.kind = NULL;
	filter.since_us = MAKER_START + 3 * MAKER_STEP;
	filter.until_us = MAKER_START + 5 * MAKER_STEP;
	assert_string_equal(
	    records(&filter), "6:end:B2 5:refused:C3 4:begin:B2 ");
	filter.after_seq = 4;
	filter.run_id = "B";
	assert_string_equal(records(&filter), "6:end:B2 ");
}

static void
records_are_filtered_by_what_their_run_was(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	make_five();
	filter.agent = "reviewer";
	assert_string_equal(records(&filter), "6:end:B2 4:begin:B2 ");
	filter.agent = NULL;
	filter.outcome = "refused";
	assert_string_equal(records(&filter), "5:refused:C3 ");
}

static void
runs_are_begin_and_end_in_one(void **state)
{
	(void)state;
	make_five();
	assert_string_equal(runs(NULL), "E5:ended:signaled D4:lost:- "
					"C3:refused:not_found B2:ended:exited "
					"A1:ended:exited ");
}

static void
runs_are_filtered_by_outcome(void **state)
{
	static const char *const rows[][2] = {
	    {"ok", "A1:ended:exited "},
	    {"failed", "E5:ended:signaled B2:ended:exited "},
	    {"exited", "B2:ended:exited A1:ended:exited "},
	    {"signaled", "E5:ended:signaled "},
	    {"refused", "C3:refused:not_found "},
	    {"not_found", "C3:refused:not_found "},
	    {"lost", "D4:lost:- "},
	    {"running", ""},
	    {"nonsense", ""},
	};

	(void)state;
	make_five();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

		filter.outcome = rows[i][0];
		assert_string_equal(runs(&filter), rows[i][1]);
	}
}

static void
a_program_is_known_by_path_last_part_or_word(void **state)
{
	static const char *const names[] = {"/usr/bin/ls", "ls"};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	make_five();
	for (size_t i = 0; i < 2; i++) {
		filter.program = names[i];
		assert_string_equal(runs(&filter), "B2:ended:exited ");
	}
	filter.program = "nowhere";
	assert_string_equal(runs(&filter), "C3:refused:not_found ");
	filter.program = "l";
	assert_string_equal(runs(&filter), "");
}

static void
text_is_found_in_any_case_and_as_json_spells_it(void **state)
{
	const struct made_run quoted = {.run = "F6",
	    .argv = "[\"echo\",\"say \\\"hi\\\"\"]",
	    .program = "/bin/echo"};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	make_five();
	maker_begin(&site.maker, &quoted);
	filter.text = "SAY \"hi\"";
	assert_string_equal(records(&filter), "10:begin:F6 ");
	filter.text = "sigterm";
	assert_string_equal(records(&filter), "9:end:E5 ");
	assert_string_equal(runs(&filter), "E5:ended:signaled ");
	filter.text = "\"kind\":\"refused\"";
	assert_string_equal(runs(&filter), "C3:refused:not_found ");
}

static bool
check_b2(void *ctx, const writ_audit_run *run)
{
	assert_string_equal(run->run_id, maker_run_id("B2"));
	assert_int_equal(run->begin_seq, 4);
	assert_int_equal(run->end_seq, 6);
	assert_int_equal(run->begin_us, MAKER_START + 3 * MAKER_STEP);
	assert_int_equal(run->end_us, MAKER_START + 5 * MAKER_STEP);
	assert_string_equal(run->command, "ls -l 'a b'");
	assert_string_equal(run->program, "/usr/bin/ls");
	assert_string_equal(run->cwd, "/srv/app");
	assert_string_equal(run->agent, "reviewer");
	assert_string_equal(run->door, "cli");
	assert_string_equal(run->sandbox, "none");
	assert_string_equal(run->outcome, "exited");
	assert_int_equal(run->exit_code, 2);
	assert_int_equal(run->signal, 0);
	assert_int_equal(run->duration_ms, 40);
	assert_int_equal(run->uid, geteuid());
	assert_int_equal(run->out_bytes[0], 12);
	assert_int_equal(run->out_bytes[1], 5);
	assert_string_equal(run->recording, (const char *)ctx);
	assert_non_null(strstr(run->begin_json, "\"kind\":\"begin\""));
	assert_non_null(strstr(run->end_json, "\"kind\":\"end\""));
	hear("checked");
	return true;
}

static void
a_run_has_everything_its_records_say(void **state)
{
	char path[512];

	(void)state;
	make_five();
	(void)snprintf(path, sizeof(path), "%s/outputs/%s.rec", site.temp.path,
	    maker_run_id("B2"));
	writ_error err = {0};
	assert_int_equal(
	    writ_audit_find(site.audit, "b2", check_b2, path, &err), WRIT_OK);
	assert_string_equal(site.heard, "checked");
}

static void
a_run_is_found_by_what_no_other_begins_with(void **state)
{
	writ_error err = {0};

	(void)state;
	make_five();
	maker_ran(&site.maker, "AB", 0);
	assert_int_equal(
	    writ_audit_find(site.audit, "C", hear_run, NULL, &err), WRIT_OK);
	assert_int_equal(
	    writ_audit_find(site.audit, "-", hear_run, NULL, &err), WRIT_OK);
	assert_string_equal(
	    site.heard, "C3:refused:not_found AB:ended:exited ");
	assert_int_equal(writ_audit_find(site.audit, "A", hear_run, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, maker_run_id("A1")));
	assert_int_equal(
	    writ_audit_find(site.audit, "Z9", hear_run, NULL, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    writ_audit_find(site.audit, "../x", hear_run, NULL, &err),
	    WRIT_E_NOTFOUND);
}

static void
files_are_read_across_their_borders(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	const struct made_run over = {.run = "A1"};

	(void)state;
	maker_begin(&site.maker, &over);
	maker_rotate(&site.maker);
	maker_end(&site.maker, "A1", "exited", 0);
	maker_rotate(&site.maker);
	maker_ran(&site.maker, "B2", 0);
	assert_string_equal(runs(NULL), "B2:ended:exited A1:ended:exited ");
	filter.run_id = maker_run_id("A1");
	assert_string_equal(records(&filter), "5:end:A1 2:begin:A1 ");
}

static void
lines_longer_than_a_block_are_read_whole(void **state)
{
	static char argv[3000];
	const struct made_run big = {.run = "A1", .argv = argv};

	(void)state;
	memset(argv, 'x', sizeof(argv) - 1);
	memcpy(argv, "[\"", 2);
	memcpy(argv + sizeof(argv) - 3, "\"]", 2);
	for (int i = 0; i < 100; i++)
		maker_begin(&site.maker, &big);
	site.heard[0] = '\0';
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	filter.limit = 3;
	filter.oldest_first = true;
	assert_string_equal(
	    records(&filter), "1:segment:- 2:begin:A1 3:begin:A1 ");
}

static void
what_is_no_record_is_passed_over(void **state)
{
	(void)state;
	maker_ran(&site.maker, "A1", 0);
	maker_append(&site.maker, "garbage\n\n", 9);
	maker_add(&site.maker, "\"kind\":\"begin\",\"run\":broken");
	maker_add(&site.maker, "\"kind\":\"begin\",\"run\":\"../../x\"");
	maker_add(&site.maker, "\"kind\":\"novelty\",\"what\":1");
	maker_append(&site.maker, "{\"seq\":9,\"time", 14);
	assert_string_equal(records(NULL), "6:novelty:- 5:begin:- 3:end:A1 "
					   "2:begin:A1 1:segment:- ");
	assert_string_equal(runs(NULL), "A1:ended:exited ");
}

static void
new_records_are_seen_by_the_next_question(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	maker_ran(&site.maker, "A1", 0);
	assert_string_equal(runs(NULL), "A1:ended:exited ");
	maker_ran(&site.maker, "B2", 0);
	filter.after_seq = 3;
	filter.oldest_first = true;
	assert_string_equal(records(&filter), "4:begin:B2 5:end:B2 ");
}

static void
a_clock_that_was_set_back_hides_nothing(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	maker_ran(&site.maker, "A1", 0);
	site.maker.time_us = MAKER_START - 3600 * MAKER_STEP;
	maker_ran(&site.maker, "B2", 0);
	site.maker.time_us = MAKER_START + 60 * MAKER_STEP;
	maker_ran(&site.maker, "C3", 0);
	filter.until_us = MAKER_START + 10 * MAKER_STEP;
	assert_string_equal(runs(&filter), "B2:ended:exited A1:ended:exited ");
	filter.since_us = MAKER_START;
	assert_string_equal(runs(&filter), "A1:ended:exited ");
	filter.until_us = MAKER_START - 1;
	filter.since_us = 0;
	assert_string_equal(runs(&filter), "B2:ended:exited ");
}

static bool
stop_at_once(void *ctx, const writ_record *record)
{
	(void)record;
	++*(int *)ctx;
	return false;
}

static void
the_caller_can_stop(void **state)
{
	int count = 0;

	(void)state;
	make_five();
	assert_int_equal(
	    writ_audit_records(site.audit, NULL, stop_at_once, &count, NULL),
	    WRIT_OK);
	assert_int_equal(count, 1);
}

static void
no_trail_is_no_record(void **state)
{
	struct temp empty;

	(void)state;
	temp_open(&empty);
	writ_audit *audit = maker_open(&empty, site.no_index);
	site.heard[0] = '\0';
	assert_int_equal(
	    writ_audit_records(audit, NULL, hear_record, NULL, NULL), WRIT_OK);
	assert_string_equal(site.heard, "");
	writ_error err;
	assert_int_equal(
	    writ_audit_find(audit, "-", hear_run, NULL, &err), WRIT_E_NOTFOUND);
	assert_false(temp_has(&empty, "audit"));
	writ_audit_free(audit);
	temp_close(&empty);
}

static void
a_trail_that_others_can_write_is_refused(void **state)
{
	writ_audit *audit = NULL;
	const struct w_audit_settings settings = {.state_dir = site.temp.path};
	writ_error err;

	(void)state;
	assert_int_equal(fchmodat(site.temp.fd, "audit", 0770, 0), 0);
	assert_int_equal(w_audit_new(&settings, &audit, &err), WRIT_E_INVALID);
	assert_int_equal(fchmodat(site.temp.fd, "audit", 0700, 0), 0);
	maker_ran(&site.maker, "A1", 0);
	assert_int_equal(
	    fchmodat(site.temp.fd, maker_file(&site.maker), 0620, 0), 0);
	assert_int_equal(
	    writ_audit_records(site.audit, NULL, hear_record, NULL, &err),
	    WRIT_E_INVALID);
}

#define BOTH(name)                                                   \
	{#name, name, set_up, tear_down, NULL},                      \
	{                                                            \
#name "_without_index", name, set_up, tear_down, &no \
	}

int
main(void)
{
	static int no;
	const struct CMUnitTest tests[] = {
	    BOTH(the_newest_records_come_first),
	    BOTH(a_limit_takes_the_newest_or_the_oldest),
	    BOTH(records_are_filtered_by_kind_time_number_and_run),
	    BOTH(records_are_filtered_by_what_their_run_was),
	    BOTH(runs_are_begin_and_end_in_one),
	    BOTH(runs_are_filtered_by_outcome),
	    BOTH(a_program_is_known_by_path_last_part_or_word),
	    BOTH(text_is_found_in_any_case_and_as_json_spells_it),
	    BOTH(a_run_has_everything_its_records_say),
	    BOTH(a_run_is_found_by_what_no_other_begins_with),
	    BOTH(files_are_read_across_their_borders),
	    BOTH(lines_longer_than_a_block_are_read_whole),
	    BOTH(what_is_no_record_is_passed_over),
	    BOTH(new_records_are_seen_by_the_next_question),
	    BOTH(a_clock_that_was_set_back_hides_nothing),
	    BOTH(the_caller_can_stop),
	    BOTH(no_trail_is_no_record),
	    BOTH(a_trail_that_others_can_write_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
