/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EVAL_H
#define W_EXPR_EVAL_H

#include "expr/parse/expr_tree.h"

/* What one evaluation may take from its arena. */
#define W_EXPR_MEMORY_MAX ((size_t)64 << 20)

/* One evaluation. */
struct w_eval {
	const struct w_expr *expr;
	const struct w_expr_scope *scope;
	struct w_arena *arena;
	writ_error *err;
	size_t steps;                  /* that are left */
	size_t memory;                 /* likewise */
	const struct w_value *element; /* what # is; NULL: outside */
};

writ_status w_eval_node(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value);

/* Refuses, with the place of the node. The text must show no secret. */
#define w_eval_fail(eval, node, ...)                                        \
	(w_fail((eval)->err, WRIT_E_INVALID, W_EXPR_STAGE, 0, __VA_ARGS__), \
	    w_eval_locate(eval, node))
writ_status w_eval_locate(
    const struct w_eval *eval, const struct w_expr_node *node);

/* Counts that much work. */
writ_status w_eval_spend(
    struct w_eval *eval, const struct w_expr_node *node, size_t steps);

/* Memory of the arena, zeroed, in *out. */
writ_status w_eval_alloc(struct w_eval *eval, const struct w_expr_node *node,
    size_t count, size_t size, void *out);

/* Room for a text and its NUL. */
writ_status w_eval_text(struct w_eval *eval, const struct w_expr_node *node,
    size_t len, char **out_text);

/* A text of its own. */
writ_status w_eval_copy(struct w_eval *eval, const struct w_expr_node *node,
    const char *from, size_t len, struct w_value *out_text);

/* Whether a secret is in it. */
writ_status w_eval_taint(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, bool *io_is_secret);

/* Marks what was computed from a secret. */
writ_status w_eval_mark(struct w_eval *eval, const struct w_expr_node *node,
    bool is_secret, struct w_value *io_value);

/* The value as the text that a template puts in its place. */
writ_status w_eval_as_text(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, struct w_value *out_text);

/* Evaluates an expression for a template: the value as a text, with its marks,
 * also those of its parts. */
writ_status w_eval_for_text(const struct w_expr *expr,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err);

/* operators, by file */
writ_status w_eval_access(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value);
writ_status w_eval_arithmetic(struct w_eval *eval,
    const struct w_expr_node *node, const struct w_value *left,
    const struct w_value *right, struct w_value *out_value);
writ_status w_eval_compare(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value);

/* ---- functions ---- */

typedef writ_status (*w_function_run)(struct w_eval *eval,
    const struct w_expr_node *call, const struct w_value *args,
    struct w_value *out_value);

/* One that takes its arguments as they are written. */
typedef writ_status (*w_function_lazy)(struct w_eval *eval,
    const struct w_expr_node *call, struct w_value *out_value);

struct w_expr_function {
	const char *name;
	unsigned min;
	unsigned max;
	/* Its result tells what marks the parts of its arguments carry by
	 * having these parts, or does not depend on them: only a mark on a
	 * whole argument goes over. */
	bool is_structural;
	bool has_predicate; /* its second argument */
	unsigned uses;
	w_function_run run;   /* this */
	w_function_lazy lazy; /* or that */
};

#define W_FUNCTION_ARGS_MAX 16

const struct w_expr_function *w_function_find(const char *name, size_t len);

/* The name that was meant; NULL: none is near. */
const char *w_function_nearest(const char *name);

writ_status w_function_call(struct w_eval *eval, const struct w_expr_node *call,
    struct w_value *out_value);

/* Refuses an argument that is not of the kind; which is from 0. */
writ_status w_function_want(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, unsigned which, enum w_value_kind kind);

#define W_FUNCTION(name)                                                \
	writ_status w_function_##name(struct w_eval *eval,              \
	    const struct w_expr_node *call, const struct w_value *args, \
	    struct w_value *out_value)
#define W_FUNCTION_LAZY(name)                              \
	writ_status w_function_##name(struct w_eval *eval, \
	    const struct w_expr_node *call, struct w_value *out_value)

/* function_value.c */
W_FUNCTION(raw);
W_FUNCTION(sensitive);
W_FUNCTION(file);
W_FUNCTION(string);
W_FUNCTION(int);
W_FUNCTION(float);
W_FUNCTION(to_json);
W_FUNCTION(from_json);
W_FUNCTION_LAZY(default);
/* function_number.c */
W_FUNCTION(abs);
W_FUNCTION(round);
W_FUNCTION(min);
W_FUNCTION(max);
/* function_text.c */
W_FUNCTION(upper);
W_FUNCTION(lower);
W_FUNCTION(trim);
W_FUNCTION(split);
W_FUNCTION(join);
W_FUNCTION(replace);
/* function_list.c */
W_FUNCTION(len);
W_FUNCTION(keys);
W_FUNCTION(values);
W_FUNCTION(first);
W_FUNCTION(last);
W_FUNCTION(sort);
W_FUNCTION(unique);
/* predicate.c */
W_FUNCTION_LAZY(all);
W_FUNCTION_LAZY(any);
W_FUNCTION_LAZY(none);
W_FUNCTION_LAZY(one);
W_FUNCTION_LAZY(count);
W_FUNCTION_LAZY(filter);
W_FUNCTION_LAZY(map);
/* function_lookup.c */
W_FUNCTION_LAZY(lookup);

/* What looking a path up may ask for, when it is known before: uses bits. */
unsigned w_function_lookup_uses(const struct w_expr_node *path);

#endif /* W_EXPR_EVAL_H */
