/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "audit/record/record.h"
#include "base/error.h"

static const char *const layers[] = {"landlock", "seccomp", NULL};
static const char *const env[] = {"PATH=/bin", "A_KEY=x=y", NULL};
static const char *const argv[] = {"git", "two\nwords", "\xff", NULL};

static const struct w_record_who who = {
    .uid = 1000, .pid = 42, .pidns = 4026531836, .door = "cli", .agent = "me"};

static struct w_record_begin
plain_begin(const writ_request *request)
{
	return (struct w_record_begin){
	    .run_id = "01J",
	    .who = &who,
	    .request = request,
	    .program = "/usr/bin/git",
	    .cwd = "/srv",
	    .env = env,
	    .uid = 1000,
	    .gid = 100,
	    .profile = "workspace",
	    .network = "off",
	    .layers = layers,
	    .request_hash = "abcd",
	};
}

static void
a_begin_has_every_member(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	request.argv = argv;
	request.module = "cli.git.log";
	request.timeout_ms = 5;
	request.memory = UINT64_MAX;
	const struct w_record_begin begin = plain_begin(&request);
	w_buf_init(&buf, 4096);
	w_record_add_begin(&buf, &redactor, &begin);
	assert_false(buf.failed);
	assert_string_equal(buf.data,
	    "\"kind\":\"begin\",\"run\":\"01J\",\"trace\":null,"
	    "\"module\":\"cli.git.log\",\"who\":{\"uid\":1000,\"pid\":42,"
	    "\"pidns\":4026531836,"
	    "\"door\":\"cli\",\"agent\":\"me\"},"
	    "\"argv\":[\"git\",\"two\\nwords\",{\"b64\":\"/w==\"}],"
	    "\"shell\":null,\"program\":\"/usr/bin/git\",\"cwd\":\"/srv\","
	    "\"env\":[\"PATH\",\"A_KEY\"],\"stdin\":\"null\","
	    "\"as\":{\"uid\":1000,\"gid\":100},"
	    "\"limits\":{\"timeout_ms\":5,\"memory\":18446744073709551615},"
	    "\"policy\":null,\"sandbox\":{\"profile\":\"workspace\","
	    "\"network\":\"off\",\"layers\":[\"landlock\",\"seccomp\"]},"
	    "\"request\":\"abcd\",\"redacted\":false");
}

static void
a_begin_without_limits_says_so(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	request.shell = "echo \"x\"";
	request.stdin_kind = WRIT_STDIN_PIPE;
	struct w_record_begin begin = plain_begin(&request);
	begin.env = NULL;
	begin.layers = NULL;
	w_buf_init(&buf, 4096);
	w_record_add_begin(&buf, &redactor, &begin);
	assert_non_null(strstr(
	    buf.data, "\"argv\":[],\"shell\":\"echo \\\"x\\\"\",\"program\""));
	assert_non_null(
	    strstr(buf.data, "\"env\":[],\"stdin\":\"pipe\",\"as\""));
	assert_non_null(strstr(buf.data, "\"limits\":{},\"policy\":null"));
	assert_non_null(strstr(buf.data, "\"layers\":[]}"));
}

/* Wherever a secret occurs in the request. */
static void
no_member_shows_a_secret(void **state)
{
	static const char *const secrets[] = {"hunter2", NULL};
	static const char *const words[] = {"a=hunter2", NULL};
	static const char *const names[] = {"hunter2=1", "OK=hunter2", NULL};
	const struct w_record_who asker = {
	    .door = "hunter2", .agent = "hunter2"};
	writ_request request = WRIT_REQUEST_INIT;
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	request.argv = words;
	request.shell = "say hunter2";
	request.trace_id = "hunter2";
	struct w_record_begin begin = plain_begin(&request);
	begin.who = &asker;
	begin.program = "/hunter2";
	begin.cwd = "/x/hunter2";
	begin.profile = "/y/hunter2.yaml";
	begin.env = names;
	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_record_add_begin(&buf, &redactor, &begin);
	assert_null(strstr(buf.data, "hunter2"));
	assert_non_null(strstr(buf.data, "\"redacted\":true"));
	assert_non_null(strstr(buf.data, "\"a=[secret]\""));
	w_redactor_done(&redactor);
}

static void
a_refusal_has_the_error(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	struct w_redactor redactor = {0};
	writ_error error;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	request.argv = argv;
	request.cwd = "/as/asked";
	request.trace_id = "t";
	(void)w_fail(&error, WRIT_E_NOTFOUND, "program", 0, "no 'git'");
	const struct w_record_policy policy = {
	    .decision = "deny", .rule = "p.yaml:3:5"};
	const struct w_record_refused refused = {
	    .run_id = "01J",
	    .who = &who,
	    .request = &request,
	    .error = &error,
	    .policy = &policy,
	    .request_hash = "abcd",
	};
	w_buf_init(&buf, 4096);
	w_record_add_refused(&buf, &redactor, &refused);
	assert_string_equal(buf.data,
	    "\"kind\":\"refused\",\"run\":\"01J\",\"trace\":\"t\","
	    "\"module\":null,\"who\":{\"uid\":1000,\"pid\":42,\"pidns\":"
	    "4026531836,"
	    "\"door\":\"cli\",\"agent\":\"me\"},"
	    "\"argv\":[\"git\",\"two\\nwords\",{\"b64\":\"/w==\"}],"
	    "\"shell\":null,\"cwd\":\"/as/asked\","
	    "\"policy\":{\"decision\":\"deny\",\"rule\":\"p.yaml:3:5\","
	    "\"grant\":null,\"approval\":null},"
	    "\"error\":{\"code\":\"not_found\",\"stage\":\"program\","
	    "\"message\":\"no 'git'\"},\"request\":\"abcd\","
	    "\"redacted\":false");
}

static void
a_record_that_is_too_long_fails(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	request.argv = argv;
	const struct w_record_begin begin = plain_begin(&request);
	for (size_t max = 1; max < 400; max++) {
		w_buf_init(&buf, max);
		w_record_add_begin(&buf, &redactor, &begin);
		assert_true(buf.failed);
		w_buf_done(&buf);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_begin_has_every_member),
	    cmocka_unit_test(a_begin_without_limits_says_so),
	    cmocka_unit_test(no_member_shows_a_secret),
	    cmocka_unit_test(a_refusal_has_the_error),
	    cmocka_unit_test(a_record_that_is_too_long_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
