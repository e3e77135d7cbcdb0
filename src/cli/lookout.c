/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Waiting in front of a terminal.
 */

#include "cli/lookout.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/signals.h"

/* How long Ctrl-C may seem to do nothing. */
#define SLICE_MS 100

void
w_lookout_init(struct w_lookout *lookout, bool is_wanted)
{
	const bool is_shown = is_wanted && isatty(STDERR_FILENO) == 1;

	w_outlet_init(&lookout->outlet, STDERR_FILENO);
	w_status_line_init(&lookout->line, &lookout->outlet, 0, is_shown);
	lookout->line.verb = "waiting";
	lookout->line.advice = "Ctrl-C stops waiting, not the run";
	/* Without signals to read there is a line less to be wiped. */
	lookout->signal_fd = is_shown ? w_signals_open(NULL) : -1;
}

void
w_lookout_done(struct w_lookout *lookout)
{
	w_status_line_done(&lookout->line);
	w_outlet_done(&lookout->outlet);
	w_close(&lookout->signal_fd);
}

int
w_lookout_slice_ms(const struct w_lookout *lookout, int left_ms)
{
	if (lookout->signal_fd < 0)
		return left_ms;
	return left_ms < 0 || left_ms > SLICE_MS ? SLICE_MS : left_ms;
}

int
w_lookout_tick(struct w_lookout *lookout)
{
	struct signalfd_siginfo info;

	if (lookout->signal_fd < 0)
		return 0;
	while (read(lookout->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			return (int)info.ssi_signo;
	}
	w_status_line_tick(&lookout->line);
	return 0;
}
