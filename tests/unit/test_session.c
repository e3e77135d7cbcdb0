/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions: what runs share in one, and what they do not. */

#include "session_fixture.h"

/* ---- what is shared ---- */

static void
files_in_tmp_last_from_run_to_run(void **state)
{
	(void)state;
	expect(session,
	    "echo tmp >/tmp/a; echo var >/var/tmp/a; echo shm >/dev/shm/a", "");
	expect(session, "cat /tmp/a /var/tmp/a /dev/shm/a", "tmp\nvar\nshm\n");
	expect(session, "cd /dev/shm && ls | tr '\\n' ' '", "a ");
}

static void
a_run_without_the_session_sees_nothing_of_it(void **state)
{
	(void)state;
	expect(session, "echo mine >/tmp/a", "");
	expect(NULL, "cat /tmp/a 2>/dev/null || echo none", "none\n");
	expect(session, "cat /tmp/a", "mine\n");
}

static void
sessions_see_nothing_of_each_other(void **state)
{
	writ_session *other = NULL;

	(void)state;
	assert_int_equal(
	    writ_session_open(engine, NULL, &other, NULL), WRIT_OK);
	expect(session, "echo mine >/tmp/a", "");
	expect(other, "cat /tmp/a 2>/dev/null || echo none; echo other >/tmp/a",
	    "none\n");
	expect(session, "cat /tmp/a", "mine\n");
	expect(other, "cat /tmp/a", "other\n");
	writ_session_close(other);
}

static void
what_is_written_does_not_reach_the_machine(void **state)
{
	(void)state;
	expect(session,
	    "echo x >/tmp/writ-session-probe; echo x "
	    ">/dev/shm/writ-session-probe",
	    "");
	assert_int_not_equal(access("/tmp/writ-session-probe", F_OK), 0);
	assert_int_not_equal(access("/dev/shm/writ-session-probe", F_OK), 0);
}

static const char serve[] = "exec python3 -c 'import socket\n"
			    "s = socket.create_server((\"127.0.0.1\", 4711))\n"
			    "print(\"ready\", flush=True)\n"
			    "while True:\n"
			    "    c = s.accept()[0]\n"
			    "    c.sendall(b\"served\\n\")\n"
			    "    c.close()'";
static const char ask[] =
    "python3 -c 'import socket\n"
    "try:\n"
    "    s = socket.create_connection((\"127.0.0.1\", 4711))\n"
    "    print(s.recv(99).decode(), end=\"\")\n"
    "except OSError as e:\n"
    "    print(type(e).__name__)'";

static void
a_server_in_one_run_is_reached_from_the_next(void **state)
{
	writ_request request = within(session, serve);
	struct seen seen = {.result = NULL};
	writ_session *other = NULL;

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 6);
	expect(session, ask, "served\n");
	expect(NULL, ask, "ConnectionRefusedError\n");
	assert_int_equal(
	    writ_session_open(engine, NULL, &other, NULL), WRIT_OK);
	expect(other, ask, "ConnectionRefusedError\n");
	writ_session_close(other);
	/* The port is taken for this session alone. */
	expect(NULL,
	    "python3 -c 'import socket; "
	    "socket.create_server((\"127.0.0.1\", 4711)); print(\"free\")'",
	    "free\n");
	expect(session,
	    "python3 -c 'import socket; "
	    "socket.create_server((\"127.0.0.1\", 4711)); print(\"free\")' "
	    "2>&1 | grep -o 'Address already in use'",
	    "Address already in use\n");
	writ_job_cancel(job, SIGTERM);
	drive(&seen);
	writ_result_free(seen.result);
}

static void
a_run_without_a_network_reaches_no_server(void **state)
{
	writ_request request = within(session, serve);
	struct seen seen = {.result = NULL};

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	(void)start(&request, &seen);
	drive_output(&seen, 6);
	request = within(session, ask);
	request.network = WRIT_NETWORK_OFF;
	writ_result *result = run_request(&request);
	assert_null(strstr(result->out[WRIT_STDOUT].head, "served"));
	assert_string_equal(result->session, writ_session_name(session));
	writ_result_free(result);
	writ_session_close(session);
	session = NULL;
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
}

static void
every_profile_with_walls_shares_it(void **state)
{
	static const char *const profiles[] = {
	    "readonly", "strict", "workspace"};

	(void)state;
	expect(session, "echo mine >/tmp/a; echo var >/var/tmp/a", "");
	for (size_t i = 0; i < 3; i++) {
		writ_request request = within(session,
		    "cat /tmp/a /var/tmp/a && echo more >/tmp/b && rm /tmp/b");

		request.write = NULL;
		request.sandbox = profiles[i];
		request.network = WRIT_NETWORK_DEFAULT;
		writ_result *result = run_request(&request);
		assert_string_equal(
		    result->out[WRIT_STDOUT].head, "mine\nvar\n");
		assert_string_equal(
		    result->session, writ_session_name(session));
		writ_result_free(result);
	}
}

static void
a_run_without_walls_is_in_no_session(void **state)
{
	writ_request request = within(session, "true");

	(void)state;
	request.write = NULL;
	request.sandbox = "none";
	request.network = WRIT_NETWORK_DEFAULT;
	writ_result *result = run_request(&request);
	assert_null(result->session);
	writ_result_free(result);
}

static void
a_terminal_is_in_the_session(void **state)
{
	writ_request request =
	    within(session, "test -t 0 && tty && cat /tmp/a");

	(void)state;
	expect(session, "echo mine >/tmp/a", "");
	request.pty = true;
	for (int i = 0; i < 2; i++) {
		writ_result *result = run_request(&request);
		assert_string_equal(
		    result->out[WRIT_STDOUT].head, "/dev/pts/0\r\nmine\r\n");
		writ_result_free(result);
	}
	expect(session, "cat /tmp/a", "mine\n");
}

/* ---- what is not ---- */

static void
runs_do_not_see_each_others_processes(void **state)
{
	writ_request request = within(session, "echo ready; exec sleep 1000");
	struct seen seen = {.result = NULL};

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 6);
	expect(session,
	    "pkill sleep && echo killed; ls -d /proc/[0-9]* | wc -l | tr -d ' "
	    "' | grep -qx '[1-9]' && echo few",
	    "few\n");
	assert_null(seen.result);
	writ_job_cancel(job, SIGKILL);
	drive(&seen);
	writ_result_free(seen.result);
}

static void
a_run_cannot_leave_or_change_the_walls(void **state)
{
	(void)state;
	expect(session,
	    "unshare -m true 2>/dev/null && echo unshared;"
	    "unshare -Ur true 2>/dev/null && echo user;"
	    "mount -t tmpfs x /tmp 2>/dev/null && echo mounted;"
	    "umount /tmp 2>/dev/null && echo unmounted;"
	    "ls /proc/1/ns/ >/dev/null 2>&1 && readlink /proc/1/ns/mnt;"
	    "rmdir /tmp 2>/dev/null && echo removed;"
	    "touch /dev/x /usr/x 2>/dev/null && echo wrote; true",
	    "");
	expect(session, "echo still >/tmp/a; cat /tmp/a", "still\n");
}

static void
the_size_of_tmp_is_limited(void **state)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_session *small = NULL;
	writ_session_state look = {.size = sizeof(look)};

	(void)state;
	options.tmp_size = 1 << 20;
	options.tmp_files = 50;
	assert_int_equal(
	    writ_session_open(engine, &options, &small, NULL), WRIT_OK);
	expect(small,
	    "head -c 3000000 /dev/zero 2>/dev/null >/tmp/big || echo full; rm "
	    "/tmp/big;"
	    "for i in $(seq 100); do touch /var/tmp/$i || break; done "
	    "2>/dev/null;"
	    "test -e /var/tmp/20 && ! test -e /var/tmp/60 && echo files",
	    "full\nfiles\n");
	expect(session, "head -c 3000000 /dev/zero >/tmp/big && echo fits",
	    "fits\n");
	/* A full one still starts runs. */
	expect(small, "echo runs", "runs\n");
	assert_int_equal(writ_session_look(small, &look, NULL), WRIT_OK);
	assert_int_equal(look.tmp_bytes_max, 1 << 20);
	assert_int_equal(look.tmp_files_max, 50);
	assert_int_equal(look.tmp_files, 50);
	writ_session_close(small);
	assert_int_equal(writ_session_look(session, &look, NULL), WRIT_OK);
	assert_true(look.tmp_bytes >= 3000000);
	assert_int_equal(look.runs, 0);
}

/* ---- a workspace below /tmp ---- */

static void
a_workspace_below_tmp_is_seen_at_its_place(void **state)
{
	(void)state;
	if (strncmp(project, "/tmp/", 5) != 0)
		skip();
	expect(session, "pwd >here; echo a >/tmp/a", "");
	expect(session,
	    "cat /tmp/a; test \"$(cat here)\" = \"$PWD\" && echo same",
	    "a\nsame\n");
	char path[400];
	(void)snprintf(path, sizeof(path), "%s/here", project);
	assert_int_equal(access(path, F_OK), 0);
}

static void
the_way_to_a_workspace_below_tmp_cannot_be_moved(void **state)
{
	writ_request request = within(session,
	    "mv \"$(dirname \"$PWD\")\" /tmp/away 2>/dev/null && "
	    "echo moved; rmdir \"$PWD\" 2>/dev/null && echo gone; pwd");
	char line[400];

	(void)state;
	if (strncmp(project, "/tmp/", 5) != 0)
		skip();
	writ_result *result = run_request(&request);
	(void)snprintf(line, sizeof(line), "%s\n", project);
	assert_string_equal(result->out[WRIT_STDOUT].head, line);
	writ_result_free(result);
}

/* Another run of the session, to which the workspace is not shown, puts a link
 * in its way: the next run must not follow it. */
static void
a_link_in_the_way_of_a_workspace_is_not_followed(void **state)
{
	writ_request request = within(session, "pwd");
	writ_result *result = NULL;
	char text[1000];
	writ_error err = {0};

	(void)state;
	if (strncmp(project, "/tmp/", 5) != 0)
		skip();
	(void)snprintf(text, sizeof(text),
	    "mkdir -p \"$(dirname '%s')\" && ln -s /usr '%s'", temp.path,
	    temp.path);
	request.shell = text;
	request.cwd = "/usr";
	request.write = NULL;
	request.sandbox = "readonly";
	result = run_request(&request);
	assert_int_equal(result->exit_code, 0);
	writ_result_free(result);

	request = within(session, "pwd");
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_SANDBOX);
	assert_non_null(strstr(err.message, temp.path));
	/* Other sessions know nothing of it. */
	expect(NULL, "echo fine", "fine\n");
}

/* ---- what a shell leaves behind ---- */

static writ_result *
run_bash(const char *text, bool wants_state, writ_network network)
{
	const char *const argv[] = {"bash", "-c", text, NULL};
	writ_request request = within(session, NULL);

	request.shell = NULL;
	request.argv = argv;
	request.wants_state = wants_state;
	request.network = network;
	return run_request(&request);
}

static bool
left(const writ_result *result, const char *variable)
{
	const char *const *at = result->left_env;

	for (; at != NULL && *at != NULL; at++) {
		if (strcmp(*at, variable) == 0)
			return true;
	}
	return false;
}

static void
a_shell_leaves_its_directory_and_its_variables(void **state)
{
	writ_result *result = run_bash(
	    "mkdir -p deep/er; cd deep/er; export A='one \"two\" $x' B=2; "
	    "export PATH=/tmp:$PATH LD_PRELOAD=/tmp/x; f() { :; }; export -f "
	    "f; "
	    "bash -c 'cd /; export C=3'; exit 7",
	    true, WRIT_NETWORK_LOOPBACK);
	char path[400];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/deep/er", project);
	assert_int_equal(result->exit_code, 7);
	assert_string_equal(result->left_cwd, path);
	assert_true(left(result, "A=one \"two\" $x"));
	assert_true(left(result, "B=2"));
	assert_null(result->left_env[2]);
	writ_result_free(result);
	expect(session, "ls -A /tmp | grep shell; true", "");
}

static void
nothing_is_left_where_it_was_not_wanted_or_more_was_given(void **state)
{
	writ_result *result =
	    run_bash("cd /; env | grep -c -e BASH_ENV -e WRIT_SHELL", false,
		WRIT_NETWORK_LOOPBACK);

	(void)state;
	assert_string_equal(result->out[WRIT_STDOUT].head, "0\n");
	assert_null(result->left_cwd);
	writ_result_free(result);
	result =
	    run_bash("cd /; echo ${BASH_ENV-none}", true, WRIT_NETWORK_HOST);
	assert_string_equal(result->out[WRIT_STDOUT].head, "none\n");
	assert_null(result->left_cwd);
	writ_result_free(result);
}

/* The place is one where other runs write. */
static void
what_a_shell_left_may_be_anything(void **state)
{
	static const char *const texts[] = {
	    "trap 'f=$(echo /proc/self/environ)' EXIT; cd /",
	    "f=${BASH_EXECUTION_STRING}; trap - EXIT; cd /",
	    "t=$(trap -p EXIT); t=${t#*>|}; t=${t%%EXIT*}; eval f=${t//\\'/}; "
	    "trap - EXIT; mkfifo \"$f\"",
	    "t=$(trap -p EXIT); t=${t#*>|}; t=${t%%EXIT*}; eval f=${t//\\'/}; "
	    "trap - EXIT; ln -s /etc/passwd \"$f\"",
	    "t=$(trap -p EXIT); t=${t#*>|}; t=${t%%EXIT*}; eval f=${t//\\'/}; "
	    "trap - EXIT; head -c 9000000 /dev/zero >\"$f\"",
	    "t=$(trap -p EXIT); t=${t#*>|}; t=${t%%EXIT*}; eval f=${t//\\'/}; "
	    "trap - EXIT; printf '/\\ndeclare -x PATH=\"/tmp\"\\nx' >\"$f\"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		writ_result *result =
		    run_bash(texts[i], true, WRIT_NETWORK_LOOPBACK);

		assert_int_equal(result->exit_code, 0);
		assert_null(result->left_cwd);
		assert_null(result->left_env);
		writ_result_free(result);
	}
	writ_result *result = run_bash("test -s /dev/writ-shell && "
				       "! { echo x >/dev/writ-shell; } 2>&-",
	    false, WRIT_NETWORK_LOOPBACK);
	assert_int_equal(result->exit_code, 0);
	writ_result_free(result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    SESSION(files_in_tmp_last_from_run_to_run),
	    SESSION(a_run_without_the_session_sees_nothing_of_it),
	    SESSION(sessions_see_nothing_of_each_other),
	    SESSION(what_is_written_does_not_reach_the_machine),
	    SESSION(a_server_in_one_run_is_reached_from_the_next),
	    SESSION(a_run_without_a_network_reaches_no_server),
	    SESSION(every_profile_with_walls_shares_it),
	    SESSION(a_run_without_walls_is_in_no_session),
	    SESSION(a_terminal_is_in_the_session),
	    SESSION(runs_do_not_see_each_others_processes),
	    SESSION(a_run_cannot_leave_or_change_the_walls),
	    SESSION(the_size_of_tmp_is_limited),
	    SESSION(a_workspace_below_tmp_is_seen_at_its_place),
	    SESSION(the_way_to_a_workspace_below_tmp_cannot_be_moved),
	    SESSION(a_link_in_the_way_of_a_workspace_is_not_followed),
	    SESSION(a_shell_leaves_its_directory_and_its_variables),
	    SESSION(nothing_is_left_where_it_was_not_wanted_or_more_was_given),
	    SESSION(what_a_shell_left_may_be_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
