/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the variables that `export -p` of a shell writes.
 *
 * In bash a value stands in double quotes, with a backslash before what is
 * special there; one with control characters in $'...', and is left out. Other
 * shells write `export NAME='value'`, where a quote is \' or "'", and control
 * characters are as they are: these are left out, too. Whatever else is written
 * there, the whole file is refused: it is no shell's.
 */

#include "run/result/left_state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "run/resolve/environ.h"

enum {
	NAME_LEN_MAX = 128
};

/* What shells and writ set in every run. */
static const char *const own_names[] = {"PATH", "HOME", "PWD", "OLDPWD",
    "SHLVL", "_", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR",
    "WRIT_SHELL_STATE", NULL};

struct left_state_text {
	const char *at;
	const char *end;
};

static bool
skip_text(struct left_state_text *text, const char *word)
{
	const size_t len = strlen(word);

	if ((size_t)(text->end - text->at) < len ||
	    memcmp(text->at, word, len) != 0)
		return false;
	text->at += len;
	return true;
}

static bool
is_letter(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t
name_len(const struct left_state_text *text)
{
	size_t len = 0;

	while (text->at + len < text->end &&
	       (is_letter(text->at[len]) ||
		   (len > 0 && text->at[len] >= '0' && text->at[len] <= '9')))
		len++;
	return len;
}

/* The inside of double quotes, behind the first one. */
static bool
read_quoted(struct left_state_text *text, struct w_buf *value)
{
	while (text->at < text->end) {
		char c = *text->at++;

		if (c == '"')
			return true;
		/* bash writes none of these as they are. */
		if ((unsigned char)c < ' ' || c == 0x7f || c == '$' || c == '`')
			return false;
		if (c == '\\') {
			if (text->at == text->end ||
			    strchr("\"$`\\!", *text->at) == NULL ||
			    *text->at == '\0')
				return false;
			c = *text->at++;
		}
		w_buf_add_char(value, c);
	}
	return false;
}

/* The inside of $'...', which is not kept. */
static bool
skip_escaped(struct left_state_text *text)
{
	while (text->at < text->end) {
		const char c = *text->at++;

		if (c == '\'')
			return true;
		if ((unsigned char)c < ' ')
			return false;
		if (c == '\\' && text->at < text->end)
			text->at++;
	}
	return false;
}

/* The inside of '...', behind the first one. */
static bool
read_verbatim(struct left_state_text *text, struct w_buf *value, bool *is_plain)
{
	while (text->at < text->end) {
		const char c = *text->at++;

		if (c == '\'')
			return true;
		if ((unsigned char)c < ' ' || c == 0x7f)
			*is_plain = false;
		w_buf_add_char(value, c);
	}
	return false;
}

/* As a shell other than bash writes it, up to the end of the line. */
static bool
read_pieces(struct left_state_text *text, struct w_buf *value, bool *is_plain)
{
	bool is_read = true;

	while (is_read && text->at < text->end && *text->at != '\n') {
		const char c = *text->at;

		if (skip_text(text, "'")) {
			is_read = read_verbatim(text, value, is_plain);
		} else if (skip_text(text, "\"")) {
			is_read = read_quoted(text, value);
		} else if (skip_text(text, "$'")) {
			*is_plain = false;
			is_read = skip_escaped(text);
		} else if (skip_text(text, "\\'")) {
			w_buf_add_char(value, '\'');
		} else {
			is_read = is_letter(c) || (c >= '0' && c <= '9') ||
				  (c != '\0' && strchr("@%+:,./-", c) != NULL);
			w_buf_add_char(value, c);
			text->at++;
		}
	}
	return is_read;
}

/* As bash writes it. */
static bool
read_value(struct left_state_text *text, struct w_buf *value, bool *is_plain)
{
	if (skip_text(text, "\""))
		return read_quoted(text, value);
	*is_plain = false;
	return skip_text(text, "$'") && skip_escaped(text);
}

/* Neither set by shells and writ themselves, nor one that makes programs run
 * code. */
static bool
is_plain_name(const char *name, w_left_state_risky_fn is_risky)
{
	for (size_t i = 0; own_names[i] != NULL; i++) {
		if (strcmp(own_names[i], name) == 0)
			return false;
	}
	return !w_environ_runs_code(name) && is_risky != NULL &&
	       !is_risky(name);
}

static bool
is_changed(const char *name, const char *value, char *const *env)
{
	const char *before = w_environ_get(env, name);

	return before == NULL || strcmp(before, value) != 0;
}

bool
w_left_state_is_kept(
    const char *variable, char *const *env, w_left_state_risky_fn is_risky)
{
	const size_t len = strcspn(variable, "=");
	char name[NAME_LEN_MAX + 1];

	if (len == 0 || len > NAME_LEN_MAX || variable[len] != '=')
		return false;
	memcpy(name, variable, len);
	name[len] = '\0';
	return is_plain_name(name, is_risky) &&
	       w_environ_get(env, name) == NULL;
}

/* "declare -x NAME=..." of bash, or "export NAME=..." */
static bool
read_variable(struct left_state_text *text, char *const *env,
    w_left_state_risky_fn is_risky, struct w_left_state *state)
{
	W_AUTO_BUF struct w_buf variable;
	char name[NAME_LEN_MAX + 1];
	const bool is_bash = skip_text(text, "declare -x ");
	bool is_plain = true;

	w_buf_init(&variable, W_LEFT_STATE_MAX + NAME_LEN_MAX);
	if (!is_bash && !skip_text(text, "export "))
		return false;
	const size_t len = name_len(text);
	if (len == 0 || len > NAME_LEN_MAX)
		return false;
	memcpy(name, text->at, len);
	name[len] = '\0';
	text->at += len;
	w_buf_add(&variable, name, len);
	w_buf_add_char(&variable, '=');
	if (skip_text(text, "\n"))
		return true; /* exported, but not set */
	if (!skip_text(text, "=") ||
	    !(is_bash ? read_value(text, &variable, &is_plain)
		      : read_pieces(text, &variable, &is_plain)))
		return false;
	if (!skip_text(text, "\n") || variable.failed)
		return false;
	if (!is_plain || !is_plain_name(name, is_risky) ||
	    !is_changed(name, variable.data + len + 1, env))
		return true;
	return state->env.count < W_LEFT_STATE_VARIABLES &&
	       w_words_add(&state->env, variable.data, variable.len);
}

static bool
read_directory(struct left_state_text *text, struct w_left_state *state)
{
	const char *line = text->at;
	const char *end = memchr(line, '\n', (size_t)(text->end - line));

	if (end == NULL || *line != '/' || end - line >= PATH_MAX)
		return false;
	for (const char *at = line; at < end; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return false;
	}
	state->cwd = strndup(line, (size_t)(end - line));
	text->at = end + 1;
	return state->cwd != NULL;
}

bool
w_left_state_read(const char *bytes, size_t len, char *const *env,
    w_left_state_risky_fn is_risky, struct w_left_state *out_state)
{
	struct left_state_text text = {.at = bytes, .end = bytes + len};
	struct w_left_state state = {.cwd = NULL};

	if (len == 0 || len > W_LEFT_STATE_MAX)
		return false;
	bool is_read = read_directory(&text, &state);
	while (is_read && text.at < text.end)
		is_read = read_variable(&text, env, is_risky, &state);
	if (is_read)
		*out_state = state;
	else
		w_left_state_done(&state);
	return is_read;
}

void
w_left_state_done(struct w_left_state *state)
{
	free(state->cwd);
	w_words_done(&state->env);
	*state = (struct w_left_state){.cwd = NULL};
}
