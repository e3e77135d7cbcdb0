/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_TEMPLATE_H
#define W_EXPR_TEMPLATE_H

#include "expr/expr.h"

/*
 * Text with expressions in it: {{ EXPR }} and ${ EXPR }. {{{{ stands for {{
 * and $${ for ${. Whatever opens must close.
 *
 * A template is read once and filled in once: what an expression brings is
 * data and never looked at again. And it is filled in for a purpose, so that
 * data stays data there too:
 *
 *   text     one text
 *   value    a text, or what the one expression is that it consists of
 *   words    an argv: the literal parts are split by the rules of
 *            base/words.h first, so that a value is a part of one word,
 *            whatever is in it
 *   shell    a text for sh: a value is quoted so that sh reads it back as it
 *            was, wherever in quotes it stands; where that cannot be done
 *            (backticks, here-documents, $((…)), comments) it is refused.
 *            raw(x) goes in as it stands
 *
 * Secrets do not go into words and shell texts: every user of the machine can
 * read the arguments of a process. The error says so, and what to use instead.
 */
struct w_template {
	const char *text; /* as it was written; borrowed */
	size_t len;
	const struct w_template_part *parts; /* NULL: not parsed */
	size_t count;  /* 0: it is its text as that stands */
	unsigned uses; /* of all its expressions */
};

struct w_template_part {
	const char *literal; /* its text; NULL: an expression */
	size_t len;
	const struct w_expr *expr;
	size_t offset; /* where in the text of the template it stands */
};

/* Errors have the place in the text, from 1. The text must outlive it, and
 * have a NUL behind it. */
writ_status w_template_parse(struct w_arena *arena, const char *text,
    size_t len, struct w_template *out_template, writ_error *err);

/* It has no expression: its text is the same each time, and w_template_text()
 * needs no scope. That is not always how it was written: there are escapes. */
bool w_template_is_plain(const struct w_template *template);

writ_status w_template_text(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err);
writ_status w_template_value(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_value, writ_error *err);

/* *out_words is NULL-ended and lives in the arena. An empty text has no word.
 * Quotes that are not closed are refused with their place. */
writ_status w_template_words(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char *const **out_words, writ_error *err);
writ_status w_template_shell(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char **out_text, writ_error *err);

/* Refuses what w_template_shell() would refuse for any value, before there are
 * values. Nothing behind a raw() is looked at. */
writ_status w_template_check_shell(
    const struct w_template *template, writ_error *err);

/* Fills in all texts of a tree, recursively; keys are left alone. */
writ_status w_template_tree(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    writ_error *err);

/* Likewise. On failure *out_val is the text that the place is in, or NULL. */
writ_status w_template_tree_at(struct w_arena *arena, yyjson_val *val,
    const struct w_expr_scope *scope, struct w_value *out_value,
    yyjson_val **out_val, writ_error *err);

#endif /* W_EXPR_TEMPLATE_H */
