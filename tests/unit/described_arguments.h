/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_DESCRIBED_ARGUMENTS_H
#define W_TEST_DESCRIBED_ARGUMENTS_H

/* Arguments that are rendered by a description. */

#include "parsing.h"
#include "style_descriptions.h"

/* By the node of an id. */
static inline writ_status
render_by(const struct w_command *command, const char *id, const char *args,
    struct w_words *out_words, writ_error *err)
{
	const char *names[NODE_WORDS_MAX];
	const struct w_command_node *node = w_command_find(command, id);
	struct w_render_plan plan = {.words = names};
	yyjson_doc *doc = read_quoted(args);

	assert_non_null(node);
	node_words(node, names);
	plan.json_flag = w_command_json_flag(node);
	if (w_command_grammar(node, &plan.grammar, err) != WRIT_OK)
		fail_msg("%s", err->message);
	writ_status status =
	    w_render(&plan, yyjson_doc_get_root(doc), out_words, err);
	yyjson_doc_free(doc);
	return status;
}

static inline void
writes(
    const char *yaml, const char *id, const char *args, const char *const *want)
{
	struct w_command *command = describe(yaml);
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err = {0};

	if (render_by(command, id, args, &words, &err) != WRIT_OK)
		fail_msg("%s: %s", args, err.message);
	assert_words(&words, want);
	w_command_free(command);
}

static inline void
does_not_write(
    const char *yaml, const char *id, const char *args, const char *part)
{
	struct w_command *command = describe(yaml);
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err = {0};

	if (render_by(command, id, args, &words, &err) == WRIT_OK)
		fail_msg("not refused: %s", args);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	assert_null(words.items);
	w_command_free(command);
}

#endif /* W_TEST_DESCRIBED_ARGUMENTS_H */
