/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_PID_STAT_H
#define W_BASE_PID_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* What is used of /proc/PID/stat. Ticks are those of sysconf(_SC_CLK_TCK). */
struct w_pid_stat {
	char state;
	int parent;           /* 0: none that can be seen */
	uint64_t cpu_ticks;   /* including children it has waited for */
	uint64_t start_ticks; /* since boot */
};

/* Reads the text of that file. false: it is another text. */
bool w_pid_stat_parse(const char *text, struct w_pid_stat *out_stat);

/* Whether the process has ended, and only its status is left. */
static inline bool
w_pid_stat_is_zombie(const struct w_pid_stat *stat)
{
	return stat->state == 'Z' || stat->state == 'X';
}

#endif /* W_BASE_PID_STAT_H */
