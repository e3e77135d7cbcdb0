/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CALL_CASE_H
#define TESTS_CALL_CASE_H

#include "cli/call/call_input.h"
#include "cli/options/options.h"

/* A module with one argument of every kind, and the words of a call of it. */

#define WORDS_MAX 16

static const writ_parameter calling_parameters[] = {
    {.name = "all", .flag = "-a", .type = "boolean", .operand = -1},
    {.name = "max_count", .flag = "-n", .type = "integer", .operand = -1},
    {.name = "ratio", .flag = "--ratio", .type = "number", .operand = -1},
    {.name = "message", .flag = "-m", .type = "string", .operand = -1},
    {.name = "color",
	.flag = "--color",
	.type = "string|boolean",
	.is_value_optional = true,
	.operand = -1},
    {.name = "include",
	.flag = "-I",
	.type = "array",
	.items = "string",
	.operand = -1},
    {.name = "sizes",
	.flag = "--size",
	.type = "array",
	.items = "integer",
	.operand = -1},
    {.name = "pairs",
	.flag = "--pair",
	.type = "array",
	.items = "array",
	.operand = -1},
    {.name = "where", .flag = "--where", .type = "object", .operand = -1},
    {.name = "no_cache",
	.flag = "--no-cache",
	.type = "boolean",
	.operand = -1},
    {.name = "one", .flag = "-1", .type = "boolean", .operand = -1},
    {.name = "to", .type = "string", .is_required = true, .operand = 1},
    {.name = "from",
	.type = "array",
	.items = "string",
	.is_required = true,
	.operand = 0},
    {.name = "level",
	.flag = "--level",
	.type = "string|number",
	.operand = -1},
    {.name = "anything", .flag = "--any", .type = "any", .operand = -1},
};

static const struct w_option calling_options[] = {
    {.name = "json"},
    {.name = ""},
};

static const struct w_cli_command calling_command = {
    .name = "call", .options = calling_options};

struct calling {
	struct w_call_words words;
	struct w_call_given given[WORDS_MAX];
	struct w_buf input;
	bool is_verbatim;
	writ_error err;
};

static inline writ_status
calling_read(struct calling *it, const char *const *argv)
{
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	*it = (struct calling){
	    .words = {.command = &calling_command,
		.id = "cli.cp",
		.parameters = calling_parameters,
		.count =
		    sizeof(calling_parameters) / sizeof(calling_parameters[0])},
	};
	it->words.given = it->given;
	w_buf_init(&it->input, 1 << 20);
	return w_cli_call_words_read(&it->words, argc, argv, &it->err);
}

#endif /* TESTS_CALL_CASE_H */
