/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ARGV_PARSE_H
#define W_COMMAND_ARGV_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "command/description/command.h"

/*
 * From an argv to arguments: the other direction of render.h, over the same
 * form. Never a guess: what does not match the form exactly is a fault with its
 * place, and the reason.
 *
 * Words are bytes. They are not copied: a match points into the argv.
 */
#define W_ARGV_WORDS_MAX 200000

/* One use of an option, or one operand, in the order of the argv. */
struct w_match {
	const struct w_param *param;
	size_t word;   /* where its value is; of a switch where its flag is */
	size_t offset; /* of the value in that word, to whose end it goes */
	size_t count;  /* words of the value; 0: it has none, and is true */
	size_t flag_word; /* where its flag is; of an operand where it is */
};

struct w_argv_parse {
	const struct w_command_node *node; /* NULL: parsed by a form alone */
	const struct w_grammar *grammar;
	const char *const *argv; /* borrowed */
	size_t argc;
	struct w_match *matches;
	size_t count;
	bool *is_given; /* by place in the form's params */
};

/* Why an argv does not match, and where. */
struct w_argv_parse_fault {
	size_t word;   /* argc: something is missing at the end */
	size_t offset; /* in that word, in bytes */
};

struct w_argv_parse_input {
	const char *const *argv; /* the first is the program */
	size_t argc;
	bool is_open_ended; /* more words will follow: nothing is missing */
};

/*
 * Fails with WRIT_E_INVALID, the message in *err and the place in *out_fault
 * (unless NULL): an option that is not known (with the nearest), an
 * abbreviation (with what it stands for), a value that is missing, not wanted,
 * or of another type, too many operands or too few, a conflict, a sub-command
 * that is not known, too many words.
 */
writ_status w_argv_parse(const struct w_command *command,
    const struct w_argv_parse_input *input, struct w_argv_parse *out_parse,
    struct w_argv_parse_fault *out_fault, writ_error *err);

/* Likewise by a form, of which so many words, the program among them, are fixed
 * (a binding's). They are not looked at. */
writ_status w_argv_parse_by_grammar(const struct w_grammar *grammar,
    size_t fixed, const struct w_argv_parse_input *input,
    struct w_argv_parse *out_parse, struct w_argv_parse_fault *out_fault,
    writ_error *err);

void w_argv_parse_done(struct w_argv_parse *parse);

/* Appends the arguments as a JSON object: the normal form, keys in the order of
 * the form. Words that are not UTF-8 are {"b64":"..."}; values of secret
 * parameters are shown only if that is asked for (what is secret in a part of a
 * word, analysis.h finds). */
void w_argv_parse_add_json(
    struct w_buf *buf, const struct w_argv_parse *parse, bool with_secrets);

#endif /* W_COMMAND_ARGV_PARSE_H */
