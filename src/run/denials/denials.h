/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIALS_H
#define W_RUN_DENIALS_H

#include "os/loop.h"
#include "run/launch/run_sandbox.h"
#include "run/result/run_result.h"

/*
 * What the walls of one run refuse, found out while it runs.
 *
 * The filter of such a run has each call that a wall might refuse wait for a
 * word from us. We look at what it asks for, note what will be refused and
 * let the call go on, for the kernel to decide; or give it the error that the
 * plain filter has for it. Our word never allows anything.
 */
struct w_denials;

/* The ward and the box must outlive it, as far as it listens. */
writ_status w_denials_new(const struct w_run_sandbox *sandbox,
    const char *state_dir, struct w_run_result *storage, struct w_loop *loop,
    struct w_denials **out_denials, writ_error *err);

/* Listens to the filter; takes the descriptor. false: the loop does not, and
 * the calls that wait fail with ENOSYS. */
bool w_denials_listen(struct w_denials *denials, int *fd);

/* Listens no longer: the processes are gone. NULL: nothing to do. */
void w_denials_stop(struct w_denials *denials);
void w_denials_free(struct w_denials *denials);

#endif /* W_RUN_DENIALS_H */
