/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FACTS_H
#define W_MANIFEST_FACTS_H

#include "expr/expr.h"

/*
 * Facts about this machine for expressions: host, os, kernel, cpu, memory,
 * network. Read from the kernel and /etc/os-release; no program is run and no
 * network is used. What cannot be read is omitted. docs/manifest.md lists them.
 */
writ_status w_facts_gather(
    struct w_arena *arena, struct w_value *out_facts, writ_error *err);

#define W_FACTS_BYTES_MAX ((size_t)16 << 20) /* of a file of facts */
#define W_FACTS_DEPTH_MAX 32

/* Merges one map over another, recursively; lists and all others are
 * replaced. */
writ_status w_facts_merge(struct w_arena *arena, const struct w_value *under,
    const struct w_value *over, struct w_value *out_facts, writ_error *err);

/* Sets one "a.b.c=value" (--fact) over facts. The value is text, or a JSON
 * number, true or false. A number that would be written differently stays text,
 * so that the version 1.10 is not 1.1. */
writ_status w_facts_set(struct w_arena *arena, const struct w_value *under,
    const char *assignment, struct w_value *out_facts, writ_error *err);

/* The environment of this process as a map. */
writ_status w_facts_environ(
    struct w_arena *arena, struct w_value *out_environ, writ_error *err);

/*
 * A scope that gathers facts on first use, merged with the caller's; it has no
 * data and reads no file.
 */
struct w_facts_scope; /* owns its values */

struct w_facts_options {
	const char *const *files;       /* --facts: contents of JSON or YAML
					 * files, NULL-ended; NULL: none */
	const char *const *names;       /* of the files, for messages; NULL:
					 * none */
	const char *const *assignments; /* --fact: override the files */
	/* Called when facts are first used: adds facts over those of the
	 * machine with w_facts_scope_add(). NULL: there are none. */
	writ_status (*find)(
	    void *ctx, struct w_facts_scope *facts, writ_error *err);
	void *ctx;
};

writ_status w_facts_scope_new(const struct w_facts_options *options,
    struct w_facts_scope **out_facts, writ_error *err);

/* Merges a text of facts, JSON or YAML, over those that were found before. */
writ_status w_facts_scope_add(struct w_facts_scope *facts, const char *name,
    const char *text, writ_error *err);
void w_facts_scope_free(struct w_facts_scope *facts);
const struct w_expr_scope *w_facts_scope_get(const struct w_facts_scope *facts);

#endif /* W_MANIFEST_FACTS_H */
