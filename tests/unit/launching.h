/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_LAUNCHING_H
#define W_TEST_LAUNCHING_H

/* A shell command started under one hold, without a run around it. */

#include "leftovers.h"
#include "os/file.h"
#include "run/launch/launch.h"
#include "run/resolve/prepare.h"
#include "starting.h"

static inline const char *
mark_of_test(void)
{
	static char mark[48];

	(void)snprintf(
	    mark, sizeof(mark), "WRIT_TEST_MARK=m%dx", (int)getpid());
	return mark;
}

/* Starts the command with its streams at /dev/null but for standard output,
 * whose other end is *out_fd. WRIT_E_SANDBOX: no such hold here. */
static inline writ_status
launch_shell(struct w_launcher *launcher, const char *shell, writ_hold hold,
    struct w_tree *out_tree, int *out_fd)
{
	const char *const env[] = {mark_of_test(), NULL};
	writ_request request = WRIT_REQUEST_INIT;
	struct w_prepared prepared;
	const struct w_prepare_context context = {.launcher = launcher};
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC), write_end;

	request.shell = shell;
	request.env = env;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_int_equal(w_fd_raise(&null_fd), 0);
	assert_int_equal(w_fd_pipe(out_fd, &write_end, 0), 0);
	const struct w_launch launch = {
	    .program = &prepared.program,
	    .argv = prepared.argv.items,
	    .envp = prepared.env.items,
	    .cwd_fd = prepared.cwd_fd,
	    .stdio = {null_fd, write_end, null_fd},
	    .umask = -1,
	    .identity = &prepared.identity,
	    .hold = hold,
	};
	writ_status status = w_launch(launcher, &launch, out_tree, NULL);
	(void)close(null_fd);
	(void)close(write_end);
	w_prepared_done(&prepared);
	if (status != WRIT_OK)
		(void)close(*out_fd);
	return status;
}

/* Waits for the command to say that it is ready: one line. */
static inline void
await_line(int fd)
{
	char byte = 0;

	while (byte != '\n')
		assert_int_equal(read(fd, &byte, 1), 1);
}

#endif /* W_TEST_LAUNCHING_H */
