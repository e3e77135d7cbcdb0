/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Targets of bindings. Nothing is quoted or escaped, so all readers see the
 * same words.
 */

#include "module/binding/binding_target.h"

#include <string.h>

#define STAGE   "module"
#define EXAMPLE "exec:///usr/bin/git commit"

static bool
has_control(const char *text)
{
	while ((unsigned char)*text >= 0x20 && *text != 0x7f)
		text++;
	return *text != '\0';
}

writ_status
w_binding_target_program(const char *program, writ_error *err)
{
	if (program[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the name of the program is empty");
	if (has_control(program))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the program '%s' has a control character in its name",
		    program);
	if (program[0] == '/' || strchr(program, '/') == NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the program '%s' would depend on the working directory", program);
	w_suggest(err, "write its absolute path, or a name without '/' that "
		       "PATH is searched for");
	return WRIT_E_INVALID;
}

/* The message is the one that programs with such targets know. */
static writ_status
binding_target_refuse(const char *target, const char *why, writ_error *err)
{
	(void)w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "Invalid target format: %s", target);
	w_suggest(err, "it %s; a target is like %s", why, EXAMPLE);
	return WRIT_E_INVALID;
}

static writ_status
binding_target_split(const char *text, struct w_words *words, writ_error *err)
{
	while (*text != '\0') {
		size_t len = strcspn(text, " ");

		if (len > 0 && !w_words_add(words, text, len))
			return w_fail_nomem(err, STAGE);
		text += len + (text[len] == ' ');
	}
	return WRIT_OK;
}

writ_status
w_binding_target_parse(
    const char *target, struct w_words *out_words, writ_error *err)
{
	const size_t scheme_len = strlen(W_BINDING_TARGET_SCHEME);
	W_AUTO_WORDS struct w_words words = {0};

	if (strncmp(target, W_BINDING_TARGET_SCHEME, scheme_len) != 0)
		return binding_target_refuse(target,
		    "does not begin with " W_BINDING_TARGET_SCHEME, err);
	if (has_control(target)) {
		(void)binding_target_refuse(
		    target, "has a control character", err);
		w_suggest(err, "give the words as a list: argv");
		return WRIT_E_INVALID;
	}
	if (target[scheme_len] == ' ')
		return binding_target_refuse(
		    target, "has a blank before its program", err);
	writ_status status =
	    binding_target_split(target + scheme_len, &words, err);
	if (status != WRIT_OK)
		return status;
	if (words.count == 0)
		return binding_target_refuse(target, "names no program", err);
	status = w_binding_target_program(words.items[0], err);
	if (status != WRIT_OK)
		return status;
	*out_words = words;
	words = (struct w_words){0};
	return WRIT_OK;
}

bool
w_binding_target_add(struct w_buf *buf, const char *const *words)
{
	for (size_t i = 0; words[i] != NULL; i++) {
		if (words[i][0] == '\0' || strchr(words[i], ' ') != NULL ||
		    has_control(words[i]))
			return false;
	}
	if (words[0] == NULL)
		return false;
	w_buf_add_str(buf, W_BINDING_TARGET_SCHEME);
	for (size_t i = 0; words[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ' ');
		w_buf_add_str(buf, words[i]);
	}
	return true;
}
