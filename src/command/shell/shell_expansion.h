/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_EXPANSION_H
#define W_COMMAND_SHELL_EXPANSION_H

#include "command/shell/shell.h"

/*
 * Words of a shell text as the command gets them. What is known only when it
 * runs stays as it is written, and its place is listed.
 */

enum w_unseen_kind {
	W_UNSEEN_FREE,   /* it may be anything, even an option */
	W_UNSEEN_NUMBER, /* digits, or nothing */
	W_UNSEEN_NAMES,  /* names of files that match a pattern */
	W_UNSEEN_HOME,   /* "~": the home directory */
};

/* Bytes of a word that are known only when it runs. */
struct w_unseen {
	const char *at;
	size_t len;
	enum w_unseen_kind kind;
	bool is_many; /* it may become several words, or none */
};

/* The words of a command, and what of them is not known, in ascending order of
 * addresses. */
struct w_expanded {
	const char *const *argv; /* NULL-ended */
	size_t argc;
	const struct w_unseen *unseen;
	size_t unseen_count;
};

/* A variable that the text sets. */
struct w_shell_value {
	const char
	    *name; /* NULL: all variables, to values that are not known */
	size_t name_len;
	const char *value; /* NULL: not known */
	size_t names_at;   /* from there on it is a pattern, or a name that
			      matches it; its length: it is as it is */
	const struct w_shell_value *next;
};

struct w_shell_expander {
	struct w_arena *arena;
	const struct w_shell_value *values;
	bool is_home_known;    /* nothing changes HOME */
	bool is_ifs_known;     /* nothing changes IFS */
	bool is_assigning;     /* set: an expansion sets some variable */
	const char *refusal;   /* set: why it cannot be followed; else NULL */
	size_t refusal_offset; /* in the text */
};

/* The value of a variable; NULL: not known. */
const struct w_shell_value *w_shell_value_of(
    const struct w_shell_value *values, const char *name, size_t len);

/* Expands a list of words; assignments are not split. false: no memory. */
bool w_shell_expand(struct w_shell_expander *expander,
    const struct w_shell_word *words, bool are_assignments,
    struct w_expanded *out);

#endif /* W_COMMAND_SHELL_EXPANSION_H */
