/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_RULE_H
#define W_POLICY_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "command/grammar/effect.h"

/*
 * One rule of a policy, as docs/policy.md has it, in the form in which it is
 * judged by. All memory is the policy's.
 */
enum w_verdict {
	W_ALLOW,
	W_ASK,
	W_DENY,
};

/* Beyond those of command/grammar/effect.h: it is not known what is done. */
#define W_EFFECT_UNKNOWN (1U << W_EFFECT_COUNT)
/* And: the caller asks for more than the walls give. */
#define W_EFFECT_MORE (W_EFFECT_UNKNOWN << 1)
/* And: the module that is called wants each call approved. */
#define W_EFFECT_APPROVAL     (W_EFFECT_MORE << 1)
#define W_POLICY_EFFECT_COUNT (W_EFFECT_COUNT + 3)
/* What no default allows. */
#define W_EFFECT_SAID (W_EFFECT_UNKNOWN | W_EFFECT_MORE | W_EFFECT_APPROVAL)

/* Where something stands, for people. */
struct w_policy_location {
	const char *file; /* as shown; a preset's is "preset:developer" */
	unsigned line;    /* from 1; 0: nowhere */
	unsigned column;
};

/* Globs, with what is known of them. NULL-ended; NULL: the rule does not ask.
 */
typedef const char *const *w_globs;

/* One argument that must be as the rule says. */
struct w_rule_input {
	const char *key;
	/* The alternatives: strings (globs), numbers, booleans, null. Of the
	 * policy's document. */
	yyjson_val *const *values;
	size_t value_count;
};

struct w_shape {
	const char *text;         /* as written */
	const char *const *words; /* NULL-ended; "*": any one */
	size_t count;
	bool is_open; /* ends with "..." */
};

/* Minutes of the week, Monday 00:00 is 0. One span; from > to wraps at
 * midnight. */
struct w_rule_time {
	unsigned days; /* bit 0: Monday */
	unsigned from; /* minutes of the day */
	unsigned to;
};

#define W_ANY_WALLS UINT_MAX
#define W_MATCH_PATHS \
	(W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE | W_EFFECT_EXEC)

enum w_rule_kind {
	W_RULE_PLAIN,     /* of `rules` */
	W_RULE_DEFAULT,   /* what counts when no other does */
	W_RULE_PROGRAMS,  /* the fence: denies what is not listed */
	W_RULE_LISTED,    /* its other side: allows what is */
	W_RULE_TOOLS,     /* the same for what an agent may use */
	W_RULE_AGENTS,    /* denies agents that nobody knows */
	W_RULE_ROOTS,     /* denies other working directories */
	W_RULE_ARGUMENTS, /* denies words */
	W_RULE_SHELL,     /* denies or asks for shell texts; or allows them */
	W_RULE_UNKNOWN,   /* default: allow, but not for this */
};

struct w_rule {
	enum w_rule_kind kind;
	enum w_verdict verdict;
	struct w_policy_location location;
	size_t order;        /* in the file, ascending: which reason is named */
	const char *text;    /* the rule on one line, in policy syntax */
	const char *because; /* NULL */
	const char *message; /* with {command} and so on; NULL */

	/* What must hold; NULL and 0: the rule does not ask. */
	w_globs agents;
	w_globs programs;
	w_globs called_as;
	w_globs modules;
	const struct w_rule_input *inputs;
	size_t input_count;
	unsigned effects; /* bits; path keys are not in here */
	w_globs paths[4]; /* by the bits of W_MATCH_PATHS: read, write, delete,
			     exec. Absolute, or "./", "**" with a slash and "~/"
			     as written */
	w_globs hosts;
	w_globs variables;
	const struct w_shape *shapes;
	size_t shape_count;
	int is_shell;           /* -1: does not ask; 0, 1 */
	const char *shell_text; /* a glob; NULL */
	unsigned walls_min;     /* 0: does not ask */
	unsigned walls_below;   /* weaker than this; 0: does not ask */
	unsigned
	    networks; /* bits by w_policy_facts's network; 0: does not ask */
	const struct w_rule_time *time; /* NULL */
};

#endif /* W_POLICY_RULE_H */
