/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An argv by the description of its program: which of its sub-commands it is.
 *
 * Options before the name of a sub-command are read by the form of the level
 * that has them; the form of the sub-command has them too, by the same key, and
 * that is where they are found in the end.
 */

#include <string.h>

#include "base/match.h"
#include "module/parse_words.h"

#define CHILDREN_MAX 512

/* What was read so far belongs to the form of the level above. */
static writ_status
move_matches(struct w_parsing *parsing, const struct w_form *form)
{
	for (size_t i = 0; i < parsing->count; i++) {
		struct w_match *match = &parsing->matches[i];
		const struct w_param *above = match->param;

		match->param = w_form_find(form, above->key, above->key_len);
		if (match->param == NULL)
			return w_parsing_refuse(parsing, match->flag_word, 0,
			    "'%.64s' says nothing to this sub-command",
			    above->flag);
	}
	return WRIT_OK;
}

static writ_status
descend(struct w_parsing *parsing, const struct w_command_node *child)
{
	const struct w_form *form;
	writ_status status = w_command_form(child, &form, parsing->err);

	if (status == WRIT_OK)
		status = move_matches(parsing, form);
	if (status != WRIT_OK)
		return status;
	parsing->node = child;
	parsing->form = form;
	parsing->first = parsing->at;
	return WRIT_OK;
}

/* Options before the name; the first that this level does not know may belong
 * to the sub-command that needs no name. */
static writ_status
read_options(struct w_parsing *parsing)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && parsing->at < parsing->argc) {
		const char *word = parsing->argv[parsing->at];

		if (strcmp(word, "--") == 0 ||
		    !w_parsing_is_option(parsing, word))
			break;
		if (parsing->node->standard != NULL &&
		    !w_parsing_knows_option(parsing, word))
			break;
		status = w_parsing_option(parsing);
	}
	return status;
}

static bool
is_excused(const struct w_parsing *parsing)
{
	for (size_t i = 0; i < parsing->count; i++) {
		if (w_parse_is_excuse(&parsing->matches[i]))
			return true;
	}
	return false;
}

static writ_status
refuse_name(struct w_parsing *parsing)
{
	const struct w_command_node *node = parsing->node;
	const char *names[CHILDREN_MAX + 1];
	size_t count = 0;

	if (parsing->at == parsing->argc)
		return w_parsing_refuse(parsing, parsing->argc, 0,
		    "the sub-command of '%.64s' is missing", node->name);
	(void)w_parsing_refuse(parsing, parsing->at, 0,
	    "'%.64s' is no sub-command of '%.64s' that is described",
	    parsing->argv[parsing->at], node->name);
	for (; count < node->child_count && count < CHILDREN_MAX; count++)
		names[count] = node->children[count].name;
	names[count] = NULL;
	w_match_suggest(
	    w_match_nearest(parsing->argv[parsing->at], names), parsing->err);
	return WRIT_E_INVALID;
}

/* Whether the argv can be one of this level, without a sub-command. */
static bool
is_itself(const struct w_parsing *parsing)
{
	if (!parsing->node->is_runnable)
		return false;
	return parsing->at == parsing->argc ||
	       parsing->form->operand_count > 0 ||
	       strcmp(parsing->argv[parsing->at], "--") == 0;
}

/* One level down; *out_is_last when it is this one. */
static writ_status
read_level(struct w_parsing *parsing, bool *out_is_last)
{
	writ_status status = read_options(parsing);

	*out_is_last = false;
	if (status != WRIT_OK)
		return status;

	const struct w_command_node *node = parsing->node;
	const struct w_command_node *child = NULL;
	if (parsing->at < parsing->argc) {
		const char *word = parsing->argv[parsing->at];

		child = w_command_child(node, word, strlen(word));
	}
	if (child != NULL) {
		parsing->at++;
		return descend(parsing, child);
	}
	if (parsing->at == parsing->argc && is_excused(parsing)) {
		*out_is_last = true;
		return WRIT_OK;
	}
	if (node->standard != NULL)
		return descend(parsing, node->standard);
	*out_is_last = true;
	return is_itself(parsing) ? WRIT_OK : refuse_name(parsing);
}

static writ_status
read_command(struct w_parsing *parsing, const struct w_command *command)
{
	bool is_last = false;

	parsing->node = w_command_root(command);
	parsing->at = 1;
	parsing->first = 1;
	writ_status status =
	    w_command_form(parsing->node, &parsing->form, parsing->err);
	parsing->is_before_name = true;
	while (status == WRIT_OK && !is_last && parsing->node->child_count > 0)
		status = read_level(parsing, &is_last);
	parsing->is_before_name = false;
	if (status != WRIT_OK)
		return status;
	return w_parsing_words(parsing);
}

writ_status
w_parse(const struct w_command *command, const struct w_parse_input *input,
    struct w_parse *out_parse, struct w_parse_fault *out_fault, writ_error *err)
{
	struct w_parsing parsing = {.argv = input->argv,
	    .argc = input->argc,
	    .is_open_ended = input->is_open_ended,
	    .err = err};
	writ_status status = w_parsing_check(&parsing);

	if (status == WRIT_OK)
		status = read_command(&parsing, command);
	return w_parsing_end(&parsing, status, out_parse, out_fault);
}
