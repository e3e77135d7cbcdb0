/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_RECORD_H
#define W_ENGINE_APPROVAL_RECORD_H

#include "engine/approval/approval.h"
#include "engine/config/config_state.h"

/* Records an answer before it is given, synced. Fails if it cannot be
 * written, unless the setting audit_failure says to go on. */
writ_status w_approval_record_answer(
    const writ_config *config, const struct w_approval *item, writ_error *err);

/* The same for a form that was closed without a person's answer; item->reply
 * says by what and why. */
writ_status w_approval_record_closed(
    const writ_config *config, const struct w_approval *item, writ_error *err);

/* The same for a revoked grant. */
writ_status w_approval_record_revoked(
    const writ_config *config, const char *id, writ_error *err);

#endif /* W_ENGINE_APPROVAL_RECORD_H */
