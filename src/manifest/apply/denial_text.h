/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_DENIAL_TEXT_H
#define W_MANIFEST_DENIAL_TEXT_H

#include <writ/engine.h>

#include "base/buf.h"
#include "base/error.h"

/* Appends what the library said; where the policy did not allow it, with the
 * place of the rule: "... (rule /etc/writ/policy.yaml:6:5)". The engine must
 * not have been asked anything since. */
void w_manifest_denial_add_text(
    struct w_buf *buf, const writ_engine *engine, const writ_error *error);

#endif /* W_MANIFEST_DENIAL_TEXT_H */
