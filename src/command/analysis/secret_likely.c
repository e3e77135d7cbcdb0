/* SPDX-License-Identifier: Apache-2.0 */

/* Secrets in words that were not understood, or in free text. They are shown
 * and recorded, so whatever looks like a secret is hidden. */

#include <string.h>
#include <strings.h>

#include "command/analysis/analyzer.h"

/* Suffixes of options that take a secret in most programs. */
static const char *const likely_options[] = {"password", "passwd", "passphrase",
    "token", "secret", "api-key", "apikey", "access-key", "auth", NULL};

static bool
has_likely_name(const char *word, size_t len)
{
	if (len < 3 || word[0] != '-')
		return false;
	for (size_t i = 0; likely_options[i] != NULL; i++) {
		size_t part = strlen(likely_options[i]);

		if (len > part && strncasecmp(word + len - part,
				      likely_options[i], part) == 0)
			return true;
	}
	return false;
}

static bool
is_secret_option(const struct w_param *param)
{
	return param != NULL && param->values != NULL &&
	       (param->is_secret || param->values[0].kind == W_VALUE_SECRET);
}

/* An option of the program that takes a secret: the length of its name in the
 * word; 0: none. The value may be joined to a short one. */
static size_t
secret_option(const struct w_grammar *grammar, const char *word)
{
	size_t len = strcspn(word, "=");

	if (has_likely_name(word, len))
		return len;
	if (grammar == NULL || word[0] != '-')
		return 0;
	if (is_secret_option(w_hash_table_get(&grammar->names, word, len)))
		return len;
	if (word[1] != '\0' && word[1] != '-' &&
	    is_secret_option(w_hash_table_get(&grammar->names, word, 2)))
		return 2;
	return 0;
}

static const char *
secret_likely_word_at(const struct w_analyzer *analyzer, size_t i)
{
	const struct w_analysis *analysis = analyzer->analysis;

	return analysis->shell != NULL ? analysis->shell : analysis->argv[i];
}

/* Hides the password in every "scheme://user:password@" of a word. Command
 * substitutions stay visible. */
static void
hide_passwords(
    struct w_analyzer *analyzer, size_t i, const char *text, bool is_shell)
{
	const char *word = secret_likely_word_at(analyzer, i);

	for (const char *at = strstr(text, "://"); at != NULL;
	     at = strstr(at, "://")) {
		bool is_web =
		    at - text >= 4 && (strncasecmp(at - 4, "http", 4) == 0 ||
					  strncasecmp(at - 4, "ttps", 4) == 0);
		at += 3;
		size_t end = strcspn(at, "/?# \t\"'");
		const char *host = memrchr(at, '@', end);
		if (host == NULL)
			continue;
		const char *colon = memchr(at, ':', (size_t)(host - at));
		/* With web schemes a user without a password can be a token. */
		if (colon != NULL || is_web) {
			const char *secret = colon != NULL ? colon + 1 : at;
			const size_t len = (size_t)(host - secret);

			w_analyzer_secret(analyzer, i, (size_t)(secret - word),
			    is_shell ? w_shell_plain_len(secret, len) : len);
		}
	}
}

/* Whether a header of that name carries a secret. Common first words of a
 * sentence do not match. */
static bool
is_header_name(const char *name, size_t len)
{
	static const char *const whole[] = {"authorization",
	    "proxy-authorization", "cookie", "set-cookie", "private-token",
	    NULL};

	for (size_t i = 0; whole[i] != NULL; i++) {
		if (strlen(whole[i]) == len &&
		    strncasecmp(whole[i], name, len) == 0)
			return true;
	}
	return len > 2 && strncasecmp(name, "x-", 2) == 0 &&
	       memchr(name, ' ', len) == NULL;
}

static void
hide_header(struct w_analyzer *analyzer, size_t i, const char *text)
{
	size_t name = strcspn(text, ":");

	if (text[name] == ':' && is_header_name(text, name))
		w_analyzer_header_secret(
		    analyzer, i, (size_t)(text - analyzer->analysis->argv[i]));
}

void
w_analyzer_text_secrets(struct w_analyzer *analyzer, size_t word, size_t offset)
{
	const char *text = analyzer->analysis->argv[word] + offset;
	const char *equals = strchr(text, '=');

	if (strchr(text, ':') != NULL) {
		hide_passwords(analyzer, word, text, false);
		hide_header(analyzer, word, text);
		if (equals != NULL)
			hide_header(analyzer, word, equals + 1);
	}
	if (equals != NULL && equals[1] != '\0' &&
	    w_analyzer_is_secret_name(text, (size_t)(equals - text)))
		w_analyzer_secret(analyzer, word,
		    offset + (size_t)(equals - text) + 1, strlen(equals + 1));
}

void
w_analyzer_opaque_secrets(
    struct w_analyzer *analyzer, size_t word, size_t offset)
{
	static const char *const names[] = {"authorization:", "private-token:",
	    "x-api-key:", "x-auth-token:", "cookie:", NULL};
	const char *whole = secret_likely_word_at(analyzer, word);

	hide_passwords(analyzer, word, whole + offset, true);
	for (size_t i = 0; names[i] != NULL; i++) {
		const char *at = strcasestr(whole + offset, names[i]);

		for (; at != NULL; at = strcasestr(at, names[i])) {
			const char *value = at + strlen(names[i]);
			const size_t len = strcspn(value, "\"'\n;|&<>()");

			w_analyzer_secret(analyzer, word,
			    (size_t)(value - whole),
			    w_shell_plain_len(value, len));
			at = value;
		}
	}
}

static void
hide_likely(
    struct w_analyzer *analyzer, const struct w_grammar *grammar, size_t i)
{
	const char *word = analyzer->analysis->argv[i];
	size_t len = strlen(word);
	size_t name = secret_option(grammar, word);

	if (name > 0 && word[name] == '=')
		name++;
	if (name > 0 && word[name] != '\0')
		w_analyzer_secret(analyzer, i, name, len - name);
	else if (name > 0 && i + 1 < analyzer->analysis->argc)
		w_analyzer_secret(analyzer, i + 1, 0,
		    strlen(analyzer->analysis->argv[i + 1]));
	w_analyzer_text_secrets(
	    analyzer, i, strncmp(word, "-H", 2) == 0 ? 2 : 0);
	/* Of an unknown program: it may be anything. */
	if (strpbrk(word, " \t\n") != NULL) {
		const struct w_shell_text text = {
		    .text = word, .len = len, .word = i};

		w_analyzer_guessed_secrets(analyzer, &text);
	}
}

void
w_analyzer_likely_secrets(
    struct w_analyzer *analyzer, const struct w_command *command)
{
	const struct w_grammar *grammar = NULL;

	if (command != NULL && w_command_grammar(w_command_root(command),
				   &grammar, NULL) != WRIT_OK)
		grammar = NULL;
	for (size_t i = 1; i < analyzer->analysis->argc; i++)
		hide_likely(analyzer, grammar, i);
}
