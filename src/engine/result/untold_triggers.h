/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_UNTOLD_TRIGGERS_H
#define W_ENGINE_UNTOLD_TRIGGERS_H

#include <writ/result.h>

/* Keeps the triggers of a run for a person who has not seen its result:
 * `writ` shows them on the next terminal. The audit record has them in any
 * case. */
void w_untold_triggers_add(const char *state_dir, const writ_result *result);

#endif /* W_ENGINE_UNTOLD_TRIGGERS_H */
