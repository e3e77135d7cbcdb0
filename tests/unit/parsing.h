/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_PARSING_H
#define W_TEST_PARSING_H

/* Words that are parsed, and the arguments that they are expected to be, as
 * JSON with ' for ". */

#include "rendering.h"

#include "module/parse.h"

static inline size_t
count_words(const char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return count;
}

static inline void
assert_json(const char *have, const char *want)
{
	yyjson_doc *have_doc = read_raw(have);
	yyjson_doc *want_doc = read_quoted(want);

	if (!yyjson_equals(
		yyjson_doc_get_root(have_doc), yyjson_doc_get_root(want_doc)))
		fail_msg("%s is not %s", have, want);
	yyjson_doc_free(have_doc);
	yyjson_doc_free(want_doc);
}

/* Every match lies in the argv. */
static inline void
assert_matches_inside(const struct w_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		assert_non_null(match->param);
		assert_true(match->word < parse->argc);
		assert_true(match->flag_word < parse->argc);
		assert_true(match->count <= parse->argc - match->word);
		assert_true(match->offset <= strlen(parse->argv[match->word]));
		assert_true(
		    parse->is_given[match->param - parse->form->params]);
	}
}

static inline void
assert_parse(const struct w_parse *parse, const char *want)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 1024 * 1024);
	w_parse_add_json(&json, parse, true);
	assert_false(json.failed);
	assert_json(json.data, want);
	assert_matches_inside(parse);
}

static inline void
assert_fault(const struct w_parse_fault *fault, const writ_error *err,
    const char *part, size_t word, size_t offset)
{
	if (strstr(err->message, part) == NULL &&
	    strstr(err->suggestion, part) == NULL)
		fail_msg("'%s' is not in '%s' (%s)", part, err->message,
		    err->suggestion);
	if (fault->word != word || fault->offset != offset)
		fail_msg("%s: at %zu, %zu, not %zu, %zu", err->message,
		    fault->word, fault->offset, word, offset);
}

/* By a schema. */
static inline void
reads(const char *schema, const char *const *words, const char *want)
{
	struct form_of made = make_form(schema);
	struct w_parse parse;
	writ_error err = {0};

	if (w_parse_form(made.form, 1, words, count_words(words), NULL, &parse,
		NULL, &err) != WRIT_OK)
		fail_msg("%s: %s", want, err.message);
	assert_parse(&parse, want);
	w_parse_done(&parse);
	free_form(&made);
}

static inline void
does_not_read(const char *schema, const char *const *words, const char *part,
    size_t word, size_t offset)
{
	struct form_of made = make_form(schema);
	struct w_parse parse;
	struct w_parse_fault fault;
	writ_error err = {0};

	if (w_parse_form(made.form, 1, words, count_words(words), NULL, &parse,
		&fault, &err) == WRIT_OK)
		fail_msg("not refused, expected: %s", part);
	assert_fault(&fault, &err, part, word, offset);
	free_form(&made);
}

#endif /* W_TEST_PARSING_H */
