/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The words of a call. A name takes the next word as its value whatever that
 * begins with, as option parsers do; only booleans and values that may be left
 * out take none.
 */

#include "cli/call_words.h"

#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/options.h"

#define NAMES_MAX 512

struct reader {
	struct w_call_words *words;
	const char *const *argv;
	int argc;
	int at;
	const char **operands; /* bare words, in their order */
	size_t operand_count;
};

static const struct {
	const char *name;
	unsigned bit;
} types[] = {
    {"boolean", W_CALL_BOOLEAN},
    {"integer", W_CALL_INTEGER},
    {"number", W_CALL_NUMBER},
    {"string", W_CALL_STRING},
    {"array", W_CALL_ARRAY},
    {"object", W_CALL_OBJECT},
};

unsigned
w_call_types(const char *type)
{
	unsigned bits = 0;

	while (type != NULL && *type != '\0') {
		size_t len = strcspn(type, "|");

		for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
			if (strlen(types[i].name) == len &&
			    memcmp(types[i].name, type, len) == 0)
				bits |= types[i].bit;
		}
		type += len + (type[len] == '|');
	}
	return bits;
}

void
w_call_name(const char *key, char out[W_CALL_NAME_MAX])
{
	size_t len = 0;

	for (; key[len] != '\0' && len < W_CALL_NAME_MAX - 1; len++)
		out[len] = key[len];
	out[len] = '\0';
	for (size_t i = 0; i < len; i++)
		out[i] = out[i] == '_' ? '-' : out[i];
}

static bool
is_same_name(const char *key, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = key[i] == '_' ? '-' : key[i];

		if (c == '\0' || c != (name[i] == '_' ? '-' : name[i]))
			return false;
	}
	return key[len] == '\0';
}

static bool
is_flag(const writ_parameter *parameter, const char *word, size_t len)
{
	return parameter->flag != NULL && strlen(parameter->flag) == len &&
	       memcmp(parameter->flag, word, len) == 0;
}

/* The place of the parameter of that key or, for want of one, of that token
 * (which is the word with its dashes); count: there is none. */
static size_t
find_name(const struct w_call_words *words, const char *word, size_t len)
{
	for (size_t i = 0; len > 2 && i < words->count; i++) {
		if (strncmp(word, "--", 2) == 0 &&
		    is_same_name(words->parameters[i].name, word + 2, len - 2))
			return i;
	}
	for (size_t i = 0; i < words->count; i++) {
		if (is_flag(&words->parameters[i], word, len))
			return i;
	}
	return words->count;
}

/* Likewise for "--no-NAME" of a boolean. */
static size_t
find_negated(const struct w_call_words *words, const char *word, size_t len)
{
	if (len <= 5 || !is_same_name("--no-", word, 5))
		return words->count;
	for (size_t i = 0; i < words->count; i++) {
		const writ_parameter *parameter = &words->parameters[i];

		if ((w_call_types(parameter->type) & W_CALL_BOOLEAN) != 0 &&
		    is_same_name(parameter->name, word + 5, len - 5))
			return i;
	}
	return words->count;
}

static const char *
nearest(const struct w_call_words *words, const char *word, size_t len,
    char out[W_CALL_NAME_MAX])
{
	char name[W_CALL_NAME_MAX];
	char text[W_CALL_NAME_MAX];
	const char *names[NAMES_MAX + 1];
	size_t count = 0;

	if (len >= sizeof(text))
		return NULL;
	memcpy(text, word, len);
	text[len] = '\0';
	w_call_name(text, name);
	for (; count < NAMES_MAX && count < words->count; count++)
		names[count] = words->parameters[count].name;
	names[count] = NULL;

	/* Keys are spelled with '_', and so is the word for the comparison. */
	for (size_t i = 0; name[i] != '\0'; i++)
		text[i] = name[i] == '-' ? '_' : name[i];
	const char *near = w_match_nearest(text, names);
	if (near == NULL)
		return NULL;
	w_call_name(near, out);
	return out;
}

static writ_status
unknown_name(const struct w_call_words *words, const char *word, size_t len,
    writ_error *err)
{
	char near[W_CALL_NAME_MAX];
	const bool is_long = strncmp(word, "--", 2) == 0;

	(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "call: %s has no argument '%.*s'", words->id, (int)len, word);
	if (is_long &&
	    w_options_find(words->command->options, word + 2, len - 2) != NULL)
		w_suggest(err, "options of writ call stand before the ID");
	else if (is_long && nearest(words, word + 2, len - 2, near) != NULL)
		w_suggest(err, "did you mean '--%s'?", near);
	else if (!is_long)
		w_suggest(err,
		    "put a word that begins with '-' behind '--', or give "
		    "it as the value of a name");
	else
		w_suggest(err, "writ call %s --help", words->id);
	return WRIT_E_INVALID;
}

/* A scalar is given once. */
static writ_status
add(struct w_call_words *words, const struct w_call_given *given,
    writ_error *err)
{
	const writ_parameter *parameter = &words->parameters[given->parameter];
	char name[W_CALL_NAME_MAX];

	if ((w_call_types(parameter->type) & W_CALL_ARRAY) == 0) {
		for (size_t i = 0; i < words->given_count; i++) {
			if (words->given[i].parameter != given->parameter)
				continue;
			w_call_name(parameter->name, name);
			return w_fail(err, WRIT_E_INVALID, "usage", 0,
			    "call: '--%s' is given twice", name);
		}
	}
	words->given[words->given_count++] = *given;
	return WRIT_OK;
}

/* What one word is to be; of an array, an element. */
static const char *
kind_of_value(const writ_parameter *parameter)
{
	if (parameter->words != NULL)
		return parameter->words;
	return parameter->items != NULL ? parameter->items : parameter->type;
}

static writ_status
take_named(
    struct reader *reader, size_t place, const char *value, writ_error *err)
{
	struct w_call_words *words = reader->words;
	const writ_parameter *parameter = &words->parameters[place];
	struct w_call_given given = {.parameter = place, .text = value};

	if (value == NULL &&
	    (parameter->is_value_optional ||
		(w_call_types(parameter->type) & W_CALL_BOOLEAN) != 0)) {
		given.kind = W_CALL_TRUE;
		return add(words, &given, err);
	}
	if (value == NULL) {
		if (reader->at + 1 >= reader->argc)
			return w_fail(err, WRIT_E_INVALID, "usage", 0,
			    "call: '%s' needs a value: %s",
			    reader->argv[reader->at], kind_of_value(parameter));
		given.text = reader->argv[++reader->at];
	}
	return add(words, &given, err);
}

/* "-1" and "-0.5", which no option is. */
static bool
is_negative(const char *word)
{
	return word[0] == '-' && (word[1] == '.' ? word[2] : word[1]) >= '0' &&
	       (word[1] == '.' ? word[2] : word[1]) <= '9';
}

static writ_status
take_dashed(struct reader *reader, const char *word, writ_error *err)
{
	struct w_call_words *words = reader->words;
	size_t len = strcspn(word, "=");
	const char *value = word[len] == '=' ? word + len + 1 : NULL;
	size_t place = find_name(words, word, len);

	if (place < words->count)
		return take_named(reader, place, value, err);
	place = find_negated(words, word, len);
	if (place < words->count && value == NULL) {
		const struct w_call_given given = {
		    .parameter = place, .kind = W_CALL_FALSE};

		return add(words, &given, err);
	}
	if (is_negative(word)) {
		reader->operands[reader->operand_count++] = word;
		return WRIT_OK;
	}
	return unknown_name(words, word, len, err);
}

static writ_status
take_json(struct w_call_words *words, const char *word, writ_error *err)
{
	if (words->json == NULL) {
		words->json = word;
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "call: two words begin with '{', and the input is one");
	w_suggest(err, "put operands behind '--'");
	return WRIT_E_INVALID;
}

static writ_status
take_words(struct reader *reader, writ_error *err)
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
		} else if (has_names && word[0] == '{')
			status = take_json(words, word, err);
		else if (has_names && word[0] == '-' && word[1] != '\0')
			status = take_dashed(reader, word, err);
		else
			reader->operands[reader->operand_count++] = word;
	}
	return status;
}

static bool
is_given(const struct w_call_words *words, size_t place, size_t until)
{
	for (size_t i = 0; i < until; i++) {
		if (words->given[i].parameter == place)
			return true;
	}
	return false;
}

/* The parameters that bare words fill, in their order: those of the operands
 * that no name has filled. */
static size_t
open_operands(const struct w_call_words *words, size_t *places)
{
	size_t count = 0;

	for (int index = 0; index < (int)words->count; index++) {
		for (size_t i = 0; i < words->count; i++) {
			if (words->parameters[i].operand == index &&
			    !is_given(words, i, words->given_count))
				places[count++] = i;
		}
	}
	return count;
}

static writ_status
too_many(const struct reader *reader, size_t place_count, writ_error *err)
{
	const struct w_call_words *words = reader->words;

	(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "call: unexpected word '%s': %s takes %s",
	    reader->operands[place_count], words->id,
	    place_count == 0 ? "no operands here" : "no more operands");
	w_suggest(err, "writ call %s --help", words->id);
	return WRIT_E_INVALID;
}

/* How many of the words the operand at places[at] takes, when rest are left
 * for it and those behind it. The one that takes many leaves one word for
 * each behind it. */
static size_t
share(const struct w_call_words *words, const size_t *places, size_t count,
    size_t at, size_t rest)
{
	const size_t behind = count - at - 1;
	const writ_parameter *parameter = &words->parameters[places[at]];

	if ((w_call_types(parameter->type) & W_CALL_ARRAY) == 0)
		return rest > 0;
	if (rest > behind)
		return rest - behind;
	return parameter->is_required && rest > 0;
}

static writ_status
place_operands(struct reader *reader, size_t *places, writ_error *err)
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
w_call_words_read(struct w_call_words *words, int argc, const char *const *argv,
    writ_error *err)
{
	W_AUTO_FREE const char **operands =
	    calloc((size_t)argc + 1, sizeof(*operands));
	W_AUTO_FREE size_t *places = calloc(words->count + 1, sizeof(*places));
	struct reader reader = {
	    .words = words, .argv = argv, .argc = argc, .operands = operands};

	if (operands == NULL || places == NULL)
		return w_fail_nomem(err, "usage");

	writ_status status = take_words(&reader, err);
	if (status != WRIT_OK || words->wants_help)
		return status;
	return place_operands(&reader, places, err);
}
