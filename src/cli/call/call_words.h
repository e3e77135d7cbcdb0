/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_WORDS_H
#define W_CLI_CALL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/module.h>

#include "cli/cli_command.h"

/*
 * The words after the ID in `writ call ID WORD...`, and the module argument
 * that each belongs to:
 *
 *     {"max_count":3}       the whole input as JSON, once
 *     --max-count 3         an argument by its key; '_' and '-' are the same
 *     --max-count=3
 *     --all  --no-all       true and false
 *     -n 3                  by the token that it becomes
 *     WORD                  the next operand
 *     --                    only operands follow
 *     --help                the help of the module
 *
 * Values are not checked here: the schema does that.
 */
enum w_call_value {
	W_CALL_TEXT,
	W_CALL_TRUE,
	W_CALL_FALSE,
};

struct w_call_given {
	size_t parameter; /* its index in the list */
	enum w_call_value kind;
	const char *text; /* of W_CALL_TEXT; borrowed from argv */
};

/* Bits for the types of writ_parameter. */
enum {
	W_CALL_BOOLEAN = 1,
	W_CALL_INTEGER = 2,
	W_CALL_NUMBER = 4,
	W_CALL_STRING = 8,
	W_CALL_ARRAY = 16,
	W_CALL_OBJECT = 32,
};

unsigned w_cli_call_types(const char *type);

struct w_call_words {
	const struct w_cli_command *command; /* has the options before the ID */
	const char *id;
	const writ_parameter *parameters;
	size_t count;
	struct w_call_given *given; /* room for one per word */
	size_t given_count;
	const char *json; /* the word that is the input; NULL: none */
	bool wants_help;
};

/* Fills in given, json and wants_help. Fails with WRIT_E_INVALID for an unknown
 * name, and suggests the nearest. */
writ_status w_cli_call_words_read(struct w_call_words *words, int argc,
    const char *const *argv, writ_error *err);

/* The name of a parameter on the command line: "max-count". */
#define W_CALL_NAME_MAX 128
void w_cli_call_name(const char *key, char out[W_CALL_NAME_MAX]);

#endif /* W_CLI_CALL_WORDS_H */
