/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An argv by one of several small descriptions, which have every style between
 * them. The first byte says which, the second whether more words follow; the
 * others are words, with NUL between them.
 *
 * Every match lies in the argv; what is refused has a place in it and a reason;
 * and what is understood is rendered and understood as the same again.
 */

#include "../tests/unit/style_descriptions.h"
#include "check.h"
#include "command/parse/argv_parse.h"
#include "command/render/render.h"
#include "data/json.h"

#define STYLE_COUNT (sizeof(all_styles) / sizeof(all_styles[0]))
#define WORDS_MAX   512
#define NAMES_MAX   16

static struct w_command *commands[STYLE_COUNT];

static const struct w_command *
command_at(size_t which)
{
	writ_error err = {.status = WRIT_OK};

	which %= STYLE_COUNT;
	if (commands[which] == NULL)
		CHECK(w_command_read_text(all_styles[which],
			  strlen(all_styles[which]), true, &commands[which],
			  &err) == WRIT_OK);
	return commands[which];
}

static void
check_match(const struct w_argv_parse *parse, const struct w_match *match)
{
	const struct w_param *params = parse->grammar->params;

	CHECK(match->param >= params);
	CHECK(match->param < params + parse->grammar->count);
	CHECK(parse->is_given[match->param - params]);
	CHECK(match->word > 0 && match->word < parse->argc);
	CHECK(match->count <= parse->argc - match->word);
	CHECK(match->offset <= strlen(parse->argv[match->word]));
	CHECK(match->flag_word > 0 && match->flag_word <= match->word);
}

static void
check_matches(const struct w_argv_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		check_match(parse, match);
		if (i > 0)
			CHECK(match[-1].flag_word <= match->flag_word);
	}
}

static yyjson_doc *
arguments_of(const struct w_argv_parse *parse)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 16 * 1024 * 1024);
	w_argv_parse_add_json(&json, parse, true);
	CHECK(!json.failed);
	yyjson_doc *doc = yyjson_read(json.data, json.len, 0);
	CHECK(doc != NULL);
	return doc;
}

static void
name_node(const struct w_command_node *node, const char *names[NAMES_MAX])
{
	size_t count = node->depth + 1;

	names[count] = NULL;
	for (; node != NULL; node = node->parent)
		names[--count] = node->name;
}

static void
check_round_trip(
    const struct w_command *command, const struct w_argv_parse *parse)
{
	const char *names[NAMES_MAX];
	const struct w_render_plan plan = {
	    .grammar = parse->grammar, .words = names};
	yyjson_doc *args = arguments_of(parse);
	struct w_words words = {0};
	struct w_argv_parse_input input;
	struct w_argv_parse again;
	writ_error err = {.status = WRIT_OK};

	name_node(parse->node, names);
	CHECK(w_render(&plan, yyjson_doc_get_root(args), &words, &err) ==
	      WRIT_OK);
	input = (struct w_argv_parse_input){
	    .argv = (const char *const *)words.items, .argc = words.count};
	CHECK(w_argv_parse(command, &input, &again, NULL, &err) == WRIT_OK);
	yyjson_doc *twice = arguments_of(&again);
	CHECK(again.node == parse->node);
	CHECK(yyjson_equals(
	    yyjson_doc_get_root(args), yyjson_doc_get_root(twice)));
	yyjson_doc_free(twice);
	yyjson_doc_free(args);
	w_argv_parse_done(&again);
	w_words_done(&words);
}

static void
try_words(const struct w_command *command, bool is_open_ended,
    const char *const *words, size_t count)
{
	const struct w_argv_parse_input input = {
	    .argv = words, .argc = count, .is_open_ended = is_open_ended};
	struct w_argv_parse parse = {0};
	struct w_argv_parse_fault fault = {0};
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_argv_parse(command, &input, &parse, &fault, &err);

	if (status != WRIT_OK) {
		CHECK(parse.matches == NULL);
		CHECK(fault.word <= count);
		CHECK(fault.word == count ||
		      fault.offset <= strlen(words[fault.word]));
		check_error(&err, status);
		return;
	}
	check_matches(&parse);
	if (!is_open_ended)
		check_round_trip(command, &parse);
	w_argv_parse_done(&parse);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *words[WORDS_MAX];
	size_t count = 0;

	if (size < 2)
		return 0;
	char *text = copy_string(data + 2, size - 2);
	words[count++] = "program";
	for (size_t at = 0; at + 2 < size && count < WORDS_MAX;
	     at += strlen(text + at) + 1)
		words[count++] = text + at;
	try_words(command_at(data[0]), data[1] == '+', words, count);
	free(text);
	return 0;
}
