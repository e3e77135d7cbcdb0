/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Waits for runs of other processes, with a status line and Ctrl-C.
 */

#include "cli/run/waiter.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/output/signals.h"

/* The interval between checks for Ctrl-C. */
#define SLICE_MS 100

void
w_waiter_init(struct w_waiter *waiter, bool is_wanted)
{
	const bool is_shown = is_wanted && isatty(STDERR_FILENO) == 1;

	w_writer_init(&waiter->writer, STDERR_FILENO);
	w_status_line_init(&waiter->line, &waiter->writer, 0, is_shown);
	waiter->line.verb = "waiting";
	waiter->line.advice = "Ctrl-C stops waiting, not the run";
	/* Without a status line there is nothing to wipe: keep the default
	 * action of signals. */
	waiter->signal_fd = is_shown ? w_signals_open(NULL) : -1;
}

void
w_waiter_done(struct w_waiter *waiter)
{
	w_status_line_done(&waiter->line);
	w_writer_done(&waiter->writer);
	w_close(&waiter->signal_fd);
}

int
w_waiter_slice_ms(const struct w_waiter *waiter, int left_ms)
{
	if (waiter->signal_fd < 0)
		return left_ms;
	return left_ms < 0 || left_ms > SLICE_MS ? SLICE_MS : left_ms;
}

int
w_waiter_tick(struct w_waiter *waiter)
{
	struct signalfd_siginfo info;

	if (waiter->signal_fd < 0)
		return 0;
	while (read(waiter->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			return (int)info.ssi_signo;
	}
	w_status_line_tick(&waiter->line);
	return 0;
}
