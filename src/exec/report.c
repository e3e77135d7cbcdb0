/* SPDX-License-Identifier: Apache-2.0 */

/* How a start through the helper went. */

#include "exec/report.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "exec/helper/protocol.h"

/* The helper answers within microseconds; a machine that swaps may need
 * longer, one that never answers must not hang the engine. */
enum {
	ANSWER_MS = 30000
};

int
w_report_await(int fd, struct w_report *out_report)
{
	struct pollfd poll_in = {.fd = fd, .events = POLLIN};
	struct w_tell told = {0};
	int ready;

	*out_report = (struct w_report){.step = W_STEP_EXEC};
	do {
		ready = poll(&poll_in, 1, ANSWER_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;

	ssize_t n = read(fd, &told, sizeof(told));
	/* Who ends before having read all of its orders resets the socket, and
	 * the kernel says that before what was told; the report is behind. */
	bool is_reset = n < 0 && errno == ECONNRESET;
	if (is_reset)
		n = read(fd, &told, sizeof(told));
	if (n == 0)
		return is_reset ? ENOTCONN : 0;
	if (n != (ssize_t)sizeof(told) || told.kind != W_TELL_FAILED)
		return EPROTO;
	out_report->step = (enum w_step)told.step;
	out_report->detail = told.detail;
	return told.sys_errno == 0 ? EPROTO : told.sys_errno;
}
