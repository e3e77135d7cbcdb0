/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_COMMAND_BUILDER_H
#define W_COMMAND_COMMAND_BUILDER_H

#include <stdatomic.h>

#include "command/description/command.h"
#include "command/description/source_document.h"
#include "schema/hash_table.h"

/* Shared by the files that build a command from its description. */

#define W_COMMAND_STAGE "command"

/* Keys of a node: name, type, whether only the top level of the file may have
 * it. */
#define W_NODE_KEY_MAP(X)                                \
	X(COMMAND, "command", W_NODE_TEXT, true)         \
	X(VERSION, "version", W_NODE_TEXT, true)         \
	X(ABOUT, "about", W_NODE_TEXT, false)            \
	X(ALSO, "also", W_NODE_TEXTS, false)             \
	X(STYLE, "style", W_NODE_TEXT, false)            \
	X(OPTIONS, "options", W_NODE_MAP, false)         \
	X(OPERANDS, "operands", W_NODE_MAP, false)       \
	X(COMMANDS, "commands", W_NODE_MAP, false)       \
	X(DEFAULT, "default", W_NODE_TEXT, false)        \
	X(GLOBALS, "globals", W_NODE_TEXT, false)        \
	X(USE, "use", W_NODE_TEXTS, false)               \
	X(GROUPS, "groups", W_NODE_MAP, true)            \
	X(EFFECTS, "effects", W_NODE_TEXTS, false)       \
	X(WHEN, "when", W_NODE_LIST, false)              \
	X(HELPERS, "helpers", W_NODE_TEXTS, false)       \
	X(ENVIRONMENT, "environment", W_NODE_MAP, false) \
	X(INCIDENTAL, "incidental", W_NODE_TEXTS, false) \
	X(PAGES, "pages", W_NODE_TEXTS, false)           \
	X(SAME_AS, "same_as", W_NODE_TEXT, true)         \
	X(ORDERED, "ordered", W_NODE_TEXT, false)        \
	X(NUMBER, "number", W_NODE_TEXT, false)          \
	X(DASHES, "dashes", W_NODE_TEXT, false)          \
	X(JSON_FLAG, "json_flag", W_NODE_TEXTS, false)   \
	X(SHORT_EQUALS, "short_equals", W_NODE_TEXT, false)

enum w_node_type {
	W_NODE_TEXT,
	W_NODE_TEXTS, /* a list of texts, or one text */
	W_NODE_LIST,
	W_NODE_MAP,
};

enum w_node_key {
#define X(name, word, type, is_first) W_NODE_##name,
	W_NODE_KEY_MAP(X)
#undef X
	W_NODE_KEY_COUNT,
};

/* A node's private part. */
struct w_node_facts {
	yyjson_val *vals[W_NODE_KEY_COUNT]; /* NULL: missing */
	enum w_style style;
	bool honours_dashes;
	bool has_short_equals;
	bool are_globals_anywhere;
	const char *const *also;      /* NULL-ended; NULL: none */
	const char *const *json_flag; /* likewise */
	struct w_hash_table children; /* by name and alias */
	_Atomic(struct w_grammar *) grammar;
};

/* A description whose sets were replaced. */
struct w_command_sets {
	yyjson_val *root;     /* of doc; without it, of the source */
	yyjson_doc *doc;      /* NULL: there was nothing to replace */
	yyjson_val **origins; /* of its values, in their order: in the source */
	size_t count;
};

struct w_command {
	yyjson_val *description;      /* borrowed, or owned by source or sets */
	struct w_command_node *nodes; /* the program, then level by level those
					 below; siblings are adjacent */
	struct w_node_facts *facts;   /* by index in nodes */
	size_t count;
	struct w_arena arena;
	struct w_source_document source; /* if made from a text; else all
					    zero */
	struct w_command_sets sets;      /* likewise */
	char *text;                      /* own copy; NULL: none */
};

/* Where an error is. */
struct w_command_fault {
	yyjson_val *at; /* key or value */
	size_t offset;  /* within its text */
};

/* A command, or one of its grammars, while it is built. */
struct w_command_builder {
	struct w_command *command;         /* while its tree is built */
	const struct w_command_node *node; /* whose grammar is built */
	struct w_grammar *grammar;         /* NULL: the tree is built */
	struct w_command_param *params; /* by index in the grammar's params */
	struct w_command_fault fault;
	writ_error *err;
};

/* Where a parameter is described. */
struct w_command_param {
	yyjson_val *key;
	yyjson_val
	    *links; /* its map, if it refers to other parameters; else NULL */
};

static inline struct w_node_facts *
w_command_node_facts(const struct w_command_node *node)
{
	return &node->command->facts[node - node->command->nodes];
}

/* Makes a command; on failure, *out_fault is the place of the error. */
writ_status w_command_make(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, struct w_command_fault *out_fault,
    writ_error *err);

/* Builds the nodes; fails for errors outside the grammars. */
writ_status w_command_read_tree(
    struct w_command_builder *builder, yyjson_val *description);
writ_status w_command_check_whole(struct w_command_builder *builder);

/* Reads the keys of a node that the tree needs. */
writ_status w_command_read_node(struct w_command_builder *builder,
    yyjson_val *map, bool is_first, struct w_node_facts *facts);

/* Makes the grammar of the builder's node, without caching it. */
writ_status w_command_make_grammar(struct w_command_builder *builder);

/* The map that describes an option or operand, after its spelling. */
writ_status w_command_read_param(struct w_command_builder *builder,
    yyjson_val *key, yyjson_val *val, struct w_param *param);

/* Resolves references between parameters, once all are known. */
writ_status w_command_link(struct w_command_builder *builder);

/* Checks that each operand of an argv can be identified. */
writ_status w_command_check_operands(struct w_command_builder *builder);

/* Effects of the node, with and without conditions; variables and helpers. */
writ_status w_command_add_rules(struct w_command_builder *builder);

/* A list of effects, or one. of is the parameter that they belong to (NULL:
 * none); a global one may name parameters that this grammar lacks. */
writ_status w_command_effects(struct w_command_builder *builder,
    yyjson_val *list, const struct w_param *of,
    const struct w_effect **out_effects, size_t *out_count);

/* The parameters that a list of keys (or one key) names, as indexes. */
writ_status w_command_places(struct w_command_builder *builder,
    yyjson_val *list, const struct w_param *of, const size_t **out_places,
    size_t *out_count);

/* Fails and notes the place of the error. */
writ_status w_command_refuse(struct w_command_builder *builder, yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
writ_status w_command_refuse_type(struct w_command_builder *builder,
    yyjson_val *val, const char *name, const char *wanted);
writ_status w_command_nomem(struct w_command_builder *builder);

/* Suggests the key of a map that was probably meant. */
void w_command_suggest_key(
    struct w_command_builder *builder, yyjson_val *map, const char *word);

/* Check for a text without NUL; a list of such texts, or one; one of some
 * words. */
writ_status w_command_check_text(
    struct w_command_builder *builder, yyjson_val *val, const char *name);
writ_status w_command_check_texts(
    struct w_command_builder *builder, yyjson_val *val, const char *name);
writ_status w_command_read_word(struct w_command_builder *builder,
    yyjson_val *val, const char *name, const char *const *words,
    unsigned *out_place);

/* Iterates over a list of texts, or a single text in place of a list. */
struct w_command_texts {
	yyjson_val *one;
	yyjson_arr_iter iter;
};
struct w_command_texts w_command_texts(yyjson_val *val);
yyjson_val *w_command_texts_next(struct w_command_texts *texts);
size_t w_command_texts_count(yyjson_val *val);

/* Appends them to a NULL-ended list. */
writ_status w_command_save_texts(struct w_command_builder *builder,
    yyjson_val *val, const char *const **out_list);

/* Adds line and column to an error, if the command has a text. */
void w_command_locate(const struct w_command *command,
    const struct w_command_fault *fault, writ_error *err);

#endif /* W_COMMAND_COMMAND_BUILDER_H */
