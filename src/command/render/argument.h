/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ARGUMENT_H
#define W_COMMAND_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/error.h"
#include "base/words.h"
#include "command/grammar/grammar.h"

/*
 * One argument of a call on its way to a word of the command line. Shared by
 * rendering with a grammar and with a template.
 */
struct w_argument {
	const char *key;
	size_t element; /* index in its array, from 1; 0: the value itself */
	writ_error *err;
};

/* Fails with the argument and its element before the message. */
writ_status w_argument_refuse(const struct w_argument *argument,
    const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The text of a value on a command line. */
struct w_argument_text {
	const char *bytes;
	size_t len;
	char *owned;     /* what bytes points into; NULL: borrowed */
	char digits[24]; /* for a number */
};

/*
 * Strings unchanged; numbers, booleans, arrays and objects as compact JSON,
 * numbers exactly. If types has only integers, 5.0 is 5. A NUL is
 * WRIT_E_INVALID.
 */
writ_status w_argument_text(const struct w_argument *argument, yyjson_val *val,
    unsigned types, struct w_argument_text *out_text);
void w_argument_text_done(struct w_argument_text *text);
#define W_AUTO_ARGUMENT_TEXT __attribute__((cleanup(w_argument_text_done)))

/* Appends the word made of two parts; WRIT_E_INVALID if it is too long for the
 * kernel. */
writ_status w_argument_add(const struct w_argument *argument,
    struct w_words *words, const char *before, size_t before_len,
    const struct w_argument_text *text);

/* Whether a program could take the word for an option. "-" alone is standard
 * input by convention, or a file of that name, never an option. */
bool w_argument_is_dashed(const char *bytes, size_t len);

/* Whether a program could take a path for something else: "+cmd" is a command
 * for editors and pagers, "@file" a file of options for compilers. */
bool w_argument_is_marked(const char *bytes, size_t len);

/* Whether a program whose operands come first could take it for a part of an
 * expression, as find does. */
bool w_argument_is_operator(const char *bytes, size_t len);

/* Whether an operand in that slot could be taken for something else, and so
 * needs protection. */
bool w_argument_needs_guard(const struct w_param *param, enum w_slot slot,
    const char *bytes, size_t len);

/* Neither null nor false nor an empty array. */
bool w_argument_is_effective(yyjson_val *val);

#endif /* W_COMMAND_ARGUMENT_H */
