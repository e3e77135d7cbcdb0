/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EXPR_H
#define W_EXPR_EXPR_H

#include "expr/value.h"

/*
 * The language of expressions in manifests: total, so that every evaluation
 * ends, soon, with a value or an error. docs/expressions.md has it for people.
 *
 *     lookup('data.port', 8080) + 1        Facts.os.name == 'debian'
 *     Data.users[0].name ?? 'nobody'       x in ['a', 'b'] ? 'yes' : 'no'
 *     any(Data.hosts, # startsWith 'db')   Environ.HOME
 *
 * Compiling looks at the text alone and finds unknown names and functions and
 * wrong numbers of arguments; evaluating counts its steps and the memory that
 * it takes. Neither recurses deeper than W_EXPR_DEPTH_MAX.
 */
#define W_EXPR_TEXT_MAX  ((size_t)64 << 10)
#define W_EXPR_DEPTH_MAX 64
#define W_EXPR_STEPS_MAX 1000000

/* What an expression may ask for. */
enum w_expr_root {
	W_ROOT_FACTS,   /* Facts, lookup('facts.…') */
	W_ROOT_DATA,    /* Data, lookup('data.…') */
	W_ROOT_ENVIRON, /* Environ, lookup('environ.…') */
	W_ROOT_COUNT
};

/* Where its values come from. Everything is asked for only when an expression
 * needs it: gathering facts takes time. */
struct w_expr_scope {
	/* A map, borrowed until the scope is gone; NULL with *err: it cannot
	 * be had. */
	const struct w_value *(*root)(
	    void *ctx, enum w_expr_root root, writ_error *err);
	/* The text of file(path); NULL: files cannot be read here, which the
	 * error of file() then says. The arena is the evaluation's. */
	writ_status (*read_file)(void *ctx, const char *path,
	    struct w_arena *arena, struct w_value *out_value, writ_error *err);
	/* What lookup() does not find is an empty text, as where the data of
	 * a manifest is filled in. */
	bool missing_is_empty;
	void *ctx;
};

struct w_expr; /* compiled; lives in its arena */

/* Errors have the place in the text, from 1, in err->line and err->column. */
writ_status w_expr_compile(struct w_arena *arena, const char *text, size_t len,
    const struct w_expr **out_expr, writ_error *err);

/* W_EXPR_USES_ bits: what evaluating it may ask for. */
#define W_EXPR_USES_FACTS   (1U << W_ROOT_FACTS)
#define W_EXPR_USES_DATA    (1U << W_ROOT_DATA)
#define W_EXPR_USES_ENVIRON (1U << W_ROOT_ENVIRON)
#define W_EXPR_USES_FILE    8U
#define W_EXPR_USES_RAW     16U /* raw(): it may become a part of a script */
#define W_EXPR_USES_SECRET  32U /* sensitive(): its text may have a secret */
unsigned w_expr_uses(const struct w_expr *expr);

/* The value lives in the arena, or is a part of what the scope has. Errors
 * have a place in the text that was compiled. No error shows a secret. */
writ_status w_expr_eval(const struct w_expr *expr,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_value, writ_error *err);

/* Likewise, where only true or false will do (control.if). */
writ_status w_expr_test(const struct w_expr *expr,
    const struct w_expr_scope *scope, struct w_arena *arena, bool *out_holds,
    writ_error *err);

#endif /* W_EXPR_EXPR_H */
