/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_COMMAND_H
#define W_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/error.h"
#include "command/grammar/grammar.h"

/*
 * The description of a program, in the format of docs/commands.md: a tree of
 * nodes, the program itself and its sub-commands. Each node that can be run by
 * itself is a module, "cli.git.log", and has a grammar, made on first use.
 *
 * The description is a JSON object, from YAML with places or from the built-in
 * ones. It is checked as a whole only if the caller asks for a thorough check;
 * otherwise each node is read when its grammar is made.
 *
 * Functions that take a const command are thread-safe.
 */
struct w_command;

struct w_command_node {
	const struct w_command *command;
	const struct w_command_node *parent; /* NULL: the program itself */
	const char *id;                      /* "cli.git.log" */
	const char *name;                    /* "log": the word that names it */
	const char *about;                   /* "" for none */
	const struct w_command_node *children;
	size_t child_count;
	const struct w_command_node *
	    standard; /* the default child when no word names one; NULL: none */
	bool is_runnable; /* by itself, without a sub-command */
	size_t depth;     /* number of words that name it after the program */
};

/* The description is borrowed and must outlive the command. Fails with
 * WRIT_E_INVALID; *out_at (unless NULL) is then the key or value at fault. */
writ_status w_command_new(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, yyjson_val **out_at, writ_error *err);
void w_command_free(struct w_command *command);

/* What it was made from. Borrowed. */
yyjson_val *w_command_description(const struct w_command *command);

const struct w_command_node *w_command_root(const struct w_command *command);

/* Other names of the program; NULL-ended. */
const char *const *w_command_also(const struct w_command *command);

/* The version of the program that is described: "coreutils 9.1"; NULL: not
 * said. */
const char *w_command_version(const struct w_command *command);

/* The program that this one is an alias of; NULL: none. */
const char *w_command_same_as(const struct w_command *command);

/* The child with this name or alias; NULL: none. */
const struct w_command_node *w_command_child(
    const struct w_command_node *node, const char *word, size_t len);

/* The node with this id; NULL: none. */
const struct w_command_node *w_command_find(
    const struct w_command *command, const char *id);

/* Its grammar: the options of all levels above it (with is_global, in the slot
 * before the sub-command) and its own. For a node that cannot be run by itself:
 * the options allowed before the name of a child. Borrowed. */
writ_status w_command_grammar(const struct w_command_node *node,
    const struct w_grammar **out_grammar, writ_error *err);

/* Words that make the program print JSON; NULL-ended; NULL: none. */
const char *const *w_command_json_flag(const struct w_command_node *node);

/* Reads a YAML or JSON file, named after its command. The file must pass the
 * same checks as a binding file. Errors have line and column in the file. */
#define W_COMMAND_SUFFIX    ".command.yaml"
#define W_COMMAND_BYTES_MAX 1048576
writ_status w_command_read_file(int dir_fd, const char *name, bool is_thorough,
    struct w_command **out_command, writ_error *err);
writ_status w_command_read_text(const char *text, size_t len, bool is_thorough,
    struct w_command **out_command, writ_error *err);

#endif /* W_COMMAND_COMMAND_H */
