/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PREPARE_SANDBOX_H
#define W_RUN_PREPARE_SANDBOX_H

#include "run/resolve/environ.h"
#include "run/resolve/prepare.h"

/* Steps of w_run_apply_profile(). */

/* Finds the sandbox, and a private directory if it has no view. */
writ_status w_prepare_sandbox(struct w_prepared *prepared,
    writ_request *request, const struct w_prepare_context *context,
    writ_error *err);

/* Sets HOME and TMPDIR in *sources. */
writ_status w_prepare_home(struct w_prepared *prepared,
    const writ_request *request, const struct w_prepare_context *context,
    struct w_environ_sources *sources, writ_error *err);

/* Fails unless the sandbox shows its command the program and the working
 * directory. */
writ_status w_prepare_check_visible(
    struct w_prepared *prepared, writ_error *err);

#endif /* W_RUN_PREPARE_SANDBOX_H */
