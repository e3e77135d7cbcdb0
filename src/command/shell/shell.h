/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_H
#define W_COMMAND_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Texts of POSIX sh and bash as a tree: lists, pipes, sub-shells, groups, if,
 * for, while, until, case, functions, [[ ]], here documents, redirections, and
 * words with their quotes and expansions. Nothing is expanded here.
 *
 * What dash and bash read differently, and what cannot be followed, is a fault:
 * the first is kept with its place. Reading goes on behind it if that is
 * possible; the tree has what was recognised. Only a tree without a fault means
 * to every such shell what it says.
 *
 * The tree borrows the text: its parts point into it.
 */

/* Limits: reading ends there with a fault. */
#define W_SHELL_COMMANDS_MAX 1000
#define W_SHELL_DEPTH_MAX    100
#define W_SHELL_PIECES_MAX   200000 /* words, and their parts */

enum w_shell_part_kind {
	W_PART_TEXT,
	W_PART_VARIABLE, /* $NAME, ${NAME}; the text is the name */
	W_PART_NUMBER,   /* $? $# $$ $!, or arithmetic */
	W_PART_UNSEEN,   /* known only when it runs; the text is as written */
	W_PART_PATTERN,  /* * ? [ and braces: names of files, or several words;
			    the text is as written */
	W_PART_HOME,     /* "~" of a word, or of the value of an assignment */
};

/* A part of a word. */
struct w_shell_part {
	enum w_shell_part_kind kind;
	bool is_quoted;
	bool is_many;      /* several words even in quotes: "$@" */
	bool is_assigning; /* it sets a variable: ${X:=y} */
	bool is_arithmetic;
	const char *text;
	size_t len;
	struct w_shell_part *next;
};

struct w_shell_word {
	struct w_shell_part *parts; /* NULL: it is '' */
	struct w_shell_part *last;
	size_t offset; /* in the text */
	size_t end;
	size_t name_len; /* it is NAME=value, with a name of this length; 0: it
			    is not */
	bool is_quoted;  /* something was quoted or escaped */
	bool is_continued; /* over a line's end; of a here document: with tabs
			      that are dropped */
	struct w_shell_node *commands; /* lists: what is substituted */
	struct w_shell_node *last_commands;
	struct w_shell_word *next;
};

enum w_redirection_kind {
	W_REDIRECT_READ,       /* < */
	W_REDIRECT_WRITE,      /* > >| &> */
	W_REDIRECT_APPEND,     /* >> &>> */
	W_REDIRECT_READ_WRITE, /* <> */
	W_REDIRECT_HERE,       /* << <<- <<< */
};

struct w_redirection {
	enum w_redirection_kind kind;
	struct w_shell_word
	    *word;     /* the path, or the text of a here document */
	size_t offset; /* in the text */
	struct w_redirection *next; /* those between descriptors (2>&1) are not
				       listed */
};

enum w_control_operator {
	W_CONTROL_END,
	W_CONTROL_PIPE,
	W_CONTROL_AND,
	W_CONTROL_OR,
	W_CONTROL_THEN, /* ; or a newline */
	W_CONTROL_BACKGROUND,
};

enum w_shell_node_kind {
	W_NODE_LIST,     /* commands joined by operators */
	W_NODE_SIMPLE,   /* assignments, words, redirections */
	W_NODE_SUBSHELL, /* one list */
	W_NODE_GROUP,    /* one list */
	W_NODE_IF,       /* lists: condition, body, ..., and that of else */
	W_NODE_LOOP,     /* while, until: condition, body */
	W_NODE_FOR,      /* the name, the values as words, one list */
	W_NODE_CASE,     /* the word; lists with their patterns as words */
	W_NODE_FUNCTION, /* the name; its body */
	W_NODE_TEST,     /* [[ ]]: its words */
	W_NODE_OTHER,    /* not followed, but what is in it is */
};

struct w_shell_node {
	enum w_shell_node_kind kind;
	enum w_control_operator control; /* before the next command */
	bool is_negated;                 /* by "!" */
	bool has_values;                 /* of for: "in" is there */
	bool may_change; /* what is in it may set a variable, change the
			    directory or define a function */
	size_t offset;   /* in the text */
	size_t end;
	const char *name;
	size_t name_len;
	struct w_shell_word *assignments;
	struct w_shell_word *words;
	struct w_redirection *redirections;
	struct w_redirection *last_redirection;
	struct w_shell_node *first; /* what is in it */
	struct w_shell_node *last;
	struct w_shell_node *next; /* behind it in the same list */
};

struct w_shell {
	struct w_arena arena;
	struct w_shell_node *list;
	size_t command_count; /* simple commands and tests */
	bool has_fault;
	bool is_syntax_error; /* dash and bash refuse it */
	bool has_functions;
	size_t fault_offset;
	writ_error fault;
};

struct w_shell_input {
	const char *text;
	size_t len;
	bool is_bash;     /* bash will run it: what only bash has is followed */
	bool has_history; /* "!" may recall a command */
};

/* Fails only with WRIT_E_NOMEM. */
writ_status w_shell_parse(const struct w_shell_input *input,
    struct w_shell *out_shell, writ_error *err);
void w_shell_done(struct w_shell *shell);

#endif /* W_COMMAND_SHELL_H */
