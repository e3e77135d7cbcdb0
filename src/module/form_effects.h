/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_EFFECTS_H
#define W_MODULE_FORM_EFFECTS_H

#include "module/form.h"

#define W_EFFECTS_ALL ((1U << W_EFFECT_COUNT) - 1)

/* Every effect that some argv of this form could have. What can run any
 * command, or of which nobody has said what it does, can have all of them. */
unsigned w_form_effects(const struct w_form *form);

#endif /* W_MODULE_FORM_EFFECTS_H */
