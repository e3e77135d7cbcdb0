/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_SCHEMA_H
#define W_SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/error.h"

/*
 * JSON Schema, drafts 2020-12 and 07.
 *
 * A schema is compiled once, which finds every mistake in it, and then judges
 * any number of values. Nothing is fetched: a $ref leads into the document
 * itself, to one of those that the caller gave, or to the standard's own
 * schemas, which are built in.
 *
 * A compiled schema borrows the trees that it was made from; they must outlive
 * it. It belongs to one thread at a time.
 */
struct w_schema;

enum w_schema_draft {
	W_SCHEMA_2020_12,
	W_SCHEMA_DRAFT_07,
};

/* Another document that a $ref may lead to. */
struct w_schema_document {
	const char *uri; /* absolute, without a fragment */
	yyjson_val *root;
};

struct w_schema_options {
	enum w_schema_draft draft; /* of a document without $schema */
	bool formats;              /* "format" judges, not only tells */
	const struct w_schema_document *documents;
	size_t document_count;
};

/*
 * options may be NULL. Fails with WRIT_E_INVALID and the stage "schema" for
 * what is no schema: a keyword of the wrong type, a $ref that leads nowhere, a
 * pattern that is none. The message begins with the JSON Pointer of the place,
 * unless that is the whole ("/properties/a/pattern: ..."); *out_at (unless
 * NULL) is the value there, or NULL when it lies in another document.
 */
writ_status w_schema_compile(yyjson_val *root,
    const struct w_schema_options *options, struct w_schema **out_schema,
    yyjson_val **out_at, writ_error *err);
void w_schema_free(struct w_schema *schema);

/* One thing that is wrong with a value. */
struct w_schema_problem {
	char *instance;   /* JSON Pointer into the value; "" is all of it */
	char *schema;     /* JSON Pointer to the keyword, with the URI of its
			     document before it when that is another one */
	char *message;    /* "expected an integer, got \"five\"" */
	char *suggestion; /* "did you mean 'count'?"; NULL: none */
	yyjson_val *at;   /* the value; for a key that should not be there,
			     that key. Borrowed from the instance */
};

/* Everything that is wrong, in the order of the value. All zero is empty. */
struct w_schema_report {
	struct w_schema_problem *problems;
	size_t count;
	size_t cap;
	size_t more; /* how many there were beyond W_SCHEMA_PROBLEMS_MAX */
};

#define W_SCHEMA_PROBLEMS_MAX 100

void w_schema_report_done(struct w_schema_report *report);
#define W_AUTO_REPORT __attribute__((cleanup(w_schema_report_done)))

/*
 * Judges a value. report may be NULL: then this stops at the first problem,
 * allocates nothing in the ordinary case, and is what to measure.
 *
 * Fails with WRIT_E_INVALID when the value cannot be judged: a pattern that
 * ran into its limit, a schema that leads back to itself, nesting without
 * end. A caller must not take that for valid.
 */
writ_status w_schema_check(const struct w_schema *schema, yyjson_val *value,
    bool *out_valid, struct w_schema_report *report, writ_error *err);

#endif /* W_SCHEMA_SCHEMA_H */
