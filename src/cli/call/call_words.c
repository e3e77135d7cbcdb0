/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses the words of a call. A name takes the next word as its value, even one
 * that starts with '-', as option parsers do; only booleans and optional values
 * take none.
 */

#include "cli/call/call_words.h"

#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/call/call_names.h"

struct call_words_reader {
	struct w_call_words *words;
	const char *const *argv;
	int argc;
	int at;
	const char **operands; /* bare words, in order */
	size_t operand_count;
};

/* A scalar may be given only once. */
static writ_status
call_words_add(struct w_call_words *words, const struct w_call_given *given,
    writ_error *err)
{
	const writ_parameter *parameter = &words->parameters[given->parameter];
	char name[W_CALL_NAME_MAX];

	if ((w_cli_call_types(parameter->type) & W_CALL_ARRAY) == 0) {
		for (size_t i = 0; i < words->given_count; i++) {
			if (words->given[i].parameter != given->parameter)
				continue;
			w_cli_call_name(parameter->name, name);
			return w_fail(err, WRIT_E_INVALID, "usage", 0,
			    "call: '--%s' is given twice", name);
		}
	}
	words->given[words->given_count++] = *given;
	return WRIT_OK;
}

static writ_status
take_named_argument(struct call_words_reader *reader, size_t place,
    const char *value, writ_error *err)
{
	struct w_call_words *words = reader->words;
	const writ_parameter *parameter = &words->parameters[place];
	struct w_call_given given = {.parameter = place, .text = value};

	if (value == NULL &&
	    (parameter->is_value_optional ||
		(w_cli_call_types(parameter->type) & W_CALL_BOOLEAN) != 0)) {
		given.kind = W_CALL_TRUE;
		return call_words_add(words, &given, err);
	}
	if (value == NULL) {
		const char *kind = parameter->words != NULL   ? parameter->words
				   : parameter->items != NULL ? parameter->items
							      : parameter->type;

		if (reader->at + 1 >= reader->argc)
			return w_fail(err, WRIT_E_INVALID, "usage", 0,
			    "call: '%s' needs a value: %s",
			    reader->argv[reader->at], kind);
		given.text = reader->argv[++reader->at];
	}
	return call_words_add(words, &given, err);
}

/* "-1" and "-0.5" are values, not options. */
static bool
is_negative(const char *word)
{
	return word[0] == '-' && (word[1] == '.' ? word[2] : word[1]) >= '0' &&
	       (word[1] == '.' ? word[2] : word[1]) <= '9';
}

static writ_status
take_dashed(struct call_words_reader *reader, const char *word, writ_error *err)
{
	struct w_call_words *words = reader->words;
	size_t len = strcspn(word, "=");
	const char *value = word[len] == '=' ? word + len + 1 : NULL;
	size_t place = w_cli_call_names_find(words, word, len);

	if (place < words->count)
		return take_named_argument(reader, place, value, err);
	place = w_cli_call_names_negated(words, word, len);
	if (place < words->count && value == NULL) {
		const struct w_call_given given = {
		    .parameter = place, .kind = W_CALL_FALSE};

		return call_words_add(words, &given, err);
	}
	if (is_negative(word)) {
		reader->operands[reader->operand_count++] = word;
		return WRIT_OK;
	}
	return w_cli_call_names_unknown(words, word, len, err);
}

static writ_status
call_words_take_words(struct call_words_reader *reader, writ_error *err)
{
	struct w_call_words *words = reader->words;
	bool has_names = true;
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && reader->at < reader->argc; reader->at++) {
		const char *word = reader->argv[reader->at];

		if (has_names && strcmp(word, "--") == 0)
			has_names = false;
		else if (has_names && (strcmp(word, "--help") == 0 ||
					  strcmp(word, "-h") == 0)) {
			words->wants_help = true;
			return WRIT_OK;
		} else if (has_names && word[0] == '{' && words->json != NULL) {
			status = w_fail(err, WRIT_E_INVALID, "usage", 0,
			    "call: two words begin with '{', and the input is "
			    "one");
			w_suggest(err, "put operands after '--'");
		} else if (has_names && word[0] == '{')
			words->json = word;
		else if (has_names && word[0] == '-' && word[1] != '\0')
			status = take_dashed(reader, word, err);
		else
			reader->operands[reader->operand_count++] = word;
	}
	return status;
}

static bool
is_given(const struct w_call_words *words, size_t place)
{
	for (size_t i = 0; i < words->given_count; i++) {
		if (words->given[i].parameter == place)
			return true;
	}
	return false;
}

/* The operands that bare words fill, in order: those not given by name. */
static size_t
open_operands(const struct w_call_words *words, size_t *places)
{
	size_t count = 0;

	for (int index = 0; index < (int)words->count; index++) {
		for (size_t i = 0; i < words->count; i++) {
			if (words->parameters[i].operand == index &&
			    !is_given(words, i))
				places[count++] = i;
		}
	}
	return count;
}

static writ_status
too_many(
    const struct call_words_reader *reader, size_t place_count, writ_error *err)
{
	const struct w_call_words *words = reader->words;

	(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "call: unexpected word '%s': %s takes %s",
	    reader->operands[place_count], words->id,
	    place_count == 0 ? "no operands here" : "no more operands");
	w_suggest(err, "writ call %s --help", words->id);
	return WRIT_E_INVALID;
}

/* How many words the operand at places[at] takes, if rest are left for it and
 * those after it. A repeatable operand leaves one word for each after it. */
static size_t
share(const struct w_call_words *words, const size_t *places, size_t count,
    size_t at, size_t rest)
{
	const size_t behind = count - at - 1;
	const writ_parameter *parameter = &words->parameters[places[at]];

	if ((w_cli_call_types(parameter->type) & W_CALL_ARRAY) == 0)
		return rest > 0;
	if (rest > behind)
		return rest - behind;
	return parameter->is_required && rest > 0;
}

static writ_status
place_operands(
    struct call_words_reader *reader, size_t *places, writ_error *err)
{
	struct w_call_words *words = reader->words;
	const size_t count = open_operands(words, places);
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		size_t take = share(
		    words, places, count, i, reader->operand_count - next);

		for (; take > 0; take--)
			words->given[words->given_count++] =
			    (struct w_call_given){.parameter = places[i],
				.text = reader->operands[next++]};
	}
	if (next < reader->operand_count)
		return too_many(reader, next, err);
	return WRIT_OK;
}

writ_status
w_cli_call_words_read(struct w_call_words *words, int argc,
    const char *const *argv, writ_error *err)
{
	W_AUTO_FREE const char **operands =
	    calloc((size_t)argc + 1, sizeof(*operands));
	W_AUTO_FREE size_t *places = calloc(words->count + 1, sizeof(*places));
	struct call_words_reader reader = {
	    .words = words, .argv = argv, .argc = argc, .operands = operands};

	if (operands == NULL || places == NULL)
		return w_fail_nomem(err, "usage");

	writ_status status = call_words_take_words(&reader, err);
	if (status != WRIT_OK || words->wants_help)
		return status;
	return place_operands(&reader, places, err);
}
