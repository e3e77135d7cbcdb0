/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ANALYSIS_H
#define W_COMMAND_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "command/parse/argv_parse.h"

/*
 * What an argv does: what it reads, writes, deletes, executes, connects to and
 * publishes, and where; including nested commands. Pure: nothing is opened or
 * looked up, so paths are as they were written.
 *
 * A command is understood only as a whole. A word that is not in the
 * description, a nested command that is not understood or an opaque shell
 * string make it "not understood", with the reason; its effects are then a
 * lower bound.
 */

/* Finds the description of a program by its name; NULL: none, or none that is
 * usable. Aliases (same_as) are resolved: the description returned is the
 * program's own. */
struct w_command_source {
	const struct w_command *(*find)(
	    void *ctx, const char *name, size_t len);
	/* Why there is no description, if known; else NULL. Borrowed. This
	 * function and the next may be NULL. */
	const char *(*why_not)(void *ctx, const char *name, size_t len);
	/* "builtin", or the path of its file. Borrowed. */
	const char *(*origin)(void *ctx, const struct w_command *command);
	/* Whether the description is only a claim, by somebody who may want the
	 * program to look harmless: then the program counts as executing code,
	 * whatever the description says. NULL: no description is. */
	bool (*is_claim)(void *ctx, const char *name, size_t len);
	void *ctx;
};

/* Something that the command touches. */
struct w_touch {
	unsigned effect; /* one bit */
	enum {
		W_TOUCH_UNNAMED, /* it is unknown where */
		W_TOUCH_PATH,
		W_TOUCH_HOST,
		W_TOUCH_PROGRAM,
		W_TOUCH_VARIABLE,
	} kind;
	const char *target; /* NULL: unnamed, or known only at run time */
	size_t len;
	size_t word; /* the word of the argv that it comes from; argc: none */
	const struct w_param *param; /* NULL: none */
	const char *manager; /* "@npm": the target is a host of this package
				manager; NULL: it is not. Set by the engine */
	size_t manager_len;
	const char *why;  /* short explanation; NULL: the effect says it */
	bool is_possible; /* the program also works without it, or only words
			     that come when it runs could bring it */
	bool is_home;     /* a path that begins with "~", the home directory */
	bool is_partial; /* a path of which a shell knows more when it runs: the
			    target is a directory above it, or NULL */
};

/* A nested command. */
struct w_inner {
	struct w_analysis *analysis;
	unsigned how;  /* W_INNER_ bits */
	bool is_shell; /* part of a shell string */
	size_t word;   /* where it begins in the outer argv */
};

/* Bytes that must not appear in any record. */
struct w_secret_place {
	size_t word; /* 0 for a shell string, which has no argv */
	size_t offset;
	size_t len;
};

struct w_analysis {
	struct w_arena arena; /* of the outermost analysis; holds everything
				 below */
	const char *const *argv;
	size_t argc;
	const char *shell; /* instead of words: a shell string; or NULL */
	bool is_understood;
	bool is_itself_understood; /* regardless of nested commands */
	bool is_builtin;           /* a shell builtin, or no command at all */
	bool is_syntax_error;      /* it has a shell text that no shell runs:
				      the reason begins with "syntax error: " */
	const char *id;     /* of the module, "cli.git.log"; NULL: none */
	const char *origin; /* of its description; NULL: unknown */
	struct w_argv_parse parse; /* grammar NULL: it did not match */
	unsigned effects;          /* of all commands, nested ones included */
	bool
	    has_background; /* a shell text in it has "&": something may stay */
	bool needs_network; /* it, or a nested one, is known to reach another
			       machine: use w_analysis_needs_network() */
	struct w_touch *touches; /* without those of nested commands */
	size_t touch_count;
	struct w_inner *inner;
	size_t inner_count;
	struct w_secret_place *secrets; /* in its own argv */
	size_t secret_count;
	const char *const *helpers; /* NULL-ended; NULL: none */

	/* Set when it is not understood. */
	const char *reason;
	const char *suggestion; /* NULL: none */
	size_t reason_word;     /* argc: no single word */
	size_t reason_offset;   /* in that word, or in the shell string */
};

/* The maximum nesting depth, and the maximum number of nested commands. */
#define W_ANALYSIS_DEPTH_MAX 16
#define W_ANALYSIS_INNER_MAX 1000

struct w_analysis_input {
	const char *const *argv; /* borrowed by the analysis */
	size_t argc;
	const char *shell; /* instead: the text for a shell; or NULL */
	bool is_bash;      /* that shell is bash */
	const char *const
	    *env; /* NAME=value set by the request; NULL-ended; NULL: none */
	bool has_terminal; /* its output is a terminal */
};

/* Fails only with WRIT_E_NOMEM: an argv that is not understood still has an
 * analysis. */
writ_status w_analysis_new(const struct w_command_source *source,
    const struct w_analysis_input *input, struct w_analysis **out_analysis,
    writ_error *err);
void w_analysis_free(struct w_analysis *analysis);

/* Whether it is known to reach another machine. A command that also works
 * without a network, or that only reaches this machine, does not. */
bool w_analysis_needs_network(const struct w_analysis *analysis);

/* Appends it as a JSON object; include/writ/module.h lists the members. Secrets
 * are masked. */
void w_analysis_add_json(struct w_buf *buf, const struct w_analysis *analysis);

#endif /* W_COMMAND_ANALYSIS_H */
