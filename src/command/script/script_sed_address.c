/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The addresses of sed commands, and delimited text: where it ends decides what
 * is taken for a command.
 */

#include "base/ascii.h"
#include "command/script/script_sed.h"

void
w_sed_skip_blanks(struct w_script_reader *in)
{
	while (w_script_is_one_of(w_script_peek(in, 0), " \t"))
		in->at++;
}

void
w_sed_skip_digits(struct w_script_reader *in)
{
	while (w_is_digit(w_script_peek(in, 0)))
		in->at++;
}

/*
 * Whether the end of an expression may be inside brackets. Two readings are
 * tracked, because a backslash in brackets is one character or half of one.
 */
struct bracket {
	size_t from; /* right after "[" and "^"; 0: not in brackets */
	char class;  /* ':', '.' or '=' while in [:alpha:]; or NUL */
};

static void
follow_bracket(struct bracket *bracket, const char *text, size_t at)
{
	char c = text[at];

	if (bracket->from == 0) {
		if (c == '[')
			bracket->from = at + 1;
	} else if (bracket->class != '\0') {
		if (c == ']' && text[at - 1] == bracket->class)
			bracket->class = '\0';
	} else if (c == '^' && at == bracket->from && text[at - 1] == '[') {
		bracket->from++;
	} else if (c == ']' && at > bracket->from) {
		bracket->from = 0;
	} else if (w_script_is_one_of(c, ":.=") && text[at - 1] == '[' &&
		   at - 1 >= bracket->from) {
		bracket->class = c;
	}
}

writ_status
w_sed_read_delimited(struct w_script_reader *in, char delimiter, bool is_regex)
{
	size_t open = in->at;
	struct bracket plain = {0};
	struct bracket escaping = {0};

	for (; in->at < in->len; in->at++) {
		char c = in->text[in->at];

		if (c == delimiter && (plain.from != 0 || escaping.from != 0))
			return w_script_refuse(in, in->at,
			    "not every sed takes a delimiter in brackets");
		if (c == delimiter) {
			in->at++;
			return WRIT_OK;
		}
		if (c == '\n')
			break;
		if (c == '\\') {
			if (is_regex && plain.from != 0)
				follow_bracket(&plain, in->text, in->at);
			if (in->at + 1 < in->len)
				in->at++;
			if (is_regex && plain.from != 0)
				follow_bracket(&plain, in->text, in->at);
		} else if (is_regex) {
			follow_bracket(&plain, in->text, in->at);
			follow_bracket(&escaping, in->text, in->at);
		}
	}
	return w_script_refuse(in, open, "its delimiter never comes again");
}

writ_status
w_sed_read_delimiter(struct w_script_reader *in, char *out_delimiter)
{
	char c = w_script_peek(in, 0);

	if (c == '\0' || c == '\n')
		return w_script_refuse(in, in->at, "a delimiter is missing");
	if (c == '\\' || (c & 0x80) != 0)
		return w_script_refuse(
		    in, in->at, "this cannot be a delimiter");
	in->at++;
	*out_delimiter = c;
	return WRIT_OK;
}

static writ_status
read_regex_address(struct w_script_reader *in)
{
	char delimiter = '/';
	writ_status status = WRIT_OK;

	if (in->text[in->at++] == '\\')
		status = w_sed_read_delimiter(in, &delimiter);
	if (status == WRIT_OK)
		status = w_sed_read_delimited(in, delimiter, true);
	if (status != WRIT_OK)
		return status;
	for (w_sed_skip_blanks(in);
	     w_script_is_one_of(w_script_peek(in, 0), "IM");
	     w_sed_skip_blanks(in))
		in->at++;
	return WRIT_OK;
}

static writ_status
read_address(struct w_script_reader *in, bool *out_is_there)
{
	char c = w_script_peek(in, 0);

	*out_is_there = true;
	if (c == '/' || c == '\\')
		return read_regex_address(in);
	if (c == '$') {
		in->at++;
	} else if (w_is_digit(c)) {
		w_sed_skip_digits(in);
		w_sed_skip_blanks(in);
		if (w_script_peek(in, 0) == '~') {
			in->at++;
			w_sed_skip_blanks(in);
			w_sed_skip_digits(in);
		}
	} else {
		*out_is_there = false;
	}
	return WRIT_OK;
}

/* "+3" and "~4" are only second addresses. */
static writ_status
read_second_address(struct w_script_reader *in)
{
	bool is_there = false;

	w_sed_skip_blanks(in);
	if (w_script_is_one_of(w_script_peek(in, 0), "+~")) {
		in->at++;
		w_sed_skip_blanks(in);
		is_there = w_is_digit(w_script_peek(in, 0));
		w_sed_skip_digits(in);
	} else {
		writ_status status = read_address(in, &is_there);
		if (status != WRIT_OK)
			return status;
	}
	if (!is_there)
		return w_script_refuse(in, in->at, "an address is missing");
	return WRIT_OK;
}

writ_status
w_sed_read_addresses(struct w_script_reader *in, bool *out_is_there)
{
	writ_status status = read_address(in, out_is_there);

	if (status != WRIT_OK)
		return status;
	w_sed_skip_blanks(in);
	if (*out_is_there && w_script_peek(in, 0) == ',') {
		in->at++;
		status = read_second_address(in);
		if (status != WRIT_OK)
			return status;
		w_sed_skip_blanks(in);
	}
	if (w_script_peek(in, 0) == '!') {
		in->at++;
		w_sed_skip_blanks(in);
	}
	return WRIT_OK;
}
