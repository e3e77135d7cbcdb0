/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_SECRET_H
#define W_MODULE_FORM_SECRET_H

#include "module/form.h"

/* Marks the parameters whose values the schema calls secret, in whole or in
 * part, and the form when that may be so of keys that it does not list. */
void w_form_mark_secrets(struct w_form *form, yyjson_val *schema);

#endif /* W_MODULE_FORM_SECRET_H */
