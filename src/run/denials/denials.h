/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIALS_H
#define W_RUN_DENIALS_H

#include "run/denials/denial_context.h"
#include "run/launch/run_sandbox.h"
#include "run/result/run_result.h"

/*
 * Records what the sandbox of one run denies, while it runs.
 *
 * The seccomp filter of such a run suspends each call that the sandbox might
 * deny and notifies us. We look at its arguments, record what will be denied
 * and let the call continue, for the kernel to decide; or return the error that
 * the plain filter has for it. Our answer never allows anything.
 */
struct w_denials;

struct seccomp_notif;
struct seccomp_notif_resp;

/* sandbox and storage must outlive it. */
writ_status w_denials_new(const struct w_run_sandbox *sandbox,
    const char *state_dir, struct w_run_result *storage,
    struct w_denials **out_denials, writ_error *err);

/* What the sandbox denies, as long as the denials live. */
const struct w_denial_context *w_denials_context(
    const struct w_denials *denials);
void w_denials_free(struct w_denials *denials);

/* Looks at a call that came from the listener fd, and answers it. */
void w_denials_answer(struct w_denials *denials, int fd,
    const struct seccomp_notif *notif, struct seccomp_notif_resp *resp);

#endif /* W_RUN_DENIALS_H */
