/* SPDX-License-Identifier: Apache-2.0 */

/* Tells whether a process is still the one that wrote a record. */

#include "audit/query/liveness.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* State is field 3 of stat, the start time in ticks since boot field 22; the
 * name before them may contain anything. */
static bool
parse_stat(const char *stat, char *out_state, uint64_t *out_ticks)
{
	const char *at = strrchr(stat, ')');

	return at != NULL &&
	       sscanf(at + 1,
		   " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
		   "%*d %*d %*d %*d %*d %" SCNu64,
		   out_state, out_ticks) == 2;
}

writ_run_state
w_liveness_state(
    const struct w_liveness *view, int pid, uint64_t pidns, uint64_t begin_us)
{
	char path[320];
	char stat[1024];
	char state;
	uint64_t ticks;

	if (pid <= 0 || view->pidns == 0 || pidns != view->pidns)
		return WRIT_RUN_UNKNOWN;
	(void)snprintf(path, sizeof(path), "%s/%d/stat", view->proc, pid);
	ssize_t len = w_file_read_at(AT_FDCWD, path, stat, sizeof(stat));
	if (len == -ENOENT || len == -ESRCH)
		/* /proc may hide other users' processes: kill() only tells
		 * that one exists. */
		return kill(pid, 0) == 0 || errno == EPERM ? WRIT_RUN_UNKNOWN
							   : WRIT_RUN_LOST;
	if (len <= 0 || !parse_stat(stat, &state, &ticks))
		return WRIT_RUN_UNKNOWN;
	if (state == 'Z' || state == 'X')
		return WRIT_RUN_LOST;
	uint64_t start_us =
	    view->boot_us + ticks * US_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	return start_us <= begin_us + view->slack_us ? WRIT_RUN_RUNNING
						     : WRIT_RUN_LOST;
}
