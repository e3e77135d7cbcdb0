/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The description of a program: public access.
 *
 * The first caller makes a grammar. When two threads do so at once, one of the
 * two grammars is freed: both are the same, and neither thread waits.
 */

#include "command/description/command.h"

#include <stdlib.h>
#include <string.h>

#include "command/description/command_builder.h"
#include "command/description/command_sets.h"

static writ_status
save_grammar(struct w_command_builder *builder)
{
	struct w_node_facts *facts = w_command_node_facts(builder->node);
	struct w_grammar *none = NULL;
	writ_status status = w_command_make_grammar(builder);

	if (status != WRIT_OK)
		return status;
	if (!atomic_compare_exchange_strong(
		&facts->grammar, &none, builder->grammar))
		w_grammar_free(builder->grammar);
	builder->grammar = NULL;
	return WRIT_OK;
}

static writ_status
check_all(struct w_command_builder *builder)
{
	struct w_command *command = builder->command;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < command->count && status == WRIT_OK &&
			   w_command_same_as(command) == NULL;
	     i++) {
		builder->node = &command->nodes[i];
		status = save_grammar(builder);
	}
	return status == WRIT_OK ? w_command_check_whole(builder) : status;
}

writ_status
w_command_make(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, struct w_command_fault *out_fault,
    writ_error *err)
{
	struct w_command *command = calloc(1, sizeof(*command));
	struct w_command_builder builder = {
	    .command = command, .fault.at = description, .err = err};

	if (command == NULL)
		return w_fail_nomem(err, W_COMMAND_STAGE);
	writ_status status = w_command_read_tree(&builder, description);
	if (status == WRIT_OK && is_thorough)
		status = check_all(&builder);
	if (status != WRIT_OK) {
		*out_fault = builder.fault;
		w_command_free(command);
		return status;
	}
	*out_command = command;
	return WRIT_OK;
}

writ_status
w_command_new(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, yyjson_val **out_at, writ_error *err)
{
	struct w_command_fault fault = {.at = description};
	writ_status status =
	    w_command_make(description, is_thorough, out_command, &fault, err);

	if (status != WRIT_OK && out_at != NULL)
		*out_at = fault.at;
	return status;
}

void
w_command_free(struct w_command *command)
{
	if (command == NULL)
		return;
	for (size_t i = 0; i < command->count; i++) {
		w_grammar_free(atomic_load(&command->facts[i].grammar));
		w_hash_table_done(&command->facts[i].children);
	}
	w_arena_done(&command->arena);
	w_command_sets_done(&command->sets);
	w_source_document_done(&command->source);
	free(command->text);
	free(command);
}

yyjson_val *
w_command_description(const struct w_command *command)
{
	return command->description;
}

const struct w_command_node *
w_command_root(const struct w_command *command)
{
	return command->nodes;
}

const char *const *
w_command_also(const struct w_command *command)
{
	static const char *const none[] = {NULL};
	const char *const *also = command->facts[0].also;

	return also != NULL ? also : none;
}

const char *
w_command_version(const struct w_command *command)
{
	return yyjson_get_str(command->facts[0].vals[W_NODE_VERSION]);
}

const char *
w_command_same_as(const struct w_command *command)
{
	return yyjson_get_str(command->facts[0].vals[W_NODE_SAME_AS]);
}

const struct w_command_node *
w_command_child(const struct w_command_node *node, const char *word, size_t len)
{
	return w_hash_table_get(
	    &w_command_node_facts(node)->children, word, len);
}

const struct w_command_node *
w_command_find(const struct w_command *command, const char *id)
{
	for (size_t i = 0; i < command->count; i++) {
		if (strcmp(command->nodes[i].id, id) == 0)
			return &command->nodes[i];
	}
	return NULL;
}

writ_status
w_command_grammar(const struct w_command_node *node,
    const struct w_grammar **out_grammar, writ_error *err)
{
	struct w_node_facts *facts = w_command_node_facts(node);
	struct w_grammar *grammar = atomic_load(&facts->grammar);
	struct w_command_builder builder = {.node = node, .err = err};

	if (grammar == NULL) {
		writ_status status = save_grammar(&builder);

		if (status != WRIT_OK) {
			w_command_locate(node->command, &builder.fault, err);
			return status;
		}
		grammar = atomic_load(&facts->grammar);
	}
	*out_grammar = grammar;
	return WRIT_OK;
}

const char *const *
w_command_json_flag(const struct w_command_node *node)
{
	return w_command_node_facts(node)->json_flag;
}
