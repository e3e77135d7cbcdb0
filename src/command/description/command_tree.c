/* SPDX-License-Identifier: Apache-2.0 */

/* The nodes of a description: the program and its sub-commands, level by level,
 * so that siblings are adjacent. */

#include <string.h>

#include "command/description/command_builder.h"
#include "command/description/dotted_id.h"

#define DEPTH_MAX    8
#define NODES_MAX    4096
#define NAME_LEN_MAX 64

/* Recursion is bounded by DEPTH_MAX. */
static writ_status
count_nodes(struct w_command_builder *builder, yyjson_val *map, size_t depth,
    size_t *count)
{
	yyjson_val *children = yyjson_obj_get(map, "commands");
	writ_status status = WRIT_OK;
	size_t i;
	size_t size;
	yyjson_val *key;
	yyjson_val *val;

	if (depth > DEPTH_MAX)
		return w_command_refuse(builder, map,
		    "sub-commands are nested deeper than %d levels", DEPTH_MAX);
	if (++*count > NODES_MAX)
		return w_command_refuse(
		    builder, map, "more than %d sub-commands", NODES_MAX);
	if (!yyjson_is_obj(children))
		return WRIT_OK;
	yyjson_obj_foreach(children, i, size, key, val)
	{
		status = count_nodes(builder, val, depth + 1, count);
		if (status != WRIT_OK)
			return status;
	}
	return status;
}

/* A word that an argv can contain and a message can show. */
static writ_status
command_tree_check_name(
    struct w_command_builder *builder, yyjson_val *name, const char *what)
{
	const char *text = yyjson_get_str(name);
	size_t len = yyjson_get_len(name);

	if (len == 0 || len > NAME_LEN_MAX)
		return w_command_refuse(builder, name,
		    "the name of a %s has 1 to %d bytes", what, NAME_LEN_MAX);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > ' ' && c != 0x7f && c != '/')
			continue;
		return w_command_refuse(builder, name,
		    "the name of a %s cannot have blanks or '/' in it", what);
	}
	if (text[0] == '-' || strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
		return w_command_refuse(builder, name,
		    "'%.64s' is not the name of a %s", text, what);
	return WRIT_OK;
}

static writ_status
command_tree_check_names(struct w_command_builder *builder,
    const struct w_node_facts *facts, const char *what)
{
	struct w_command_texts texts =
	    w_command_texts(facts->vals[W_NODE_ALSO]);
	yyjson_val *name;

	while ((name = w_command_texts_next(&texts)) != NULL) {
		writ_status status =
		    command_tree_check_name(builder, name, what);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
put_child(struct w_command_builder *builder, struct w_node_facts *parent,
    struct w_command_node *node, yyjson_val *name)
{
	const char *text = yyjson_get_str(name);
	size_t len = yyjson_get_len(name);

	if (w_hash_table_get(&parent->children, text, len) != NULL)
		return w_command_refuse(builder, name,
		    "two sub-commands have the name '%.64s'", text);
	if (!w_hash_table_put(&parent->children, text, len, node))
		return w_command_nomem(builder);
	return WRIT_OK;
}

static writ_status
make_id(struct w_command_builder *builder, struct w_command_node *node,
    yyjson_val *name, struct w_buf *buf)
{
	buf->len = 0;
	w_buf_add_str(buf, node->parent != NULL ? node->parent->id : "cli");
	w_buf_add_char(buf, '.');
	w_dotted_id_add_segment(
	    buf, yyjson_get_str(name), yyjson_get_len(name));
	if (buf->failed)
		return w_command_nomem(builder);
	if (buf->len > W_DOTTED_ID_MAX)
		return w_command_refuse(builder, name,
		    "the id of this sub-command has more than %d characters",
		    W_DOTTED_ID_MAX);
	node->id = w_arena_text(&builder->command->arena, buf->data, buf->len);
	return node->id != NULL ? WRIT_OK : w_command_nomem(builder);
}

/* Fills a node from its keys; its parent is complete. */
static writ_status
finish_node(struct w_command_builder *builder, struct w_command_node *node,
    yyjson_val *name, struct w_buf *buf)
{
	const struct w_node_facts *facts = w_command_node_facts(node);
	const char *what = node->parent != NULL ? "sub-command" : "program";
	writ_status status = command_tree_check_name(builder, name, what);

	if (status == WRIT_OK)
		status = command_tree_check_names(builder, facts, what);
	if (status == WRIT_OK)
		status = make_id(builder, node, name, buf);
	if (status != WRIT_OK)
		return status;
	node->name = yyjson_get_str(name);
	node->about = "";
	if (facts->vals[W_NODE_ABOUT] != NULL)
		node->about = yyjson_get_str(facts->vals[W_NODE_ABOUT]);
	node->child_count = yyjson_obj_size(facts->vals[W_NODE_COMMANDS]);
	/* With sub-commands: only if a use without any of them is described.
	 * Missing effects are reported with its grammar. */
	node->is_runnable =
	    facts->vals[W_NODE_SAME_AS] == NULL &&
	    (node->child_count == 0 || facts->vals[W_NODE_EFFECTS] != NULL ||
		facts->vals[W_NODE_OPERANDS] != NULL ||
		facts->vals[W_NODE_WHEN] != NULL);
	return WRIT_OK;
}

static writ_status
read_child(struct w_command_builder *builder, struct w_command_node *node,
    yyjson_val *name, yyjson_val *map, struct w_buf *buf)
{
	struct w_node_facts *facts = w_command_node_facts(node);
	const struct w_node_facts *above = w_command_node_facts(node->parent);

	facts->style = above->style;
	facts->honours_dashes = above->honours_dashes;
	facts->has_short_equals = above->has_short_equals;
	writ_status status = w_command_read_node(builder, map, false, facts);
	if (status == WRIT_OK)
		status = finish_node(builder, node, name, buf);
	return status;
}

static writ_status
name_child(struct w_command_builder *builder, struct w_command_node *child,
    yyjson_val *name)
{
	struct w_node_facts *parent = w_command_node_facts(child->parent);
	struct w_command_texts texts =
	    w_command_texts(w_command_node_facts(child)->vals[W_NODE_ALSO]);
	writ_status status = WRIT_OK;

	for (; name != NULL && status == WRIT_OK;
	     name = w_command_texts_next(&texts))
		status = put_child(builder, parent, child, name);
	return status;
}

static writ_status
find_standard(struct w_command_builder *builder, struct w_command_node *node)
{
	yyjson_val *name = w_command_node_facts(node)->vals[W_NODE_DEFAULT];

	if (name == NULL)
		return WRIT_OK;
	node->standard =
	    w_command_child(node, yyjson_get_str(name), yyjson_get_len(name));
	if (node->standard != NULL)
		return WRIT_OK;
	(void)w_command_refuse(builder, name, "there is no sub-command '%.64s'",
	    yyjson_get_str(name));
	w_command_suggest_key(builder,
	    w_command_node_facts(node)->vals[W_NODE_COMMANDS],
	    yyjson_get_str(name));
	return WRIT_E_INVALID;
}

/* next is where the children go: after all existing nodes. */
static writ_status
read_children(struct w_command_builder *builder, struct w_command_node *node,
    struct w_command_node *next, struct w_buf *buf)
{
	yyjson_val *map = w_command_node_facts(node)->vals[W_NODE_COMMANDS];
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	node->children = next;
	if (map == NULL)
		return find_standard(builder, node);
	yyjson_obj_foreach(map, i, count, key, val)
	{
		struct w_command_node *child = &next[i];

		child->command = builder->command;
		child->parent = node;
		child->depth = node->depth + 1;
		writ_status status = read_child(builder, child, key, val, buf);
		if (status == WRIT_OK)
			status = name_child(builder, child, key);
		if (status != WRIT_OK)
			return status;
	}
	return find_standard(builder, node);
}

static writ_status
command_tree_read_root(struct w_command_builder *builder,
    yyjson_val *description, struct w_buf *buf)
{
	struct w_command_node *root = &builder->command->nodes[0];
	struct w_node_facts *facts = &builder->command->facts[0];
	yyjson_obj_iter iter;

	root->command = builder->command;
	facts->honours_dashes = true;
	writ_status status =
	    w_command_read_node(builder, description, true, facts);
	if (status != WRIT_OK)
		return status;
	iter = yyjson_obj_iter_with(description);
	if (!yyjson_equals_str(yyjson_obj_iter_next(&iter), "command")) {
		(void)w_command_refuse(builder, description,
		    "the first key of a description is 'command'");
		w_suggest(builder->err, "command: NAME");
		return WRIT_E_INVALID;
	}
	return finish_node(builder, root, facts->vals[W_NODE_COMMAND], buf);
}

static writ_status
command_tree_make_room(
    struct w_command_builder *builder, yyjson_val *description)
{
	struct w_command *command = builder->command;
	size_t count = 0;
	writ_status status = count_nodes(builder, description, 0, &count);

	if (status != WRIT_OK)
		return status;
	command->nodes =
	    w_arena_alloc(&command->arena, count, sizeof(*command->nodes));
	command->facts =
	    w_arena_alloc(&command->arena, count, sizeof(*command->facts));
	if (command->nodes == NULL || command->facts == NULL)
		return w_command_nomem(builder);
	command->count = count;
	command->description = description;
	return WRIT_OK;
}

writ_status
w_command_read_tree(struct w_command_builder *builder, yyjson_val *description)
{
	struct w_command *command = builder->command;
	W_AUTO_BUF struct w_buf buf;
	size_t used = 1;
	writ_status status = command_tree_make_room(builder, description);

	/* Longer than any id with one more name appended. */
	w_buf_init(&buf, 2 * W_DOTTED_ID_MAX + 1);
	if (status == WRIT_OK)
		status = command_tree_read_root(builder, description, &buf);
	for (size_t i = 0; i < command->count && status == WRIT_OK; i++) {
		struct w_command_node *node = &command->nodes[i];

		status =
		    read_children(builder, node, command->nodes + used, &buf);
		used += node->child_count;
	}
	return status;
}
