/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_UNTOLD_TRIGGERS_H
#define W_ENGINE_UNTOLD_TRIGGERS_H

#include <writ/result.h>

/* Notes the triggers of a run for the person, who has not seen its result:
 * `writ` tells of them on the next terminal. The record has them in any case.
 */
void w_untold_triggers_add(const char *state_dir, const writ_result *result);

#endif /* W_ENGINE_UNTOLD_TRIGGERS_H */
