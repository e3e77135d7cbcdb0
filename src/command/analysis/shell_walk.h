/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_WALK_H
#define W_COMMAND_SHELL_WALK_H

#include "command/analysis/analyzer.h"

/* Walking through a shell text: what its two files share. */

/* Of a walk: nodes are walked again for calls and values. */
#define W_WALKER_STEPS_MAX 20000

/* One text while it is walked through. */
struct w_walker {
	struct w_analyzer *analyzer;
	const struct w_shell_text *shell;
	const struct w_shell *parsed;
	struct w_shell_walk state;
	struct w_walker_function *defined; /* all functions, newest first */
	size_t steps;
	size_t calls;
	size_t unrolled;   /* how often the current loops are repeated */
	size_t conditions; /* around what is walked */
	size_t pieces;     /* words that were expanded */
	bool has_hidden;   /* secrets are in variables */
	bool has_unseen;   /* a word is known only when it runs */
	struct w_walker_assigned *assigned;
};

/* Where a value is in the text. */
struct w_walker_assigned {
	size_t from;
	size_t to;
	struct w_walker_assigned *next;
};

/* A function, and whether it was called. */
struct w_walker_function {
	struct w_shell_function function;
	bool is_walked;
	bool is_active;
	struct w_walker_function *next;
};

/* ---- shell_walk.c ---- */

/* Commands in another process. */
void w_walker_apart(struct w_walker *walker, const struct w_shell_node *list);

/* ---- shell_command.c ---- */

/* The directory may be any that was seen. */
void w_walker_join_bases(struct w_walker *walker);

/* What was set since then is not known any more. */
void w_walker_forget(struct w_walker *walker, const struct w_shell_value *base);

/* What is there is not followed. */
void w_walker_refuse(struct w_walker *walker, size_t at, const char *why);

/* The commands that are substituted in words. */
void w_walker_substitutions(
    struct w_walker *walker, const struct w_shell_word *words);

/* false: no memory. */
bool w_walker_expand(struct w_walker *walker, const struct w_shell_word *words,
    bool are_assignments, struct w_expanded *out);

/* Analyzes one command with its redirections. */
void w_walker_run(struct w_walker *walker, const struct w_shell_node *node,
    const struct w_expanded *assignments, const struct w_expanded *words);

/* The text of a here document that a shell reads. */
void w_walker_here_documents(struct w_walker *walker,
    const struct w_shell_node *node, const struct w_expanded *words);

#endif /* W_COMMAND_SHELL_WALK_H */
