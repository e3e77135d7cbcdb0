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
 * A schema is compiled once, which reports every error in it, and then
 * validates any number of values. Nothing is fetched: a $ref leads into the
 * same document, to a document given by the caller, or to the built-in
 * metaschemas.
 *
 * A compiled schema borrows the trees it was made from; they must outlive it.
 * Use it from one thread at a time.
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
	enum w_schema_draft draft; /* for documents without $schema */
	bool formats; /* "format" is an assertion, not only an annotation */
	const struct w_schema_document *documents;
	size_t document_count;
};

/*
 * options may be NULL. Fails with WRIT_E_INVALID and the stage "schema" for an
 * invalid schema: a keyword of the wrong type, a dangling $ref, an invalid
 * pattern. The message begins with the JSON Pointer of the place unless it is
 * the root ("/properties/a/pattern: ..."). *out_at (unless NULL) is the value
 * there, or NULL if it lies in another document.
 */
writ_status w_schema_compile(yyjson_val *root,
    const struct w_schema_options *options, struct w_schema **out_schema,
    yyjson_val **out_at, writ_error *err);
void w_schema_free(struct w_schema *schema);

/* One validation error. */
struct w_schema_problem {
	char *instance;   /* JSON Pointer into the value; "": the root */
	char *schema;     /* JSON Pointer to the keyword, after the URI of its
			     document if that is another one */
	char *message;    /* "expected an integer, got \"five\"" */
	char *suggestion; /* "did you mean 'count'?"; NULL: none */
	yyjson_val *at; /* the value, or the key if that is the error; borrowed
			   from the instance */
};

/* All errors in document order. Zero-initialised is empty. */
struct w_schema_report {
	struct w_schema_problem *problems;
	size_t count;
	size_t cap;
	size_t more; /* number of further errors beyond W_SCHEMA_PROBLEMS_MAX */
};

#define W_SCHEMA_PROBLEMS_MAX 100

void w_schema_report_done(struct w_schema_report *report);
#define W_AUTO_REPORT __attribute__((cleanup(w_schema_report_done)))

/*
 * Validates a value. With report NULL this stops at the first error and usually
 * allocates nothing.
 *
 * Fails with WRIT_E_INVALID if the value cannot be validated: a pattern hit its
 * limit, the schema refers to itself, the nesting is too deep. Callers must not
 * treat that as valid.
 */
writ_status w_schema_check(const struct w_schema *schema, yyjson_val *value,
    bool *out_valid, struct w_schema_report *report, writ_error *err);

#endif /* W_SCHEMA_SCHEMA_H */
