/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "audit/prune/prune.h"
#include "log/log.h"
#include "trail_maker.h"

#define DAY_MS (UINT64_C(24) * 3600 * 1000)

static struct temp temp;
static struct maker maker;
static writ_audit *audit;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	maker_start(&maker, &temp);
	temp_dir(&temp, "outputs");
	audit = maker_open(&temp, false);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_audit_free(audit);
	temp_close(&temp);
	return 0;
}

static const char *
output_name(const char *run, const char *suffix)
{
	static char names[4][64];
	static unsigned next;
	char *name = names[next++ % 4];

	(void)snprintf(
	    name, sizeof(names[0]), "outputs/%s.%s", maker_run_id(run), suffix);
	return name;
}

/* A recorded output of this size and age. */
static void
make_output(const char *run, size_t bytes, unsigned days)
{
	static const char zeros[65536];
	const char *name = output_name(run, "rec");
	struct timespec times[2] = {{.tv_sec = time(NULL) - days * 86400}};

	times[1] = times[0];
	temp_bytes(&temp, name, 0600, zeros, bytes);
	assert_int_equal(utimensat(temp.fd, name, times, 0), 0);
}

static writ_audit_pruned
prune(const writ_audit_prune_options *options)
{
	writ_audit_pruned pruned;
	writ_error err = {0};

	if (writ_audit_prune(audit, options, &pruned, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return pruned;
}

/* All prune records, concatenated. */
static bool
join(void *ctx, const writ_record *record)
{
	strncat(ctx, record->json, 4000);
	return true;
}

static const char *
prune_records(void)
{
	static char joined[8192];
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	joined[0] = '\0';
	filter.kind = "prune";
	assert_int_equal(
	    writ_audit_records(audit, &filter, join, joined, NULL), WRIT_OK);
	return joined;
}

static void
old_outputs_go_and_a_record_names_them(void **state)
{
	(void)state;
	make_output("A1", 100, 20);
	make_output("B2", 100, 13);
	writ_audit_pruned pruned = prune(NULL);
	assert_int_equal(pruned.outputs, 1);
	assert_int_equal(pruned.kept_outputs, 1);
	assert_false(temp_has(&temp, output_name("A1", "rec")));
	assert_true(temp_has(&temp, output_name("B2", "rec")));
	assert_non_null(strstr(prune_records(), maker_run_id("A1")));
	assert_null(strstr(prune_records(), maker_run_id("B2")));
}

static void
the_oldest_go_until_the_rest_is_small_enough(void **state)
{
	writ_audit_prune_options options = WRIT_AUDIT_PRUNE_OPTIONS_INIT;

	(void)state;
	make_output("A1", 65536, 3);
	make_output("B2", 65536, 1);
	make_output("C3", 65536, 2);
	options.output_bytes = 100000;
	writ_audit_pruned pruned = prune(&options);
	assert_int_equal(pruned.outputs, 2);
	assert_int_equal(pruned.output_bytes, 2 * 65536);
	assert_int_equal(pruned.kept_bytes, 65536);
	assert_true(temp_has(&temp, output_name("B2", "rec")));
}

static void
nothing_to_do_leaves_no_record(void **state)
{
	(void)state;
	make_output("A1", 100, 1);
	assert_int_equal(prune(NULL).outputs, 0);
	assert_string_equal(prune_records(), "");
}

static void
a_dry_run_deletes_and_records_nothing(void **state)
{
	writ_audit_prune_options options = WRIT_AUDIT_PRUNE_OPTIONS_INIT;

	(void)state;
	make_output("A1", 100, 20);
	options.dry_run = true;
	assert_int_equal(prune(&options).outputs, 1);
	assert_true(temp_has(&temp, output_name("A1", "rec")));
	assert_string_equal(prune_records(), "");
}

static void
what_is_still_written_stays(void **state)
{
	(void)state;
	make_output("A1", 100, 20);
	int fd =
	    openat(temp.fd, output_name("A1", "rec"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(prune(NULL).outputs, 0);
	assert_true(temp_has(&temp, output_name("A1", "rec")));
	assert_int_equal(close(fd), 0);
	assert_int_equal(prune(NULL).outputs, 1);
}

static void
files_of_others_stay(void **state)
{
	const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

	(void)state;
	temp_file(&temp, "outputs/notes.txt", 0600, "mine");
	temp_link(&temp, "notes.txt", output_name("A1", "rec"));
	assert_int_equal(utimensat(temp.fd, "outputs/notes.txt", old, 0), 0);
	assert_int_equal(utimensat(temp.fd, output_name("A1", "rec"), old,
			     AT_SYMLINK_NOFOLLOW),
	    0);
	assert_int_equal(prune(NULL).outputs, 0);
	assert_true(temp_has(&temp, "outputs/notes.txt"));
	assert_true(temp_has(&temp, output_name("A1", "rec")));
}

/* ---- records ---- */

/* The test's writer creates no head. */
static void
refuse_bad(void *ctx, const writ_audit_finding *finding)
{
	(void)ctx;
	if (strcmp(finding->severity, "bad") == 0)
		assert_string_equal(finding->kind, "head_missing");
}

static void
expect_sound(uint64_t first_seq)
{
	writ_audit_proof proof;
	writ_error err = {0};

	assert_int_equal(
	    writ_audit_verify(audit, NULL, refuse_bad, NULL, &proof, &err),
	    WRIT_OK);
	assert_int_equal(proof.first_seq, first_seq);
}

/* Three files; by the clock the trail is in the past or the future. */
static void
make_files(int64_t age_days)
{
	maker.time_us =
	    ((uint64_t)time(NULL) - (uint64_t)(age_days * 86400)) * 1000000;
	maker_ran(&maker, "A1", 0);
	maker_rotate(&maker);
	maker_ran(&maker, "B2", 0);
	maker_rotate(&maker);
	maker_ran(&maker, "C3", 0);
}

static void
old_files_of_records_go_but_the_last(void **state)
{
	writ_audit_prune_options options = WRIT_AUDIT_PRUNE_OPTIONS_INIT;

	(void)state;
	make_files(40);
	options.record_age_ms = 30 * DAY_MS;
	writ_audit_pruned pruned = prune(&options);
	assert_int_equal(pruned.files, 2);
	assert_int_equal(pruned.records, 8);
	assert_false(temp_has(&temp, "audit/trail-000001.jsonl"));
	assert_false(temp_has(&temp, "audit/trail-000002.jsonl"));
	assert_true(temp_has(&temp, "audit/trail-000003.jsonl"));
	assert_non_null(strstr(prune_records(), "\"through\":8,"));
	expect_sound(9);
	assert_int_equal(prune(&options).files, 0);
}

static void
young_records_stay(void **state)
{
	writ_audit_prune_options options = WRIT_AUDIT_PRUNE_OPTIONS_INIT;

	(void)state;
	make_files(20);
	options.record_age_ms = 30 * DAY_MS;
	assert_int_equal(prune(&options).files, 0);
	assert_int_equal(prune(NULL).files, 0);
	assert_string_equal(prune_records(), "");
}

static void
the_begin_of_a_run_that_runs_stays(void **state)
{
	writ_audit_prune_options options = WRIT_AUDIT_PRUNE_OPTIONS_INIT;
	/* It cannot be seen whether it runs: so it may. */
	const struct made_run elsewhere = {.run = "R1", .pidns = 1};

	(void)state;
	maker.time_us = ((uint64_t)time(NULL) - 40 * 86400) * 1000000;
	maker_ran(&maker, "A1", 0);
	maker_rotate(&maker);
	maker_begin(&maker, &elsewhere);
	maker_rotate(&maker);
	maker_ran(&maker, "C3", 0);
	options.record_age_ms = 30 * DAY_MS;
	assert_int_equal(prune(&options).files, 1);
	assert_true(temp_has(&temp, "audit/trail-000002.jsonl"));
}

static void
deleted_files_without_a_record_are_told(void **state)
{
	writ_audit_proof proof;

	(void)state;
	make_files(1);
	assert_int_equal(unlinkat(temp.fd, "audit/trail-000001.jsonl", 0), 0);
	assert_int_equal(
	    writ_audit_verify(audit, NULL, NULL, NULL, &proof, NULL), WRIT_OK);
	assert_true(proof.bad > 0);
}

/* ---- once an hour ---- */

static void
it_is_done_once_an_hour(void **state)
{
	const struct w_audit_settings settings = {.state_dir = temp.path};
	const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

	(void)state;
	make_output("A1", 100, 20);
	assert_int_equal(w_audit_prune_if_due(&settings, NULL), WRIT_OK);
	assert_false(temp_has(&temp, output_name("A1", "rec")));
	make_output("B2", 100, 20);
	assert_int_equal(w_audit_prune_if_due(&settings, NULL), WRIT_OK);
	assert_true(temp_has(&temp, output_name("B2", "rec")));
	assert_int_equal(utimensat(temp.fd, "audit/" W_PRUNE_STAMP, old, 0), 0);
	assert_int_equal(w_audit_prune_if_due(&settings, NULL), WRIT_OK);
	assert_false(temp_has(&temp, output_name("B2", "rec")));
}

static void
disk_use_is_summed_up(void **state)
{
	writ_audit_disk disk;

	(void)state;
	make_output("A1", 65536, 0);
	maker_rotate(&maker);
	assert_int_equal(writ_audit_disk_use(audit, &disk, NULL), WRIT_OK);
	assert_int_equal(disk.trail_files, 2);
	assert_true(disk.trail_bytes > 0);
	assert_int_equal(disk.output_files, 1);
	assert_int_equal(disk.output_bytes, 65536);
	assert_true(disk.free_bytes > 0);
	assert_string_equal(disk.trail_dir, temp_path(&temp, "audit"));
	assert_string_equal(disk.output_dir, temp_path(&temp, "outputs"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(old_outputs_go_and_a_record_names_them),
	    CASE(the_oldest_go_until_the_rest_is_small_enough),
	    CASE(nothing_to_do_leaves_no_record),
	    CASE(a_dry_run_deletes_and_records_nothing),
	    CASE(what_is_still_written_stays),
	    CASE(files_of_others_stay),
	    CASE(old_files_of_records_go_but_the_last),
	    CASE(young_records_stay),
	    CASE(the_begin_of_a_run_that_runs_stays),
	    CASE(deleted_files_without_a_record_are_told),
	    CASE(it_is_done_once_an_hour),
	    CASE(disk_use_is_summed_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
