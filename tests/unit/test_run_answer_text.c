/* SPDX-License-Identifier: Apache-2.0 */

/* Results as text. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "base/encode.h"
#include "mcp/runs/run_table.h"

static writ_result
ended(const char *out, const char *err, int exit_code, uint64_t duration_ms)
{
	return (writ_result){
	    .run_id = "01JD3Q5W0V8T6K2M4N9P7R1S3X",
	    .outcome = WRIT_EXITED,
	    .exit_code = exit_code,
	    .status_known = true,
	    .out = {{.head = out,
			.head_len = strlen(out),
			.tail = "",
			.bytes = strlen(out)},
		{.head = err,
		    .head_len = strlen(err),
		    .tail = "",
		    .bytes = strlen(err)}},
	    .duration_ms = duration_ms,
	};
}

static void
check(const writ_result *result, const char *wanted)
{
	struct w_buf buf;

	w_buf_init(&buf, 1 << 20);
	w_mcp_run_add_text(&buf, result);
	assert_false(buf.failed);
	assert_true(w_utf8_valid(buf.data, buf.len));
	assert_string_equal(buf.data, wanted);
	w_buf_done(&buf);
}

static void
output_comes_first_and_then_what_there_is_to_say(void **state)
{
	const writ_result both = ended("out", "err", 0, 1500);
	const writ_result only_err = ended("", "err\n", 1, 1500);
	const writ_result none = ended("", "", 0, 0);

	(void)state;
	check(&both, "out\nerr\ntook 1.5s");
	check(&only_err, "err\nexit code 1\ntook 1.5s");
	check(&none, "(no output)");
}

static void
durations_are_rounded_once(void **state)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {
	    {999, "(no output)"},
	    {1000, "(no output)\ntook 1.0s"},
	    {59949, "(no output)\ntook 59.9s"},
	    {59950, "(no output)\ntook 1m 0.0s"},
	    {59960, "(no output)\ntook 1m 0.0s"},
	    {119970, "(no output)\ntook 2m 0.0s"},
	    {125000, "(no output)\ntook 2m 5.0s"},
	    {3600000, "(no output)\ntook 60m 0.0s"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const writ_result result = ended("", "", 0, rows[i].ms);

		check(&result, rows[i].text);
	}
}

static void
whatever_ended_it_is_said(void **state)
{
	writ_result result = ended("", "", -1, 0);

	(void)state;
	result.outcome = WRIT_SIGNALED;
	result.signal = SIGSEGV;
	check(&result, "ended by SIGSEGV");
	result.outcome = WRIT_TIMED_OUT;
	result.limit_value = 90000;
	check(&result, "timed out after 1m30s");
	result.outcome = WRIT_IDLE_TIMED_OUT;
	check(&result, "ended: no output for 1m30s");
	result.outcome = WRIT_CANCELLED;
	check(&result, "cancelled");
	result.outcome = WRIT_EXITED;
	result.status_known = false;
	check(&result, "exit code not known");
}

static void
every_limit_has_its_words(void **state)
{
	static const struct {
		writ_limit limit;
		uint64_t value;
		const char *text;
	} rows[] = {
	    {WRIT_LIMIT_CPU, 2000, "cpu limit 2s"},
	    {WRIT_LIMIT_MEMORY, 64 << 20, "memory limit 64MiB"},
	    {WRIT_LIMIT_PROCESSES, 64, "process limit 64"},
	    {WRIT_LIMIT_FILE_SIZE, 1024, "file size limit 1KiB"},
	    {WRIT_LIMIT_OUTPUT, 1 << 20, "output limit 1MiB"},
	    {WRIT_LIMIT_DISK, 1024, "size limit of the private TMPDIR 1KiB"},
	};
	writ_result result = ended("", "", -1, 0);
	char wanted[160];

	(void)state;
	result.outcome = WRIT_LIMITED;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		result.limit = rows[i].limit;
		result.limit_value = rows[i].value;
		(void)snprintf(
		    wanted, sizeof(wanted), "ended: %s reached", rows[i].text);
		check(&result, wanted);
	}
}

static void
what_was_left_out_is_marked(void **state)
{
	writ_result result = ended("head", "", 0, 0);

	(void)state;
	result.out[0].tail = "tail";
	result.out[0].tail_len = 4;
	result.out[0].bytes = 1008;
	result.out[0].truncated = true;
	check(&result, "head\n[... 1000 bytes omitted ...]\ntail");
}

static void
bytes_that_are_no_text_are_escaped(void **state)
{
	const writ_result result = ended("a\xff\\\t\x1b\n", "", 0, 0);

	(void)state;
	check(&result, "a\\xff\\\\\t\\x1b\n\n[binary, 6 bytes in all]");
}

static void
walls_are_told_with_the_argument_that_asks(void **state)
{
	static const writ_wall_denial denials[] = {
	    {.what = "write",
		.path = "/srv/x",
		.wall = "readonly",
		.is_guessed = true,
		.ask_write = "/srv"},
	    {.what = "read",
		.path = "/srv/key",
		.wall = "hidden",
		.is_guessed = true},
	    {.what = "connect",
		.wall = "network",
		.is_guessed = true,
		.ask_network = "host"},
	    {.what = "unshare", .wall = "seccomp"},
	};
	writ_result result = ended("", "x\n", 1, 0);

	(void)state;
	result.wall_denials = denials;
	result.wall_denial_count = 4;
	check(&result,
	    "x\nexit code 1\n"
	    "the sandbox refused: write /srv/x (guessed); write: [\"/srv\"] "
	    "asks for it\n"
	    "the sandbox refused: read /srv/key (hidden, guessed)\n"
	    "the sandbox refused: connect to the network (guessed); network: "
	    "\"host\" asks for it\n"
	    "the sandbox refused 1 more");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(output_comes_first_and_then_what_there_is_to_say),
	    cmocka_unit_test(durations_are_rounded_once),
	    cmocka_unit_test(whatever_ended_it_is_said),
	    cmocka_unit_test(every_limit_has_its_words),
	    cmocka_unit_test(what_was_left_out_is_marked),
	    cmocka_unit_test(bytes_that_are_no_text_are_escaped),
	    cmocka_unit_test(walls_are_told_with_the_argument_that_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
