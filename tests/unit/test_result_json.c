/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include <writ/result.h>

static writ_output
output_of(const char *text)
{
	size_t len = strlen(text);

	return (writ_output){
	    .head = text,
	    .head_len = len,
	    .tail = "",
	    .bytes = len,
	};
}

static writ_output
cut_output(const char *head, const char *tail, uint64_t bytes)
{
	return (writ_output){
	    .head = head,
	    .head_len = strlen(head),
	    .tail = tail,
	    .tail_len = strlen(tail),
	    .bytes = bytes,
	    .truncated = true,
	};
}

static writ_result
plain_result(void)
{
	return (writ_result){
	    .run_id = "01J00000000000000000000000",
	    .outcome = WRIT_EXITED,
	    .status_known = true,
	    .out = {output_of("hello\n"), output_of("")},
	    .duration_ms = 4,
	    .user_ms = 1,
	    .system_ms = 2,
	    .max_rss_kib = 3200,
	    .tree = WRIT_TREE_GUARANTEED,
	    .tree_by = "pidns",
	    .sandbox = "none",
	    .network = "host",
	};
}

/* Parses the JSON of a result; release it with yyjson_doc_free(). */
static yyjson_doc *
json_of(const writ_result *result)
{
	char *json;
	size_t len;

	assert_int_equal(writ_result_json(result, &json, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(json), len);
	assert_null(strchr(json, '\n'));
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	free(json);
	return doc;
}

static const char *
text_at(yyjson_doc *doc, const char *pointer)
{
	const char *text = yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));

	return text != NULL ? text : "(no string there)";
}

static void
a_plain_result_has_every_key_in_order(void **state)
{
	writ_result result = plain_result();
	char *json;
	size_t len;

	(void)state;
	assert_int_equal(writ_result_json(&result, &json, &len, NULL), WRIT_OK);
	assert_string_equal(json,
	    "{\"run_id\":\"01J00000000000000000000000\",\"trace_id\":null,"
	    "\"module_id\":null,"
	    "\"outcome\":\"exited\",\"exit_code\":0,\"signal\":null,"
	    "\"limit\":null,\"stdout\":\"hello\\n\",\"stderr\":\"\","
	    "\"stdout_bytes\":6,\"stderr_bytes\":0,"
	    "\"stdout_truncated\":false,\"stderr_truncated\":false,"
	    "\"duration_ms\":4,\"timeout_ms\":null,"
	    "\"usage\":{\"user_ms\":1,\"system_ms\":2,\"max_rss_kib\":3200},"
	    "\"killed\":0,\"background\":0,\"tree\":\"guaranteed\","
	    "\"tree_by\":\"pidns\",\"memory_by\":null,\"cpu_by\":null,"
	    "\"processes_by\":null,\"open_files\":null,"
	    "\"stdout_spill\":null,\"stderr_spill\":null,"
	    "\"stdout_sha256\":null,\"stderr_sha256\":null,"
	    "\"recording\":null,\"recording_bytes\":0,\"audit\":null,"
	    "\"policy\":null,"
	    "\"sandbox\":{\"profile\":\"none\",\"network\":\"host\","
	    "\"session\":null,\"tmp\":null,\"tmp_by\":null,"
	    "\"layers\":[],\"missing\":[],\"created\":[],"
	    "\"denials\":[]},\"denials\":[],\"triggers\":[]}");
	assert_int_equal(len, strlen(json));
	free(json);
}

static void
a_recorded_result_names_its_records(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.begin_seq = 7;
	result.end_seq = 9;
	result.recording = "/s/outputs/a.rec";
	result.recording_bytes = 6;
	result.sha256[WRIT_STDOUT] = "5891";
	yyjson_doc *doc = json_of(&result);
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/audit/begin")), 7);
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/audit/end")), 9);
	assert_null(yyjson_doc_ptr_get(doc, "/audit/error"));
	assert_string_equal(text_at(doc, "/recording"), "/s/outputs/a.rec");
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/recording_bytes")), 6);
	assert_string_equal(text_at(doc, "/stdout_sha256"), "5891");
	yyjson_doc_free(doc);
}

static void
a_result_without_a_record_says_why(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.begin_seq = 7;
	result.unrecorded = "no \"space\" \xff";
	yyjson_doc *doc = json_of(&result);
	assert_true(yyjson_is_null(yyjson_doc_ptr_get(doc, "/audit/end")));
	assert_non_null(yyjson_doc_ptr_get(doc, "/audit/error/b64"));
	yyjson_doc_free(doc);
}

static void
a_limited_result_says_what_ended_it(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.trace_id = "t\"1";
	result.outcome = WRIT_LIMITED;
	result.limit = WRIT_LIMIT_MEMORY;
	result.exit_code = -1;
	result.signal = SIGKILL;
	result.timeout_ms = 30000;
	result.killed = 3;
	result.background = 2;
	result.tree = WRIT_TREE_BEST_EFFORT;
	result.memory_by = "sampling";
	result.cpu_by = "sampling";
	result.processes_by = "cgroup";
	result.open_files = 64;
	yyjson_doc *doc = json_of(&result);
	yyjson_val *root = yyjson_doc_get_root(doc);
	assert_string_equal(text_at(doc, "/trace_id"), "t\"1");
	assert_string_equal(text_at(doc, "/outcome"), "limited");
	assert_string_equal(text_at(doc, "/limit"), "memory");
	assert_string_equal(text_at(doc, "/signal"), "SIGKILL");
	assert_string_equal(text_at(doc, "/tree"), "best_effort");
	assert_string_equal(text_at(doc, "/memory_by"), "sampling");
	assert_string_equal(text_at(doc, "/cpu_by"), "sampling");
	assert_string_equal(text_at(doc, "/processes_by"), "cgroup");
	assert_int_equal(
	    yyjson_get_uint(yyjson_obj_get(root, "open_files")), 64);
	assert_int_equal(
	    yyjson_get_sint(yyjson_obj_get(root, "exit_code")), -1);
	assert_int_equal(
	    yyjson_get_uint(yyjson_obj_get(root, "timeout_ms")), 30000);
	assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "killed")), 3);
	assert_int_equal(
	    yyjson_get_uint(yyjson_obj_get(root, "background")), 2);
	assert_null(yyjson_obj_get(root, "status"));
	yyjson_doc_free(doc);
}

static void
a_lost_status_is_said_to_be_unknown(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.status_known = false;
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/status"), "unknown");
	yyjson_doc_free(doc);
}

static void
signals_have_their_names(void **state)
{
	const struct {
		int signal;
		const char *name;
	} cases[] = {
	    {SIGTERM, "SIGTERM"},
	    {SIGSTKFLT, "SIGSTKFLT"},
	    {SIGRTMIN, "SIGRTMIN"},
	    {SIGRTMIN + 3, "SIGRTMIN+3"},
	    {33, "SIG33"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		writ_result result = plain_result();
		result.signal = cases[i].signal;
		yyjson_doc *doc = json_of(&result);
		assert_string_equal(text_at(doc, "/signal"), cases[i].name);
		yyjson_doc_free(doc);
	}
}

static void
text_with_control_characters_survives(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[0] = (writ_output){
	    .head = "a\0\x1b\"\\\xc3\xa4\x7f",
	    .head_len = 8,
	    .tail = "",
	    .bytes = 8,
	};
	yyjson_doc *doc = json_of(&result);
	yyjson_val *text = yyjson_doc_ptr_get(doc, "/stdout");
	assert_int_equal(yyjson_get_len(text), 8);
	assert_memory_equal(yyjson_get_str(text), "a\0\x1b\"\\\xc3\xa4\x7f", 8);
	yyjson_doc_free(doc);
}

static void
bytes_that_are_not_utf8_become_base64(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[1] = output_of("\xff\xfe\x01");
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/stderr/b64"), "//4B");
	assert_int_equal(
	    yyjson_obj_size(yyjson_doc_ptr_get(doc, "/stderr")), 1);
	assert_string_equal(text_at(doc, "/stdout"), "hello\n");
	yyjson_doc_free(doc);
}

static void
truncated_text_is_head_mark_and_tail(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[0] = cut_output("abc", "xyz", 106);
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(
	    text_at(doc, "/stdout"), "abc\n[... 100 bytes omitted ...]\nxyz");
	yyjson_doc_free(doc);
}

static void
a_cut_through_a_character_drops_its_pieces(void **state)
{
	writ_result result = plain_result();

	(void)state;
	/* Both cuts split a three-byte character. */
	result.out[0] = cut_output("a\xe2\x82", "\xac\xe2\x82\xac", 20);
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/stdout"),
	    "a\n[... 16 bytes omitted ...]\n\xe2\x82\xac");
	yyjson_doc_free(doc);
}

static void
truncated_bytes_are_two_pieces_and_a_number(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[0] = cut_output("\xff\xff", "x", 10);
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/stdout/b64"), "//8=");
	assert_string_equal(text_at(doc, "/stdout/tail_b64"), "eA==");
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/stdout/omitted")), 7);
	yyjson_doc_free(doc);
}

static void
output_of_which_nothing_was_kept_has_a_mark(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[0] = cut_output("", "", UINT64_MAX);
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/stdout"),
	    "\n[... 18446744073709551615 bytes omitted ...]\n");
	yyjson_doc_free(doc);
}

static void
spill_files_and_their_troubles_are_shown(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.out[0].spill_path = "/var/out\n";
	result.out[0].spill_errno = EFBIG;
	result.out[1].spill_path = "/var/\xff";
	result.out[1].spill_errno = ENOSPC;
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/stdout_spill"), "/var/out\n");
	assert_string_equal(text_at(doc, "/stderr_spill/b64"), "L3Zhci//");
	assert_string_equal(
	    text_at(doc, "/stdout_spill_error"), "spill limit reached");
	assert_string_equal(
	    text_at(doc, "/stderr_spill_error"), "No space left on device");
	yyjson_doc_free(doc);
}

static void
the_worst_output_still_fits(void **state)
{
	const size_t len = 4096;
	char *zeros = calloc(1, len + 1);
	writ_result result = plain_result();

	(void)state;
	assert_non_null(zeros);
	result.out[0] =
	    (writ_output){zeros, len, zeros, len, 3 * len, true, NULL, 0, 0};
	result.out[1] = result.out[0];
	yyjson_doc *doc = json_of(&result);
	assert_true(
	    yyjson_get_len(yyjson_doc_ptr_get(doc, "/stderr")) > 2 * len);
	yyjson_doc_free(doc);
	free(zeros);
}

static void
an_error_has_code_message_suggestion_and_details(void **state)
{
	const writ_error error = {
	    .status = WRIT_E_NOTFOUND,
	    .sys_errno = ENOENT,
	    .stage = "program",
	    .message = "no program 'x'",
	    .suggestion = "did you mean 'y'?",
	};
	char *json;
	size_t len;

	(void)state;
	assert_int_equal(writ_error_json(&error, &json, &len), WRIT_OK);
	assert_string_equal(json,
	    "{\"error\":{\"code\":\"not_found\",\"message\":\"no program "
	    "'x'\",\"suggestion\":\"did you mean 'y'?\",\"details\":{"
	    "\"stage\":\"program\",\"errno\":\"ENOENT\"}}}");
	assert_int_equal(strlen(json), len);
	free(json);
}

static void
an_error_in_a_document_has_its_place(void **state)
{
	const writ_error error = {
	    .status = WRIT_E_INVALID,
	    .line = 3,
	    .column = 7,
	    .stage = "request",
	    .message = "unknown key 'x'",
	};
	char *json;
	size_t len;

	(void)state;
	assert_int_equal(writ_error_json(&error, &json, &len), WRIT_OK);
	assert_string_equal(json,
	    "{\"error\":{\"code\":\"invalid\",\"message\":\"unknown key "
	    "'x'\",\"suggestion\":null,\"details\":{\"stage\":\"request\","
	    "\"line\":3,\"column\":7}}}");
	free(json);
}

static void
an_error_that_is_not_utf8_is_still_json(void **state)
{
	writ_error error = {.status = WRIT_E_SYSTEM, .stage = "a\n"};
	char *json;
	size_t len;

	(void)state;
	memset(error.message, '\xff', sizeof(error.message));
	memcpy(error.message, "\xe2\x82\xac", 3);
	memset(error.suggestion, 1, sizeof(error.suggestion));
	assert_int_equal(writ_error_json(&error, &json, &len), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	const char *message = text_at(doc, "/error/message");
	assert_int_equal(strlen(message), 3 * (sizeof(error.message) - 2));
	assert_memory_equal(message, "\xe2\x82\xac\xef\xbf\xbd", 6);
	assert_int_equal(strlen(text_at(doc, "/error/suggestion")),
	    sizeof(error.suggestion));
	yyjson_doc_free(doc);
	free(json);
}

static void
json_output_stands_in_the_result_as_it_is(void **state)
{
	writ_result result = plain_result();
	(void)state;

	result.module_id = "cli.git.log";
	result.json_output = "{\"n\":12345678901234567890123}";
	char *json;
	size_t len;
	assert_int_equal(writ_result_json(&result, &json, &len, NULL), WRIT_OK);
	assert_non_null(strstr(json, "\"module_id\":\"cli.git.log\""));
	assert_non_null(
	    strstr(json, ",\"json_output\":{\"n\":12345678901234567890123},"));
	assert_null(strstr(json, "json_error"));
	free(json);

	result.json_output = NULL;
	result.json_error = "the output is empty";
	yyjson_doc *doc = json_of(&result);
	assert_string_equal(text_at(doc, "/json_error"), "the output is empty");
	assert_null(yyjson_doc_ptr_get(doc, "/json_output"));
	yyjson_doc_free(doc);
}

/* ---- piece by piece ---- */

enum {
	MANY = 70000,
	/* More than the worst piece; less than the outputs below. */
	PIECE_MAX = 120000
};

struct pieces {
	char *text;
	size_t len;
	size_t longest;
	size_t count;
	size_t count_max; /* so many are wanted; 0: all */
};

static bool
take_piece(void *ctx, const char *bytes, size_t len)
{
	struct pieces *pieces = ctx;

	assert_true(
	    pieces->count_max == 0 || pieces->count < pieces->count_max);
	pieces->text = realloc(pieces->text, pieces->len + len + 1);
	assert_non_null(pieces->text);
	memcpy(pieces->text + pieces->len, bytes, len);
	pieces->len += len;
	pieces->text[pieces->len] = '\0';
	pieces->count++;
	if (len > pieces->longest)
		pieces->longest = len;
	return pieces->count != pieces->count_max;
}

static void
assert_pieces_are_the_whole(const writ_result *result)
{
	struct pieces pieces = {.text = NULL};
	char *json;
	size_t len;

	assert_int_equal(writ_result_json(result, &json, &len, NULL), WRIT_OK);
	assert_int_equal(
	    writ_result_write_json(result, take_piece, &pieces, NULL), WRIT_OK);
	assert_int_equal(pieces.len, len);
	assert_string_equal(pieces.text, json);
	assert_true(pieces.longest < PIECE_MAX);
	free(pieces.text);
	free(json);
}

/* So much of a text again and again, as whole and as head and tail. */
static void
check_pieces_of(const char *unit, size_t unit_len)
{
	char *bytes = malloc(MANY);
	writ_result result = plain_result();

	assert_non_null(bytes);
	for (size_t at = 0; at < MANY; at++)
		bytes[at] = unit[at % unit_len];
	for (size_t less = 0; less < 4; less++) {
		const size_t len = MANY - less;

		result.out[WRIT_STDOUT] = (writ_output){
		    .head = bytes, .head_len = len, .tail = "", .bytes = len};
		result.out[WRIT_STDERR] = (writ_output){
		    .head = bytes,
		    .head_len = len,
		    .tail = bytes + less,
		    .tail_len = len,
		    .bytes = 3 * MANY,
		    .truncated = true,
		};
		assert_pieces_are_the_whole(&result);
	}
	free(bytes);
}

static void
the_pieces_of_a_result_are_the_whole(void **state)
{
	writ_result result = plain_result();

	(void)state;
	assert_pieces_are_the_whole(&result);
	check_pieces_of("x\n", 2);
	check_pieces_of("\0", 1);
	check_pieces_of("\xff\xfe\xfd", 3);
	check_pieces_of("\xc2\x85", 2);
	check_pieces_of("a\xc2\x9b", 3);
	check_pieces_of("\xe2\x82\xac", 3);
	check_pieces_of("a\xe2\x82\xac", 4);
	check_pieces_of("\xf0\x9f\x98\x80", 4);
	check_pieces_of("abc\xf0\x9f\x98\x80", 7);
}

static void
who_wants_no_more_gets_no_more(void **state)
{
	writ_result result = plain_result();
	static char bytes[MANY];

	(void)state;
	result.out[WRIT_STDOUT] = (writ_output){
	    .head = bytes, .head_len = MANY, .tail = "", .bytes = MANY};
	for (size_t count = 1; count < 4; count++) {
		struct pieces pieces = {.count_max = count};

		assert_int_equal(
		    writ_result_write_json(&result, take_piece, &pieces, NULL),
		    WRIT_OK);
		assert_int_equal(pieces.count, count);
		free(pieces.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(json_output_stands_in_the_result_as_it_is),
	    cmocka_unit_test(a_plain_result_has_every_key_in_order),
	    cmocka_unit_test(a_recorded_result_names_its_records),
	    cmocka_unit_test(a_result_without_a_record_says_why),
	    cmocka_unit_test(a_limited_result_says_what_ended_it),
	    cmocka_unit_test(a_lost_status_is_said_to_be_unknown),
	    cmocka_unit_test(signals_have_their_names),
	    cmocka_unit_test(text_with_control_characters_survives),
	    cmocka_unit_test(bytes_that_are_not_utf8_become_base64),
	    cmocka_unit_test(truncated_text_is_head_mark_and_tail),
	    cmocka_unit_test(a_cut_through_a_character_drops_its_pieces),
	    cmocka_unit_test(truncated_bytes_are_two_pieces_and_a_number),
	    cmocka_unit_test(output_of_which_nothing_was_kept_has_a_mark),
	    cmocka_unit_test(spill_files_and_their_troubles_are_shown),
	    cmocka_unit_test(the_worst_output_still_fits),
	    cmocka_unit_test(the_pieces_of_a_result_are_the_whole),
	    cmocka_unit_test(who_wants_no_more_gets_no_more),
	    cmocka_unit_test(an_error_has_code_message_suggestion_and_details),
	    cmocka_unit_test(an_error_in_a_document_has_its_place),
	    cmocka_unit_test(an_error_that_is_not_utf8_is_still_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
