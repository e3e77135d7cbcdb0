/* SPDX-License-Identifier: Apache-2.0 */

/* The tool of an agent as an object, in each of its shapes. Cases that a
 * document asks for have its number. */

#include "engine_fixture.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <yyjson.h>

static writ_tool *tool;
static writ_tool_answer answer;
static char base[PATH_MAX];

static void
make_tool(const char *shape, const char *policy, const char *agent)
{
	writ_engine_options plain = WRIT_ENGINE_OPTIONS_INIT;
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_error err = {0};

	writ_tool_free(tool);
	tool = NULL;
	writ_engine_free(engine);
	engine = NULL;
	assert_non_null(realpath(temp.path, base));
	plain.base = base;
	plain.policy = policy;
	plain.policy_len = strlen(policy);
	plain.spill_dir = temp.path;
	if (writ_engine_new(&plain, &engine, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	options.shape = shape;
	options.base = base;
	options.agent = agent;
	if (writ_tool_new(engine, &options, &tool, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

static int
tool_tear_down(void **state)
{
	writ_tool_answer_done(&answer);
	writ_tool_free(tool);
	tool = NULL;
	return tear_down(state);
}

#define TOOL(test) cmocka_unit_test_setup_teardown(test, set_up, tool_tear_down)

static const char *
call(const char *input)
{
	writ_error err = {0};

	writ_tool_answer_done(&answer);
	if (writ_tool_call(tool, input, strlen(input), &answer, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(strlen(answer.text), answer.text_len);
	yyjson_doc *doc = yyjson_read(answer.json, answer.json_len, 0);
	assert_true(yyjson_is_obj(yyjson_doc_get_root(doc)));
	yyjson_doc_free(doc);
	return answer.text;
}

static void
says(const char *input, const char *text)
{
	assert_string_equal(call(input), text);
}

static void
has(const char *input, const char *part)
{
	if (strstr(call(input), part) == NULL)
		fail_msg("'%s' is not in '%s'", part, answer.text);
}

#define LIST_OF_NAMES                                                          \
	"version: 1\nsandbox: none\ndefault: allow\nrules:\n- allow: {}\n"     \
	"- deny: {program: [rm, sudo]}\n"                                      \
	"  message: 'Command not allowed: {command}'\n"                        \
	"roots: {paths: [.], message: \"Working directory '{cwd}' is outside " \
	"the allowed base directory\"}\n"

/* ---- 002 ---- */

static void
seed_002_answers_in_the_words_of_the_story(void **state)
{
	(void)state;
	make_tool("story", LIST_OF_NAMES, NULL);
	assert_string_equal(writ_tool_name(tool), "exec");
	assert_non_null(strstr(
	    writ_tool_schema(tool), "\"required\":[\"command\",\"args\"]"));
	says("{\"command\":\"echo\",\"args\":[\"; rm -rf /\"]}",
	    "{\"stdout\":\"; rm -rf /\\n\",\"stderr\":\"\",\"exit_code\":0}");
	assert_false(answer.is_error);
	assert_int_equal(answer.status, WRIT_OK);
	assert_string_equal(answer.json, answer.text);
	says("{\"command\":\"sh\",\"args\":[\"-c\",\"echo a; echo b >&2; exit "
	     "3\"]}",
	    "{\"stdout\":\"a\\n\",\"stderr\":\"b\\n\",\"exit_code\":3}");
	assert_true(answer.is_error);
	says("{\"command\":\"sudo\",\"args\":[\"whoami\"]}",
	    "Command not allowed: sudo");
	assert_int_equal(answer.status, WRIT_E_DENIED);
	assert_non_null(strstr(answer.json, "\"code\":\"denied\""));
	says("{\"command\":\"no-such-program-x\",\"args\":[]}",
	    "Command 'no-such-program-x' not found in system PATH");
	assert_int_equal(answer.status, WRIT_E_NOTFOUND);
	says("{\"command\":\"printf\",\"args\":[\"a\\\\377b\"]}",
	    "{\"stdout\":\"a\xef\xbf\xbd"
	    "b\",\"stderr\":\"\",\"exit_code\":0}");
}

static void
seed_002_cwd_lies_beneath_the_base(void **state)
{
	char text[PATH_MAX + 64];

	(void)state;
	make_tool("story", LIST_OF_NAMES, NULL);
	assert_int_equal(mkdir(temp_path(&temp, "sub"), 0755), 0);
	assert_int_equal(symlink("sub", temp_path(&temp, "inner")), 0);
	assert_int_equal(symlink("/etc", temp_path(&temp, "outer")), 0);
	(void)snprintf(text, sizeof(text),
	    "{\"stdout\":\"%s/sub\\n\",\"stderr\":\"\",\"exit_code\":0}", base);
	says("{\"command\":\"pwd\",\"args\":[],\"cwd\":\"sub\"}", text);
	says("{\"command\":\"pwd\",\"args\":[],\"cwd\":\"inner\"}", text);
	for (size_t i = 0; i < 4; i++) {
		static const char *const outside[] = {
		    "../../../etc", "/etc", "outer", ".."};

		(void)snprintf(text, sizeof(text),
		    "{\"command\":\"pwd\",\"args\":[],\"cwd\":\"%s\"}",
		    outside[i]);
		has(text, "is outside the allowed base directory");
		assert_true(answer.is_error);
	}
	has("{\"command\":\"pwd\",\"args\":[],\"cwd\":\"nowhere\"}",
	    "Failed to resolve working directory 'nowhere'");
}

static void
seed_002_the_policy_sets_the_timeout(void **state)
{
	(void)state;
	make_tool("story", LIST_OF_NAMES "limits: {timeout: 100ms}\n", NULL);
	has("{\"command\":\"sh\",\"args\":[\"-c\",\"echo early; sleep 60\"]}",
	    "Command timed out after 0.100s\n\nearly");
	assert_true(answer.is_error);
	assert_non_null(strstr(answer.json, "\"outcome\":\"timed_out\""));
}

/* Each is refused in words, and nothing runs. */
static void
seed_002_hostile_inputs_are_answered(void **state)
{
	static const char *const inputs[] = {"", "null", "[]", "7", "\"x\"",
	    "{", "{}", "{\"command\":7,\"args\":[]}", "{\"command\":\"ls\"}",
	    "{\"command\":\"ls\",\"args\":\"-l\"}",
	    "{\"command\":\"ls\",\"args\":[1]}",
	    "{\"command\":\"ls\",\"args\":[null]}",
	    "{\"command\":\"ls\",\"args\":[\"a\\u0000b\"]}",
	    "{\"command\":\"ls\",\"args\":[],\"cwd\":7}",
	    "{\"command\":\"\",\"args\":[]}",
	    "{\"command\":\"ls; id\",\"args\":[]}",
	    "{\"command\":\"ls\",\"args\":[],\"agent\":\"root\"}",
	    "{\"command\":\"ls\",\"args\":[],\"sandbox\":\"none\"}",
	    "{\"command\":\"a\xff\",\"args\":[]}"};

	(void)state;
	make_tool("story", LIST_OF_NAMES, NULL);
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		(void)call(inputs[i]);
		assert_true(answer.is_error);
		assert_int_equal(answer.status, WRIT_E_INVALID);
	}
	writ_tool_answer_done(&answer);
	assert_int_equal(
	    writ_tool_call(tool, "{}\0x", 4, &answer, NULL), WRIT_OK);
	assert_int_equal(answer.status, WRIT_E_INVALID);
}

/* ---- 003 ---- */

#define LISTED                                                               \
	"version: 1\ninclude: [allowlist]\nsandbox: none\nprograms: [echo, " \
	"printf]\nshell: allow\n"

static void
seed_003_both_modes_and_their_messages(void **state)
{
	(void)state;
	make_tool(NULL, LISTED, NULL);
	assert_string_equal(writ_tool_shape(tool), "oxios");
	assert_string_equal(writ_tool_title(tool), "Exec");
	has("{\"mode\":\"shell\",\"command\":\"echo foo | tr f b\"}",
	    "boo\n\n\nTook 0.");
	has("{\"mode\":\"structured\",\"binary\":\"echo\",\"args\":[\"hi\"]}",
	    "hi\n\n\nTook ");
	assert_non_null(strstr(answer.json,
	    "{\"stdout\":\"hi\\n\",\"stderr\":\"\",\"exit_code\":0,"
	    "\"duration_ms\":"));
	has("{\"mode\":\"shell\",\"command\":\"exit 7\"}",
	    "(no output)\n\nCommand exited with code 7\n\nTook ");
	assert_true(answer.is_error);
	says("{\"mode\":\"structured\",\"binary\":\"rm\",\"args\":[]}",
	    "exec (structured): structured_exec: binary 'rm' is not in the "
	    "allowlist");
	says("{\"mode\":\"structured\",\"binary\":\"../x\"}",
	    "exec (structured): structured_exec: path traversal in binary "
	    "name");
	says("{\"mode\":\"structured\",\"binary\":\"echo\",\"args\":[\"a;b\"]}",
	    "exec (structured): structured_exec: shell metacharacters or path "
	    "traversal not allowed in arguments");
	says("{\"mode\":\"docker\"}",
	    "Invalid mode 'docker': expected 'shell' or 'structured'");
	says("{}", "Missing required parameter: mode (expected 'shell' or "
		   "'structured')");
	says("{\"mode\":\"shell\",\"command\":\"  \"}",
	    "exec (shell): shell_exec: command must not be empty");
	has("{\"mode\":\"shell\",\"command\":\"sleep 60\",\"timeout\":1}",
	    "exec (shell): shell command timed out after 1000ms");
}

static void
seed_003_for_agent(void **state)
{
	static const char agents[] = LISTED
	    "agents:\n  helper:\n    tools: [printf]\n    message: "
	    "\"structured_exec: agent '{agent}' is not allowed to execute "
	    "'{command}'\"\n";

	(void)state;
	make_tool("oxios", agents, "helper");
	has("{\"mode\":\"structured\",\"binary\":\"printf\",\"args\":[\"x\"]}",
	    "x\n\nTook ");
	says("{\"mode\":\"structured\",\"binary\":\"echo\"}",
	    "exec (structured): structured_exec: agent 'helper' is not "
	    "allowed to execute 'echo'");
	make_tool("oxios", agents, "stranger");
	has("{\"mode\":\"structured\",\"binary\":\"printf\"}",
	    "exec (structured): ");
	assert_int_equal(answer.status, WRIT_E_DENIED);
}

/* ---- ours ---- */

#define OPEN "version: 1\nsandbox: none\nrules: [{allow: {}}]\n"

static void
our_own_takes_requests_without_walls(void **state)
{
	(void)state;
	make_tool("argv", OPEN, NULL);
	says("{\"argv\":[\"echo\",\"a b\"]}", "a b\n");
	assert_non_null(strstr(answer.json, "\"outcome\":\"exited\""));
	says("{\"command\":\"echo $X | tr a b\",\"env\":{\"X\":\"aa\"}}",
	    "bb\n");
	says("{\"argv\":[\"cat\"],\"stdin\":\"given\"}", "given");
	says("{\"command\":\"echo a; exit 3\"}", "a\n[exit code 3]");
	says("{\"argv\":[\"true\"]}", "(no output)");
	says("{\"argv\":[\"sleep\",\"60\"],\"timeout_ms\":100}",
	    "(no output)\n[timed out after 0.1s]");
	says(
	    "{\"command\":\"kill -9 $$\"}", "(no output)\n[ended by signal 9]");
	has("{\"argv\":[\"ls\"],\"sandbox\":\"none\"}",
	    "Unknown parameter 'sandbox'");
	has("{\"argv\":[\"ls\"],\"command\":\"ls\"}", "only one of them");
	has("{\"cwd\":\"/\"}", "only one of them");
	has("{\"argv\":[\"ls\"],\"agent\":\"root\"}",
	    "Unknown parameter 'agent'");
}

static void
there_is_no_other_shape_or_base(void **state)
{
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_tool *made = NULL;
	writ_error err = {0};

	(void)state;
	options.shape = "docker";
	assert_int_equal(
	    writ_tool_new(engine, &options, &made, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "docker"));
	options.shape = "story";
	options.base = "/no/such/directory";
	assert_int_equal(
	    writ_tool_new(engine, &options, &made, &err), WRIT_E_INVALID);
	options.base = "/etc/passwd";
	assert_int_equal(
	    writ_tool_new(engine, &options, &made, &err), WRIT_E_INVALID);
	assert_null(made);
	writ_tool_free(NULL);
	writ_tool_run_free(NULL);
	writ_tool_answer_done(&answer);
}

/* ---- without waiting ---- */

static unsigned answers;

static void
count_answer(void *ctx, writ_tool_answer *given)
{
	(void)ctx;
	answers++;
	answer = *given;
}

/* Starts another call from its own answer. */
static void
call_again(void *ctx, writ_tool_answer *given)
{
	static const char input[] = "{\"argv\":[\"echo\",\"second\"]}";

	writ_tool_answer_done(given);
	answers++;
	assert_int_equal(writ_tool_start(tool, input, sizeof(input) - 1,
			     count_answer, ctx, NULL, NULL),
	    WRIT_OK);
}

static void
dispatch_until(unsigned wanted)
{
	while (answers < wanted)
		assert_int_equal(
		    writ_engine_dispatch(engine, -1, NULL), WRIT_OK);
}

static void
calls_go_on_while_the_host_does_other_things(void **state)
{
	static const char input[] = "{\"argv\":[\"echo\",\"first\"]}";
	static const char slow[] = "{\"argv\":[\"sleep\",\"600\"]}";
	writ_job *job = NULL;

	(void)state;
	make_tool("argv", OPEN, NULL);
	answers = 0;
	assert_int_equal(writ_tool_start(tool, input, sizeof(input) - 1,
			     call_again, NULL, &job, NULL),
	    WRIT_OK);
	assert_non_null(job);
	dispatch_until(2);
	assert_string_equal(answer.text, "second\n");
	writ_tool_answer_done(&answer);
	/* What is refused is answered at once. */
	assert_int_equal(
	    writ_tool_start(tool, "{}", 2, count_answer, NULL, &job, NULL),
	    WRIT_OK);
	assert_null(job);
	assert_int_equal(answers, 3);
	assert_int_equal(answer.status, WRIT_E_INVALID);
	writ_tool_answer_done(&answer);
	assert_int_equal(writ_tool_start(tool, slow, sizeof(slow) - 1,
			     count_answer, NULL, &job, NULL),
	    WRIT_OK);
	writ_job_cancel(job, SIGTERM);
	dispatch_until(4);
	assert_true(answer.is_error);
	assert_string_equal(answer.text, "(no output)\n[cancelled]");
}

/* ---- threads: each has its own engine ---- */

static void *
work(void *ctx)
{
	static const char input[] =
	    "{\"command\":\"echo\",\"args\":[\"here\"]}";
	writ_engine_options plain = WRIT_ENGINE_OPTIONS_INIT;
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_engine *own = NULL;
	writ_tool *made = NULL;
	unsigned *good = ctx;

	plain.policy = OPEN;
	plain.policy_len = sizeof(OPEN) - 1;
	options.shape = "story";
	if (writ_engine_new(&plain, &own, NULL) != WRIT_OK)
		return NULL;
	if (writ_tool_new(own, &options, &made, NULL) == WRIT_OK) {
		for (unsigned i = 0; i < 10; i++) {
			writ_tool_answer given = {.is_error = true};

			(void)writ_tool_call(
			    made, input, sizeof(input) - 1, &given, NULL);
			*good += !given.is_error;
			writ_tool_answer_done(&given);
		}
	}
	writ_tool_free(made);
	writ_engine_free(own);
	return NULL;
}

static void
tools_of_different_engines_know_nothing_of_each_other(void **state)
{
	pthread_t threads[4];
	unsigned good[4] = {0};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, work, &good[i]), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(good[i], 10);
	}
}

/* ---- what a host does in between ---- */

static void
a_host_may_change_its_directory(void **state)
{
	char before[PATH_MAX];

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	make_tool("argv", OPEN, NULL);
	assert_int_equal(chdir("/"), 0);
	has("{\"argv\":[\"pwd\"]}", base);
	assert_int_equal(chdir(before), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TOOL(seed_002_answers_in_the_words_of_the_story),
	    TOOL(seed_002_cwd_lies_beneath_the_base),
	    TOOL(seed_002_the_policy_sets_the_timeout),
	    TOOL(seed_002_hostile_inputs_are_answered),
	    TOOL(seed_003_both_modes_and_their_messages),
	    TOOL(seed_003_for_agent),
	    TOOL(our_own_takes_requests_without_walls),
	    TOOL(there_is_no_other_shape_or_base),
	    TOOL(calls_go_on_while_the_host_does_other_things),
	    TOOL(tools_of_different_engines_know_nothing_of_each_other),
	    TOOL(a_host_may_change_its_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
