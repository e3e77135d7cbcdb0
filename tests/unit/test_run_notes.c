/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/run/run_notes.h"

static struct w_buf buf;

static int
set_up(void **state)
{
	(void)state;
	w_buf_init(&buf, 65536);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_buf_done(&buf);
	return 0;
}

static writ_result
ended(writ_outcome outcome, writ_limit limit)
{
	return (writ_result){
	    .outcome = outcome,
	    .limit = limit,
	    .status_known = true,
	};
}

static void
expect(const writ_result *result, const char *text)
{
	buf.len = 0;
	w_buf_add_str(&buf, "");
	w_notes_add(&buf, result);
	assert_false(buf.failed);
	assert_int_equal(buf.len, strlen(text));
	assert_memory_equal(buf.data, text, buf.len);
}

static void
an_ordinary_end_is_not_worth_a_word(void **state)
{
	const writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	expect(&result, "");
}

static void
every_limit_says_its_name_and_how_much_it_was(void **state)
{
	static const struct {
		writ_limit limit;
		uint64_t value;
		const char *text;
	} cases[] = {
	    {WRIT_LIMIT_CPU, 2000, "writ: ended: cpu limit 2s reached\n"},
	    {WRIT_LIMIT_MEMORY, 64 << 20,
		"writ: ended: memory limit 64MiB reached\n"},
	    {WRIT_LIMIT_PROCESSES, 7, "writ: ended: process limit 7 reached\n"},
	    {WRIT_LIMIT_FILE_SIZE, 1024,
		"writ: ended: file size limit 1KiB reached\n"},
	    {WRIT_LIMIT_OUTPUT, 2048,
		"writ: ended: output limit 2KiB reached\n"},
	    {WRIT_LIMIT_DISK, 5 << 20,
		"writ: ended: size limit of the private TMPDIR 5MiB "
		"reached\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		writ_result result = ended(WRIT_LIMITED, cases[i].limit);

		result.limit_value = cases[i].value;
		expect(&result, cases[i].text);
	}
}

static void
timeouts_say_how_long_it_was(void **state)
{
	writ_result result = ended(WRIT_TIMED_OUT, WRIT_LIMIT_NONE);

	(void)state;
	result.limit_value = 3000;
	result.killed = 3;
	expect(&result, "writ: timed out after 3s; 3 processes killed\n");
	result = ended(WRIT_IDLE_TIMED_OUT, WRIT_LIMIT_NONE);
	result.limit_value = 1500;
	expect(&result, "writ: ended: no output for 1.5s\n");
}

static void
missing_walls_are_a_warning(void **state)
{
	static const char *const missing[] = {"landlock", "cgroup", NULL};
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.missing = missing;
	expect(&result,
	    "writ: warning: ran without landlock, cgroup, as --best-effort "
	    "allows\n");
}

static void
protected_paths_that_appeared_are_a_warning(void **state)
{
	static const char *const created[] = {
	    "/w/.git/hooks", "/w/.writ", NULL};
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.created = created;
	expect(&result,
	    "writ: warning: the command made '/w/.git/hooks', a protected "
	    "path that was not there\n"
	    "writ: warning: the command made '/w/.writ', a protected path "
	    "that was not there\n");
}

static void
denials_say_what_where_why_and_what_would_help(void **state)
{
	static const writ_denial denials[] = {
	    {"landlock", "openat", "write", "/etc/x", "--write /etc/x", 1},
	    {"mountns", "unlink", "write", "/usr/x", NULL, 3},
	    {"seccomp", "bpf", "call", NULL, NULL, 1},
	    {.what = "more", .count = 12},
	};
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.denials = denials;
	result.denial_count = 4;
	expect(&result,
	    "writ: denied: write /etc/x (landlock); --write /etc/x would "
	    "allow it\n"
	    "writ: denied: write /usr/x (mountns, 3 times)\n"
	    "writ: denied: call bpf() (seccomp)\n"
	    "writ: denied: 12 more\n");
}

static void
a_path_cannot_drive_the_terminal(void **state)
{
	static const struct {
		const char *path;
		const char *shown;
	} cases[] = {
	    {"/\x1b]0;x\a\n", "/?]0;x??"},
	    {"/a\xc2\x9b"
	     "1m",
		"/a?1m"},
	    {"/\xc3\xa4\x7f", "/\xc3\xa4?"},
	    {"/\xff\xc3\xa4", "/???"},
	    {"/\xc2", "/?"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const writ_denial denial = {
		    "mountns", "openat", "read", cases[i].path, NULL, 1};
		writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, 256);
		w_buf_add_fmt(
		    &text, "writ: denied: read %s (mountns)\n", cases[i].shown);
		result.denials = &denial;
		result.denial_count = 1;
		expect(&result, text.data);
	}
}

static void
a_long_path_is_cut(void **state)
{
	static char path[2000];
	const writ_denial denial = {"mountns", "openat", "read", path, NULL, 1};
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	result.denials = &denial;
	result.denial_count = 1;
	w_notes_add(&buf, &result);
	assert_in_range(buf.len, 512, 600);
	assert_non_null(strstr(buf.data, "xxx... (mountns)\n"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void
a_missing_record_is_told(void **state)
{
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.unrecorded = "no space";
	expect(&result, "writ: this run has no record: no space\n");
	result.begin_seq = 7;
	expect(&result, "writ: the end of this run has no record: no space\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_missing_record_is_told),
	    CASE(an_ordinary_end_is_not_worth_a_word),
	    CASE(every_limit_says_its_name_and_how_much_it_was),
	    CASE(timeouts_say_how_long_it_was),
	    CASE(missing_walls_are_a_warning),
	    CASE(protected_paths_that_appeared_are_a_warning),
	    CASE(denials_say_what_where_why_and_what_would_help),
	    CASE(a_path_cannot_drive_the_terminal),
	    CASE(a_long_path_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
