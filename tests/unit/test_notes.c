/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/notes.h"

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
expect(const writ_request *request, const writ_result *result, const char *text)
{
	buf.len = 0;
	w_buf_add_str(&buf, "");
	w_notes_add(&buf, request, result);
	assert_false(buf.failed);
	assert_int_equal(buf.len, strlen(text));
	assert_memory_equal(buf.data, text, buf.len);
}

static void
an_ordinary_end_is_not_worth_a_word(void **state)
{
	const writ_request request = WRIT_REQUEST_INIT;
	const writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	expect(&request, &result, "");
}

static void
every_limit_says_its_name(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	static const struct {
		writ_limit limit;
		const char *text;
	} cases[] = {
	    {WRIT_LIMIT_CPU, "writ: ended: cpu limit 2s reached\n"},
	    {WRIT_LIMIT_MEMORY, "writ: ended: memory limit 64MiB reached\n"},
	    {WRIT_LIMIT_PROCESSES, "writ: ended: process limit 7 reached\n"},
	    {WRIT_LIMIT_FILE_SIZE,
		"writ: ended: file size limit 1KiB reached\n"},
	    {WRIT_LIMIT_OUTPUT, "writ: ended: output limit 2KiB reached\n"},
	    {WRIT_LIMIT_DISK, "writ: ended: size limit of the private TMPDIR "
			      "5MiB reached\n"},
	};

	(void)state;
	request.cpu_ms = 2000;
	request.memory = 64 << 20;
	request.processes = 7;
	request.file_size = 1024;
	request.max_output = 2048;
	request.tmp_size = 5 << 20;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		writ_result result = ended(WRIT_LIMITED, cases[i].limit);

		expect(&request, &result, cases[i].text);
	}
}

static void
a_limit_that_was_not_asked_for_is_that_of_the_profile(void **state)
{
	const writ_request request = WRIT_REQUEST_INIT;
	writ_result result = ended(WRIT_LIMITED, WRIT_LIMIT_MEMORY);

	(void)state;
	expect(&request, &result,
	    "writ: ended: memory limit of the profile reached\n");
	result.limit = WRIT_LIMIT_PROCESSES;
	result.killed = 3;
	expect(&request, &result,
	    "writ: ended: process limit of the profile reached; 3 processes "
	    "killed\n");
	result = ended(WRIT_TIMED_OUT, WRIT_LIMIT_NONE);
	result.timeout_ms = 3000;
	expect(&request, &result, "writ: timed out after 3s\n");
	result = ended(WRIT_IDLE_TIMED_OUT, WRIT_LIMIT_NONE);
	expect(&request, &result,
	    "writ: ended: no output for the idle time of the profile\n");
}

static void
missing_walls_are_a_warning(void **state)
{
	static const char *const missing[] = {"landlock", "cgroup", NULL};
	const writ_request request = WRIT_REQUEST_INIT;
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.missing = missing;
	expect(&request, &result,
	    "writ: warning: ran without landlock, cgroup, as --best-effort "
	    "allows\n");
}

static void
protected_paths_that_appeared_are_a_warning(void **state)
{
	static const char *const created[] = {
	    "/w/.git/hooks", "/w/.writ", NULL};
	const writ_request request = WRIT_REQUEST_INIT;
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.created = created;
	expect(&request, &result,
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
	const writ_request request = WRIT_REQUEST_INIT;
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	result.denials = denials;
	result.denial_count = 4;
	expect(&request, &result,
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
	const writ_request request = WRIT_REQUEST_INIT;

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
		expect(&request, &result, text.data);
	}
}

static void
a_long_path_is_cut(void **state)
{
	static char path[2000];
	const writ_denial denial = {"mountns", "openat", "read", path, NULL, 1};
	const writ_request request = WRIT_REQUEST_INIT;
	writ_result result = ended(WRIT_EXITED, WRIT_LIMIT_NONE);

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	result.denials = &denial;
	result.denial_count = 1;
	w_notes_add(&buf, &request, &result);
	assert_in_range(buf.len, 512, 600);
	assert_non_null(strstr(buf.data, "xxx... (mountns)\n"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(an_ordinary_end_is_not_worth_a_word),
	    CASE(every_limit_says_its_name),
	    CASE(a_limit_that_was_not_asked_for_is_that_of_the_profile),
	    CASE(missing_walls_are_a_warning),
	    CASE(protected_paths_that_appeared_are_a_warning),
	    CASE(denials_say_what_where_why_and_what_would_help),
	    CASE(a_path_cannot_drive_the_terminal),
	    CASE(a_long_path_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
