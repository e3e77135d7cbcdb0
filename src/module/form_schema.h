/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_SCHEMA_H
#define W_MODULE_FORM_SCHEMA_H

#include "module/form.h"

/* The input schema that a form is: with types, limits, words and the keywords
 * by which w_form_new() makes a form of it that renders the same. The texts are
 * those of the form, which must outlive the document. NULL: no memory. */
yyjson_mut_val *w_form_schema(yyjson_mut_doc *doc, const struct w_form *form);

#endif /* W_MODULE_FORM_SCHEMA_H */
