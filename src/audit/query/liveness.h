/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_LIVENESS_H
#define W_AUDIT_LIVENESS_H

#include <stdint.h>

#include <writ/audit.h>

/*
 * Whether the process that wrote a begin record is still alive.
 *
 * The pid alone does not tell: pids are reused. The process that has it now is
 * the same one if it is in the same pid namespace and had started before the
 * record was written.
 */
struct w_liveness {
	const char *proc;  /* "/proc" */
	uint64_t pidns;    /* the reader's; 0: unknown */
	uint64_t boot_us;  /* boot time, since 1970 */
	uint64_t slack_us; /* tolerance for clock changes since then */
};

#define W_LIVENESS_SLACK_US UINT64_C(2000000)

/* Fills it with the state of this machine. */
void w_liveness_init(struct w_liveness *view);

/* WRIT_RUN_RUNNING, _LOST or _UNKNOWN. */
writ_run_state w_liveness_state(
    const struct w_liveness *view, int pid, uint64_t pidns, uint64_t begin_us);

#endif /* W_AUDIT_LIVENESS_H */
