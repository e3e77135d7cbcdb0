/* SPDX-License-Identifier: Apache-2.0 */

/*
 * sed scripts, as GNU sed 4.9 reads them. What older releases read differently
 * is refused: a delimiter in brackets, text after "a\" and blanks.
 *
 * A file after w is created when the script is read, even if the command is
 * never reached, so all of them are reported.
 */

#include "command/script/script_sed.h"

#include <string.h>

#include "base/ascii.h"
#include "command/grammar/effect.h"

#define DEPTH_MAX 1000

struct sed {
	struct w_script_reader *in;
	size_t depth; /* open braces */
};

/* Most commands end at ";", a newline, "}" or "#". */
static writ_status
script_sed_read_end(struct w_script_reader *in)
{
	w_sed_skip_blanks(in);
	if (in->at == in->len ||
	    w_script_is_one_of(w_script_peek(in, 0), ";\n}#"))
		return WRIT_OK;
	return w_script_refuse(
	    in, in->at, "there is something behind this command");
}

/* A file name extends to the end of the line. */
static writ_status
script_sed_read_file(struct w_script_reader *in, unsigned effect)
{
	static const char *const outputs[] = {
	    "/dev/stdout", "/dev/stderr", NULL};
	static const char *const inputs[] = {"/dev/stdin", NULL};

	w_sed_skip_blanks(in);
	const char *path = in->text + in->at;
	while (in->at < in->len && in->text[in->at] != '\n')
		in->at++;
	size_t len = (size_t)(in->text + in->at - path);
	if (len == 0)
		return w_script_refuse(in, in->at, "a file name is missing");
	const char *const *streams = effect == W_EFFECT_READ ? inputs : outputs;
	for (; *streams != NULL; streams++) {
		if (strlen(*streams) == len && memcmp(*streams, path, len) == 0)
			return WRIT_OK;
	}
	return w_script_touches(in, effect, path, len);
}

/* Skips text, which ends at a newline without a backslash. */
static void
skip_text(struct w_script_reader *in, bool *out_has_escapes)
{
	*out_has_escapes = false;
	while (in->at < in->len && in->text[in->at] != '\n') {
		if (in->text[in->at] == '\\') {
			*out_has_escapes = true;
			if (in->at + 1 < in->len)
				in->at++;
		}
		in->at++;
	}
}

/* The text of a, i and c. */
static writ_status
script_sed_read_text(struct w_script_reader *in)
{
	bool has_escapes;

	w_sed_skip_blanks(in);
	char c = w_script_peek(in, 0);
	if (c == '\0' || c == '\n')
		return w_script_refuse(in, in->at, "its text is missing");
	if (c == '\\') {
		size_t at = ++in->at;

		/* "$a\" is a common way to end the last line. */
		if (in->at == in->len)
			return WRIT_OK;
		if (w_script_peek(in, 0) == '\n') {
			in->at++;
		} else {
			w_sed_skip_blanks(in);
			c = w_script_peek(in, 0);
			if (c == '\0' || c == '\n' || c == '\\')
				return w_script_refuse(in, at,
				    "where its text begins is not clear");
		}
	}
	skip_text(in, &has_escapes);
	return WRIT_OK;
}

/* The command of e, up to the end of the line; without one the pattern space is
 * executed. */
static writ_status
read_execute(struct w_script_reader *in)
{
	bool has_escapes;

	w_sed_skip_blanks(in);
	const char *command = in->text + in->at;
	skip_text(in, &has_escapes);
	size_t len = (size_t)(in->text + in->at - command);
	if (len == 0 || has_escapes)
		return w_script_runs(in, NULL, 0);
	return w_script_runs(in, command, len);
}

static writ_status
read_flags(struct w_script_reader *in)
{
	for (;; in->at++) {
		char c = w_script_peek(in, 0);

		if (c == 'w') {
			in->at++;
			return script_sed_read_file(in, W_EFFECT_WRITE);
		}
		if (c == 'e') {
			writ_status status = w_script_runs(in, NULL, 0);
			if (status != WRIT_OK)
				return status;
		} else if (!w_is_digit(c) &&
			   !w_script_is_one_of(c, "gpiImM ")) {
			return script_sed_read_end(in);
		}
	}
}

static writ_status
read_substitute(struct w_script_reader *in, bool is_regex)
{
	char delimiter;
	writ_status status = w_sed_read_delimiter(in, &delimiter);

	if (status == WRIT_OK)
		status = w_sed_read_delimited(in, delimiter, is_regex);
	if (status == WRIT_OK)
		status = w_sed_read_delimited(in, delimiter, false);
	if (status != WRIT_OK)
		return status;
	return is_regex ? read_flags(in) : script_sed_read_end(in);
}

/* A label may contain '#', so no comment can follow it. */
static writ_status
read_label(struct w_script_reader *in)
{
	w_sed_skip_blanks(in);
	while (in->at < in->len &&
	       !w_script_is_one_of(in->text[in->at], " \t\n;}")) {
		char c = in->text[in->at];

		if ((unsigned char)c < ' ' || w_script_is_one_of(c, "{\\#"))
			return w_script_refuse(
			    in, in->at, "this is not part of a label");
		in->at++;
	}
	w_sed_skip_blanks(in);
	if (w_script_peek(in, 0) == '#')
		return w_script_refuse(
		    in, in->at, "a comment cannot follow a label");
	return script_sed_read_end(in);
}

static writ_status
read_brace(struct sed *sed, char brace)
{
	struct w_script_reader *in = sed->in;

	if (brace == '{') {
		if (++sed->depth > DEPTH_MAX)
			return w_script_refuse(
			    in, in->at, "its braces are too deep");
		return WRIT_OK;
	}
	if (sed->depth == 0)
		return w_script_refuse(
		    in, in->at - 1, "nothing is open that this could close");
	sed->depth--;
	return script_sed_read_end(in);
}

/* Its name has been read. */
static writ_status
script_sed_read_command(struct sed *sed, char name)
{
	struct w_script_reader *in = sed->in;

	switch (name) {
	case '{':
	case '}':
		return read_brace(sed, name);
	case 's':
		return read_substitute(in, true);
	case 'y':
		return read_substitute(in, false);
	case 'a':
	case 'i':
	case 'c':
		return script_sed_read_text(in);
	case 'e':
		return read_execute(in);
	case 'r':
	case 'R':
		return script_sed_read_file(in, W_EFFECT_READ);
	case 'w':
	case 'W':
		return script_sed_read_file(in, W_EFFECT_WRITE);
	case ':':
	case 'b':
	case 't':
	case 'T':
	case 'v':
		return read_label(in);
	case 'l':
	case 'q':
	case 'Q':
		w_sed_skip_blanks(in);
		w_sed_skip_digits(in);
		return script_sed_read_end(in);
	default:
		break;
	}
	if (w_script_is_one_of(name, "=dDFgGhHnNpPxz"))
		return script_sed_read_end(in);
	return w_script_refuse(in, in->at - 1, "there is no such command");
}

writ_status
w_script_read_sed(struct w_script_reader *in)
{
	struct sed sed = {.in = in};

	for (;;) {
		bool has_address;

		while (w_script_is_one_of(w_script_peek(in, 0), " \t\n;"))
			in->at++;
		if (in->at == in->len)
			break;
		if (w_script_peek(in, 0) == '#') {
			while (in->at < in->len && in->text[in->at] != '\n')
				in->at++;
			continue;
		}
		writ_status status = w_sed_read_addresses(in, &has_address);
		if (status != WRIT_OK)
			return status;
		if (in->at == in->len)
			return w_script_refuse(
			    in, in->at, "a command is missing at the end");
		char name = in->text[in->at++];
		if (has_address && (name == '}' || name == ':'))
			return w_script_refuse(
			    in, in->at - 1, "this takes no address");
		status = script_sed_read_command(&sed, name);
		if (status != WRIT_OK)
			return status;
	}
	if (sed.depth > 0)
		return w_script_refuse(
		    in, in->len, "a brace is open at the end");
	return WRIT_OK;
}
