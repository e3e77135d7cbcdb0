/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SPELLING_H
#define W_COMMAND_SPELLING_H

#include "base/error.h"
#include "command/grammar/grammar.h"

/*
 * How a description writes an option or operand: "-o, --output <path:write>".
 * docs/commands.md has the rules. The result goes into the parameter, with
 * texts from the arena.
 */
#define W_SPELLING_STAGE     "command"
#define W_SPELLING_BYTES_MAX 4096

struct w_spelling {
	const char *text;
	size_t len;
	enum w_style style;
	bool has_short_equals; /* "-o=V" is "-o V", in styles with bundles */
	struct w_arena *arena;
	writ_error *err;
	size_t at; /* offset of the error */
};

/* Fills flag, key, names, values, arity, types, attach and members derived from
 * them. */
writ_status w_spelling_option(
    struct w_spelling *spelling, struct w_param *param);

/* Fills key, values, types, min_count, is_repeatable. */
writ_status w_spelling_operand(
    struct w_spelling *spelling, struct w_param *param);

#endif /* W_COMMAND_SPELLING_H */
