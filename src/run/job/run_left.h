/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_LEFT_H
#define W_RUN_RUN_LEFT_H

#include "run/resolve/prepare.h"
#include "run/result/left_state.h"

struct writ_job;

/*
 * The directory and the variables that a shell leaves behind in a session.
 *
 * A bash reads the file of BASH_ENV before its text, and the one that a
 * session's views have writes both to a file in /tmp when it ends. Another
 * shell reads none: one that runs a text as the policy's shell gets the same
 * words before the text. What the policy judged, and what is recorded, stays
 * the text as it was sent.
 */

/* Sets the variables for it, if the request wants that, the program is a bash
 * with -c or runs the text of the request, and the run gets no more than the
 * session's walls. */
writ_status w_run_ask_state(
    struct w_prepared *prepared, const writ_request *request, writ_error *err);

/* Adds the variables that an earlier run left behind. A name that makes
 * programs run code, or that is set, is left out. */
writ_status w_run_add_state(struct w_prepared *prepared,
    const writ_request *request, w_left_state_risky_fn is_risky,
    writ_error *err);

/* Keeps what is needed to read it. false: no memory. */
bool w_run_keep_state(struct writ_job *job, const struct w_prepared *prepared);

/* Reads it into the result of an ended run. */
void w_run_take_state(struct writ_job *job);

#endif /* W_RUN_RUN_LEFT_H */
