/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The words of a shell string. Quotes and backslashes are as in POSIX; any
 * unquoted character that could start an expansion is refused, because the
 * result cannot be known without running it.
 */

#include "command/shell/shell_word.h"

#include <string.h>

#include "base/ascii.h"
#include "base/position.h"

/* As shells do: neither the locale nor other white space matters. */
#define BLANKS    " \t"
#define OPERATORS "\n;&|<>"

static const struct {
	const char *characters;
	const char *why;
} opaque[] = {
    {"$", "'$' becomes something that is known only when it runs"},
    {"`", "what is between backquotes is known only when it runs"},
    {"*?[", "an unquoted pattern becomes the names of files"},
    {"~", "an unquoted '~' may become a directory"},
    {"{}", "unquoted braces mean different things to shells"},
    {"()", "sub-shells, functions and substitutions are not followed"},
    {"!", "an unquoted '!' negates a command or recalls one"},
};

char
w_shell_peek(const struct w_shell_input *in, size_t ahead)
{
	return ahead < in->len - in->at ? in->text[in->at + ahead] : '\0';
}

writ_status
w_shell_refuse(struct w_shell_input *in, size_t where, const char *why)
{
	in->fault = where;
	(void)w_fail(in->err, WRIT_E_INVALID, "shell", 0, "%s", why);
	w_locate_offset(in->err, in->text, where);
	return WRIT_E_INVALID;
}

static bool
shell_word_is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static bool
is_at_continuation(const struct w_shell_input *in)
{
	return w_shell_peek(in, 0) == '\\' && w_shell_peek(in, 1) == '\n';
}

void
w_shell_skip_blanks(struct w_shell_input *in)
{
	for (;;) {
		if (shell_word_is_one_of(w_shell_peek(in, 0), BLANKS))
			in->at += 1;
		else if (is_at_continuation(in))
			in->at += 2;
		else
			return;
	}
}

static writ_status
check_plain(struct w_shell_input *in, char c)
{
	for (size_t i = 0; i < sizeof(opaque) / sizeof(opaque[0]); i++) {
		if (!shell_word_is_one_of(c, opaque[i].characters))
			continue;
		(void)w_shell_refuse(in, in->at, opaque[i].why);
		w_suggest(in->err, "put it in single quotes if the character "
				   "itself is meant");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
read_single(struct w_shell_input *in)
{
	size_t open = in->at++;
	const char *from = in->text + in->at;
	const char *close = memchr(from, '\'', in->len - in->at);

	if (close == NULL)
		return w_shell_refuse(
		    in, open, "this single quote is never closed");
	size_t len = (size_t)(close - from);
	memcpy(in->out, from, len);
	in->out += len;
	in->at += len + 1;
	return WRIT_OK;
}

/* A backslash in double quotes. */
static void
read_double_escape(struct w_shell_input *in)
{
	char next = w_shell_peek(in, 1);

	if (!shell_word_is_one_of(next, "$`\"\\\n"))
		*in->out++ = '\\';
	if (next != '\n')
		*in->out++ = next;
	in->at += 2;
}

static writ_status
read_double(struct w_shell_input *in)
{
	size_t open = in->at++;

	while (in->at < in->len && in->text[in->at] != '"') {
		char c = in->text[in->at];

		if (c == '$' || c == '`')
			return check_plain(in, c);
		if (c != '\\') {
			*in->out++ = c;
			in->at++;
		} else if (in->at + 1 < in->len) {
			read_double_escape(in);
		} else {
			break;
		}
	}
	if (w_shell_peek(in, 0) != '"')
		return w_shell_refuse(
		    in, open, "this double quote is never closed");
	in->at++;
	return WRIT_OK;
}

static writ_status
read_escape(struct w_shell_input *in)
{
	if (in->at + 1 == in->len)
		return w_shell_refuse(
		    in, in->at, "nothing follows this backslash");
	*in->out++ = in->text[in->at + 1];
	in->at += 2;
	return WRIT_OK;
}

/*
 * Characters that are opaque elsewhere but literal to every shell here: "[" and
 * "!" alone (not "!" as the command), "{}", and "~" after a letter or digit.
 * None of it depends on files or on earlier commands.
 */
static size_t
literal_len(const struct w_shell_input *in, const struct w_shell_word *word)
{
	char c = in->text[in->at];
	char next = w_shell_peek(in, 1);
	char last = in->at > word->offset ? in->text[in->at - 1] : '\0';

	if (c == '[' || c == '!')
		return last == '\0' &&
		       (in->at + 1 == in->len ||
			   shell_word_is_one_of(next, BLANKS OPERATORS));
	if (c == '{')
		return next == '}' ? 2 : 0;
	if (c == '~')
		return w_is_alpha(last) || w_is_digit(last) || last == '^';
	return 0;
}

/* One step in a word: a character, an escape or a quoted part. */
static writ_status
read_step(struct w_shell_input *in, struct w_shell_word *word)
{
	char c = in->text[in->at];

	if (is_at_continuation(in)) {
		word->is_plain = false;
		in->at += 2;
		return WRIT_OK;
	}
	if (c == '\'' || c == '"' || c == '\\') {
		if (!word->is_quoted)
			word->bare_len = (size_t)(in->out - word->text);
		word->is_plain = false;
		word->is_quoted = true;
		return c == '\''  ? read_single(in)
		       : c == '"' ? read_double(in)
				  : read_escape(in);
	}
	size_t len = literal_len(in, word);
	if (len == 0) {
		writ_status status = check_plain(in, c);
		if (status != WRIT_OK)
			return status;
		len = 1;
	}
	memcpy(in->out, in->text + in->at, len);
	in->out += len;
	in->at += len;
	return WRIT_OK;
}

static bool
shell_word_is_name(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len &&
	       (w_is_name_start(text[at]) || (at > 0 && w_is_digit(text[at]))))
		at++;
	return len > 0 && at == len;
}

writ_status
w_shell_read_word(struct w_shell_input *in, struct w_shell_word *out_word)
{
	struct w_shell_word word = {
	    .text = in->out, .offset = in->at, .is_plain = true};
	writ_status status = WRIT_OK;

	if (w_shell_peek(in, 0) == '#')
		return w_shell_refuse(in, in->at, "comments are not followed");
	while (status == WRIT_OK && in->at < in->len &&
	       !shell_word_is_one_of(in->text[in->at], BLANKS OPERATORS)) {
		const size_t len = (size_t)(in->out - word.text);

		if (in->text[in->at] == '=' && !word.is_quoted &&
		    word.name_len == 0 && shell_word_is_name(word.text, len))
			word.name_len = len;
		status = read_step(in, &word);
	}
	if (status != WRIT_OK)
		return status;
	word.len = (size_t)(in->out - word.text);
	if (!word.is_quoted)
		word.bare_len = word.len;
	if (in->at == word.offset)
		word.text = NULL;
	else
		*in->out++ = '\0';
	*out_word = word;
	return WRIT_OK;
}
