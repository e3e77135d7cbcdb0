/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_H
#define W_COMMAND_SHELL_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Shell commands without expansions, parsed: words, quotes, backslash, && || ;
 * | newline, redirections, NAME=value before a command, cd. Everything else ($
 * ` * ? [ ~ { } ( ) & # ! reserved words, functions, here documents) is opaque:
 * its effect cannot be known without running it. Exceptions, literal in every
 * shell: "[" and (except as the command) "!" as whole words, "{}", and "~"
 * after a letter or digit (HEAD~1).
 *
 * What is accepted means the same to every POSIX shell and to bash.
 */
#define W_SHELL_PARTS_MAX 1000

enum w_redirection_kind {
	W_REDIRECT_READ,       /* < */
	W_REDIRECT_WRITE,      /* > >| */
	W_REDIRECT_APPEND,     /* >> */
	W_REDIRECT_READ_WRITE, /* <> */
};

struct w_redirection {
	enum w_redirection_kind kind;
	const char *path; /* those between descriptors (2>&1) are not listed */
	size_t offset;    /* in the text */
};

enum w_control_operator {
	W_CONTROL_END,
	W_CONTROL_PIPE,
	W_CONTROL_AND,
	W_CONTROL_OR,
	W_CONTROL_THEN, /* ; or a newline */
};

/* One simple command. */
struct w_simple_command {
	const char *const *argv; /* NULL-ended; NULL: only assignments or
				    redirections */
	size_t argc;
	const char *const *assignments; /* NULL-ended; NULL: none */
	const struct w_redirection *redirections;
	size_t redirection_count;
	enum w_control_operator control; /* before the next command */
	size_t offset;                   /* in the text */
};

struct w_shell {
	struct w_arena arena;
	struct w_simple_command *parts;
	size_t count;
};

/* WRIT_E_INVALID: it is opaque; *out_offset (unless NULL) is where that begins,
 * and the message says why. */
writ_status w_shell_parse(const char *text, size_t len,
    struct w_shell *out_shell, size_t *out_offset, writ_error *err);
void w_shell_done(struct w_shell *shell);

#endif /* W_COMMAND_SHELL_H */
