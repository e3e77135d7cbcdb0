/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_TEMPLATE_FILL_H
#define W_EXPR_TEMPLATE_FILL_H

#include "expr/template/template.h"

#define W_TEMPLATE_STAGE "template"

/* Renders all parts into the arena; *out_len is their total length,
 * W_VALUE_TEXT_MAX at most. */
writ_status w_template_fill(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value **out_texts, size_t *out_len, writ_error *err);

/* Fails with the position of that offset. */
writ_status w_template_refuse(const struct w_template *template, size_t offset,
    writ_error *err, const char *what);

/* Fails if a secret would be visible to every user of the machine. */
writ_status w_template_check_secret(const struct w_template *template,
    const struct w_value *texts, writ_error *err);

#endif /* W_EXPR_TEMPLATE_FILL_H */
