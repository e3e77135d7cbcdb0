/* SPDX-License-Identifier: Apache-2.0 */

/* The keys of one node of a description, and those of them that the tree needs.
 * Options and operands are read when its grammar is made. */

#include "command/description/command_builder.h"

#include <string.h>

#include "data/json_words.h"

static const struct node_key {
	const char *word;
	size_t len;
	enum w_node_type type;
	bool is_first; /* top level only */
} node_keys[] = {
#define X(name, word, type, is_first) {word, sizeof(word) - 1, type, is_first},
    W_NODE_KEY_MAP(X)
#undef X
};

static const char *const styles[] = {
    "gnu", "posix", "words", "leading", "cluster", "pairs", "literal", NULL};

static const char *const globals[] = {"before", "anywhere", NULL};
static const char *const answers[] = {"no", "yes", NULL};

static writ_status
command_node_refuse_key(
    struct w_command_builder *builder, yyjson_val *key, bool is_first)
{
	const char *names[W_NODE_KEY_COUNT + 1];
	size_t count = 0;

	for (size_t i = 0; i < W_NODE_KEY_COUNT; i++) {
		if (is_first || !node_keys[i].is_first)
			names[count++] = node_keys[i].word;
	}
	names[count] = NULL;
	builder->fault = (struct w_command_fault){.at = key};
	return w_json_unknown_key(
	    key, "key", names, W_COMMAND_STAGE, builder->err);
}

static writ_status
check_type(struct w_command_builder *builder, const struct node_key *key,
    yyjson_val *val)
{
	switch (key->type) {
	case W_NODE_TEXT:
		return w_command_check_text(builder, val, key->word);
	case W_NODE_TEXTS:
		return w_command_check_texts(builder, val, key->word);
	case W_NODE_LIST:
		if (!yyjson_is_arr(val))
			return w_command_refuse_type(
			    builder, val, key->word, "a list");
		return WRIT_OK;
	case W_NODE_MAP:
		break;
	}
	if (!yyjson_is_obj(val))
		return w_command_refuse_type(builder, val, key->word, "a map");
	return WRIT_OK;
}

static writ_status
command_node_read_key(struct w_command_builder *builder, yyjson_val *key,
    yyjson_val *val, bool is_first, struct w_node_facts *facts)
{
	size_t len = yyjson_get_len(key);
	size_t place = 0;

	while (
	    place < W_NODE_KEY_COUNT &&
	    (node_keys[place].len != len ||
		memcmp(node_keys[place].word, yyjson_get_str(key), len) != 0))
		place++;
	if (place == W_NODE_KEY_COUNT ||
	    (node_keys[place].is_first && !is_first))
		return command_node_refuse_key(builder, key, is_first);
	facts->vals[place] = val;
	if ((place == W_NODE_DASHES || place == W_NODE_SHORT_EQUALS) &&
	    yyjson_is_bool(val))
		return WRIT_OK;
	return check_type(builder, &node_keys[place], val);
}

/* yes, no, true, false. */
static writ_status
read_answer(struct w_command_builder *builder, yyjson_val *val,
    const char *name, bool *out_is)
{
	unsigned place = yyjson_is_true(val);
	writ_status status = WRIT_OK;

	if (val == NULL)
		return WRIT_OK;
	if (!yyjson_is_bool(val))
		status =
		    w_command_read_word(builder, val, name, answers, &place);
	*out_is = place == 1;
	return status;
}

static writ_status
command_node_read_words(
    struct w_command_builder *builder, struct w_node_facts *facts)
{
	yyjson_val *const *vals = facts->vals;
	unsigned place = facts->style;
	writ_status status = WRIT_OK;

	if (vals[W_NODE_STYLE] != NULL) {
		status = w_command_read_word(
		    builder, vals[W_NODE_STYLE], "style", styles, &place);
		facts->style = (enum w_style)place;
		/* Where every word is an operand, so is "--". */
		if (facts->style == W_STYLE_LITERAL)
			facts->honours_dashes = false;
	}
	if (status == WRIT_OK)
		status = read_answer(builder, vals[W_NODE_DASHES], "dashes",
		    &facts->honours_dashes);
	if (status == WRIT_OK)
		status = read_answer(builder, vals[W_NODE_SHORT_EQUALS],
		    "short_equals", &facts->has_short_equals);
	if (status == WRIT_OK && vals[W_NODE_GLOBALS] != NULL) {
		status = w_command_read_word(
		    builder, vals[W_NODE_GLOBALS], "globals", globals, &place);
		facts->are_globals_anywhere = place == 1;
	}
	return status;
}

/* An alias has no description of its own. */
static writ_status
check_same_as(struct w_command_builder *builder, yyjson_val *map,
    const struct w_node_facts *facts)
{
	static const char *const names[] = {
	    "command", "version", "about", "same_as", NULL};
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	if (facts->vals[W_NODE_SAME_AS] == NULL)
		return WRIT_OK;
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		size_t i = 0;

		while (names[i] != NULL && !yyjson_equals_str(key, names[i]))
			i++;
		if (names[i] == NULL)
			return w_command_refuse(builder, key,
			    "with same_as there can be no %.64s",
			    yyjson_get_str(key));
	}
	if (yyjson_equals(
		facts->vals[W_NODE_SAME_AS], facts->vals[W_NODE_COMMAND]))
		return w_command_refuse(builder, facts->vals[W_NODE_SAME_AS],
		    "same_as names the program itself");
	return WRIT_OK;
}

writ_status
w_command_read_node(struct w_command_builder *builder, yyjson_val *map,
    bool is_first, struct w_node_facts *facts)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (!yyjson_is_obj(map))
		return w_command_refuse_type(builder, map,
		    is_first ? "a description" : "a sub-command", "a map");
	yyjson_obj_foreach(map, i, count, key, val)
	{
		status =
		    command_node_read_key(builder, key, val, is_first, facts);
		if (status != WRIT_OK)
			return status;
	}
	status = command_node_read_words(builder, facts);
	if (status == WRIT_OK)
		status = check_same_as(builder, map, facts);
	if (status == WRIT_OK && facts->vals[W_NODE_ALSO] != NULL)
		status = w_command_save_texts(
		    builder, facts->vals[W_NODE_ALSO], &facts->also);
	if (status == WRIT_OK && facts->vals[W_NODE_JSON_FLAG] != NULL)
		status = w_command_save_texts(
		    builder, facts->vals[W_NODE_JSON_FLAG], &facts->json_flag);
	return status;
}
