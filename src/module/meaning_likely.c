/* SPDX-License-Identifier: Apache-2.0 */

/* Secrets in words that were not understood, or are any text: they are shown
 * and recorded nevertheless, so what looks like a secret is hidden. */

#include <string.h>
#include <strings.h>

#include "module/meaning_frame.h"

/* Endings of options that take a secret in most programs. */
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

/* An option of the program that takes a secret, with the length of its name in
 * the word; 0: none. Short ones may have their value behind them. */
static size_t
secret_option(const struct w_form *form, const char *word)
{
	size_t len = strcspn(word, "=");

	if (has_likely_name(word, len))
		return len;
	if (form == NULL || word[0] != '-')
		return 0;
	if (is_secret_option(w_lookup_get(&form->names, word, len)))
		return len;
	if (word[1] != '\0' && word[1] != '-' &&
	    is_secret_option(w_lookup_get(&form->names, word, 2)))
		return 2;
	return 0;
}

static const char *
word_at(const struct w_frame *frame, size_t i)
{
	const struct w_meaning *meaning = frame->meaning;

	return meaning->shell != NULL ? meaning->shell : meaning->argv[i];
}

/* The password in every "scheme://user:password@" of a word. What a shell would
 * run stays. */
static void
hide_passwords(struct w_frame *frame, size_t i, const char *text, bool is_shell)
{
	const char *word = word_at(frame, i);

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
		/* A user alone can be a token where passwords are usual. */
		if (colon != NULL || is_web) {
			const char *secret = colon != NULL ? colon + 1 : at;
			const size_t len = (size_t)(host - secret);

			w_frame_secret(frame, i, (size_t)(secret - word),
			    is_shell ? w_shell_plain_len(secret, len) : len);
		}
	}
}

/* Whether a name is one of a header with a secret in it, and hardly anything
 * that a sentence begins with. */
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
hide_header(struct w_frame *frame, size_t i, const char *text)
{
	size_t name = strcspn(text, ":");

	if (text[name] == ':' && is_header_name(text, name))
		w_frame_header_secret(
		    frame, i, (size_t)(text - frame->meaning->argv[i]));
}

void
w_frame_text_secrets(struct w_frame *frame, size_t word, size_t offset)
{
	const char *text = frame->meaning->argv[word] + offset;
	const char *equals = strchr(text, '=');

	if (strchr(text, ':') != NULL) {
		hide_passwords(frame, word, text, false);
		hide_header(frame, word, text);
		if (equals != NULL)
			hide_header(frame, word, equals + 1);
	}
	if (equals != NULL && equals[1] != '\0' &&
	    w_names_a_secret(text, (size_t)(equals - text)))
		w_frame_secret(frame, word,
		    offset + (size_t)(equals - text) + 1, strlen(equals + 1));
}

void
w_frame_opaque_secrets(struct w_frame *frame, size_t word, size_t offset)
{
	static const char *const names[] = {"authorization:", "private-token:",
	    "x-api-key:", "x-auth-token:", "cookie:", NULL};
	const char *whole = word_at(frame, word);

	hide_passwords(frame, word, whole + offset, true);
	for (size_t i = 0; names[i] != NULL; i++) {
		const char *at = strcasestr(whole + offset, names[i]);

		for (; at != NULL; at = strcasestr(at, names[i])) {
			const char *value = at + strlen(names[i]);
			const size_t len = strcspn(value, "\"'\n;|&<>()");

			w_frame_secret(frame, word, (size_t)(value - whole),
			    w_shell_plain_len(value, len));
			at = value;
		}
	}
}

static void
hide_likely(struct w_frame *frame, const struct w_form *form, size_t i)
{
	const char *word = frame->meaning->argv[i];
	size_t len = strlen(word);
	size_t name = secret_option(form, word);

	if (name > 0 && word[name] == '=')
		name++;
	if (name > 0 && word[name] != '\0')
		w_frame_secret(frame, i, name, len - name);
	else if (name > 0 && i + 1 < frame->meaning->argc)
		w_frame_secret(
		    frame, i + 1, 0, strlen(frame->meaning->argv[i + 1]));
	w_frame_text_secrets(frame, i, strncmp(word, "-H", 2) == 0 ? 2 : 0);
	/* Of a program that is not known it may be anything. */
	if (strpbrk(word, " \t\n") != NULL) {
		const struct w_shell_text text = {
		    .text = word, .len = len, .word = i};

		w_frame_loose_secrets(frame, &text);
	}
}

void
w_frame_likely_secrets(struct w_frame *frame, const struct w_command *command)
{
	const struct w_form *form = NULL;

	if (command != NULL &&
	    w_command_form(w_command_root(command), &form, NULL) != WRIT_OK)
		form = NULL;
	for (size_t i = 1; i < frame->meaning->argc; i++)
		hide_likely(frame, form, i);
}
