/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_BLOCK_TEMPLATE_H
#define W_EXPR_BLOCK_TEMPLATE_H

#include "expr/expr.h"

/*
 * A text with blocks: the content of a file, made from data.
 *
 *     {% for site in Data.sites %}
 *     listen {{ site.port }};
 *     {% else %}
 *     # no site
 *     {% endfor %}
 *
 *     {% if EXPR %} {% elif EXPR %} {% else %} {% endif %}
 *     {% for NAME in EXPR %} {% for KEY, VALUE in EXPR %}
 *     {% set NAME = EXPR %} {% raw %} {% endraw %} {# a comment #}
 *
 * In the Jet syntax these are [[ range ]], [[ if ]], [[ else if ]], [[ else ]],
 * [[ end ]], [[ NAME := EXPR ]] and [[ EXPR ]], where . is the element.
 *
 * A line that has only a block or a comment is left out as a whole; a '-'
 * inside a sign ({%- -%}) takes the blanks and line ends beside it. What is
 * filled in is data and never read again. Loops go through lists and maps that
 * are there, so that filling in ends; it is limited in steps and memory.
 */
enum w_block_syntax {
	W_BLOCK_PLAIN,
	W_BLOCK_JET,
};
#define W_BLOCK_DEPTH_MAX 16
#define W_BLOCK_STEPS_MAX (10 * (size_t)W_EXPR_STEPS_MAX)

struct w_block_template; /* lives in its arena; borrows the text */

/* Errors have a position in the text, from 1. The text is NUL-terminated. */
writ_status w_block_parse(struct w_arena *arena, const char *text, size_t len,
    enum w_block_syntax syntax, const struct w_block_template **out_template,
    writ_error *err);

/* The text; marked as secret if a secret went into it, or decided about it. */
writ_status w_block_fill(const struct w_block_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err);

/* Reads a file by the scope and fills it in: in the Jet syntax if its name ends
 * in ".jet". Errors in the file have its name and place in the message. */
writ_status w_block_fill_file(const char *path,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err);

#endif /* W_EXPR_BLOCK_TEMPLATE_H */
