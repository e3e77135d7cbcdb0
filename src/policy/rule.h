/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_RULE_H
#define W_POLICY_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "command/grammar/effect.h"

/*
 * One rule of a policy (docs/policy.md), ready for matching. All memory belongs
 * to the policy.
 */
enum w_verdict {
	W_ALLOW,
	W_ASK,
	W_DENY,
};

/* In addition to command/grammar/effect.h: the effects are not known. */
#define W_EFFECT_UNKNOWN (1U << W_EFFECT_COUNT)
/* The caller asks for more than the sandbox gives. */
#define W_EFFECT_MORE (W_EFFECT_UNKNOWN << 1)
/* The called module asks for approval of each call. */
#define W_EFFECT_APPROVAL     (W_EFFECT_MORE << 1)
#define W_POLICY_EFFECT_COUNT (W_EFFECT_COUNT + 3)
/* Effects that no default allows. */
#define W_EFFECT_SAID (W_EFFECT_UNKNOWN | W_EFFECT_MORE | W_EFFECT_APPROVAL)

/* A position in a policy file, for messages. */
struct w_policy_location {
	const char *file; /* a preset's is "preset:developer" */
	unsigned line;    /* from 1; 0: unknown */
	unsigned column;
};

/* NULL-ended; NULL: no such condition. */
typedef const char *const *w_globs;

/* A condition on one argument. */
struct w_rule_input {
	const char *key;
	/* Alternatives: strings (globs), numbers, booleans, null. They belong
	 * to the policy's document. */
	yyjson_val *const *values;
	size_t value_count;
};

struct w_shape {
	const char *text;         /* as written */
	const char *const *words; /* NULL-ended; "*": any one word */
	size_t count;
	bool is_open; /* ends with "..." */
};

/* A time span on some days; from > to wraps at midnight. */
struct w_rule_time {
	unsigned days; /* bit 0: Monday */
	unsigned from; /* minutes of the day */
	unsigned to;
};

/* Bits of a condition. */
#define W_RULE_CANNOT_UNDO 1U
#define W_RULE_CAN_UNDO    2U

#define W_ANY_WALLS        UINT_MAX
#define W_MATCH_PATHS \
	(W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE | W_EFFECT_EXEC)

enum w_rule_kind {
	W_RULE_PLAIN,     /* from `rules` */
	W_RULE_DEFAULT,   /* applies when no other rule does */
	W_RULE_PROGRAMS,  /* the allowlist: denies other programs */
	W_RULE_LISTED,    /* the allowlist: allows its programs */
	W_RULE_TOOLS,     /* denies what an agent's `tools` do not list */
	W_RULE_AGENTS,    /* denies unknown agents */
	W_RULE_ROOTS,     /* denies other working directories */
	W_RULE_ARGUMENTS, /* denies characters in arguments */
	W_RULE_SHELL,     /* denies, asks for or allows shell commands */
	W_RULE_UNKNOWN,   /* what `default: allow` does not cover */
};

struct w_rule {
	enum w_rule_kind kind;
	enum w_verdict verdict;
	struct w_policy_location location;
	size_t order;     /* in the file; the first matching rule is reported */
	const char *text; /* on one line, in policy syntax */
	const char *because; /* NULL: none */
	const char *message; /* with {command} and so on; NULL: none */
	uint64_t document;   /* the file it is written in: one bit */
	uint64_t outranks;   /* bits of the files that this one includes: an
				allow outranks their asks; 0: none */

	/* Conditions, all of which must hold. NULL and 0: no such condition. */
	w_globs agents;
	w_globs programs;
	w_globs called_as;
	w_globs modules;
	w_globs called; /* ids of the module that was called; "": no module
			   that is trusted was */
	const struct w_rule_input *inputs;
	size_t input_count;
	unsigned effects; /* bits, without those of the path keys */
	w_globs paths[4]; /* by the bits of W_MATCH_PATHS: read, write, delete,
			     exec. Absolute, or as written with a leading "./",
			     "~/" or "**" and a slash */
	w_globs hosts;
	const struct w_host_list *host_list; /* of `network: {hosts: ...}`;
						NULL: no such condition */
	w_globs variables;
	const struct w_shape *shapes;
	size_t shape_count;
	int is_shell;           /* -1: no condition; 0, 1 */
	const char *shell_text; /* a glob; NULL: no condition */
	unsigned walls_min;     /* 0: no condition */
	unsigned walls_below;   /* weaker than this; 0: no condition */
	unsigned networks; /* bits by enum w_policy_network; 0: no condition */
	unsigned undo;     /* W_RULE_CANNOT_UNDO, W_RULE_CAN_UNDO; 0: no
			      condition */
	const struct w_rule_time *time; /* NULL: no condition */
	int64_t until;       /* seconds of the epoch; 0: no condition */
	const char *project; /* its root, or "~/" and the rest; NULL: no
				condition */
	bool is_trial;       /* not a condition: what it matches is a trial */
};

#endif /* W_POLICY_RULE_H */
