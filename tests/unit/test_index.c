/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "audit/index/index.h"
#include "trail_maker.h"

/*
 * Whatever state the index is in, the answer is that of the trail, and the note
 * says what was done.
 */
struct workspace {
	struct temp temp;
	struct maker maker;
	writ_audit *audit;
	char heard[1024];
};

static struct workspace site;

#define INDEX "audit/" W_INDEX_NAME

static int
set_up(void **state)
{
	(void)state;
	site = (struct workspace){.audit = NULL};
	temp_open(&site.temp);
	maker_start(&site.maker, &site.temp);
	maker_ran(&site.maker, "A1", 0);
	maker_ran(&site.maker, "B2", 1);
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

static bool
hear(void *ctx, const writ_audit_run *run)
{
	size_t len = strlen(site.heard);

	(void)ctx;
	(void)snprintf(site.heard + len, sizeof(site.heard) - len, "%.2s:%s ",
	    run->run_id, run->outcome == NULL ? "-" : run->outcome);
	return true;
}

static const char *
ask(void)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_error err = {0};

	/* Without a limit the trail itself is read. */
	filter.limit = 10000;
	site.heard[0] = '\0';
	if (writ_audit_runs(site.audit, &filter, hear, NULL, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return site.heard;
}

/* As a new process would find it. */
static const char *
ask_afresh(void)
{
	writ_audit_free(site.audit);
	site.audit = maker_open(&site.temp, false);
	return ask();
}

static void
expect_note(const char *part)
{
	const char *note = writ_audit_note(site.audit);

	if (part == NULL) {
		if (note != NULL)
			fail_msg("a note: %s", note);
		return;
	}
	assert_non_null(note);
	if (strstr(note, part) == NULL)
		fail_msg("not in the note '%s': %s", note, part);
}

/* Changes the index with SQL behind its back. */
static void
tamper(const char *sql)
{
	const char *why;
	const struct w_sqlite *api = w_sqlite_load(&why);
	sqlite3 *db;

	assert_non_null(api);
	assert_int_equal(api->open_v2(temp_path(&site.temp, INDEX), &db,
			     SQLITE_OPEN_READWRITE, NULL),
	    SQLITE_OK);
	int code = api->exec(db, sql, NULL, NULL, NULL);
	if (code != SQLITE_OK)
		fail_msg("%s: %s", sql, api->errmsg(db));
	assert_int_equal(api->close_v2(db), SQLITE_OK);
}

static int64_t
count_rows(void)
{
	assert_non_null(site.audit->index);
	sqlite3_stmt *row =
	    w_index_prepare(site.audit->index, "SELECT count(*) FROM records");
	assert_non_null(row);
	assert_int_equal(site.audit->index->api->step(row), SQLITE_ROW);
	int64_t count = site.audit->index->api->column_int64(row, 0);
	(void)site.audit->index->api->finalize(row);
	return count;
}

static const char both[] = "B2:exited A1:exited ";

static void
a_missing_index_is_made_for_its_owner_only(void **state)
{
	struct stat st;

	(void)state;
	assert_string_equal(ask_afresh(), both);
	expect_note(NULL);
	assert_int_equal(fstatat(site.temp.fd, INDEX, &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(count_rows(), 5);
}

static void
an_index_goes_on_where_it_stopped(void **state)
{
	(void)state;
	assert_string_equal(ask_afresh(), both);
	maker_rotate(&site.maker);
	maker_ran(&site.maker, "C3", 0);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	expect_note(NULL);
	assert_int_equal(count_rows(), 9);
}

static void
an_end_is_found_for_a_begin_of_an_earlier_time(void **state)
{
	const struct made_run late = {.run = "C3"};

	(void)state;
	maker_begin(&site.maker, &late);
	assert_string_equal(ask_afresh(), "C3:- B2:exited A1:exited ");
	maker_end(&site.maker, "C3", "exited", 0);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	expect_note(NULL);
}

static void
what_is_no_database_is_made_again(void **state)
{
	char junk[4096];

	(void)state;
	memset(junk, 'x', sizeof(junk));
	temp_bytes(&site.temp, INDEX, 0600, junk, sizeof(junk));
	assert_string_equal(ask_afresh(), both);
	expect_note("was made again: it was damaged");
	assert_int_equal(count_rows(), 5);
	assert_string_equal(ask_afresh(), both);
	expect_note(NULL);
}

static void
a_damaged_database_is_made_again(void **state)
{
	char junk[4096];

	(void)state;
	assert_string_equal(ask_afresh(), both);
	writ_audit_free(site.audit);
	site.audit = NULL;
	memset(junk, 0xa5, sizeof(junk));
	int fd = openat(site.temp.fd, INDEX, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	for (off_t at = 4096; at < 5 * 4096; at += 4096)
		assert_int_equal(
		    pwrite(fd, junk, sizeof(junk), at), sizeof(junk));
	assert_int_equal(close(fd), 0);
	assert_string_equal(ask_afresh(), both);
	expect_note("was made again");
}

static void
a_cut_database_is_made_again(void **state)
{
	(void)state;
	assert_string_equal(ask_afresh(), both);
	writ_audit_free(site.audit);
	site.audit = NULL;
	assert_int_equal(truncate(temp_path(&site.temp, INDEX), 4096), 0);
	assert_string_equal(ask_afresh(), both);
	expect_note("was made again");
}

/* Each is a valid page in the wrong place. */
static void
pages_that_changed_places_change_no_answer(void **state)
{
	enum {
		PAGE = 4096,
		PAGES = 6
	};
	static char was[PAGES * PAGE];

	(void)state;
	assert_string_equal(ask_afresh(), both);
	writ_audit_free(site.audit);
	site.audit = NULL;
	int fd = openat(site.temp.fd, INDEX, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, was, sizeof(was)), sizeof(was));
	assert_int_equal(close(fd), 0);
	for (size_t a = 1; a < PAGES; a++)
		for (size_t b = 1; b < a; b++) {
			static char now[sizeof(was)];

			memcpy(now, was, sizeof(now));
			memcpy(now + a * PAGE, was + b * PAGE, PAGE);
			memcpy(now + b * PAGE, was + a * PAGE, PAGE);
			writ_audit_free(site.audit);
			site.audit = NULL;
			assert_int_equal(unlinkat(site.temp.fd, INDEX, 0), 0);
			temp_bytes(&site.temp, INDEX, 0600, now, sizeof(now));
			assert_string_equal(ask_afresh(), both);
			expect_note("was made again");
		}
}

static void
another_version_is_made_again(void **state)
{
	(void)state;
	assert_string_equal(ask_afresh(), both);
	tamper("PRAGMA user_version = 99");
	assert_string_equal(ask_afresh(), both);
	expect_note("another version of writ");
	tamper("PRAGMA user_version = 0");
	assert_string_equal(ask_afresh(), both);
	expect_note("did not finish");
}

static void
a_lost_table_is_made_again(void **state)
{
	(void)state;
	assert_string_equal(ask_afresh(), both);
	tamper("DROP TABLE state");
	assert_string_equal(ask_afresh(), both);
	expect_note("was made again");
	tamper("DROP INDEX records_run");
	writ_error err = {0};
	assert_string_equal(ask_afresh(), both);
	site.heard[0] = '\0';
	assert_int_equal(
	    writ_audit_find(site.audit, "B2", hear, NULL, &err), WRIT_OK);
	assert_string_equal(site.heard, "B2:exited ");
	expect_note("was made again");
}

static void
rows_that_lie_are_found_out(void **state)
{
	static const char *const lies[] = {
	    "UPDATE records SET offset = offset + 1 WHERE seq = 4",
	    "UPDATE records SET segment = 7 WHERE seq = 4",
	    "UPDATE records SET len = len - 1 WHERE seq = 5",
	    "UPDATE records SET len = 0 WHERE seq = 4",
	    "UPDATE records SET len = 0 WHERE seq = 5",
	    "DELETE FROM records WHERE seq = 5",
	    "UPDATE records SET seq = 40 WHERE seq = 4",
	    "UPDATE records SET run = (SELECT run FROM records WHERE seq = 2)"
	    " WHERE seq = 4",
	    "UPDATE records SET offset = (SELECT offset FROM records WHERE"
	    " seq = 2), len = (SELECT len FROM records WHERE seq = 2)"
	    " WHERE seq = 4",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		assert_string_equal(ask_afresh(), both);
		tamper(lies[i]);
		assert_string_equal(ask_afresh(), both);
		expect_note("was made again: it did not fit the trail");
	}
}

static void
a_trail_that_was_cut_and_went_on_is_read_anew(void **state)
{
	static struct maker at_a;

	(void)state;
	at_a = site.maker;
	maker_ran(&site.maker, "C3", 0);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	assert_int_equal(truncate(temp_path(&site.temp, maker_file(&at_a)),
			     (off_t)at_a.offset),
	    0);
	maker_ran(&at_a, "D4", 0);
	maker_ran(&at_a, "E5", 0);
	assert_string_equal(
	    ask_afresh(), "E5:exited D4:exited B2:exited A1:exited ");
	expect_note("its last record is not in the trail any more");
}

static void
records_of_pruned_files_are_forgotten(void **state)
{
	(void)state;
	maker_rotate(&site.maker);
	maker_ran(&site.maker, "C3", 0);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	assert_int_equal(
	    unlinkat(site.temp.fd, "audit/trail-000001.jsonl", 0), 0);
	assert_string_equal(ask_afresh(), "C3:exited ");
	expect_note(NULL);
	assert_int_equal(count_rows(), 3);
}

static void
numbers_that_do_not_rise_are_read_without_index(void **state)
{
	(void)state;
	site.maker.seq = 2;
	maker_ran(&site.maker, "C3", 0);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	expect_note("the numbers of the records do not rise");
	assert_string_equal(ask(), "C3:exited B2:exited A1:exited ");
}

static void
a_locked_index_is_done_without(void **state)
{
	const char *why;
	const struct w_sqlite *api = w_sqlite_load(&why);
	sqlite3 *db;

	(void)state;
	assert_string_equal(ask_afresh(), both);
	maker_ran(&site.maker, "C3", 0);
	assert_int_equal(api->open_v2(temp_path(&site.temp, INDEX), &db,
			     SQLITE_OPEN_READWRITE, NULL),
	    SQLITE_OK);
	assert_int_equal(
	    api->exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	expect_note("another reader is making it");
	assert_int_equal(api->close_v2(db), SQLITE_OK);
	assert_string_equal(ask_afresh(), "C3:exited B2:exited A1:exited ");
	expect_note(NULL);
}

static void
a_trail_that_cannot_be_read_is_not_blamed_on_the_index(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_error err = {0};

	(void)state;
	maker_rotate(&site.maker);
	maker_ran(&site.maker, "C3", 0);
	assert_int_equal(
	    fchmodat(site.temp.fd, "audit/trail-000001.jsonl", 0666, 0), 0);
	site.audit = maker_open(&site.temp, false);
	site.heard[0] = '\0';
	filter.limit = 10;
	assert_int_equal(writ_audit_runs(site.audit, &filter, hear, NULL, &err),
	    WRIT_E_INVALID);
	expect_note("the trail could not be read through");
}

static void
an_index_of_the_wrong_kind_is_done_without(void **state)
{
	(void)state;
	temp_link(&site.temp, "elsewhere", INDEX);
	assert_string_equal(ask_afresh(), both);
	expect_note("is not used");
	assert_false(temp_has(&site.temp, "audit/elsewhere"));
	assert_int_equal(unlinkat(site.temp.fd, INDEX, 0), 0);
	temp_dir(&site.temp, INDEX);
	assert_string_equal(ask_afresh(), both);
	expect_note("is not used");
	assert_int_equal(unlinkat(site.temp.fd, INDEX, AT_REMOVEDIR), 0);
	temp_file(&site.temp, INDEX, 0620, "");
	assert_string_equal(ask_afresh(), both);
	expect_note("can be written by others");
}

static void
a_full_disk_is_no_reason_not_to_answer(void **state)
{
	struct rlimit old;
	struct rlimit tiny;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	tiny = old;
	tiny.rlim_cur = 100;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tiny), 0);
	const char *answer = ask_afresh();
	const char *note = writ_audit_note(site.audit);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_string_equal(answer, both);
	assert_non_null(note);
	assert_non_null(strstr(note, "is not used"));
	assert_string_equal(ask_afresh(), both);
	assert_int_equal(count_rows(), 5);
}

static void
readers_that_come_at_once_all_get_the_answer(void **state)
{
	enum {
		READERS = 6
	};
	pid_t readers[READERS];

	(void)state;
	for (int i = 0; i < 500; i++)
		maker_ran(&site.maker, "C3", 0);
	for (int i = 0; i < READERS; i++) {
		readers[i] = fork();
		assert_true(readers[i] >= 0);
		if (readers[i] != 0)
			continue;
		int bad = 0;
		for (int round = 0; round < 5; round++) {
			site.heard[0] = '\0';
			site.audit = maker_open(&site.temp, false);
			writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
			filter.limit = 1;
			filter.oldest_first = true;
			if (writ_audit_runs(site.audit, &filter, hear, NULL,
				NULL) != WRIT_OK ||
			    strcmp(site.heard, "A1:exited ") != 0)
				bad++;
			writ_audit_free(site.audit);
		}
		_exit(bad);
	}
	for (int i = 0; i < READERS; i++) {
		int status;

		assert_int_equal(waitpid(readers[i], &status, 0), readers[i]);
		assert_int_equal(status, 0);
	}
	assert_true(strncmp(ask_afresh(), "C3:exited ", 10) == 0);
	expect_note(NULL);
}

static bool
ask_within(void *ctx, const writ_audit_run *run)
{
	writ_error err;

	(void)ctx;
	assert_int_equal(
	    writ_audit_find(site.audit, run->run_id, hear, NULL, &err),
	    WRIT_OK);
	return true;
}

static void
a_callback_may_ask_another_question(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	(void)state;
	filter.limit = 10;
	assert_string_equal(ask_afresh(), both);
	maker_ran(&site.maker, "C3", 0);
	site.heard[0] = '\0';
	assert_int_equal(
	    writ_audit_runs(site.audit, &filter, ask_within, NULL, NULL),
	    WRIT_OK);
	assert_string_equal(site.heard, "C3:exited B2:exited A1:exited ");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_missing_index_is_made_for_its_owner_only),
	    CASE(an_index_goes_on_where_it_stopped),
	    CASE(an_end_is_found_for_a_begin_of_an_earlier_time),
	    CASE(what_is_no_database_is_made_again),
	    CASE(a_damaged_database_is_made_again),
	    CASE(a_cut_database_is_made_again),
	    CASE(pages_that_changed_places_change_no_answer),
	    CASE(another_version_is_made_again),
	    CASE(a_lost_table_is_made_again),
	    CASE(rows_that_lie_are_found_out),
	    CASE(a_trail_that_was_cut_and_went_on_is_read_anew),
	    CASE(records_of_pruned_files_are_forgotten),
	    CASE(numbers_that_do_not_rise_are_read_without_index),
	    CASE(a_locked_index_is_done_without),
	    CASE(a_trail_that_cannot_be_read_is_not_blamed_on_the_index),
	    CASE(an_index_of_the_wrong_kind_is_done_without),
	    CASE(a_full_disk_is_no_reason_not_to_answer),
	    CASE(readers_that_come_at_once_all_get_the_answer),
	    CASE(a_callback_may_ask_another_question),
	};
	const char *why;

	if (w_sqlite_load(&why) == NULL) {
		print_message("1..0 # SKIP %s\n", why);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
