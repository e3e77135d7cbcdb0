/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_RENDER_H
#define W_COMMAND_RENDER_H

#include <yyjson.h>

#include "base/words.h"
#include "command/grammar/grammar.h"

/* Which characters an argument may have. */
enum w_strictness {
	W_STRICT_LITERAL, /* all but NUL: no shell will see it */
	W_STRICT_MODULES, /* none of ; | & $ ` \ ' " LF CR */
	W_STRICT_EXEC,    /* none of | & ; $ ` < > ( ) { } LF CR, no ".." */
};

/* Fails for an input with a character that the strictness forbids, and reports
 * the argument, the element and the character. */
writ_status w_render_preflight(
    yyjson_val *args, enum w_strictness strictness, writ_error *err);

struct w_render_plan {
	const struct w_grammar *grammar;
	const char *const *words;     /* program and subcommand, NULL-ended */
	const char *const *json_flag; /* NULL: none; NULL-ended */
};

/*
 * From arguments (an object that the schema accepts) to an argv, in the order
 * of the schema, whatever the order of the input. Fails with WRIT_E_INVALID: a
 * conflict, a missing requirement, NUL, an operand that would be taken for an
 * option, a word too long for the kernel.
 */
writ_status w_render(const struct w_render_plan *plan, yyjson_val *args,
    struct w_words *out_argv, writ_error *err);

/* The kernel's limit for one word of an argv (MAX_ARG_STRLEN). */
#define W_WORD_BYTES_MAX (128 * 1024 - 1)

#endif /* W_COMMAND_RENDER_H */
