/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "audit/query/entry.h"
#include "trail_maker.h"

static struct temp temp;
static struct maker maker;

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	maker_start(&maker, &temp);
	return 0;
}

/* The last line made. */
static void
parse(struct w_log_line *line)
{
	assert_true(w_log_line_parse(maker.line, strlen(maker.line) - 1, line));
}

static void
read_payload(const char *payload, struct w_entry *entry)
{
	struct w_log_line line;

	maker_add(&maker, payload);
	parse(&line);
	assert_true(w_entry_read(&line, entry));
}

static void
a_begin_is_read(void **state)
{
	const struct made_run run = {.run = "A1", .agent = "x", .pid = 42};
	struct w_log_line line;
	struct w_entry entry;

	(void)state;
	maker_begin(&maker, &run);
	parse(&line);
	assert_true(w_entry_read(&line, &entry));
	assert_int_equal(entry.kind, W_ENTRY_BEGIN);
	assert_string_equal(entry.run, maker_run_id("A1"));
	assert_string_equal(entry.agent, "x");
	assert_string_equal(entry.asked, "git");
	assert_int_equal(entry.pid, 42);
	assert_int_equal(entry.pidns, maker_pidns());
	assert_null(entry.outcome);
	w_entry_done(&entry);
}

static void
an_end_is_read(void **state)
{
	struct w_log_line line;
	struct w_entry entry;

	(void)state;
	maker_end(&maker, "A1", "signaled", -1);
	parse(&line);
	assert_true(w_entry_read(&line, &entry));
	assert_int_equal(entry.kind, W_ENTRY_END);
	assert_int_equal(entry.exit_code, -1);
	assert_int_equal(entry.signal, SIGTERM);
	assert_int_equal(entry.cpu_ms, 7);
	assert_int_equal(entry.kept_bytes, 17);
	assert_true(entry.is_kept_whole);
	assert_false(w_entry_is_ok(&entry));
	w_entry_done(&entry);
}

static void
an_end_that_never_started_has_the_code_of_its_error(void **state)
{
	struct w_entry entry;

	(void)state;
	read_payload("\"kind\":\"end\",\"run\":\"A1\",\"outcome\":null,"
		     "\"error\":{\"code\":\"system\"}",
	    &entry);
	assert_string_equal(entry.outcome, "system");
	assert_int_equal(entry.exit_code, -1);
	w_entry_done(&entry);
}

static void
words_that_are_no_utf8_come_back_as_bytes(void **state)
{
	struct w_entry entry;
	W_AUTO_BUF struct w_buf command;

	(void)state;
	w_buf_init(&command, 1000);
	read_payload("\"kind\":\"begin\",\"run\":\"A1\",\"argv\":"
		     "[{\"b64\":\"Yf8=\"},\"it's\",7],"
		     "\"program\":{\"b64\":\"L2L/\"}",
	    &entry);
	assert_string_equal(entry.asked, "a\xff");
	assert_string_equal(entry.program, "/b\xff");
	w_entry_command(&entry, &command);
	assert_string_equal(command.data, "'a\xff' 'it'\\''s' ?");
	w_entry_done(&entry);
}

static void
a_shell_string_is_its_command(void **state)
{
	struct w_entry entry;
	W_AUTO_BUF struct w_buf command;

	(void)state;
	w_buf_init(&command, 1000);
	read_payload("\"kind\":\"begin\",\"run\":\"A1\",\"argv\":[\"sh\"],"
		     "\"shell\":\"git log | head\"",
	    &entry);
	w_entry_command(&entry, &command);
	assert_string_equal(command.data, "git log | head");
	w_entry_done(&entry);
}

static void
a_call_without_a_command_is_shown_as_its_module(void **state)
{
	struct w_entry entry;
	W_AUTO_BUF struct w_buf command;

	(void)state;
	w_buf_init(&command, 1000);
	read_payload("\"kind\":\"refused\",\"run\":\"A1\",\"argv\":[],"
		     "\"module\":\"cli.git.log\"",
	    &entry);
	w_entry_command(&entry, &command);
	assert_string_equal(command.data, "cli.git.log");
	w_entry_done(&entry);
}

static void
members_of_the_wrong_type_are_left_out(void **state)
{
	struct w_entry entry;

	(void)state;
	read_payload("\"kind\":\"begin\",\"run\":7,\"who\":[1],\"argv\":\"x\","
		     "\"program\":{},\"sandbox\":null,\"cwd\":true",
	    &entry);
	assert_null(entry.run);
	assert_null(entry.asked);
	assert_null(entry.program);
	assert_null(entry.cwd);
	assert_null(entry.door);
	assert_int_equal(entry.pid, 0);
	w_entry_done(&entry);
	read_payload("\"kind\":\"end\",\"run\":\"A1\",\"signal\":\"SIGNONE\","
		     "\"exit_code\":\"0\",\"stdout\":5,\"kept\":[]",
	    &entry);
	assert_int_equal(entry.signal, 0);
	assert_int_equal(entry.exit_code, -1);
	assert_null(entry.kept);
	w_entry_done(&entry);
}

static void
an_id_that_could_name_another_file_is_none(void **state)
{
	static const char *const payloads[] = {
	    "\"kind\":\"end\",\"run\":\"../x\"",
	    "\"kind\":\"end\",\"run\":\"\"",
	    "\"kind\":\"end\",\"run\":\"012345678901234567890123456\"",
	    "\"kind\":\"end\",\"run\":\"A\\u0000B\"",
	    "\"kind\":\"end\"",
	};
	struct w_log_line line;
	char run[W_ID_LEN + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		struct w_entry entry;

		read_payload(payloads[i], &entry);
		assert_null(entry.run);
		w_entry_done(&entry);
		parse(&line);
		w_entry_run_of(&line, run);
		assert_string_equal(run, "");
	}
}

static void
what_is_no_json_is_no_entry(void **state)
{
	struct w_log_line line;
	struct w_entry entry;

	(void)state;
	maker_add(&maker, "\"kind\":\"end\",\"run\":\"A1\",broken");
	parse(&line);
	assert_false(w_entry_read(&line, &entry));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_begin_is_read),
	    CASE(an_end_is_read),
	    CASE(an_end_that_never_started_has_the_code_of_its_error),
	    CASE(words_that_are_no_utf8_come_back_as_bytes),
	    CASE(a_shell_string_is_its_command),
	    CASE(a_call_without_a_command_is_shown_as_its_module),
	    CASE(members_of_the_wrong_type_are_left_out),
	    CASE(an_id_that_could_name_another_file_is_none),
	    CASE(what_is_no_json_is_no_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
