/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_RENDERING_H
#define W_TEST_RENDERING_H

/* Schemas and arguments as JSON, rendered and compared. The texts are written
 * with ' for ", so that they can be read; where a quote matters, a test reads
 * its JSON by itself. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/render/render.h"

/* A schema of these properties and no others. */
#define CLOSED(properties)                                            \
	"{'type':'object','additionalProperties':false,'properties':" \
	"{" properties "}}"

/* Of a command that honours "--". */
#define ENDED(properties)                                              \
	"{'type':'object','x-apexe-end-of-options':true,'properties':" \
	"{" properties "}}"

#define OPEN "{'type':'object'}"
#define TEXT "{'type':'string'}"

static inline yyjson_doc *
read_raw(const char *text)
{
	yyjson_doc *doc =
	    yyjson_read(text, strlen(text), YYJSON_READ_BIGNUM_AS_RAW);

	if (doc == NULL)
		fail_msg("not JSON: %s", text);
	return doc;
}

static inline yyjson_doc *
read_quoted(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *at = copy; *at != '\0'; at++) {
		if (*at == '\'')
			*at = '"';
	}
	yyjson_doc *doc = read_raw(copy);
	free(copy);
	return doc;
}

/* A form together with what it borrows. */
struct form_of {
	yyjson_doc *doc;
	struct w_grammar *grammar;
};

static inline struct form_of
make_form(const char *schema)
{
	struct form_of made = {.doc = read_quoted(schema)};
	writ_error err = {0};

	if (w_grammar_new(yyjson_doc_get_root(made.doc), &made.grammar, NULL,
		&err) != WRIT_OK)
		fail_msg("%s: %s", schema, err.message);
	return made;
}

static inline void
free_form(struct form_of *made)
{
	w_grammar_free(made->grammar);
	yyjson_doc_free(made->doc);
}

static inline void
assert_words(const struct w_words *have, const char *const *want)
{
	size_t i = 0;

	for (; want[i] != NULL; i++) {
		if (i >= have->count)
			fail_msg("word %zu is missing: %s", i, want[i]);
		assert_string_equal(have->items[i], want[i]);
	}
	if (i < have->count)
		fail_msg("one word too many: %s", have->items[i]);
	if (have->items != NULL)
		assert_null(have->items[have->count]);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct rendering {
	const char *const *words;     /* NULL: just "cmd" */
	const char *const *json_flag; /* may be NULL */
};

static inline writ_status
render_doc(const struct rendering *how, const char *schema, yyjson_doc *args,
    struct w_words *out, writ_error *err)
{
	struct form_of made = make_form(schema);
	struct w_render_plan plan = {.grammar = made.grammar,
	    .words = how->words != NULL ? how->words : WORDS("cmd"),
	    .json_flag = how->json_flag};
	writ_status status =
	    w_render(&plan, yyjson_doc_get_root(args), out, err);

	free_form(&made);
	return status;
}

static inline void
renders_with(const struct rendering *how, const char *schema, const char *args,
    const char *const *want)
{
	yyjson_doc *doc = read_quoted(args);
	struct w_words have = {0};
	writ_error err = {0};

	if (render_doc(how, schema, doc, &have, &err) != WRIT_OK)
		fail_msg("%s: %s", args, err.message);
	assert_words(&have, want);
	w_words_done(&have);
	yyjson_doc_free(doc);
}

static inline void
renders(const char *schema, const char *args, const char *const *want)
{
	renders_with(&(struct rendering){0}, schema, args, want);
}

/* Refused with a message that has this in it, and nothing is left. */
static inline void
refuses(const char *schema, const char *args, const char *part)
{
	yyjson_doc *doc = read_quoted(args);
	struct w_words have = {0};
	writ_error err = {0};
	writ_status status =
	    render_doc(&(struct rendering){0}, schema, doc, &have, &err);

	if (status == WRIT_OK)
		fail_msg("not refused: %s", args);
	assert_int_equal(status, WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	assert_null(have.items);
	yyjson_doc_free(doc);
}

#endif /* W_TEST_RENDERING_H */
