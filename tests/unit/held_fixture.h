/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_HELD_FIXTURE_H
#define TESTS_HELD_FIXTURE_H

/* Sessions with holders: helpers for their tests. Each test has a state
 * directory of its own, and leaves no holder. */

#include "session_fixture.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "run/helper/holder_protocol.h"

static writ_config *held_config;
static char state_dir[300];

static inline int
open_held(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=h%dx", getpid());
	temp_open(&temp);
	fds_before = count_fds();
	(void)snprintf(project, sizeof(project), "%s/project", temp.path);
	(void)snprintf(state_dir, sizeof(state_dir), "%s/state", temp.path);
	assert_int_equal(mkdir(project, 0755), 0);
	assert_int_equal(writ_config_new(&held_config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(held_config, "state_dir", state_dir, NULL),
	    WRIT_OK);
	options.config = held_config;
	options.base = project;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	return 0;
}

static inline void
end_it(void *ctx, const writ_session_info *info)
{
	(void)ctx;
	(void)writ_session_end(held_config, info->name, true, NULL, NULL);
}

static inline int
close_held(void **state)
{
	writ_session_close(session);
	session = NULL;
	(void)writ_session_list(held_config, end_it, NULL, NULL);
	writ_config_free(held_config);
	return tear_down(state);
}

#define HELD(test) cmocka_unit_test_setup_teardown(test, open_held, close_held)

static inline writ_status
start_held(const char *name, writ_error *err)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;

	options.name = name;
	return writ_session_start(engine, &options, NULL, err);
}

/* Starts it, and fails the test if that does not work. */
static inline void
begin_held(const char *name)
{
	writ_error err = {0};

	if (start_held(name, &err) != WRIT_OK)
		fail_msg("%s (%s)", err.message, err.suggestion);
}

static inline writ_session *
join_held(const char *name)
{
	writ_session *joined = NULL;
	writ_error err = {0};

	if (writ_session_join(engine, name, NULL, &joined, &err) != WRIT_OK)
		fail_msg("%s (%s)", err.message, err.suggestion);
	return joined;
}

static inline void
take_pid(void *ctx, const writ_session_info *info)
{
	*(int *)ctx = info->pid;
}

/* A pidfd of its holder. */
static inline int
holder_of(const char *name)
{
	int pid = 0;

	assert_int_equal(
	    writ_session_find(held_config, name, take_pid, &pid, NULL),
	    WRIT_OK);
	assert_true(pid > 0);
	const int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	assert_true(pidfd >= 0);
	return pidfd;
}

static inline void
signal_holder(const char *name, int sig)
{
	const int pidfd = holder_of(name);

	assert_int_equal(
	    syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0), 0);
	(void)close(pidfd);
}

/* Waits until a process has ended. */
static inline void
await_gone(int pidfd)
{
	struct pollfd gone = {.fd = pidfd, .events = POLLIN};

	assert_int_equal(poll(&gone, 1, 60000), 1);
	(void)close(pidfd);
}

/* A socket in the directory of the sessions: bound, or connected. */
static inline int
plug(const char *name, bool is_bound)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char path[400];
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	(void)snprintf(path, sizeof(path), "%s/held", state_dir);
	const int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0 && dir >= 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path),
	    "/proc/self/fd/%d/%s", dir, name);
	if (is_bound) {
		assert_int_equal(bind(fd, (const struct sockaddr *)&address,
				     sizeof(address)),
		    0);
		assert_int_equal(listen(fd, 8), 0);
	} else {
		assert_int_equal(connect(fd, (const struct sockaddr *)&address,
				     sizeof(address)),
		    0);
	}
	(void)close(dir);
	return fd;
}

#endif /* TESTS_HELD_FIXTURE_H */
