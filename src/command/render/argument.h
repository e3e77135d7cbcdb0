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
 * One argument of a call on its way to a word of the command line. What is
 * shared by rendering by a form and by a template.
 */
struct w_argument {
	const char *key;
	size_t element; /* of its array, from 1; 0: the value itself */
	writ_error *err;
};

/* Fails with the argument and its element before the message. */
writ_status w_argument_refuse(const struct w_argument *argument,
    const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The text that a value is on a command line. */
struct w_argument_text {
	const char *bytes;
	size_t len;
	char *owned;     /* what bytes points into, unless it is borrowed */
	char digits[24]; /* of a number */
};

/*
 * Texts as they are; numbers, booleans, arrays and objects as compact JSON,
 * numbers exactly. Where types has only whole numbers, 5.0 is 5. A NUL is
 * WRIT_E_INVALID.
 */
writ_status w_argument_text(const struct w_argument *argument, yyjson_val *val,
    unsigned types, struct w_argument_text *out_text);
void w_argument_text_done(struct w_argument_text *text);
#define W_AUTO_ARGUMENT_TEXT __attribute__((cleanup(w_argument_text_done)))

/* Appends the word of two parts; WRIT_E_INVALID when no process could be given
 * it. */
writ_status w_argument_add(const struct w_argument *argument,
    struct w_words *words, const char *before, size_t before_len,
    const struct w_argument_text *text);

/* Whether a program could take the word for an option. "-" alone is standard
 * input by convention, or a file of that name, and no option anywhere. */
bool w_argument_is_dashed(const char *bytes, size_t len);

/* Whether a program could take a path for something else: "+cmd" is a command
 * for editors and pagers, "@file" a file of options for compilers. */
bool w_argument_is_marked(const char *bytes, size_t len);

/* Whether a program whose operands come first could take it for a part of an
 * expression, as find does. */
bool w_argument_is_operator(const char *bytes, size_t len);

/* Whether something must protect an operand, in that slot, from being taken for
 * something else. */
bool w_argument_needs_guard(const struct w_param *param, enum w_slot slot,
    const char *bytes, size_t len);

/* Neither null nor false nor an empty array: it leaves something. */
bool w_argument_is_effective(yyjson_val *val);

#endif /* W_COMMAND_ARGUMENT_H */
