/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ANALYSIS_H
#define W_COMMAND_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "command/parse/argv_parse.h"

/*
 * What an argv means: what it reads, writes, deletes, executes, reaches and
 * publishes, and where; with the commands inside it. Pure: nothing is opened or
 * looked up, so paths are as they were spelled.
 *
 * It is understood only as a whole: a word that no description has, a command
 * inside that is not understood, a shell string that is opaque make it
 * something that is not understood, with the reason, and its effects are a
 * lower bound.
 */

/* Finds the description of a program by its name; NULL: there is none, or none
 * that could be used. It is that of the program itself: whoever is the same as
 * another is not found, but the other. */
struct w_command_source {
	const struct w_command *(*find)(
	    void *ctx, const char *name, size_t len);
	/* Why there is none, when more is known about it; else NULL. The
	 * function may be NULL, too, like the next. Borrowed. */
	const char *(*why_not)(void *ctx, const char *name, size_t len);
	/* "builtin", or the file that it is in. Borrowed. */
	const char *(*origin)(void *ctx, const struct w_command *command);
	/* Whether the description is no more than a claim, of somebody who may
	 * want the program to look harmless: it is executed, whatever else the
	 * description says. NULL: none is. */
	bool (*is_claim)(void *ctx, const char *name, size_t len);
	void *ctx;
};

/* Something that is touched. */
struct w_touch {
	unsigned effect; /* one bit */
	enum {
		W_TOUCH_UNNAMED, /* it is not said where */
		W_TOUCH_PATH,
		W_TOUCH_HOST,
		W_TOUCH_PROGRAM,
		W_TOUCH_VARIABLE,
	} kind;
	const char *target; /* NULL: unnamed, or known only when it runs */
	size_t len;
	size_t word; /* of the argv that it comes from; argc: none */
	const struct w_param *param; /* NULL: none */
	const char *why; /* a few words for people; NULL: the effect says it */
};

/* A command inside. */
struct w_inner {
	struct w_analysis *analysis;
	unsigned how;  /* W_INNER_ bits */
	bool is_shell; /* a part of a shell string */
	size_t word;   /* where it begins in the outer argv */
};

/* Bytes that no record may show. */
struct w_secret_place {
	size_t word; /* 0 where there is a shell string and no argv */
	size_t offset;
	size_t len;
};

struct w_analysis {
	struct w_arena arena; /* of the outermost: has all that is below */
	const char *const *argv;
	size_t argc;
	const char *shell; /* instead of words: a shell string; NULL */
	bool is_understood;
	bool is_itself_understood; /* whatever is inside */
	bool is_builtin;           /* of the shell, or no command at all */
	const char *id;     /* of the module, "cli.git.log"; NULL: none */
	const char *origin; /* of its description; NULL: not known */
	struct w_argv_parse parse; /* form NULL: it did not match */
	unsigned effects;          /* of all, inner ones included */
	struct w_touch *touches;   /* its own */
	size_t touch_count;
	struct w_inner *inner;
	size_t inner_count;
	struct w_secret_place *secrets; /* its own argv's */
	size_t secret_count;
	const char *const *helpers; /* NULL-ended; NULL: none */

	/* When it is not understood. */
	const char *reason;
	const char *suggestion; /* NULL: none */
	size_t reason_word;     /* argc: not one word */
	size_t reason_offset;   /* in that word, or in the shell string */
};

/* How deep commands may be in commands, and how many there may be at all. */
#define W_ANALYSIS_DEPTH_MAX 16
#define W_ANALYSIS_INNER_MAX 1000

struct w_analysis_input {
	const char *const *argv; /* borrowed by the meaning */
	size_t argc;
	const char *shell;      /* instead: what a shell is given; NULL */
	const char *const *env; /* NAME=value that the request sets; NULL-ended;
				   NULL: none */
	bool has_terminal;      /* its output is one */
};

/* Fails only without memory: what is not understood is a meaning as well. */
writ_status w_analysis_new(const struct w_command_source *source,
    const struct w_analysis_input *input, struct w_analysis **out_analysis,
    writ_error *err);
void w_analysis_free(struct w_analysis *analysis);

/* Appends it as a JSON object; include/writ/module.h has its members. Secrets
 * are not shown. */
void w_analysis_add_json(struct w_buf *buf, const struct w_analysis *analysis);

#endif /* W_COMMAND_ANALYSIS_H */
