/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_PARSING_H
#define W_TEST_PARSING_H

/* Words that are parsed, and the arguments that they are expected to be, as
 * JSON with ' for ". */

#include "rendering.h"

#include "command/parse/argv_parse.h"

#define ARGV(words, count)                   \
	(&(const struct w_argv_parse_input){ \
	    .argv = (const char *const *)(words), .argc = (count)})

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
assert_matches_inside(const struct w_argv_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		assert_non_null(match->param);
		assert_true(match->word < parse->argc);
		assert_true(match->flag_word < parse->argc);
		assert_true(match->count <= parse->argc - match->word);
		assert_true(match->offset <= strlen(parse->argv[match->word]));
		assert_true(
		    parse->is_given[match->param - parse->grammar->params]);
	}
}

static inline void
assert_parse(const struct w_argv_parse *parse, const char *want)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 1024 * 1024);
	w_argv_parse_add_json(&json, parse, true);
	assert_false(json.failed);
	assert_json(json.data, want);
	assert_matches_inside(parse);
}

static inline void
assert_fault(const struct w_argv_parse_fault *fault, const writ_error *err,
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
	struct w_argv_parse parse;
	writ_error err = {0};

	if (w_argv_parse_by_grammar(made.grammar, 1,
		ARGV(words, count_words(words)), &parse, NULL, &err) != WRIT_OK)
		fail_msg("%s: %s", want, err.message);
	assert_parse(&parse, want);
	w_argv_parse_done(&parse);
	free_form(&made);
}

static inline void
does_not_read(const char *schema, const char *const *words, const char *part,
    size_t word, size_t offset)
{
	struct form_of made = make_form(schema);
	struct w_argv_parse parse;
	struct w_argv_parse_fault fault;
	writ_error err = {0};

	if (w_argv_parse_by_grammar(made.grammar, 1,
		ARGV(words, count_words(words)), &parse, &fault,
		&err) == WRIT_OK)
		fail_msg("not refused, expected: %s", part);
	assert_fault(&fault, &err, part, word, offset);
	free_form(&made);
}

static inline struct w_command *
describe(const char *yaml)
{
	struct w_command *command = NULL;
	writ_error err = {0};

	if (w_command_read_text(yaml, strlen(yaml), true, &command, &err) !=
	    WRIT_OK)
		fail_msg("%u:%u: %s (%s)", err.line, err.column, err.message,
		    err.suggestion);
	return command;
}

/* The words that name a node, from the program on. */
#define NODE_WORDS_MAX 16
static inline void
node_words(const struct w_command_node *node, const char **words)
{
	size_t count = node->depth + 1;

	assert_true(count < NODE_WORDS_MAX);
	words[count] = NULL;
	for (; node != NULL; node = node->parent)
		words[--count] = node->name;
}

static inline yyjson_doc *
doc_of(const struct w_argv_parse *parse)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 64 * 1024 * 1024);
	w_argv_parse_add_json(&json, parse, true);
	assert_false(json.failed);
	return read_raw(json.data);
}

/* What was read can be rendered, and is read as the same again. */
static inline void
assert_round_trip(
    const struct w_command *command, const struct w_argv_parse *parse)
{
	const char *names[NODE_WORDS_MAX];
	struct w_render_plan plan = {.grammar = parse->grammar, .words = names};
	yyjson_doc *args = doc_of(parse);
	W_AUTO_WORDS struct w_words words = {0};
	struct w_argv_parse again;
	writ_error err = {0};

	node_words(parse->node, names);
	if (w_render(&plan, yyjson_doc_get_root(args), &words, &err) != WRIT_OK)
		fail_msg("%s: %s: not rendered: %s", parse->node->id,
		    yyjson_write(args, 0, NULL), err.message);
	if (w_argv_parse(command,
		ARGV((const char *const *)words.items, words.count), &again,
		NULL, &err) != WRIT_OK)
		fail_msg(
		    "%s: not read again: %s", parse->node->id, err.message);
	yyjson_doc *twice = doc_of(&again);
	assert_ptr_equal(again.node, parse->node);
	if (!yyjson_equals(
		yyjson_doc_get_root(args), yyjson_doc_get_root(twice)))
		fail_msg("%s: read differently again", parse->node->id);
	yyjson_doc_free(twice);
	yyjson_doc_free(args);
	w_argv_parse_done(&again);
}

#endif /* W_TEST_PARSING_H */
