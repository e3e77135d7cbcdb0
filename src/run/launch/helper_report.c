/* SPDX-License-Identifier: Apache-2.0 */

/* Waits for the result of a start through the helper. */

#include "run/launch/helper_report.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "run/helper/protocol.h"

/* The helper answers within microseconds. A machine that swaps may take longer,
 * but must not hang the engine. */
enum {
	ANSWER_MS = 30000
};

int
w_helper_report_await(int fd, struct w_helper_report *out_report)
{
	struct pollfd poll_in = {.fd = fd, .events = POLLIN};
	struct w_helper_event event = {0};
	int ready;

	*out_report = (struct w_helper_report){.step = W_STEP_EXEC};
	do {
		ready = poll(&poll_in, 1, ANSWER_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;

	ssize_t n = read(fd, &event, sizeof(event));
	/* A process that exits with unread data resets the socket. The kernel
	 * returns that error first, then the report. */
	bool is_reset = n < 0 && errno == ECONNRESET;
	if (is_reset)
		n = read(fd, &event, sizeof(event));
	if (n == 0)
		return is_reset ? ENOTCONN : 0;
	if (n != (ssize_t)sizeof(event) || event.kind != W_HELPER_EVENT_FAILED)
		return EPROTO;
	out_report->step = (enum w_step)event.step;
	out_report->detail = event.detail;
	return event.sys_errno == 0 ? EPROTO : event.sys_errno;
}
