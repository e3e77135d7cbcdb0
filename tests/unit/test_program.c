/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "leftovers.h"
#include "os/file.h"
#include "run/resolve/program.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	assert_int_equal(fchmod(temp.fd, 0755), 0);
	temp_dir(&temp, "one");
	temp_dir(&temp, "two");
	return 0;
}

/* PATH=one:two of the temporary directory; cwd is that directory. */
static writ_status
find(const char *name, struct w_program *out, writ_error *err)
{
	char list[1100];
	const struct w_program_scope scope = {
	    .path_list = list, .cwd_fd = temp.fd, .cwd = temp.path};

	(void)snprintf(
	    list, sizeof(list), "%s/one:%s/two", temp.path, temp.path);
	return w_program_find(name, &scope, out, err);
}

static void
expect_found(const char *name, const char *file, bool is_script)
{
	struct w_program program;
	struct stat by_fd, by_name;

	assert_int_equal(find(name, &program, NULL), WRIT_OK);
	assert_true(program.fd >= W_FD_SAFE);
	assert_int_equal(fcntl(program.fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(program.is_script, is_script);
	assert_int_equal(fstat(program.fd, &by_fd), 0);
	assert_int_equal(fstatat(temp.fd, file, &by_name, 0), 0);
	assert_int_equal(by_fd.st_ino, by_name.st_ino);
	assert_int_equal(program.path[0], '/');
	w_program_done(&program);
	assert_int_equal(program.fd, -1);
}

static void
expect_error(const char *name, writ_status status, const char *words)
{
	struct w_program program = {.fd = 12345};
	writ_error err = {0};
	int before = count_fds();

	assert_int_equal(find(name, &program, &err), status);
	assert_int_equal(program.fd, 12345);
	assert_non_null(strstr(err.message, words));
	assert_string_equal(err.stage, "program");
	assert_int_equal(count_fds(), before);
}

/* ---- the first line of a script ---- */

static void
the_interpreter_is_the_first_word_after_the_mark(void **state)
{
	static const struct {
		const char *line;
		const char *word;
	} cases[] = {
	    {"#!/bin/sh\n", "/bin/sh"},
	    {"#!/bin/sh", "/bin/sh"},
	    {"#! /bin/sh\n", "/bin/sh"},
	    {"#! \t /bin/sh -e -u\n", "/bin/sh"},
	    {"#!/bin/sh\t-e\n", "/bin/sh"},
	    {"#!/usr/bin/env python3\n", "/usr/bin/env"},
	    {"#!/bin/sh\r\n", "/bin/sh\r"},
	    {"#!sh\n", "sh"},
	    {"#!", ""},
	    {"#!\n", ""},
	    {"#!   \n", ""},
	    {"#!\n/bin/sh\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t start = 99;
		size_t len = w_program_interpreter(
		    cases[i].line, strlen(cases[i].line), &start);

		assert_int_equal(len, strlen(cases[i].word));
		assert_memory_equal(cases[i].line + start, cases[i].word, len);
	}
}

static void
the_interpreter_stops_at_the_end_of_the_text(void **state)
{
	size_t start;

	(void)state;
	assert_int_equal(w_program_interpreter("#!/bin/shXX", 9, &start), 7);
	assert_int_equal(w_program_interpreter("#!/b\0n/sh", 9, &start), 2);
	assert_int_equal(w_program_interpreter("#!xxx", 2, &start), 0);
}

static void
a_script_with_an_interpreter_is_found_as_a_script(void **state)
{
	(void)state;
	temp_file(&temp, "one/run", 0755, "#!/bin/sh\nexit 0\n");
	temp_file(&temp, "one/last", 0755, "#!/bin/sh");
	expect_found("run", "one/run", true);
	expect_found("last", "one/last", true);
}

static void
a_script_without_a_usable_interpreter_is_explained(void **state)
{
	(void)state;
	temp_file(&temp, "one/none", 0755, "#!\nexit 0\n");
	temp_file(&temp, "one/gone", 0755, "#!/no/such/interpreter\n");
	temp_file(&temp, "one/dir", 0755, "#!/\n");
	expect_error("none", WRIT_E_NOTEXEC, "names no interpreter");
	expect_error("gone", WRIT_E_NOTEXEC, "/no/such/interpreter");
	expect_error("dir", WRIT_E_NOTEXEC, "interpreter '/'");
}

static void
a_script_with_dos_line_ends_gets_a_hint(void **state)
{
	struct w_program program;
	writ_error err = {0};

	(void)state;
	temp_file(&temp, "one/dos", 0755, "#!/bin/sh\r\nexit 0\r\n");
	assert_int_equal(find("dos", &program, &err), WRIT_E_NOTEXEC);
	assert_non_null(strstr(err.suggestion, "CR LF"));
	assert_null(strchr(err.message, '\r'));
}

static void
a_first_line_longer_than_the_kernel_reads_is_not_overrun(void **state)
{
	static char line[1000];
	struct w_program program;

	(void)state;
	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "#!/", 3);
	temp_file(&temp, "one/long", 0755, line);
	assert_int_equal(find("long", &program, NULL), WRIT_E_NOTEXEC);
}

static void
other_files_are_programs_whatever_they_hold(void **state)
{
	(void)state;
	temp_file(&temp, "one/empty", 0755, "");
	temp_file(&temp, "one/short", 0755, "#");
	temp_file(&temp, "one/text", 0755, "exit 0\n");
	expect_found("empty", "one/empty", false);
	expect_found("short", "one/short", false);
	expect_found("text", "one/text", false);
}

/* ---- how a name is resolved ---- */

static void
the_first_place_in_the_path_wins(void **state)
{
	(void)state;
	temp_file(&temp, "one/a", 0755, "x");
	temp_file(&temp, "two/a", 0755, "x");
	temp_file(&temp, "two/b", 0755, "x");
	expect_found("a", "one/a", false);
	expect_found("b", "two/b", false);
}

static void
what_cannot_be_executed_is_passed_over_for_what_can(void **state)
{
	(void)state;
	temp_file(&temp, "one/a", 0644, "x");
	temp_dir(&temp, "one/b");
	temp_link(&temp, "nowhere", "one/c");
	temp_file(&temp, "two/a", 0755, "x");
	temp_file(&temp, "two/b", 0755, "x");
	temp_file(&temp, "two/c", 0755, "x");
	expect_found("a", "two/a", false);
	expect_found("b", "two/b", false);
	expect_found("c", "two/c", false);
}

static void
a_place_that_may_not_be_searched_holds_nothing(void **state)
{
	(void)state;
	temp_file(&temp, "two/b", 0755, "x");
	assert_int_equal(fchmodat(temp.fd, "one", 0000, 0), 0);
	expect_error("a", WRIT_E_NOTFOUND, "no program 'a' in PATH");
	expect_found("b", "two/b", false);
}

static void
links_lead_to_their_file(void **state)
{
	(void)state;
	temp_file(&temp, "two/real", 0755, "x");
	temp_link(&temp, "../two/real", "one/link");
	expect_found("link", "two/real", false);
}

static void
a_name_with_a_slash_is_relative_to_the_working_directory(void **state)
{
	(void)state;
	temp_file(&temp, "here", 0755, "x");
	temp_file(&temp, "one/a", 0755, "x");
	expect_found("./here", "here", false);
	expect_found("one/a", "one/a", false);
	expect_found("two/../one/a", "one/a", false);
	expect_found(temp_path(&temp, "one/a"), "one/a", false);
	expect_error("here", WRIT_E_NOTFOUND, "in PATH");
}

static void
relative_and_empty_places_of_the_path_do_not_count(void **state)
{
	static const char *const lists[] = {
	    "", ":", ".", "one:two", "./one", "::one:", "../one"};
	struct w_program program;

	(void)state;
	temp_file(&temp, "a", 0755, "x");
	temp_file(&temp, "one/a", 0755, "x");
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const struct w_program_scope scope = {
		    .path_list = lists[i], .cwd_fd = temp.fd, .cwd = temp.path};

		assert_int_equal(w_program_find("a", &scope, &program, NULL),
		    WRIT_E_NOTFOUND);
	}
}

static void
without_a_path_the_usual_places_are_searched(void **state)
{
	const struct w_program_scope scope = {
	    .cwd_fd = temp.fd, .cwd = temp.path};
	struct w_program program;

	(void)state;
	assert_int_equal(w_program_find("sh", &scope, &program, NULL), WRIT_OK);
	assert_false(program.is_script);
	w_program_done(&program);
}

/* Waits until the file may be cached. */
static void
let_it_settle(const char *name)
{
	struct timespec now;
	struct stat st;

	assert_int_equal(fstatat(temp.fd, name, &st, 0), 0);
	do {
		(void)usleep(50000);
		assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
	} while (now.tv_sec < st.st_ctim.tv_sec + 2);
}

static bool
is_script(const char *name, struct w_program_seen *seen)
{
	const struct w_program_scope scope = {
	    .cwd_fd = temp.fd, .cwd = temp.path, .seen = seen};
	struct w_program program;

	assert_int_equal(w_program_find(name, &scope, &program, NULL), WRIT_OK);
	bool found = program.is_script;
	w_program_done(&program);
	return found;
}

static void
overwrite(const char *name, const char *text)
{
	int fd = openat(temp.fd, name, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(w_file_write_all(fd, text, strlen(text)), 0);
	(void)close(fd);
}

static void
a_program_that_was_seen_and_then_changed_is_seen_anew(void **state)
{
	enum {
		MANY = 40
	};
	struct w_program_seen seen = {0};
	char name[32];

	(void)state;
	temp_file(&temp, "a", 0755, "x /bin/sh\n");
	temp_file(&temp, "b", 0755, "#!/bin/sh\n");
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "./p%d", i);
		temp_file(&temp, name, 0755, "x");
	}
	assert_false(is_script("./a", &seen));
	assert_int_equal(seen.next, 0);
	let_it_settle(name);
	for (int i = 0; i < 3; i++) {
		assert_false(is_script("./a", &seen));
		assert_true(is_script("./b", &seen));
		/* Only on the known file systems. */
		assert_true(seen.next <= 1);
	}
	overwrite("a", "#!/bin/sh\n");
	assert_true(is_script("./a", &seen));
	overwrite("a", "x /bin/sh\n");
	assert_false(is_script("./a", &seen));
	for (int i = 0; i < 2 * MANY; i++) {
		(void)snprintf(name, sizeof(name), "./p%d", i % MANY);
		assert_false(is_script(name, &seen));
	}
	assert_int_equal(renameat(temp.fd, "b", temp.fd, "a"), 0);
	assert_true(is_script("./a", &seen));
}

static void
missing_programs_are_not_found(void **state)
{
	(void)state;
	temp_file(&temp, "file", 0755, "x");
	temp_link(&temp, "nowhere", "one/dangling");
	expect_error("none", WRIT_E_NOTFOUND, "no program 'none' in PATH");
	expect_error("./none", WRIT_E_NOTFOUND, "no program at './none'");
	expect_error("file/none", WRIT_E_NOTFOUND, "no program at");
	expect_error("dangling", WRIT_E_NOTFOUND, "no program 'dangling'");
	temp_link(&temp, "loop", "loop");
	expect_error("./loop", WRIT_E_NOTFOUND, "Too many levels");
}

static void
what_is_there_but_no_program_is_not_executable(void **state)
{
	(void)state;
	temp_file(&temp, "plain", 0644, "x");
	temp_file(&temp, "one/plain", 0644, "x");
	temp_dir(&temp, "one/dir");
	assert_int_equal(mkfifoat(temp.fd, "fifo", 0755), 0);
	expect_error("./plain", WRIT_E_NOTEXEC, "not an executable file");
	expect_error("plain", WRIT_E_NOTEXEC, "not an executable file");
	expect_error("dir", WRIT_E_NOTEXEC, "is a directory");
	expect_error("./one", WRIT_E_NOTEXEC, "is a directory");
	expect_error("./fifo", WRIT_E_NOTEXEC, "not an executable file");
}

static void
an_empty_name_is_invalid(void **state)
{
	(void)state;
	expect_error("", WRIT_E_INVALID, "name is empty");
}

static void
the_found_file_stays_the_same_when_its_name_changes_hands(void **state)
{
	struct w_program program;
	struct stat before, after;

	(void)state;
	temp_file(&temp, "one/a", 0755, "x");
	assert_int_equal(fstatat(temp.fd, "one/a", &before, 0), 0);
	assert_int_equal(find("a", &program, NULL), WRIT_OK);
	assert_int_equal(renameat(temp.fd, "one/a", temp.fd, "one/b"), 0);
	temp_file(&temp, "one/a", 0755, "y");
	assert_int_equal(fstat(program.fd, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	w_program_done(&program);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_interpreter_is_the_first_word_after_the_mark),
	    cmocka_unit_test(the_interpreter_stops_at_the_end_of_the_text),
	    IN_TEMP(a_script_with_an_interpreter_is_found_as_a_script),
	    IN_TEMP(a_script_without_a_usable_interpreter_is_explained),
	    IN_TEMP(a_script_with_dos_line_ends_gets_a_hint),
	    IN_TEMP(a_first_line_longer_than_the_kernel_reads_is_not_overrun),
	    IN_TEMP(other_files_are_programs_whatever_they_hold),
	    IN_TEMP(the_first_place_in_the_path_wins),
	    IN_TEMP(what_cannot_be_executed_is_passed_over_for_what_can),
	    IN_TEMP(a_place_that_may_not_be_searched_holds_nothing),
	    IN_TEMP(links_lead_to_their_file),
	    IN_TEMP(a_name_with_a_slash_is_relative_to_the_working_directory),
	    IN_TEMP(relative_and_empty_places_of_the_path_do_not_count),
	    IN_TEMP(without_a_path_the_usual_places_are_searched),
	    IN_TEMP(a_program_that_was_seen_and_then_changed_is_seen_anew),
	    IN_TEMP(missing_programs_are_not_found),
	    IN_TEMP(what_is_there_but_no_program_is_not_executable),
	    IN_TEMP(an_empty_name_is_invalid),
	    IN_TEMP(the_found_file_stays_the_same_when_its_name_changes_hands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
