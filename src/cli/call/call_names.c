/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The names of a module's arguments on the command line.
 */

#include "cli/call/call_names.h"

#include <string.h>

#include "base/error.h"
#include "base/match.h"
#include "cli/options/options.h"

#define NAMES_MAX 512

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
w_cli_call_types(const char *type)
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
w_cli_call_name(const char *key, char out[W_CALL_NAME_MAX])
{
	size_t len = 0;

	for (; len < W_CALL_NAME_MAX - 1 && key[len] != '\0'; len++)
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

size_t
w_cli_call_names_find(
    const struct w_call_words *words, const char *word, size_t len)
{
	for (size_t i = 0; len > 2 && i < words->count; i++) {
		if (strncmp(word, "--", 2) == 0 &&
		    is_same_name(words->parameters[i].name, word + 2, len - 2))
			return i;
	}
	for (size_t i = 0; i < words->count; i++) {
		const char *flag = words->parameters[i].flag;

		if (flag != NULL && strlen(flag) == len &&
		    memcmp(flag, word, len) == 0)
			return i;
	}
	return words->count;
}

size_t
w_cli_call_names_negated(
    const struct w_call_words *words, const char *word, size_t len)
{
	if (len <= 5 || !is_same_name("--no-", word, 5))
		return words->count;
	for (size_t i = 0; i < words->count; i++) {
		const writ_parameter *parameter = &words->parameters[i];

		if ((w_cli_call_types(parameter->type) & W_CALL_BOOLEAN) != 0 &&
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
	w_cli_call_name(text, name);
	for (; count < NAMES_MAX && count < words->count; count++)
		names[count] = words->parameters[count].name;
	names[count] = NULL;

	/* Keys are spelled with '_', so compare the word spelled like that. */
	for (size_t i = 0; name[i] != '\0'; i++)
		text[i] = name[i] == '-' ? '_' : name[i];
	const char *near = w_match_nearest(text, names);
	if (near == NULL)
		return NULL;
	w_cli_call_name(near, out);
	return out;
}

writ_status
w_cli_call_names_unknown(const struct w_call_words *words, const char *word,
    size_t len, writ_error *err)
{
	char near[W_CALL_NAME_MAX];
	const bool is_long = strncmp(word, "--", 2) == 0;

	(void)w_fail(err, WRIT_E_INVALID, "usage", 0,
	    "call: %s has no argument '%.*s'", words->id, (int)len, word);
	if (is_long &&
	    w_options_find(words->command->options, word + 2, len - 2) != NULL)
		w_suggest(err, "options of writ call go before the ID");
	else if (is_long && nearest(words, word + 2, len - 2, near) != NULL)
		w_suggest(err, "did you mean '--%s'?", near);
	else if (!is_long)
		w_suggest(err,
		    "put a word that begins with '-' after '--', or give it as "
		    "the value of a name");
	else
		w_suggest(err, "writ call %s --help", words->id);
	return WRIT_E_INVALID;
}
