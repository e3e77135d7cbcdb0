/* SPDX-License-Identifier: Apache-2.0 */

/* What a session is: the terminal session, told apart from a later one of the
 * same number by when its leader was started. */

#include <stdio.h>
#include <unistd.h>

#include "engine/approval/approval_validity.h"
#include "engine/approval/approvals.h"
#include "os/proc.h"

enum {
	BOOT_CHARS = 8
};

void
w_session_id(char out_id[64])
{
	struct w_pidref self;
	const pid_t leader = getsid(0);
	uint64_t ticks = 0;

	w_pidref_of_self(&self);
	/* A leader that has ended leaves its number to the session. */
	if (leader <= 0 || w_proc_start(leader, &ticks) != 0)
		ticks = 0;
	(void)snprintf(out_id, 64, "%d-%llu-%.*s-%llu", (int)leader,
	    (unsigned long long)ticks, BOOT_CHARS, self.boot,
	    (unsigned long long)self.pidns);
}
