/* SPDX-License-Identifier: Apache-2.0 */

/* A command finds the same whether its sandbox was built for it, came from a
 * new fork server, or was ready. */

#include "counting.h"
#include "sandboxed_runs.h"

#include <sys/resource.h>

/* NULL: no restrictions, only a pid namespace. */
static const char *const profiles[] = {NULL, "readonly", "workspace", "strict"};

enum {
	PROFILES = sizeof(profiles) / sizeof(*profiles)
};

static void
choose(writ_request *request, const char *profile)
{
	request->sandbox = profile;
	request->cwd = temp.path;
	if (profile == NULL)
		request->hold = WRIT_HOLD_PIDNS;
}

/* Each profile, each kind of sandbox init. */
static void
expect_everywhere(const writ_request *asked, const char *text, int code)
{
	for (int i = 0; i < PROFILES; i++) {
		writ_request request = *asked;

		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			writ_result *result = run_walled(&request);

			expect_text(&result->out[WRIT_STDERR], "");
			expect_text(&result->out[WRIT_STDOUT], text);
			assert_int_equal(result->outcome, WRIT_EXITED);
			assert_int_equal(result->exit_code, code);
			assert_string_equal(result->tree_by, "pidns");
			assert_int_equal(result->killed, 0);
			done(result);
		}
	}
}

static void
exit_codes_are_passed_on(void **state)
{
	writ_request request = shell("exit 0");

	(void)state;
	expect_everywhere(&request, "", 0);
	request = shell("echo x; exit 255");
	expect_everywhere(&request, "x\n", 255);
}

static void
signals_are_passed_on(void **state)
{
	(void)state;
	for (int i = 0; i < PROFILES; i++) {
		writ_request request = shell("kill -USR1 $$; sleep 300");

		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			writ_result *result = run_walled(&request);

			assert_int_equal(result->outcome, WRIT_SIGNALED);
			assert_int_equal(result->signal, SIGUSR1);
			assert_true(result->status_known);
			done(result);
		}
	}
}

static void
the_environment_is_what_was_asked_for(void **state)
{
	const char *env[] = {mark, "A=1", "B=two words", "EMPTY=", NULL};
	writ_request request =
	    shell("echo \"$A,$B,${EMPTY-none},${C-none}\"; env | grep -c =");
	char expected[64] = "";

	(void)state;
	request.env = env;
	request.env_mode = WRIT_ENV_CLEAN;
	for (int i = 0; i < PROFILES; i++) {
		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			writ_result *result = run_walled(&request);
			const char *head = result->out[WRIT_STDOUT].head;

			assert_memory_equal(head, "1,two words,,none\n", 18);
			if (k == 0)
				(void)snprintf(
				    expected, sizeof(expected), "%s", head);
			assert_string_equal(head, expected);
			done(result);
		}
	}
}

static void
the_working_directory_is_what_was_asked_for(void **state)
{
	writ_request request = shell("pwd; ls");
	char expected[300];

	(void)state;
	temp_file(&temp, "here", 0644, "");
	(void)snprintf(expected, sizeof(expected), "%s\nhere\n", temp.path);
	expect_everywhere(&request, expected, 0);
}

static void
mask_niceness_and_limits_are_what_was_asked_for(void **state)
{
	writ_request request =
	    shell("umask; nice; ulimit -n; ulimit -f; exit 3");
	char expected[64];

	(void)state;
	request.umask = WRIT_UMASK(031);
	request.nice = 4;
	request.open_files = 57;
	request.file_size = 51200;
	(void)snprintf(expected, sizeof(expected), "0031\n%d\n57\n100\n",
	    getpriority(PRIO_PROCESS, 0) + 4);
	expect_everywhere(&request, expected, 3);
}

static void
a_lower_niceness_is_for_root(void **state)
{
	writ_request request = shell("nice");
	char expected[16];

	(void)state;
	if (geteuid() != 0)
		skip();
	request.nice = -3;
	(void)snprintf(expected, sizeof(expected), "%d\n",
	    getpriority(PRIO_PROCESS, 0) - 3);
	expect_everywhere(&request, expected, 0);
}

static void
standard_input_arrives(void **state)
{
	static char data[200000];
	writ_request request = shell("wc -c");

	(void)state;
	memset(data, 'x', sizeof(data));
	expect_everywhere(&request, "0\n", 0);
	request.stdin_kind = WRIT_STDIN_DATA;
	request.stdin_data = data;
	request.stdin_len = sizeof(data);
	expect_everywhere(&request, "200000\n", 0);
}

enum {
	LONG = 100000,
	WORDS = 15
};

static char word[LONG + 1];

/* More than fits into a message. */
static void
a_large_environment_arrives(void **state)
{
	static char large[LONG + 8];
	const char *env[] = {mark, large, NULL};
	writ_request request = shell("echo ${#BIG}");

	(void)state;
	memset(word, 'x', LONG);
	(void)snprintf(large, sizeof(large), "BIG=%s", word);
	request.env = env;
	expect_everywhere(&request, "100000\n", 0);
}

/* Nearly the kernel's maximum. */
static void
many_large_arguments_arrive(void **state)
{
	const char *argv[WORDS + 5] = {"/bin/sh", "-c", "echo $# ${#15}", "sh"};
	writ_request request = shell(NULL);

	(void)state;
	memset(word, 'x', LONG);
	for (int i = 0; i < WORDS; i++)
		argv[4 + i] = word;
	request.argv = argv;
	expect_everywhere(&request, "15 100000\n", 0);
}

/* Around the size at which a spec goes into a file. */
static void
no_size_of_an_order_is_in_between(void **state)
{
	static char text[65536 + 64];
	const char *argv[] = {"/bin/sh", "-c", "echo ${#1}", "sh", text, NULL};
	writ_request request = walled(NULL);
	char expected[16];

	(void)state;
	request.argv = argv;
	for (size_t len = 63000; len < sizeof(text); len += 97) {
		memset(text, 'x', len);
		text[len] = '\0';
		(void)snprintf(expected, sizeof(expected), "%zu\n", len);
		writ_result *result = NULL;
		struct writ_job *job;
		writ_status status =
		    start_run(&runner, &request, take, &result, &job, NULL);
		if (status == WRIT_E_SANDBOX)
			skip();
		assert_int_equal(status, WRIT_OK);
		drive(&result);
		expect_text(&result->out[WRIT_STDOUT], expected);
		done(result);
	}
}

static void
what_the_kernel_does_not_take_is_an_error(void **state)
{
	static const char *argv[101];
	writ_request request = shell(NULL);

	(void)state;
	memset(word, 'x', LONG);
	argv[0] = "true";
	for (int i = 1; i < 100; i++)
		argv[i] = word;
	request.argv = argv;
	for (int i = 0; i < PROFILES; i++) {
		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			struct writ_job *job;
			writ_error err = {0};

			assert_int_equal(start_run(&runner, &request, NULL,
					     NULL, &job, &err),
			    WRIT_E_INVALID);
			assert_non_null(strstr(err.message, "too long"));
		}
	}
}

static void
a_script_knows_its_name(void **state)
{
	const char *const argv[] = {
	    temp_path(&temp, "script"), "a b", "", NULL};
	writ_request request = shell(NULL);
	char expected[600];

	(void)state;
	temp_file(&temp, "script", 0755,
	    "#!/bin/sh\necho \"$0\" $# \"$1\"; exit 9\n");
	request.argv = argv;
	(void)snprintf(
	    expected, sizeof(expected), "%s/script 2 a b\n", temp.path);
	expect_everywhere(&request, expected, 9);
}

static void
a_program_that_cannot_start_is_an_error_each_time(void **state)
{
	const char *const argv[] = {temp_path(&temp, "script"), NULL};
	writ_request request = shell(NULL);

	(void)state;
	temp_file(&temp, "script", 0755, "#!/no/such/interpreter\n");
	request.argv = argv;
	for (int i = 0; i < PROFILES; i++) {
		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			struct writ_job *job;
			writ_error err = {0};

			assert_int_equal(start_run(&runner, &request, NULL,
					     NULL, &job, &err),
			    WRIT_E_NOTEXEC);
			assert_non_null(strstr(err.message, "interpreter"));
		}
	}
}

/* The command itself joins the groups with limits. */
static void
limits_of_the_tree_are_counted_each_time(void **state)
{
	writ_request request = shell("pwd; exit 3");
	char expected[300];

	(void)state;
	(void)snprintf(expected, sizeof(expected), "%s\n", temp.path);
	request.memory = UINT64_C(256) << 20;
	request.processes = 50;
	for (int i = 0; i < PROFILES; i++) {
		choose(&request, profiles[i]);
		for (int k = 0; k < RUNS; k++) {
			writ_result *result = run_walled(&request);

			expect_text(&result->out[WRIT_STDOUT], expected);
			assert_int_equal(result->exit_code, 3);
			assert_string_equal(
			    result->memory_by, counter("memory"));
			assert_string_equal(
			    result->processes_by, counter("pids"));
			done(result);
		}
	}
}

static void
another_user_is_who_runs(void **state)
{
	writ_request request = shell("id -u; id -g; id -G; exit 3");

	(void)state;
	if (geteuid() != 0)
		skip();
	(void)fchmod(temp.fd, 0755);
	request.user = "65534";
	request.group = "65534";
	expect_everywhere(&request, "65534\n65534\n65534\n", 3);
	/* A sandbox of another user must not be used for us. */
	request.user = NULL;
	request.group = NULL;
	request.shell = "id -u; exit 3";
	expect_everywhere(&request, "0\n", 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(exit_codes_are_passed_on),
	    RUNNING(signals_are_passed_on),
	    RUNNING(the_environment_is_what_was_asked_for),
	    RUNNING(the_working_directory_is_what_was_asked_for),
	    RUNNING(mask_niceness_and_limits_are_what_was_asked_for),
	    RUNNING(a_lower_niceness_is_for_root),
	    RUNNING(standard_input_arrives),
	    RUNNING(a_large_environment_arrives),
	    RUNNING(many_large_arguments_arrive),
	    RUNNING(no_size_of_an_order_is_in_between),
	    RUNNING(what_the_kernel_does_not_take_is_an_error),
	    RUNNING(a_script_knows_its_name),
	    RUNNING(a_program_that_cannot_start_is_an_error_each_time),
	    RUNNING(limits_of_the_tree_are_counted_each_time),
	    RUNNING(another_user_is_who_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
