/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_COMMAND_H
#define W_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/error.h"
#include "command/grammar/grammar.h"

/*
 * The description of a program, as docs/commands.md has it: a tree of nodes,
 * the program itself and its sub-commands. Each node that can be run by itself
 * is a module, "cli.git.log", and has a form, which is made when it is asked
 * for first.
 *
 * The description is a JSON object, from YAML with places or from what is built
 * in. It is looked through as a whole only when somebody asks to check it
 * thoroughly; otherwise each node is read when its form is made.
 *
 * What takes a const command may be called by several threads at once.
 */
struct w_command;

struct w_command_node {
	const struct w_command *command;
	const struct w_command_node *parent; /* NULL: the program itself */
	const char *id;                      /* "cli.git.log" */
	const char *name;                    /* "log": the word that names it */
	const char *about;                   /* "" when there is none */
	const struct w_command_node *children;
	size_t child_count;
	const struct w_command_node *standard; /* the child that it is when no
						  word names one; NULL */
	bool is_runnable; /* by itself, without a sub-command */
	size_t depth;     /* how many words name it besides the program */
};

/* The description is borrowed and must outlive the command. Fails with
 * WRIT_E_INVALID and the key or value at fault in *out_at (unless NULL). */
writ_status w_command_new(yyjson_val *description, bool is_thorough,
    struct w_command **out_command, yyjson_val **out_at, writ_error *err);
void w_command_free(struct w_command *command);

/* What it was made from. Borrowed. */
yyjson_val *w_command_description(const struct w_command *command);

const struct w_command_node *w_command_root(const struct w_command *command);

/* Other names of the program; NULL-ended. */
const char *const *w_command_also(const struct w_command *command);

/* The program that this one is by another name; NULL: it is itself. */
const char *w_command_same_as(const struct w_command *command);

/* The child that a word names, by its name or another one; NULL. */
const struct w_command_node *w_command_child(
    const struct w_command_node *node, const char *word, size_t len);

/* The node of an id; NULL. */
const struct w_command_node *w_command_find(
    const struct w_command *command, const char *id);

/* Its form: options of all levels above it, those with is_global and in the
 * slot before the sub-command, and its own. Of a node that cannot be run by
 * itself: the options that may stand before the name of a child. Borrowed. */
writ_status w_command_grammar(const struct w_command_node *node,
    const struct w_grammar **out_grammar, writ_error *err);

/* Words that make it print JSON; NULL-ended; NULL: none. */
const char *const *w_command_json_flag(const struct w_command_node *node);

/* A file, YAML or JSON; it must be called after the command that it describes.
 * The same is asked of it as of a file of bindings. The places of errors are
 * those of the file. */
#define W_COMMAND_SUFFIX    ".command.yaml"
#define W_COMMAND_BYTES_MAX 1048576
writ_status w_command_read_file(int dir_fd, const char *name, bool is_thorough,
    struct w_command **out_command, writ_error *err);
writ_status w_command_read_text(const char *text, size_t len, bool is_thorough,
    struct w_command **out_command, writ_error *err);

#endif /* W_COMMAND_COMMAND_H */
