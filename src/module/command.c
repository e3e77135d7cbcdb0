/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The description of a program, as others see it.
 *
 * A form is made by whoever asks first. When two threads do so at once, one of
 * the two forms is thrown away: both are the same, and nobody waits.
 */

#include "module/command.h"

#include <stdlib.h>
#include <string.h>

#include "module/command_maker.h"

static writ_status
keep_form(struct w_command_maker *maker)
{
	struct w_node_facts *facts = w_command_facts(maker->node);
	struct w_form *none = NULL;
	writ_status status = w_command_make_form(maker);

	if (status != WRIT_OK)
		return status;
	if (!atomic_compare_exchange_strong(&facts->form, &none, maker->form))
		w_form_free(maker->form);
	maker->form = NULL;
	return WRIT_OK;
}

static writ_status
check_all(struct w_command_maker *maker)
{
	struct w_command *command = maker->command;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < command->count && status == WRIT_OK &&
			   w_command_same_as(command) == NULL;
	     i++) {
		maker->node = &command->nodes[i];
		status = keep_form(maker);
	}
	return status == WRIT_OK ? w_command_check_whole(maker) : status;
}

writ_status
w_command_make(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, struct w_command_fault *out_fault,
    writ_error *err)
{
	struct w_command *command = calloc(1, sizeof(*command));
	struct w_command_maker maker = {
	    .command = command, .fault.at = description, .err = err};

	if (command == NULL)
		return w_fail_nomem(err, W_COMMAND_STAGE);
	writ_status status = w_command_read_tree(&maker, description);
	if (status == WRIT_OK && is_thorough)
		status = check_all(&maker);
	if (status != WRIT_OK) {
		*out_fault = maker.fault;
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
		w_form_free(atomic_load(&command->facts[i].form));
		w_lookup_done(&command->facts[i].children);
	}
	w_arena_done(&command->arena);
	w_binding_source_done(&command->source);
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
w_command_same_as(const struct w_command *command)
{
	return yyjson_get_str(command->facts[0].vals[W_NODE_SAME_AS]);
}

const struct w_command_node *
w_command_child(const struct w_command_node *node, const char *word, size_t len)
{
	return w_lookup_get(&w_command_facts(node)->children, word, len);
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
w_command_form(const struct w_command_node *node,
    const struct w_form **out_form, writ_error *err)
{
	struct w_node_facts *facts = w_command_facts(node);
	struct w_form *form = atomic_load(&facts->form);
	struct w_command_maker maker = {.node = node, .err = err};

	if (form == NULL) {
		writ_status status = keep_form(&maker);

		if (status != WRIT_OK) {
			w_command_locate(node->command, &maker.fault, err);
			return status;
		}
		form = atomic_load(&facts->form);
	}
	*out_form = form;
	return WRIT_OK;
}

const char *const *
w_command_json_flag(const struct w_command_node *node)
{
	return w_command_facts(node)->json_flag;
}
