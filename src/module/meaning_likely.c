/* SPDX-License-Identifier: Apache-2.0 */

/* Secrets in words that were not understood: they are shown and recorded
 * nevertheless, so what looks like a secret is hidden. Rather too much than too
 * little. */

#include <string.h>

#include "module/meaning_address.h"
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

/* Where a header would begin: "-HName: x", "--header=Name: x", "Name: x". */
static size_t
value_offset(const char *word)
{
	size_t equals = strcspn(word, "=");

	if (strncmp(word, "-H", 2) == 0)
		return 2;
	return word[0] == '-' && word[equals] == '=' ? equals + 1 : 0;
}

static void
hide_likely(struct w_frame *frame, const struct w_form *form, size_t i)
{
	const char *word = frame->meaning->argv[i];
	size_t len = strlen(word);
	size_t name = secret_option(form, word);
	const char *scheme = strstr(word, "://");

	if (name > 0 && word[name] == '=')
		name++;
	if (name > 0 && word[name] != '\0')
		w_frame_secret(frame, i, name, len - name);
	else if (name > 0 && i + 1 < frame->meaning->argc)
		w_frame_secret(
		    frame, i + 1, 0, strlen(frame->meaning->argv[i + 1]));
	if (scheme != NULL) {
		/* What is before the scheme may be an option. */
		size_t from = 0;
		size_t equals = strcspn(word, "=");
		if (word + equals < scheme)
			from = equals + 1;
		struct w_address address =
		    w_address_url(word + from, len - from);
		w_frame_secret(
		    frame, i, from + address.secret, address.secret_len);
	}
	w_frame_header_secret(frame, i, value_offset(word));
}

static void
hide_assigned(struct w_frame *frame, size_t i)
{
	const char *word = frame->meaning->argv[i];
	size_t name = strcspn(word, "=");

	if (word[name] == '=' && w_names_a_secret(word, name))
		w_frame_secret(frame, i, name + 1, strlen(word + name + 1));
}

void
w_frame_likely_secrets(struct w_frame *frame, const struct w_command *command)
{
	const struct w_form *form = NULL;

	if (command != NULL &&
	    w_command_form(w_command_root(command), &form, NULL) != WRIT_OK)
		form = NULL;
	for (size_t i = 1; i < frame->meaning->argc; i++) {
		hide_likely(frame, form, i);
		hide_assigned(frame, i);
	}
}
