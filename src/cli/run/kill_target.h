/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_KILL_TARGET_H
#define W_CLI_KILL_TARGET_H

#include "cli/run/recorded_run.h"

/* One run that is to be killed, and the result. */
struct w_kill_target {
	struct w_recorded_run recorded; /* at first only the id, as written */
	bool is_found;
	bool is_signalled;
	bool is_gone;
	writ_error err; /* valid unless is_gone */
};

/* Finds the run; fails if it has ended. */
void w_cli_kill_find(struct w_kill_target *target, writ_audit *audit);

/* Tells it to end. An MCP server ends its runs itself when it is asked. */
writ_status w_cli_kill_tell(const struct w_recorded_run *recorded,
    writ_audit *audit, const char *state_dir, bool is_now, writ_error *err);

/* Waits until it is gone: its grace time and some more. is_now: it was killed
 * without grace time. */
void w_cli_kill_await(
    struct w_kill_target *target, writ_audit *audit, bool is_now);

#endif /* W_CLI_KILL_TARGET_H */
