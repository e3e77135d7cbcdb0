/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ARGV_PARSE_H
#define W_COMMAND_ARGV_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "command/description/command.h"

/*
 * From an argv to arguments: the inverse of render.h, with the same grammar. It
 * never guesses: what does not match the grammar exactly is a fault, with its
 * place and the reason.
 *
 * Words are bytes. They are not copied: a match points into the argv.
 */
#define W_ARGV_WORDS_MAX 200000

/* One use of an option, or one operand, in the order of the argv. */
struct w_match {
	const struct w_param *param;
	size_t word;      /* where its value is; for a switch, its flag */
	size_t offset;    /* of the value in that word; it extends to the end */
	size_t count;     /* words of the value; 0: no value, it is true */
	size_t flag_word; /* where its flag is; for an operand, the operand */
};

struct w_argv_parse {
	const struct w_command_node *node; /* NULL: parsed by a grammar alone */
	const struct w_grammar *grammar;
	const char *const *argv; /* borrowed */
	size_t argc;
	struct w_match *matches;
	size_t count;
	bool *is_given; /* by index in the grammar's params */
};

/* Why an argv does not match, and where. */
struct w_argv_parse_fault {
	size_t word;   /* argc: something is missing at the end */
	size_t offset; /* in that word, in bytes */
};

struct w_argv_parse_input {
	const char *const *argv; /* the first is the program */
	size_t argc;
	bool is_open_ended; /* more words will follow: none is missing */
};

/*
 * Fails with WRIT_E_INVALID: an unknown option (with the most similar one), an
 * abbreviation (with what it stands for), a missing or unexpected value or one
 * of the wrong type, too many or too few operands, a conflict, an unknown
 * sub-command, too many words. *out_fault (unless NULL) is then the place.
 */
writ_status w_argv_parse(const struct w_command *command,
    const struct w_argv_parse_input *input, struct w_argv_parse *out_parse,
    struct w_argv_parse_fault *out_fault, writ_error *err);

/* The same by a grammar whose first words (the program and those fixed by a
 * binding) are not compared. */
writ_status w_argv_parse_by_grammar(const struct w_grammar *grammar,
    size_t fixed, const struct w_argv_parse_input *input,
    struct w_argv_parse *out_parse, struct w_argv_parse_fault *out_fault,
    writ_error *err);

void w_argv_parse_done(struct w_argv_parse *parse);

/* Appends the arguments as a JSON object: the normal form, keys in the order of
 * the grammar. Words that are not UTF-8 are {"b64":"..."}; values of secret
 * parameters are shown only on request (analysis.h finds secrets in parts of
 * words). */
void w_argv_parse_add_json(
    struct w_buf *buf, const struct w_argv_parse *parse, bool with_secrets);

#endif /* W_COMMAND_ARGV_PARSE_H */
