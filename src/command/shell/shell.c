/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses shell strings into simple commands. Two kinds of constructs are
 * refused: those whose meaning is known only at run time, and those that shells
 * read differently. So the string, which a shell gets unchanged, does what the
 * parsed commands say, in any shell.
 */

#include "command/shell/shell.h"

#include <stdint.h>
#include <string.h>

#include "base/encode.h"
#include "command/shell/simple_command.h"

static writ_status
no_memory(struct w_shell_parser *parser)
{
	return w_fail_nomem(parser->in.err, "shell");
}

static void
skip_lines(struct w_shell_parser *parser)
{
	for (w_shell_skip_blanks(&parser->in);
	     w_shell_peek(&parser->in, 0) == '\n';
	     w_shell_skip_blanks(&parser->in))
		parser->in.at++;
}

/* "&&", "||" and "|" need a command after them. */
static writ_status
read_binary(struct w_shell_parser *parser, enum w_control_operator *out_control)
{
	struct w_shell_input *in = &parser->in;
	char first = w_shell_peek(in, 0);
	char second = w_shell_peek(in, 1);

	if (first == '&' && second != '&')
		return w_shell_refuse(in, in->at,
		    "what is left running in the background is not followed");
	if (first == '|' && second == '&')
		return w_shell_refuse(
		    in, in->at, "'|&' is of some shells only");
	in->at += second == first ? 2 : 1;
	*out_control = first == '&'    ? W_CONTROL_AND
		       : second == '|' ? W_CONTROL_OR
				       : W_CONTROL_PIPE;
	if (*out_control == W_CONTROL_PIPE)
		return w_shell_check_operator_end(parser);
	return WRIT_OK;
}

static writ_status
read_control(
    struct w_shell_parser *parser, enum w_control_operator *out_control)
{
	struct w_shell_input *in = &parser->in;
	writ_status status = WRIT_OK;

	if (in->at == in->len)
		return WRIT_OK;
	char c = w_shell_peek(in, 0);
	if (c == '&' || c == '|') {
		status = read_binary(parser, out_control);
		skip_lines(parser);
		if (status == WRIT_OK && in->at == in->len)
			return w_shell_refuse(
			    in, in->at, "a command is missing at the end");
		return status;
	}
	in->at++;
	if (c == ';')
		status = w_shell_check_operator_end(parser);
	skip_lines(parser);
	if (in->at < in->len)
		*out_control = W_CONTROL_THEN;
	return status;
}

/* Bytes that no command has, or that shells use internally in words. */
static writ_status
shell_check_bytes(struct w_shell_parser *parser)
{
	const char *text = parser->in.text;

	for (size_t i = 0; i < parser->in.len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
			return w_shell_refuse(&parser->in, i,
			    "shells treat control characters differently");
	}
	if (w_utf8_valid(text, parser->in.len))
		return WRIT_OK;
	size_t valid = 0;
	for (size_t len = 1; len <= 4 && len <= parser->in.len - valid; len++) {
		if (w_utf8_valid(text + valid, len)) {
			valid += len;
			len = 0;
		}
	}
	return w_shell_refuse(&parser->in, valid,
	    "what is not UTF-8 depends on the shell's locale");
}

static writ_status
shell_read_all(struct w_shell_parser *parser)
{
	struct w_shell_input *in = &parser->in;
	writ_status status = shell_check_bytes(parser);

	if (status != WRIT_OK)
		return status;
	in->out = w_arena_alloc(&parser->arena, in->len + 1, 1);
	if (in->out == NULL)
		return no_memory(parser);
	for (skip_lines(parser); in->at < in->len;) {
		struct w_simple_command part = {.control = W_CONTROL_END};

		if (parser->parts.len ==
		    W_SHELL_PARTS_MAX * sizeof(struct w_simple_command))
			return w_shell_refuse(
			    in, in->at, "there are more than 1000 commands");
		status = w_shell_read_command(parser, &part);
		if (status == WRIT_OK)
			status = read_control(parser, &part.control);
		if (status != WRIT_OK)
			return status;
		w_buf_add(&parser->parts, &part, sizeof(part));
	}
	return parser->parts.failed ? no_memory(parser) : WRIT_OK;
}

/* Stores the result. */
static writ_status
shell_finish(struct w_shell_parser *parser, struct w_shell *out_shell)
{
	struct w_shell shell = {
	    .count = parser->parts.len / sizeof(struct w_simple_command)};

	if (shell.count > 0) {
		shell.parts =
		    w_arena_alloc(&parser->arena, parser->parts.len, 1);
		if (shell.parts == NULL)
			return no_memory(parser);
		memcpy(shell.parts, parser->parts.data, parser->parts.len);
	}
	shell.arena = parser->arena;
	*out_shell = shell;
	return WRIT_OK;
}

writ_status
w_shell_parse(const char *text, size_t len, struct w_shell *out_shell,
    size_t *out_offset, writ_error *err)
{
	struct w_shell_parser parser = {
	    .in = {.text = text, .len = len, .err = err}};

	w_buf_init(
	    &parser.parts, W_SHELL_PARTS_MAX * sizeof(struct w_simple_command));
	w_buf_init(&parser.words, SIZE_MAX / 2);
	w_buf_init(&parser.assignments, SIZE_MAX / 2);
	w_buf_init(&parser.redirections, SIZE_MAX / 2);
	writ_status status = shell_read_all(&parser);
	if (status == WRIT_OK)
		status = shell_finish(&parser, out_shell);
	w_buf_done(&parser.redirections);
	w_buf_done(&parser.assignments);
	w_buf_done(&parser.words);
	w_buf_done(&parser.parts);
	if (status != WRIT_OK)
		w_arena_done(&parser.arena);
	if (status == WRIT_E_INVALID && out_offset != NULL)
		*out_offset = parser.in.fault;
	return status;
}

void
w_shell_done(struct w_shell *shell)
{
	w_arena_done(&shell->arena);
	*shell = (struct w_shell){.count = 0};
}
