/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From an argv to arguments, by the form of the command.
 *
 * Promises, whatever the words are:
 *  1. Every word behind the program is part of exactly one match, or is the
 *     name of a sub-command, or the "--" that ends options, or ends a command.
 *  2. A word is an option only by a token that the form has, in full, and
 *     where the form has it; nothing is completed, skipped or guessed.
 *  3. A value is of its type, or the argv is refused.
 *  4. The time is linear in the bytes of the argv.
 */

#include "module/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "module/parse_words.h"

#define STAGE       "argv"
#define MATCHES_MAX ((size_t)1024 * 1024)
#define SPARE       8

static writ_status
grow(struct w_parsing *parsing)
{
	size_t cap = parsing->cap * 2;
	size_t size;

	if (parsing->cap == 0)
		cap = parsing->argc + SPARE;
	if (cap > MATCHES_MAX)
		cap = MATCHES_MAX;
	if (parsing->count == MATCHES_MAX)
		return w_parsing_refuse(parsing, parsing->at, 0,
		    "more than %zu options", MATCHES_MAX);
	if (!w_size_mul(cap, sizeof(*parsing->matches), &size))
		return w_fail_nomem(parsing->err, STAGE);
	struct w_match *grown = realloc(parsing->matches, size);
	if (grown == NULL)
		return w_fail_nomem(parsing->err, STAGE);
	parsing->matches = grown;
	parsing->cap = cap;
	return WRIT_OK;
}

writ_status
w_parsing_push(struct w_parsing *parsing, const struct w_match *match)
{
	if (parsing->count == parsing->cap) {
		writ_status status = grow(parsing);

		if (status != WRIT_OK)
			return status;
	}
	parsing->matches[parsing->count++] = *match;
	if (match->param != NULL && match->param->is_last)
		parsing->has_ended = true;
	if (parsing->is_given != NULL && match->param != NULL)
		parsing->is_given[match->param - parsing->form->params] = true;
	return WRIT_OK;
}

/* Where operands come first, nothing would be left for it to end. Where some
 * stand only behind it, it is also between operands. */
static bool
is_dashes(const struct w_parsing *parsing, const char *word)
{
	const struct w_form *form = parsing->form;

	if (!form->honours_dashes || parsing->has_dashes ||
	    (parsing->has_ended && !parsing->has_behind))
		return false;
	return form->style != W_STYLE_LITERAL &&
	       form->style != W_STYLE_LEADING && strcmp(word, "--") == 0;
}

static writ_status
read_operand(struct w_parsing *parsing)
{
	const struct w_form *form = parsing->form;
	const char *word = parsing->argv[parsing->at];

	if (form->style == W_STYLE_CLUSTER && parsing->at == parsing->first &&
	    !parsing->has_ended && word[0] != '-')
		return w_parsing_cluster(parsing);
	if (parsing->has_begun)
		return w_parsing_refuse(parsing, parsing->at, 0,
		    "'%.64s' has to stand before the options", word);
	writ_status status = w_parsing_operand(parsing);
	if (form->style == W_STYLE_POSIX)
		parsing->has_ended = true;
	return status;
}

static writ_status
read_next(struct w_parsing *parsing)
{
	const char *word = parsing->argv[parsing->at];

	if (is_dashes(parsing, word)) {
		parsing->has_ended = true;
		parsing->has_dashes = true;
		parsing->dashes_count = parsing->count;
		parsing->at++;
		return WRIT_OK;
	}
	if (!w_parsing_is_option(parsing, word) ||
	    (parsing->has_dashed && w_parsing_is_dashed_operand(parsing, word)))
		return read_operand(parsing);
	return w_parsing_option(parsing);
}

/* The form is certain now. */
static writ_status
begin(struct w_parsing *parsing)
{
	const struct w_form *form = parsing->form;

	parsing->is_given = calloc(form->count + 1, sizeof(bool));
	if (parsing->is_given == NULL)
		return w_fail_nomem(parsing->err, STAGE);
	for (size_t i = 0; i < parsing->count; i++)
		parsing->is_given[parsing->matches[i].param - form->params] =
		    true;
	for (size_t i = 0; i < form->operand_count; i++) {
		const struct w_param *param = &form->params[form->operands[i]];

		if (w_parse_is_command(param) && parsing->command == NULL)
			parsing->command = param;
		parsing->has_dashed |= param->may_begin_with_dash;
		parsing->has_behind |= param->is_after_dashes;
	}
	return WRIT_OK;
}

writ_status
w_parsing_words(struct w_parsing *parsing)
{
	writ_status status = begin(parsing);

	while (status == WRIT_OK && parsing->at < parsing->argc)
		status = read_next(parsing);
	return status;
}

/* A fixed word, and what stands before it. The words themselves are not looked
 * at, so only what is an option for certain can be one here. */
static writ_status
read_fixed_word(struct w_parsing *parsing)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && parsing->at < parsing->argc &&
	       parsing->argv[parsing->at][0] == '-' &&
	       w_parsing_knows_option(parsing, parsing->argv[parsing->at]))
		status = w_parsing_option(parsing);
	if (status != WRIT_OK)
		return status;
	if (parsing->at == parsing->argc)
		return w_parsing_refuse(
		    parsing, parsing->argc, 0, "the sub-command is missing");
	parsing->at++;
	return WRIT_OK;
}

static writ_status
read_fixed(struct w_parsing *parsing, size_t fixed)
{
	writ_status status = WRIT_OK;

	parsing->at = 1;
	parsing->is_before_name = true;
	for (; parsing->level + 1 < fixed && status == WRIT_OK;
	     parsing->level++)
		status = read_fixed_word(parsing);
	parsing->is_before_name = false;
	parsing->first = parsing->at;
	return status;
}

writ_status
w_parse_form(const struct w_form *form, size_t fixed,
    const struct w_parse_input *input, struct w_parse *out_parse,
    struct w_parse_fault *out_fault, writ_error *err)
{
	struct w_parsing parsing = {.form = form,
	    .argv = input->argv,
	    .argc = input->argc,
	    .is_open_ended = input->is_open_ended,
	    .err = err};
	writ_status status = w_parsing_check(&parsing);

	if (status == WRIT_OK)
		status = read_fixed(&parsing, fixed > 0 ? fixed : 1);
	if (status == WRIT_OK)
		status = w_parsing_words(&parsing);
	return w_parsing_end(&parsing, status, out_parse, out_fault);
}

writ_status
w_parsing_check(struct w_parsing *parsing)
{
	if (parsing->argc == 0)
		return w_parsing_refuse(
		    parsing, 0, 0, "there is no program to run");
	if (parsing->argc > W_PARSE_WORDS_MAX)
		return w_parsing_refuse(parsing, W_PARSE_WORDS_MAX, 0,
		    "%zu words are too many, the limit is %d", parsing->argc,
		    W_PARSE_WORDS_MAX);
	return WRIT_OK;
}

writ_status
w_parsing_end(struct w_parsing *parsing, writ_status status,
    struct w_parse *out_parse, struct w_parse_fault *out_fault)
{
	if (status == WRIT_OK)
		status = w_parsing_finish(parsing, out_parse);
	if (status != WRIT_OK && out_fault != NULL)
		*out_fault = parsing->fault;
	free(parsing->matches);
	free(parsing->is_given);
	return status;
}

void
w_parse_done(struct w_parse *parse)
{
	free(parse->matches);
	free(parse->is_given);
	*parse = (struct w_parse){0};
}
