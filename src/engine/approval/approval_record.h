/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_RECORD_H
#define W_ENGINE_APPROVAL_RECORD_H

#include "engine/approval/approval.h"
#include "engine/config/config_state.h"

/* Writes the record of an answer that is about to be given, on the disk when
 * this returns. Fails when it cannot be written, unless the settings say that
 * this is no reason. */
writ_status w_approval_record_answer(
    const writ_config *config, const struct w_approval *item, writ_error *err);

/* Likewise that a form was closed which no person had answered; item->reply
 * says by what, and why nobody is believed to have answered. */
writ_status w_approval_record_closed(
    const writ_config *config, const struct w_approval *item, writ_error *err);

/* Likewise that a grant was taken back. */
writ_status w_approval_record_revoked(
    const writ_config *config, const char *id, writ_error *err);

#endif /* W_ENGINE_APPROVAL_RECORD_H */
