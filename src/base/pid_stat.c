/* SPDX-License-Identifier: Apache-2.0 */

/* The fields of /proc/PID/stat: see proc(5). */

#include "base/pid_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool
w_pid_stat_parse(const char *text, struct w_pid_stat *out_stat)
{
	struct w_pid_stat stat;
	uint64_t ticks[4];
	/* The name is in parentheses and may have any byte in it, also ')'. */
	const char *at = strrchr(text, ')');

	/* State and parent are the fields 3 and 4, the four times 14 to 17,
	 * the start 22. */
	if (at == NULL ||
	    sscanf(at + 1,
		" %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64
		" %" SCNu64 " %" SCNu64 " %" SCNu64 " %*s %*s %*s %*s %" SCNu64,
		&stat.state, &stat.parent, &ticks[0], &ticks[1], &ticks[2],
		&ticks[3], &stat.start_ticks) != 7)
		return false;
	stat.cpu_ticks = ticks[0] + ticks[1] + ticks[2] + ticks[3];
	*out_stat = stat;
	return true;
}
