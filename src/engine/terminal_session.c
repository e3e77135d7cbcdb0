/* SPDX-License-Identifier: Apache-2.0 */

/* A session is the terminal session. The start time of its leader tells it
 * from a later session with the same id. */

#include <stdio.h>
#include <unistd.h>

#include "engine/approval/approval_validity.h"
#include "engine/approval/approvals.h"
#include "os/proc.h"

enum {
	BOOT_CHARS = 8
};

void
w_tty_session_id(char out_id[64])
{
	struct w_pidref self;
	const pid_t leader = getsid(0);
	uint64_t ticks = 0;

	w_pidref_of_self(&self);
	/* The id of a leader that has ended stays in use by the session. */
	if (leader <= 0 || w_proc_start(leader, &ticks) != 0)
		ticks = 0;
	(void)snprintf(out_id, 64, "%d-%llu-%.*s-%llu", (int)leader,
	    (unsigned long long)ticks, BOOT_CHARS, self.boot,
	    (unsigned long long)self.pidns);
}
