/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ENDING_H
#define W_CLI_ENDING_H

#include "cli/runs.h"

/* One run that is to end, and what became of that. */
struct w_ending {
	struct w_run_facts facts; /* at first only the id, or what stands for
				     it */
	bool is_found;
	bool is_signalled;
	bool is_gone;
	writ_error err; /* unless it is gone */
};

/* Finds the run; one that is over cannot be ended. */
void w_ending_find(struct w_ending *target, writ_audit *audit);

/* Tells it to end; is_now: without its grace time. */
void w_ending_tell(struct w_ending *target, writ_audit *audit, bool is_now);

/* Waits until it is gone, for its grace time and some more. */
void w_ending_await(struct w_ending *target, writ_audit *audit, bool is_now);

#endif /* W_CLI_ENDING_H */
