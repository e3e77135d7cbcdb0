/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_DENIAL_TEXT_H
#define W_MANIFEST_DENIAL_TEXT_H

#include <writ/engine.h>

#include "base/buf.h"
#include "base/error.h"

/* Appends the library's message; for a policy denial with the place of the
 * rule: "... (rule /etc/writ/policy.yaml:6:5)". To be called before the
 * engine's next request. */
void w_manifest_denial_add_text(
    struct w_buf *buf, const writ_engine *engine, const writ_error *error);

#endif /* W_MANIFEST_DENIAL_TEXT_H */
