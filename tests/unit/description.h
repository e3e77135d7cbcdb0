/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_DESCRIPTION_H
#define W_TEST_DESCRIPTION_H

/* Descriptions of commands as text, read and looked at. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/description/command.h"

static inline struct w_command *
describe(const char *text)
{
	struct w_command *command = NULL;
	writ_error err = {0};

	if (w_command_read_text(text, strlen(text), true, &command, &err) !=
	    WRIT_OK)
		fail_msg("%u:%u: %s (%s)\n%s", err.line, err.column,
		    err.message, err.suggestion, text);
	return command;
}

/* Refused at that place, with a message and a suggestion that have these in
 * them. */
static inline void
not_described(const char *text, unsigned line, unsigned column,
    const char *part, const char *hint)
{
	struct w_command *command = NULL;
	writ_error err = {0};
	writ_status status =
	    w_command_read_text(text, strlen(text), true, &command, &err);

	if (status == WRIT_OK)
		fail_msg("accepted:\n%s", text);
	assert_int_equal(status, WRIT_E_INVALID);
	assert_null(command);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	if (strstr(err.suggestion, hint) == NULL)
		fail_msg("'%s' is not in '%s'", hint, err.suggestion);
	if (err.line != line || err.column != column)
		fail_msg("%s: at %u:%u, not %u:%u", err.message, err.line,
		    err.column, line, column);
}

static inline const struct w_grammar *
form_of_node(const struct w_command *command, const char *id)
{
	const struct w_command_node *node = w_command_find(command, id);
	const struct w_grammar *grammar = NULL;
	writ_error err = {0};

	assert_non_null(node);
	if (w_command_grammar(node, &grammar, &err) != WRIT_OK)
		fail_msg("%s: %s", id, err.message);
	return grammar;
}

static inline const struct w_param *
param_of(const struct w_grammar *grammar, const char *key)
{
	const struct w_param *param = w_grammar_find(grammar, key, strlen(key));

	if (param == NULL)
		fail_msg("there is no '%s'", key);
	return param;
}

#endif /* W_TEST_DESCRIPTION_H */
