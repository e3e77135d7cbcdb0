/* SPDX-License-Identifier: Apache-2.0 */

/* Tells whether a process is still the one that wrote a record. */

#include "audit/query/liveness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pid_stat.h"
#include "os/file.h"
#include "os/loop.h"

#define US_PER_S UINT64_C(1000000)

void
w_liveness_init(struct w_liveness *view)
{
	struct stat st;

	*view = (struct w_liveness){
	    .proc = "/proc", .slack_us = W_LIVENESS_SLACK_US};
	if (stat("/proc/self/ns/pid", &st) == 0)
		view->pidns = st.st_ino;
	view->boot_us = w_boot_us();
}

writ_run_state
w_liveness_state(
    const struct w_liveness *view, int pid, uint64_t pidns, uint64_t begin_us)
{
	char path[320];
	char text[1024];
	struct w_pid_stat stat;

	if (pid <= 0 || view->pidns == 0 || pidns != view->pidns)
		return WRIT_RUN_UNKNOWN;
	(void)snprintf(path, sizeof(path), "%s/%d/stat", view->proc, pid);
	ssize_t len = w_file_read_at(AT_FDCWD, path, text, sizeof(text));
	if (len == -ENOENT || len == -ESRCH)
		/* /proc may hide other users' processes: kill() only tells
		 * that one exists. */
		return kill(pid, 0) == 0 || errno == EPERM ? WRIT_RUN_UNKNOWN
							   : WRIT_RUN_LOST;
	if (len <= 0 || !w_pid_stat_parse(text, &stat))
		return WRIT_RUN_UNKNOWN;
	if (w_pid_stat_is_zombie(&stat))
		return WRIT_RUN_LOST;
	uint64_t start_us = view->boot_us + stat.start_ticks * US_PER_S /
						(uint64_t)sysconf(_SC_CLK_TCK);
	return start_us <= begin_us + view->slack_us ? WRIT_RUN_RUNNING
						     : WRIT_RUN_LOST;
}
