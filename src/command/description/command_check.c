/* SPDX-License-Identifier: Apache-2.0 */

/* Checks a description as a whole, for errors that making single grammars would
 * miss. */

#include <string.h>

#include "command/description/command_builder.h"

/* Two names that differ only in characters that an id cannot have. */
static writ_status
check_ids(struct w_command_builder *builder)
{
	struct w_command *command = builder->command;
	struct w_hash_table ids = {.slots = NULL};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < command->count && status == WRIT_OK; i++) {
		struct w_command_node *node = &command->nodes[i];
		size_t len = strlen(node->id);
		const struct w_command_node *twin =
		    w_hash_table_get(&ids, node->id, len);

		if (twin != NULL)
			status = w_command_refuse(builder,
			    w_command_node_facts(node->parent)
				->vals[W_NODE_COMMANDS],
			    "'%.64s' and '%.64s' have the same id, %.64s",
			    twin->name, node->name, node->id);
		else if (!w_hash_table_put(&ids, node->id, len, node))
			status = w_command_nomem(builder);
	}
	w_hash_table_done(&ids);
	return status;
}

static bool
is_used(const struct w_command *command, yyjson_val *group)
{
	for (size_t i = 0; i < command->count; i++) {
		struct w_command_texts names =
		    w_command_texts(command->facts[i].vals[W_NODE_USE]);
		yyjson_val *name;

		while ((name = w_command_texts_next(&names)) != NULL) {
			if (yyjson_equals(name, group))
				return true;
		}
	}
	return false;
}

/* A group that is never used would never be read. */
static writ_status
check_groups(struct w_command_builder *builder)
{
	yyjson_val *groups = builder->command->facts[0].vals[W_NODE_GROUPS];
	yyjson_obj_iter iter = yyjson_obj_iter_with(groups);
	yyjson_val *group;

	while ((group = yyjson_obj_iter_next(&iter)) != NULL) {
		if (!is_used(builder->command, group))
			return w_command_refuse(builder, group,
			    "the group '%.64s' is used nowhere",
			    yyjson_get_str(group));
	}
	return WRIT_OK;
}

writ_status
w_command_check_whole(struct w_command_builder *builder)
{
	writ_status status = check_ids(builder);

	return status == WRIT_OK ? check_groups(builder) : status;
}
