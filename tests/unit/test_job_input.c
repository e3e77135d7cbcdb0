/* SPDX-License-Identifier: Apache-2.0 */

/* Writes to runs, if the policy agrees. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <writ/writ.h>

#include "os/file.h"

static char base[PATH_MAX];
static char work[2 * PATH_MAX];
static writ_config *config;
static writ_engine *engine;
static writ_error err;

static const char *
below(const char *name)
{
	static char path[2 * PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void
put_policy(const char *text)
{
	int fd = open(below("config/policy.yaml"),
	    O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(w_file_write_all(fd, text, strlen(text)), 0);
	(void)close(fd);
}

static void
set(const char *key, const char *name)
{
	assert_int_equal(
	    writ_config_set(config, key, below(name), NULL), WRIT_OK);
	assert_int_equal(mkdir(below(name), 0700), 0);
}

#define NO_RM                                 \
	"version: 1\nsandbox: none\nrules:\n" \
	"  - allow: {}\n  - deny: {program: rm}\n"

static int
set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	char room[] = "/tmp/writ-input-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(room));
	assert_non_null(realpath(room, base));
	(void)unsetenv("WRIT_POLICY");
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	set("config_dir", "config");
	set("system_dir", "system");
	set("state_dir", "state");
	set("cache_dir", "cache");
	(void)snprintf(work, sizeof(work), "%s", below("work"));
	assert_int_equal(mkdir(work, 0700), 0);
	options.config = config;
	options.has_terminal = true;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	err = (writ_error){0};
	put_policy(NO_RM);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_engine_free(engine);
	writ_config_free(config);
	return w_file_remove_tree(base) ? 0 : -1;
}

static void
on_done(void *ctx, writ_job *job, writ_result *result)
{
	(void)job;
	*(writ_result **)ctx = result;
}

static writ_request
request_of(const char *const *argv)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = argv;
	request.cwd = work;
	request.stdin_kind = WRIT_STDIN_PIPE;
	request.grace_ms = 200;
	return request;
}

static writ_job *
begin(const char *const *argv, writ_result **result)
{
	writ_request request = request_of(argv);
	writ_job *job = NULL;

	*result = NULL;
	assert_int_equal(
	    writ_start(engine, &request, on_done, result, &job, &err), WRIT_OK);
	return job;
}

static writ_status
give(writ_job *job, const char *text)
{
	return writ_job_input(job, text, strlen(text), &err);
}

static void
finish(writ_result **result, const char *output)
{
	while (*result == NULL)
		assert_int_equal(
		    writ_engine_dispatch(engine, -1, NULL), WRIT_OK);
	assert_string_equal((*result)->out[WRIT_STDOUT].head, output);
	writ_result_free(*result);
}

static const char *const cat[] = {"cat", NULL};
static const char *const sh[] = {"sh", NULL};
static const char *const bash[] = {"env", "-i", "bash", "--norc", NULL};

/* ---- any command ---- */

static void
what_is_given_arrives_in_its_order(void **state)
{
	writ_result *result;
	writ_job *job = begin(cat, &result);

	(void)state;
	assert_int_equal(give(job, "one "), WRIT_OK);
	assert_int_equal(give(job, ""), WRIT_OK);
	assert_int_equal(writ_job_input(job, "t\0o", 3, &err), WRIT_OK);
	writ_job_close_stdin(job);
	assert_int_equal(give(job, "x"), WRIT_E_INVALID);
	while (result == NULL)
		(void)writ_engine_dispatch(engine, -1, NULL);
	assert_int_equal(result->out[WRIT_STDOUT].bytes, 7);
	assert_memory_equal(result->out[WRIT_STDOUT].head, "one t\0o", 7);
	writ_result_free(result);
}

static void
a_run_without_an_open_input_takes_none(void **state)
{
	static const char *const argv[] = {"sleep", "5", NULL};
	writ_request request = request_of(argv);
	writ_result *result = NULL;
	writ_job *job;

	(void)state;
	request.stdin_kind = WRIT_STDIN_NULL;
	assert_int_equal(
	    writ_start(engine, &request, on_done, &result, &job, &err),
	    WRIT_OK);
	assert_int_equal(give(job, "x"), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "not started with an open input"));
	writ_job_cancel(job, SIGKILL);
	finish(&result, "");
}

static void
a_policy_that_no_longer_allows_the_command_stops_its_input(void **state)
{
	writ_result *result;
	writ_job *job = begin(cat, &result);

	(void)state;
	assert_int_equal(give(job, "a"), WRIT_OK);
	put_policy("version: 1\nsandbox: none\nrules:\n  - allow: {}\n"
		   "  - deny: {program: cat}\n");
	assert_int_equal(give(job, "b"), WRIT_E_DENIED);
	assert_string_equal(err.stage, "policy");
	put_policy("version: 1\nsandbox: env\nrules: [{allow: {}}]\n");
	assert_int_equal(give(job, "c"), WRIT_E_DENIED);
	assert_non_null(strstr(err.message, "another sandbox"));
	put_policy(NO_RM);
	assert_int_equal(give(job, "d"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "ad");
}

static void
all_of_it_is_taken_or_none(void **state)
{
	static const char *const argv[] = {
	    "sh", "-c", "while [ ! -e go ]; do sleep 0.01; done; wc -c", NULL};
	static char block[64 * 1024 + 1];
	writ_result *result;
	writ_job *job = begin(argv, &result);
	size_t n = 99;

	(void)state;
	memset(block, 'x', sizeof(block));
	assert_int_equal(
	    writ_job_input(job, block, sizeof(block), &err), WRIT_E_INVALID);
	assert_int_equal(
	    writ_job_input(job, block, 64 * 1024 - 100, &err), WRIT_OK);
	assert_int_equal(writ_job_input(job, block, 60000, &err), WRIT_OK);
	assert_int_equal(writ_job_input(job, block, 1, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, EAGAIN);
	assert_int_equal(writ_job_write(job, "y", 1, &n), WRIT_OK);
	assert_int_equal(n, 0);
	/* End of file waits for earlier input. */
	writ_job_close_stdin(job);
	(void)close(
	    open(below("work/go"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	finish(&result, "125436\n");
}

/* ---- a shell ---- */

static void
what_a_shell_reads_is_judged_as_its_text(void **state)
{
	writ_result *result;
	writ_job *job = begin(sh, &result);

	(void)state;
	assert_int_equal(give(job, "echo one\n"), WRIT_OK);
	assert_int_equal(give(job, "rm -rf x\n"), WRIT_E_DENIED);
	assert_int_equal(give(job, "echo a; env rm x\n"), WRIT_E_DENIED);
	assert_int_equal(
	    writ_job_input(job, "echo \0\n", 7, &err), WRIT_E_INVALID);
	assert_int_equal(give(job, "echo two\n"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "one\ntwo\n");
}

static void
a_shell_inside_another_command_is_one_too(void **state)
{
	writ_result *result;
	writ_job *job = begin(bash, &result);

	(void)state;
	assert_int_equal(give(job, "rm x\n"), WRIT_E_DENIED);
	assert_int_equal(give(job, "echo one\n"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "one\n");
}

static void
a_word_in_two_pieces_is_judged_as_one(void **state)
{
	writ_result *result;
	writ_job *job = begin(sh, &result);

	(void)state;
	assert_int_equal(give(job, "echo one; r"), WRIT_OK);
	assert_int_equal(give(job, "m -rf x\n"), WRIT_E_DENIED);
	assert_int_equal(give(job, "eal 2>/dev/null\n"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "one\n");
}

/* A command reads the quote, and the shell never sees it. */
static void
a_quote_that_another_command_reads_hides_nothing(void **state)
{
	writ_result *result;
	writ_job *job = begin(sh, &result);

	(void)state;
	assert_int_equal(give(job, "head -c 2 >/dev/null\n"), WRIT_OK);
	assert_int_equal(give(job, "'\n"), WRIT_OK);
	assert_int_equal(give(job, "rm x\n"), WRIT_E_DENIED);
	writ_job_cancel(job, SIGKILL);
	finish(&result, "");
}

static void
a_directory_that_was_changed_counts(void **state)
{
	writ_result *result;

	(void)state;
	put_policy("version: 1\nsandbox: none\nrules:\n  - allow: {}\n"
		   "  - deny: {read: [/etc/**]}\n");
	writ_job *job = begin(sh, &result);
	assert_int_equal(give(job, "cat passwd 2>/dev/null\n"), WRIT_OK);
	assert_int_equal(give(job, "cd /etc\n"), WRIT_OK);
	assert_int_equal(give(job, "cat passwd\n"), WRIT_E_DENIED);
	writ_job_close_stdin(job);
	finish(&result, "");
}

static void
a_shell_with_a_script_is_any_command(void **state)
{
	static const char *const argv[] = {"sh", "-c", "cat", NULL};
	writ_result *result;
	writ_job *job = begin(argv, &result);

	(void)state;
	assert_int_equal(give(job, "rm x\n"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "rm x\n");
}

static void
a_shell_is_given_no_more_than_can_be_judged(void **state)
{
	static char block[64 * 1024];
	writ_result *result;
	writ_job *job = begin(sh, &result);
	writ_status status = WRIT_OK;

	(void)state;
	memset(block, '\n', sizeof(block));
	for (int i = 0; i < 8 && status == WRIT_OK; i++) {
		status = writ_job_input(job, block, sizeof(block), &err);
		for (int j = 0; j < 20; j++)
			(void)writ_engine_dispatch(engine, 5, NULL);
	}
	assert_int_equal(status, WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too much"));
	writ_job_close_stdin(job);
	finish(&result, "");
}

/* ---- a terminal ---- */

#define PROMPT "bash-"

/* Waits for a text, and after it for another. */
static void
drive_output(writ_job *job, const char *wanted, const char *then)
{
	char text[4096];
	size_t len = 0;

	for (int i = 0; i < 1000; i++) {
		assert_int_equal(writ_job_read(job, WRIT_STDOUT, 0, text,
				     sizeof(text) - 1, &len),
		    WRIT_OK);
		text[len] = '\0';
		const char *at = strstr(text, wanted);
		if (at != NULL && strstr(at, then) != NULL)
			return;
		assert_int_equal(
		    writ_engine_dispatch(engine, 20, NULL), WRIT_OK);
	}
	fail_msg("no '%s' in '%s'", wanted, text);
}

static void
what_is_typed_is_judged_as_the_line_that_it_makes(void **state)
{
	static const char *const argv[] = {"bash", "--norc", "-i", NULL};
	writ_request request = request_of(argv);
	writ_result *result = NULL;
	writ_job *job;

	(void)state;
	request.pty = true;
	assert_int_equal(
	    writ_start(engine, &request, on_done, &result, &job, &err),
	    WRIT_OK);
	drive_output(job, "", PROMPT);
	assert_int_equal(give(job, "rm x\r"), WRIT_E_DENIED);
	assert_int_equal(give(job, "true\rrm x\r"), WRIT_E_DENIED);
	assert_int_equal(give(job, "echo o'n'e\r"), WRIT_OK);
	drive_output(job, "\rone\r", PROMPT);
	assert_int_equal(give(job, "sh -c 'echo u\"\"p; sleep 60'\r"), WRIT_OK);
	drive_output(job, "\rup\r", "");
	assert_int_equal(give(job, "\x03"), WRIT_OK);
	drive_output(job, "^C", "");
	writ_job_cancel(job, SIGKILL);
	while (result == NULL)
		(void)writ_engine_dispatch(engine, -1, NULL);
	writ_result_free(result);
}

/* ---- people ---- */

#define ASKS                                                 \
	"version: 1\nsandbox: none\ndefault: deny\nrules:\n" \
	"  - ask: {program: [cat, sh]}\n  - allow: {program: echo}\n"

static writ_job *
begin_approved(
    const char *const *argv, writ_scope scope, char *id, writ_result **result)
{
	writ_request request = request_of(argv);
	writ_answer answer = WRIT_ANSWER_INIT;
	writ_approvals *approvals;
	writ_job *job = NULL;

	*result = NULL;
	request.session = "s1";
	assert_int_equal(
	    writ_start(engine, &request, on_done, result, &job, &err),
	    WRIT_E_APPROVAL);
	assert_int_equal(
	    writ_approval_ask(engine, &request, NULL, id, &err), WRIT_OK);
	answer.is_approved = true;
	answer.scope = scope;
	assert_int_equal(
	    writ_approvals_open(config, &approvals, &err), WRIT_OK);
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &answer, &err), WRIT_OK);
	writ_approvals_free(approvals);
	request.approval = scope == WRIT_SCOPE_ONCE ? id : NULL;
	assert_int_equal(
	    writ_start(engine, &request, on_done, result, &job, &err), WRIT_OK);
	return job;
}

static void
who_agreed_to_a_run_agreed_to_talk_to_it(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_result *result;

	(void)state;
	put_policy(ASKS);
	writ_job *job = begin_approved(cat, WRIT_SCOPE_ONCE, id, &result);
	assert_int_equal(give(job, "a"), WRIT_OK);
	assert_int_equal(give(job, "b"), WRIT_OK);
	writ_job_close_stdin(job);
	finish(&result, "ab");
}

static void
what_was_granted_and_taken_back_counts_no_more(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_approvals *approvals;
	writ_result *result;

	(void)state;
	put_policy(ASKS);
	writ_job *job = begin_approved(cat, WRIT_SCOPE_SESSION, id, &result);
	assert_int_equal(give(job, "a"), WRIT_OK);
	assert_int_equal(
	    writ_approvals_open(config, &approvals, &err), WRIT_OK);
	assert_int_equal(writ_grants_revoke(approvals, id, &err), WRIT_OK);
	writ_approvals_free(approvals);
	assert_int_equal(give(job, "b"), WRIT_E_APPROVAL);
	writ_job_close_stdin(job);
	finish(&result, "a");
}

static void
who_agreed_to_a_shell_did_not_agree_to_all_it_is_told(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_result *result;

	(void)state;
	put_policy(ASKS);
	writ_job *job = begin_approved(sh, WRIT_SCOPE_ONCE, id, &result);
	assert_int_equal(give(job, "cat /etc/passwd\n"), WRIT_E_APPROVAL);
	assert_non_null(strstr(err.suggestion, "run it by itself"));
	assert_int_equal(give(job, "mv a b\n"), WRIT_E_DENIED);
	writ_job_close_stdin(job);
	finish(&result, "");
}

/* ---- the record ---- */

struct seen {
	char text[4096];
	size_t count;
};

static bool
take_record(void *ctx, const writ_record *record)
{
	struct seen *seen = ctx;
	const size_t len = strlen(seen->text);

	seen->count++;
	(void)snprintf(seen->text + len, sizeof(seen->text) - len, "%.*s\n",
	    (int)record->json_len, record->json);
	return true;
}

static writ_audit *
open_audit(void)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit *audit = NULL;

	options.state_dir = below("state");
	assert_int_equal(writ_audit_open(&options, &audit, &err), WRIT_OK);
	return audit;
}

static void
expect_proof(void)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	writ_audit_proof proof;
	writ_audit *audit = open_audit();

	assert_int_equal(
	    writ_audit_verify(audit, &options, NULL, NULL, &proof, &err),
	    WRIT_OK);
	assert_int_equal(proof.bad, 0);
	writ_audit_free(audit);
}

static void
the_record_has_each_piece_and_nothing_of_what_it_says(void **state)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	struct seen seen = {.count = 0};
	writ_result *result;
	writ_job *job = begin(sh, &result);
	char id[27];

	(void)state;
	(void)snprintf(id, sizeof(id), "%s", writ_job_id(job));
	assert_int_equal(give(job, "echo hunter2\n"), WRIT_OK);
	assert_int_equal(give(job, "rm hunter2\n"), WRIT_E_DENIED);
	writ_job_close_stdin(job);
	finish(&result, "hunter2\n");
	writ_audit *audit = open_audit();
	filter.kind = "input";
	filter.run_id = id;
	filter.oldest_first = true;
	assert_int_equal(
	    writ_audit_records(audit, &filter, take_record, &seen, &err),
	    WRIT_OK);
	writ_audit_free(audit);
	assert_int_equal(seen.count, 2);
	assert_non_null(strstr(seen.text, "\"bytes\":13,\"input\":\""));
	assert_non_null(strstr(seen.text, "{\"decision\":\"allow\",\"rule\":"));
	assert_non_null(strstr(seen.text, "{\"decision\":\"deny\",\"rule\":"));
	assert_null(strstr(seen.text, "hunter2"));
	expect_proof();
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(what_is_given_arrives_in_its_order),
	    CASE(a_run_without_an_open_input_takes_none),
	    CASE(a_policy_that_no_longer_allows_the_command_stops_its_input),
	    CASE(all_of_it_is_taken_or_none),
	    CASE(what_a_shell_reads_is_judged_as_its_text),
	    CASE(a_shell_inside_another_command_is_one_too),
	    CASE(a_word_in_two_pieces_is_judged_as_one),
	    CASE(a_quote_that_another_command_reads_hides_nothing),
	    CASE(a_directory_that_was_changed_counts),
	    CASE(a_shell_with_a_script_is_any_command),
	    CASE(a_shell_is_given_no_more_than_can_be_judged),
	    CASE(what_is_typed_is_judged_as_the_line_that_it_makes),
	    CASE(who_agreed_to_a_run_agreed_to_talk_to_it),
	    CASE(what_was_granted_and_taken_back_counts_no_more),
	    CASE(who_agreed_to_a_shell_did_not_agree_to_all_it_is_told),
	    CASE(the_record_has_each_piece_and_nothing_of_what_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
