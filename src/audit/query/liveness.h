/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_LIVENESS_H
#define W_AUDIT_LIVENESS_H

#include <stdint.h>

#include <writ/audit.h>

/*
 * Whether the process that wrote a begin record still lives.
 *
 * A number alone does not tell: it is used again. The process that has it now
 * is the one meant if it lives in the same pid namespace and had started when
 * the record was written.
 */
struct w_liveness {
	const char *proc;  /* "/proc" */
	uint64_t pidns;    /* that of the reader; 0: not known */
	uint64_t boot_us;  /* when this machine started, since 1970 */
	uint64_t slack_us; /* how far the clock may have been set since */
};

#define W_LIVENESS_SLACK_US UINT64_C(2000000)

/* The machine as it is now. */
void w_liveness_init(struct w_liveness *view);

/* WRIT_RUN_RUNNING, _LOST or _UNKNOWN. */
writ_run_state w_liveness_state(
    const struct w_liveness *view, int pid, uint64_t pidns, uint64_t begin_us);

#endif /* W_AUDIT_LIVENESS_H */
