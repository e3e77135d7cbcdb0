/* SPDX-License-Identifier: Apache-2.0 */

/* Only some programs: every other way to run one, tried from inside. */

#include "restricted_runs.h"
#include "sampling.h"

#include "sandbox/allowlist/executable.h"

static const char *const walls[] = {"readonly", "workspace", "strict"};

static char bypass[300], canary[300], loader[PATH_MAX];
static const char *listed[8];
static char *owned[8]; /* of those */

/* The programs of the tests lie beside this one. */
static void
copy_program(const char *name, const char *as, char out[300])
{
	char command[PATH_MAX + 700], own[PATH_MAX] = "";

	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	*strrchr(own, '/') = '\0';
	(void)snprintf(out, 300, "%s/%s", temp.path, as);
	(void)snprintf(
	    command, sizeof(command), "cp '%s/%s' '%s'", own, name, out);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

static int
set_up_fence(void **state)
{
	struct w_executable look;
	int failed = set_up_narrowed(state);

	if (failed != 0)
		return failed;
	copy_program("bypass", "bypass", bypass);
	copy_program("bypass", "canary", canary);
	int fd = open(bypass, O_RDONLY | O_CLOEXEC);
	w_executable_read(fd, &look);
	(void)close(fd);
	(void)snprintf(loader, sizeof(loader), "%s", look.interpreter);
	memset(listed, 0, sizeof(listed));
	listed[0] = bypass;
	restriction =
	    (struct w_restriction){.has_execute = true, .execute = listed};
	return 0;
}

/* What a way with a file says. */
static writ_result *
go(const char *in, const char *way, const char *file)
{
	const char *argv[] = {bypass, way, file, loader, NULL};
	writ_request request = walled(NULL);

	request.shell = NULL;
	request.argv = argv;
	request.sandbox = in;
	request.best_effort = is_without_view;
	return run_walled(&request);
}

static void
expect_closed(const char *in, const char *way, const char *file)
{
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = go(in, way, file);

		if (result->out[WRIT_STDOUT].bytes != 0)
			fail_msg("in '%s' the way '%s' to '%s' is open: %s", in,
			    way, file, result->out[WRIT_STDOUT].head);
		if (result->out[WRIT_STDERR].bytes == 0)
			fail_msg("in '%s' the way '%s' was not tried", in, way);
		done(result);
	}
}

static void
expect_open(const char *in, const char *way, const char *file)
{
	writ_result *result = go(in, way, file);

	if (result->out[WRIT_STDOUT].bytes == 0)
		fail_msg("in '%s' the way '%s' to '%s' is closed: %s", in, way,
		    file, result->out[WRIT_STDERR].head);
	done(result);
}

static const char *const ways[] = {"path", "descriptor", "handle", "symlink",
    "script", "loader", "copy", "copy-tmp", "copy-shm", "copy-loader",
    "copy-tmp-loader", "copy-shm-loader", "nameless", "nameless-tmp", "memory",
    "memory-exec", "memory-loader", "sealed-loader"};

enum {
	WAYS = sizeof(ways) / sizeof(ways[0])
};

/* Without a fence all of them lead somewhere: they are real. */
static void
without_a_list_every_way_is_open(void **state)
{
	(void)state;
	restriction.has_execute = false;
	for (size_t i = 0; i < WAYS; i++)
		expect_open("workspace", ways[i], canary);
	expect_open("workspace", "hardlink", canary);
	expect_open("workspace", "map", canary);
	expect_open("workspace", "protect", canary);
	expect_open("workspace", "start", "/proc/self/exe");
	expect_open("workspace", "read", "/usr/bin/env");
	expect_open("workspace", "loader", "/usr/bin/echo");
	expect_open("workspace", "write", canary);
	expect_open("workspace", "replace", canary);
}

static void
a_program_of_the_working_directory_that_is_not_listed_is_not_run(void **state)
{
	(void)state;
	for (size_t w = 0; w < 3; w++) {
		for (size_t i = sample_begin(); i < WAYS; i += sample_step())
			expect_closed(walls[w], ways[i], canary);
		expect_closed(walls[w], "hardlink", canary);
		expect_closed(walls[w], "map", canary);
		expect_closed(walls[w], "protect", canary);
	}
}

static void
nor_one_of_the_system(void **state)
{
	(void)state;
	for (size_t w = 0; w < 3; w++) {
		for (size_t i = sample_begin(); i < WAYS; i += sample_step())
			expect_closed(walls[w], ways[i], "/usr/bin/echo");
		expect_closed(walls[w], "map", "/usr/bin/echo");
		expect_closed(walls[w], "protect", "/usr/bin/echo");
		expect_closed(walls[w], "read", "/usr/bin/echo");
		expect_closed(walls[w], "read", "/bin/echo");
		expect_closed(walls[w], "loader", "/bin/echo");
	}
}

static void
what_is_listed_runs_and_cannot_be_changed(void **state)
{
	(void)state;
	listed[1] = canary;
	for (size_t w = 0; w < 3; w++) {
		expect_open(walls[w], "path", canary);
		expect_open(walls[w], "descriptor", canary);
		expect_open(walls[w], "loader", canary);
		if (w > 0)
			expect_open(walls[w], "symlink", canary);
		expect_closed(walls[w], "write", canary);
		expect_closed(walls[w], "replace", canary);
	}
}

/* The file that a name of the system leads to; NULL: there is none. */
static char *
system_file(const char *name)
{
	static const char *const dirs[] = {
	    "/usr/local/bin", "/usr/bin", "/bin"};
	char path[PATH_MAX];

	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dirs[i], name);
		char *real = realpath(path, NULL);
		if (real != NULL)
			return real;
	}
	return NULL;
}

/* Lists programs of the system; false: one is not there. */
static bool
list(const char *const *names)
{
	size_t count = 0;

	for (; names[count] != NULL; count++) {
		owned[count] = system_file(names[count]);
		listed[count] = owned[count];
		if (listed[count] == NULL)
			break;
	}
	return names[count] == NULL;
}

static void
unlist(void)
{
	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
		free(owned[i]);
		owned[i] = NULL;
		listed[i] = NULL;
	}
}

static void
a_listed_shell_runs_what_is_listed_and_nothing_else(void **state)
{
	static const char *const names[] = {"sh", "cat", "ls", NULL};
	static const char text[] =
	    "echo text | cat; ls -d /usr; cd /usr/bin; "
	    "id; ./id; command id; exec id; env id; /bin/id; (exec -a ls id)";

	(void)state;
	assert_true(list(names));
	for (size_t w = 0; w < 3; w++)
		expect_output(walls[w], text, "text\n/usr\n");
	unlist();
}

static void
a_listed_script_brings_its_interpreter(void **state)
{
	static const char text[] = "./script; ./other; id; printf done";

	(void)state;
	temp_file(&temp, "script", 0755, "#!/usr/bin/env cat\nself\n");
	temp_file(&temp, "other", 0755, "#!/usr/bin/env cat\nself\n");
	static const char *const names[] = {"sh", NULL};
	assert_true(list(names));
	owned[1] = strdup(temp_path(&temp, "script"));
	listed[1] = owned[1];
	for (size_t w = 0; w < 3; w++)
		expect_output(walls[w], text, "#!/usr/bin/env cat\nself\ndone");
	unlist();
}

static void
git_has_its_helpers(void **state)
{
	static const char *const names[] = {"sh", "git", "rm", NULL};

	(void)state;
	if (!list(names)) {
		unlist();
		skip();
	}
	for (size_t w = 1; w < 3; w++)
		expect_output(walls[w],
		    "rm -rf r; git init -q r && cd r && echo a > f && "
		    "git add f && git -c user.name=a -c user.email=b commit "
		    "-qm text && git log --format=%s; git status --short; "
		    "$(git --exec-path)/git log --format=%s; id",
		    "text\ntext\n");
	unlist();
}

static void
an_interpreter_does_what_it_can_by_itself(void **state)
{
	static const char *const names[] = {"sh", "python3", NULL};
	static const char text[] =
	    "python3 -c \"import sys, json, hashlib, ctypes, ssl, sqlite3; "
	    "print('here')\"; "
	    "python3 -c \"import os; os.execv('/usr/bin/id', ['id'])\"; "
	    "python3 -c \"import subprocess; "
	    "subprocess.run(['/usr/bin/id'])\"; "
	    "python3 -c \"print(len(open('/usr/bin/id', 'rb').read()))\"; "
	    "python3 -c \"import mmap, os; f = os.open('canary', 0); "
	    "mmap.mmap(f, 0, prot=5); print('mapped')\"; "
	    "python3 -c \"import ctypes; ctypes.CDLL('./canary')\"";

	(void)state;
	if (!list(names)) {
		unlist();
		skip();
	}
	for (size_t w = 0; w < 3; w++)
		expect_output(walls[w], text, "here\n");
	unlist();
}

/* Without mounts nothing is noexec: a loader maps what can be read. */
static void
rules_alone_hold_what_is_executed_and_read(void **state)
{
	(void)state;
	go_without_view();
	for (size_t w = 0; w < 3; w++) {
		for (size_t i = 0; i < WAYS; i++) {
			expect_closed(walls[w], ways[i], "/usr/bin/echo");
			if (strstr(ways[i], "loader") == NULL)
				expect_closed(walls[w], ways[i], canary);
		}
		expect_closed(walls[w], "read", "/usr/bin/echo");
		expect_closed(walls[w], "hardlink", canary);
	}
}

static void
the_process_beside_the_command_is_no_program(void **state)
{
	(void)state;
	for (size_t w = 0; w < 3; w++)
		expect_closed(walls[w], "start", "/proc/1/exe");
}

int
main(void)
{
#define FENCED(test) \
	cmocka_unit_test_setup_teardown(test, set_up_fence, tear_down)
	const struct CMUnitTest tests[] = {
	    FENCED(without_a_list_every_way_is_open),
	    FENCED(
		a_program_of_the_working_directory_that_is_not_listed_is_not_run),
	    FENCED(nor_one_of_the_system),
	    FENCED(what_is_listed_runs_and_cannot_be_changed),
	    FENCED(a_listed_shell_runs_what_is_listed_and_nothing_else),
	    FENCED(a_listed_script_brings_its_interpreter),
	    FENCED(git_has_its_helpers),
	    FENCED(an_interpreter_does_what_it_can_by_itself),
	    FENCED(rules_alone_hold_what_is_executed_and_read),
	    FENCED(the_process_beside_the_command_is_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
