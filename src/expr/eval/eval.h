/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EVAL_H
#define W_EXPR_EVAL_H

#include "expr/parse/expr_tree.h"

/* Memory limit of one evaluation. */
#define W_EXPR_MEMORY_MAX ((size_t)64 << 20)

/* State of one evaluation. */
struct w_eval {
	const struct w_expr *expr;
	const struct w_expr_scope *scope;
	struct w_arena *arena;
	writ_error *err;
	size_t steps;                  /* remaining */
	size_t memory;                 /* remaining bytes */
	const struct w_value *element; /* value of #, or NULL */
	size_t index;                  /* of the element */
	const struct w_value *total;   /* #acc, or NULL */
	struct w_value *locals;        /* of let; NULL: none yet */
	struct w_pattern *pattern;     /* the last one of matches, compiled */
	const char *pattern_text;
	unsigned depth; /* of template() */
};

/* Frees what an evaluation keeps outside of its arena. */
void w_eval_done(struct w_eval *eval);

writ_status w_eval_node(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value);

/* Fails with the position of the node. The text must show no secret. */
#define w_eval_fail(eval, node, ...)                                        \
	(w_fail((eval)->err, WRIT_E_INVALID, W_EXPR_STAGE, 0, __VA_ARGS__), \
	    w_eval_locate(eval, node))
writ_status w_eval_locate(
    const struct w_eval *eval, const struct w_expr_node *node);

/* Charges that many steps. */
writ_status w_eval_spend(
    struct w_eval *eval, const struct w_expr_node *node, size_t steps);

/* Zeroed arena memory in *out. */
writ_status w_eval_alloc(struct w_eval *eval, const struct w_expr_node *node,
    size_t count, size_t size, void *out);

/* Allocates a text and its NUL. */
writ_status w_eval_text(struct w_eval *eval, const struct w_expr_node *node,
    size_t len, char **out_text);

/* Copies a text. */
writ_status w_eval_copy(struct w_eval *eval, const struct w_expr_node *node,
    const char *from, size_t len, struct w_value *out_text);

/* Sets *io_is_secret if the value contains a secret. */
writ_status w_eval_taint(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, bool *io_is_secret);

/* Marks the value if it was computed from a secret. */
writ_status w_eval_mark(struct w_eval *eval, const struct w_expr_node *node,
    bool is_secret, struct w_value *io_value);

/* Converts the value to text, as a template inserts it. */
writ_status w_eval_as_text(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, struct w_value *out_text);

/* Evaluates an expression for a template: the value as text, marked if any part
 * is secret. */
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

/* Two numbers, or two strings by their bytes, like strcmp(). */
int w_eval_order(const struct w_value *a, const struct w_value *b);
bool w_eval_has_order(const struct w_value *a, const struct w_value *b);
writ_status w_eval_slice(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value);
writ_status w_eval_range(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *left, const struct w_value *right,
    struct w_value *out_value);
writ_status w_eval_matches(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *text, const struct w_value *pattern, bool *out_holds);

/* ---- functions ---- */

typedef writ_status (*w_function_run)(struct w_eval *eval,
    const struct w_expr_node *call, const struct w_value *args,
    struct w_value *out_value);

/* A function that evaluates its arguments itself. */
typedef writ_status (*w_function_lazy)(struct w_eval *eval,
    const struct w_expr_node *call, struct w_value *out_value);

struct w_expr_function {
	const char *name;
	unsigned min;
	unsigned max;
	/* The result carries the marks of the parts it contains, or does not
	 * depend on the parts: only a mark on a whole argument is passed on. */
	bool is_structural;
	bool has_predicate; /* the second argument is a predicate */
	unsigned uses;
	w_function_run run;   /* for evaluated arguments */
	w_function_lazy lazy; /* or this */
};

#define W_FUNCTION_ARGS_MAX 16

const struct w_expr_function *w_function_find(const char *name, size_t len);

/* The nearest function name; NULL: none is near. */
const char *w_function_nearest(const char *name);

writ_status w_function_call(struct w_eval *eval, const struct w_expr_node *call,
    struct w_value *out_value);

/* Fails unless the argument (from 0) has the kind. */
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
W_FUNCTION(type);
W_FUNCTION(to_base64);
W_FUNCTION(from_base64);
/* function_clock.c */
W_FUNCTION(now);
/* function_check.c */
W_FUNCTION(is_ip);
W_FUNCTION(is_ipv4);
W_FUNCTION(is_ipv6);
W_FUNCTION(is_int);
W_FUNCTION(is_float);
W_FUNCTION(is_duration);
W_FUNCTION(is_regex);
W_FUNCTION(is_shell_safe);
W_FUNCTION(is_hostname);
W_FUNCTION(is_fqdn);
/* function_bits.c */
W_FUNCTION(bitand);
W_FUNCTION(bitor);
W_FUNCTION(bitxor);
W_FUNCTION(bitnot);
W_FUNCTION(bitshl);
W_FUNCTION(bitshr);
/* function_number.c */
W_FUNCTION(ceil);
W_FUNCTION(floor);
W_FUNCTION(mean);
W_FUNCTION(median);
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
/* function_part.c */
W_FUNCTION(has_prefix);
W_FUNCTION(has_suffix);
W_FUNCTION(trim_prefix);
W_FUNCTION(trim_suffix);
W_FUNCTION(index_of);
W_FUNCTION(last_index_of);
W_FUNCTION(repeat);
/* function_shape.c */
W_FUNCTION(get);
W_FUNCTION(reverse);
W_FUNCTION(take);
W_FUNCTION(concat);
W_FUNCTION(flatten);
W_FUNCTION(to_pairs);
W_FUNCTION(from_pairs);
W_FUNCTION(merge);
/* function_list.c */
W_FUNCTION(len);
W_FUNCTION(keys);
W_FUNCTION(values);
W_FUNCTION(first);
W_FUNCTION(last);
W_FUNCTION(sort);
W_FUNCTION(unique);
/* template/block_fill.c */
W_FUNCTION(template);
/* predicate.c */
W_FUNCTION_LAZY(all);
W_FUNCTION_LAZY(any);
W_FUNCTION_LAZY(none);
W_FUNCTION_LAZY(one);
W_FUNCTION_LAZY(count);
W_FUNCTION_LAZY(filter);
W_FUNCTION_LAZY(map);
/* predicate_find.c */
W_FUNCTION_LAZY(find_element);
W_FUNCTION_LAZY(find_index);
W_FUNCTION_LAZY(find_last);
W_FUNCTION_LAZY(find_last_index);
/* predicate_fold.c */
W_FUNCTION_LAZY(reduce);
W_FUNCTION_LAZY(sum);
W_FUNCTION_LAZY(group_by);
W_FUNCTION_LAZY(count_by);
W_FUNCTION_LAZY(sort_by);
/* function_lookup.c */
W_FUNCTION_LAZY(lookup);

/* The W_EXPR_USES_ bits of looking up a path, narrowed if it is a literal. */
unsigned w_function_lookup_uses(const struct w_expr_node *path);

#endif /* W_EXPR_EVAL_H */
