/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_EFFECTS_H
#define W_MODULE_FORM_EFFECTS_H

#include "module/form.h"

#define W_EFFECTS_ALL ((1U << W_EFFECT_COUNT) - 1)

/*
 * Every effect that some argv of this form could have by what the command is
 * for: for annotations, which are hints. What can run any command, or of which
 * nobody has said what it does, can have all of them. Left out are options of
 * the levels above a sub-command, and what the description calls incidental.
 */
unsigned w_form_purpose(const struct w_form *form);

#endif /* W_MODULE_FORM_EFFECTS_H */
