/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_TEMPLATE_H
#define W_EXPR_TEMPLATE_H

#include <stdint.h>

#include "expr/expr.h"

/*
 * Text with expressions: {{ EXPR }} and ${ EXPR }. {{{{ is a literal {{ and $${
 * a literal ${. Every opening must be closed.
 *
 * A template is parsed once, and inserted values are never parsed again. It is
 * rendered for a purpose, so that values stay data:
 *
 *     text     one text
 *     value    a text; or the expression's value, if it is only one
 *     words    an argv: the literal parts are split by the rules of
 *              base/words.h first, so that a value always stays in one word
 *     shell    a command for sh: values are quoted for their place so that sh
 *              reads them unchanged; where that is impossible (backticks,
 *              here-documents, $((…)), comments) it fails. raw(x) is not quoted
 *
 * Secrets are not allowed in words and shell commands: every user of the
 * machine can read the arguments of a process. The error says what to use
 * instead.
 */
struct w_template {
	const char *text;                    /* as written; borrowed */
	const struct w_template_part *parts; /* NULL: not parsed */
	uint32_t len;
	uint16_t count; /* of parts; 0: the text is literal */
	uint16_t uses;  /* W_EXPR_USES_ of all expressions */
};

struct w_template_part {
	const char *literal; /* NULL: an expression */
	size_t len;
	const struct w_expr *expr;
	size_t offset; /* in the template */
};

/* Errors have a position, from 1. The text must outlive the template and be
 * NUL-terminated. */
writ_status w_template_parse(struct w_arena *arena, const char *text,
    size_t len, struct w_template *out_template, writ_error *err);

/* Whether it has no expression: then its text is constant and w_template_text()
 * needs no scope. It may still differ from what was written: there are escapes.
 */
bool w_template_is_plain(const struct w_template *template);

writ_status w_template_text(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err);
writ_status w_template_value(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_value, writ_error *err);

/* *out_words is NULL-ended and lives in the arena. An empty text has no words.
 * Unclosed quotes fail with their position. */
writ_status w_template_words(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char *const **out_words, writ_error *err);
writ_status w_template_shell(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char **out_text, writ_error *err);

/* Fails early where w_template_shell() would fail for any value. Nothing after
 * a raw() is checked. */
writ_status w_template_check_shell(
    const struct w_template *template, writ_error *err);

/* Renders all strings of a tree, recursively; keys stay. */
writ_status w_template_tree(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    writ_error *err);

/* The same. On failure *out_val is the string that the error is in, or NULL. */
writ_status w_template_tree_at(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    yyjson_val **out_val, writ_error *err);

#endif /* W_EXPR_TEMPLATE_H */
