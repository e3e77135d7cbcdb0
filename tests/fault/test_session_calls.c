/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every call of a session fails once, at each of its occurrences: of one that a
 * program opens, and of one with a name. Each function either does what it is
 * for or says why not; what a run says is true; and afterwards nothing is left:
 * no descriptor, no process (also none that is nobody's child), no session.
 * WRIT_FAULT_FULL=1 takes every occurrence, else every eighth is taken: others
 * with each commit.
 */

#include "../unit/held_fixture.h"

#include <signal.h>
#include <sys/prctl.h>

#include "inject.h"

static const struct {
	const char *function;
	int error;
} faults[] = {
    {"allocation", ENOMEM},
    {"socketpair", EMFILE},
    {"memfd_create", EMFILE},
    {"open", EMFILE},
    {"openat", EMFILE},
    {"openat2", EMFILE},
    {"openat2", EAGAIN},
    {"fcntl", EMFILE},
    {"read", EINTR},
    {"read", EIO},
    {"write", ENOSPC},
    {"send", EAGAIN},
    {"recv", EINTR},
    {"sendmsg", EINTR},
    {"sendmsg", ETOOMANYREFS},
    {"recvmsg", EINTR},
    {"recvmsg", ENOMEM},
    {"poll", EINTR},
    {"mkdir", EACCES},
    {"mkdirat", ENOSPC},
    {"mmap64", ENOMEM},
    {"flock", ENOLCK},
    {"statx", EACCES},
    {"renameat2", EXDEV},
    {"getrandom", ENOSYS},
    {"clone3", EAGAIN},
    {"waitid", EINTR},
    {"pidfd_open", EMFILE},
};

enum {
	FAULTS = sizeof(faults) / sizeof(*faults),
	OCCURRENCES_MAX = 400,
	STEP = 8
};

static struct {
	const char *function;
	unsigned nth;
	int error;
} trial;
static unsigned findings;

static void
find(const char *what, const char *detail)
{
	findings++;
	(void)fprintf(stderr, "call %u of %s fails (%s): %s: %s\n", trial.nth,
	    trial.function, strerrorname_np(trial.error), what, detail);
}

static void
on_alarm(int sig)
{
	(void)sig;
	find("it hangs", "");
	_exit(1);
}

/* Whether it worked; what did not has to be told. */
static bool
works(writ_status status, const writ_error *err, const char *what)
{
	if (status == WRIT_OK)
		return true;
	if (err->status != status || err->message[0] == '\0')
		find("no word of the failure", what);
	return false;
}

/* A run in the session; a text that it wrote is what it should have written. */
static void
try_run(writ_session *in, const char *text, const char *output)
{
	writ_request request = within(in, text);
	writ_result *result = NULL;
	writ_error err = {0};

	if (!works(writ_run(engine, &request, &result, &err), &err, text))
		return;
	const writ_output *out = &result->out[WRIT_STDOUT];
	if (result->outcome == WRIT_EXITED && result->status_known &&
	    result->exit_code == 0 && !out->truncated &&
	    result->session != NULL && strcmp(out->head, output) != 0)
		find("a run says what is not so", out->head);
	writ_result_free(result);
}

static void
use_own(void)
{
	writ_session *own = NULL;
	writ_error err = {0};

	if (!works(writ_session_open(engine, NULL, &own, &err), &err, "open"))
		return;
	try_run(own, "echo one >/tmp/a && cat /tmp/a", "one\n");
	try_run(own, "echo two >/tmp/a && cat /tmp/a", "two\n");
	writ_session_close(own);
}

/* What a shell leaves behind is kept for the next run, or it is told that not.
 */
static void
leave_state(writ_session *joined)
{
	writ_request request = within(joined, "cd /tmp; export MARK=kept");
	writ_result *result = NULL;
	writ_error err = {0};

	request.wants_state = true;
	if (!works(writ_run(engine, &request, &result, &err), &err, "shell"))
		return;
	(void)works(writ_session_leave(joined, result, &err), &err, "leave");
	writ_result_free(result);
}

static void
use_held(void)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_session *joined = NULL;
	writ_error err = {0};

	options.name = "dev";
	if (!works(writ_session_start(engine, &options, NULL, &err), &err,
		"start"))
		return;
	if (works(writ_session_join(engine, "dev", NULL, &joined, &err), &err,
		"join")) {
		try_run(joined, "echo one >/tmp/a && cat /tmp/a", "one\n");
		leave_state(joined);
		writ_session_close(joined);
	}
	(void)works(writ_session_end(held_config, "dev", false, NULL, &err),
	    &err, "end");
}

static void
use_start(void)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_error err = {0};

	options.name = "dev";
	if (works(writ_session_start(engine, &options, NULL, &err), &err,
		"start"))
		(void)works(
		    writ_session_end(held_config, "dev", false, NULL, &err),
		    &err, "end");
}

/* The sessions that are there, ended. */
static void
clear_up(void)
{
	(void)writ_session_list(held_config, end_it, NULL, NULL);
}

/* The parent of a process, and what it is called; 0: it is gone. */
static int
parent_of(const char *pid, char name[32])
{
	char path[64];
	int parent = 0;

	(void)snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%*d (%31[^)]) %*c %d", name, &parent) != 2)
		parent = 0;
	(void)fclose(file);
	return parent;
}

static void
kill_children(void)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	char name[32];

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    parent_of(entry->d_name, name) != getpid())
			continue;
		find("a process is left", name);
		(void)kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
	}
	(void)closedir(dir);
}

/* A holder, and what belongs to it, is nobody's child, and so comes to this
 * process. Each has ten seconds to end. */
static void
reap_all(void)
{
	for (int i = 0; i < 2000 && has_child(); i++) {
		while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
			continue;
		if (has_child())
			(void)usleep(10000);
		if (i == 1000)
			kill_children();
	}
	if (has_child())
		find("a process is left", "and cannot be killed");
}

/* Each has an engine of its own; that of the fixture runs nothing. */
static writ_engine *
take_engine(void)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *kept = engine;

	options.config = held_config;
	options.base = project;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	return kept;
}

static void
give_back(writ_engine *kept)
{
	writ_engine_free(engine);
	engine = kept;
}

/* Without a fault all of it works again. */
static void
check_afterwards(void)
{
	writ_engine *kept = take_engine();

	begin_held("after");
	writ_session *joined = join_held("after");
	expect(joined, "echo fine >/tmp/a; cat /tmp/a", "fine\n");
	writ_session_close(joined);
	assert_int_equal(
	    writ_session_end(held_config, "after", false, NULL, NULL), WRIT_OK);
	give_back(kept);
	reap_all();
}

/* false: the call does not occur that often. */
static bool
try_once(void (*use)(void))
{
	const int before = count_fds();
	writ_engine *kept = take_engine();

	(void)alarm(60);
	inject_arm(trial.function, trial.nth, 1, trial.error);
	use();
	const bool is_refused = inject_disarm();
	(void)alarm(0);
	give_back(kept);
	clear_up();
	if (count_fds() != before)
		find("descriptors are left", "");
	reap_all();
	return is_refused;
}

static void
prepare(void)
{
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	(void)signal(SIGALRM, on_alarm);
}

static void
sweep(void (*use)(void))
{
	const char *offset = getenv("WRIT_TEST_OFFSET");
	const unsigned step = getenv("WRIT_FAULT_FULL") != NULL ? 1 : STEP;
	const unsigned first =
	    offset == NULL ? 0 : (unsigned)strtoul(offset, NULL, 10);

	prepare();
	for (size_t i = 0; i < FAULTS; i++) {
		trial.function = faults[i].function;
		trial.error = faults[i].error;
		for (trial.nth = 1 + (first + (unsigned)i) % step;
		     trial.nth < OCCURRENCES_MAX && try_once(use);
		     trial.nth += step)
			continue;
		check_afterwards();
	}
	assert_int_equal(findings, 0);
}

static void
a_session_of_a_program_survives_every_failure(void **state)
{
	(void)state;
	sweep(use_own);
}

static void
a_session_with_a_name_survives_every_failure(void **state)
{
	(void)state;
	sweep(use_held);
}

/* The holder has answered already, and its starter does not hear of it. */
static void
a_start_that_fails_late_leaves_no_holder(void **state)
{
	static const struct {
		const char *function;
		int error;
	} late[] = {{"recv", EINTR}, {"recv", ENOMEM}, {"send", EINTR},
	    {"send", ENOMEM}, {"poll", EINTR}, {"poll", ENOMEM},
	    {"sendmsg", ENOMEM}, {"waitid", EINTR}};

	(void)state;
	prepare();
	for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++) {
		trial.function = late[i].function;
		trial.error = late[i].error;
		trial.nth = 1;
		while (trial.nth < OCCURRENCES_MAX && try_once(use_start))
			trial.nth++;
		if (trial.nth == 1)
			fail_msg("%s is not called", trial.function);
	}
	assert_int_equal(findings, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    HELD(a_start_that_fails_late_leaves_no_holder),
	    HELD(a_session_of_a_program_survives_every_failure),
	    HELD(a_session_with_a_name_survives_every_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
