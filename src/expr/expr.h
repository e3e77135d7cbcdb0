/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_EXPR_H
#define W_EXPR_EXPR_H

#include "expr/value.h"

/*
 * The expression language of manifests. It is total: every evaluation soon ends
 * with a value or an error. docs/expressions.md describes it.
 *
 *     lookup('data.port', 8080) + 1        Facts.os.name == 'debian'
 *     Data.users[0].name ?? 'nobody'       x in ['a', 'b'] ? 'yes' : 'no'
 *     any(Data.hosts, # startsWith 'db')   Environ.HOME
 *     let n = len(Data.hosts); n ** 2      Data.name[0:3] matches '^w'
 *
 * Compiling looks at the text alone; it finds unknown names and functions and
 * wrong argument counts. Evaluation is limited in steps and memory. Neither
 * recurses deeper than W_EXPR_DEPTH_MAX.
 */
#define W_EXPR_TEXT_MAX  ((size_t)64 << 10)
#define W_EXPR_DEPTH_MAX 64
#define W_EXPR_STEPS_MAX 1000000

/* The roots that an expression may use. */
enum w_expr_root {
	W_ROOT_FACTS,   /* Facts, lookup('facts.…') */
	W_ROOT_DATA,    /* Data, lookup('data.…') */
	W_ROOT_ENVIRON, /* Environ, lookup('environ.…') */
	W_ROOT_RESULTS, /* Results, lookup('results.…'): what was registered */
	W_ROOT_ITEM,    /* item: the element of each */
	W_ROOT_KEY,     /* key: its name in a map, its index in a list */
	W_ROOT_VALUE,   /* value: what @validate looks at */
	W_ROOT_COUNT
};

/* Where values come from. Everything is requested only when an expression needs
 * it: gathering facts takes time. */
struct w_expr_scope {
	/* A map, borrowed for the lifetime of the scope; NULL with *err: not
	 * available. */
	const struct w_value *(*root)(
	    void *ctx, enum w_expr_root root, writ_error *err);
	/* Reads file(path) into the evaluation's arena. NULL: file() fails
	 * here. */
	writ_status (*read_file)(void *ctx, const char *path,
	    struct w_arena *arena, struct w_value *out_value, writ_error *err);
	/* lookup() of a missing key gives an empty string, as in the data of a
	 * manifest. */
	bool missing_is_empty;
	void *ctx;
};

struct w_expr; /* compiled; lives in its arena */

/* Errors have a position in the text, from 1, in err->line and err->column. */
writ_status w_expr_compile(struct w_arena *arena, const char *text, size_t len,
    const struct w_expr **out_expr, writ_error *err);

/* W_EXPR_USES_ bits: what evaluation may use. */
#define W_EXPR_USES_FACTS   (1U << W_ROOT_FACTS)
#define W_EXPR_USES_DATA    (1U << W_ROOT_DATA)
#define W_EXPR_USES_ENVIRON (1U << W_ROOT_ENVIRON)
#define W_EXPR_USES_RESULTS (1U << W_ROOT_RESULTS)
#define W_EXPR_USES_ITEM    (1U << W_ROOT_ITEM)
#define W_EXPR_USES_KEY     (1U << W_ROOT_KEY)
#define W_EXPR_USES_VALUE   (1U << W_ROOT_VALUE)
#define W_EXPR_USES_FILE    (1U << 8)
#define W_EXPR_USES_RAW     (1U << 9)  /* raw(): may become shell code */
#define W_EXPR_USES_CLOCK   (1U << 10) /* now() */
#define W_EXPR_USES_SECRET  (1U << 11) /* sensitive(): may contain a secret */
unsigned w_expr_uses(const struct w_expr *expr);

/* Each member of a root that the expression names in its text and that must be
 * there: Results.name, Results['name']. fn returns false to stop, which is the
 * result then. */
struct w_expr_member {
	const char *name;
	size_t len;
	const char *text; /* of the expression, or of the template around */
	size_t at;        /* of the name in it */
};
bool w_expr_members(const struct w_expr *expr, enum w_expr_root root,
    bool (*fn)(void *ctx, const struct w_expr_member *member), void *ctx);

/* The value lives in the arena or belongs to the scope. Errors have a position
 * in the compiled text. No error shows a secret. */
writ_status w_expr_eval(const struct w_expr *expr,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_value, writ_error *err);

/* The same where the result must be true or false (control.if). */
writ_status w_expr_test(const struct w_expr *expr,
    const struct w_expr_scope *scope, struct w_arena *arena, bool *out_holds,
    writ_error *err);

#endif /* W_EXPR_EXPR_H */
