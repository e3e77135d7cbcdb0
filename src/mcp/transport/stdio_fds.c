/* SPDX-License-Identifier: Apache-2.0 */
/* Takes over the process's standard input and output. */
#include "mcp/transport/stdio_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/transport/line_writer.h"

#define STAGE "mcp"

enum {
	FIRST_FREE_FD = 3
};

static writ_status
move(int fd, const char *name, int *out_fd, writ_error *err)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);

	if (moved < 0) {
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot use %s", name);
	}
	*out_fd = moved;
	return WRIT_OK;
}

/* Descriptors 0 and 1 stay occupied, so that no file opened later gets one. */
static writ_status
fill_gaps(writ_error *err)
{
	W_AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    (dup2(STDERR_FILENO, STDOUT_FILENO) < 0 &&
		dup2(null, STDOUT_FILENO) < 0)) {
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot replace the standard descriptors");
	}
	return WRIT_OK;
}

static writ_status
stdio_fds_open_signals(struct w_stdio_fds *fds, writ_error *err)
{
	sigset_t wanted;

	(void)sigemptyset(&wanted);
	(void)sigaddset(&wanted, SIGTERM);
	(void)sigaddset(&wanted, SIGINT);
	(void)sigaddset(&wanted, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &wanted, &fds->mask) == 0)
		fds->signals =
		    signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fds->signals < 0) {
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot listen to signals");
	}

	/* A closed reader is noticed as EPIPE. */
	(void)signal(SIGPIPE, SIG_IGN);
	return WRIT_OK;
}

static writ_status
open_all(struct w_stdio_fds *fds, writ_error *err)
{
	writ_status status =
	    move(STDIN_FILENO, "standard input", &fds->in, err);
	if (status == WRIT_OK)
		status = move(STDOUT_FILENO, "standard output", &fds->out, err);
	if (status == WRIT_OK)
		status = fill_gaps(err);
	if (status == WRIT_OK)
		status = stdio_fds_open_signals(fds, err);
	/* A parent in another PID namespace (0) cannot be watched; its death is
	 * still noticed by the end of the input. */
	const pid_t parent = getppid();
	if (status == WRIT_OK && parent > 0)
		fds->parent = (int)syscall(SYS_pidfd_open, parent, 0);
	return status;
}

writ_status
w_stdio_fds_open(struct w_stdio_fds *fds, writ_error *err)
{
	*fds = (struct w_stdio_fds){
	    .in = -1, .out = -1, .signals = -1, .parent = -1};

	writ_status status = open_all(fds, err);
	if (status != WRIT_OK)
		w_stdio_fds_close(fds);
	else
		w_line_writer_own(&fds->in, O_RDONLY);
	return status;
}

void
w_stdio_fds_close(struct w_stdio_fds *fds)
{
	if (fds->signals >= 0)
		(void)sigprocmask(SIG_SETMASK, &fds->mask, NULL);
	w_close(&fds->in);
	w_close(&fds->out);
	w_close(&fds->signals);
	w_close(&fds->parent);
}
