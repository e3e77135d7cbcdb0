/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_KILL_TARGET_H
#define W_CLI_KILL_TARGET_H

#include "cli/run/recorded_run.h"

/* One run that is to end, and what became of that. */
struct w_kill_target {
	struct w_recorded_run recorded; /* at first only the id, or what stands
				     for it */
	bool is_found;
	bool is_signalled;
	bool is_gone;
	writ_error err; /* unless it is gone */
};

/* Finds the run; one that is over cannot be ended. */
void w_cli_kill_find(struct w_kill_target *target, writ_audit *audit);

/* Tells it to end; is_now: without its grace time. */
void w_cli_kill_signal(
    struct w_kill_target *target, writ_audit *audit, bool is_now);

/* Waits until it is gone, for its grace time and some more. */
void w_cli_kill_await(
    struct w_kill_target *target, writ_audit *audit, bool is_now);

#endif /* W_CLI_KILL_TARGET_H */
