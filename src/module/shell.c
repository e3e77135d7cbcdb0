/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shell strings, taken apart into simple commands. Two kinds of things are
 * refused: those whose meaning is known only when they run, and those that
 * shells read in different ways. So the string, which a shell gets as it was
 * written, does what the parts say, whichever shell that is.
 */

#include "module/shell.h"

#include <stdint.h>
#include <string.h>

#include "base/encode.h"
#include "module/shell_part.h"

static writ_status
no_memory(struct w_shell_taker *taker)
{
	return w_fail_nomem(taker->in.err, "shell");
}

static void
skip_lines(struct w_shell_taker *taker)
{
	for (w_shell_skip_blanks(&taker->in);
	     w_shell_peek(&taker->in, 0) == '\n';
	     w_shell_skip_blanks(&taker->in))
		taker->in.at++;
}

/* "&&", "||" and "|" want a command behind them. */
static writ_status
read_binary(struct w_shell_taker *taker, enum w_joint *out_joint)
{
	struct w_shell_input *in = &taker->in;
	char first = w_shell_peek(in, 0);
	char second = w_shell_peek(in, 1);

	if (first == '&' && second != '&')
		return w_shell_refuse(in, in->at,
		    "what is left running in the background is not followed");
	if (first == '|' && second == '&')
		return w_shell_refuse(
		    in, in->at, "'|&' is of some shells only");
	in->at += second == first ? 2 : 1;
	*out_joint = first == '&'    ? W_JOINT_AND
		     : second == '|' ? W_JOINT_OR
				     : W_JOINT_PIPE;
	if (*out_joint == W_JOINT_PIPE)
		return w_shell_check_operator_end(taker);
	return WRIT_OK;
}

static writ_status
read_joint(struct w_shell_taker *taker, enum w_joint *out_joint)
{
	struct w_shell_input *in = &taker->in;
	writ_status status = WRIT_OK;

	if (in->at == in->len)
		return WRIT_OK;
	char c = w_shell_peek(in, 0);
	if (c == '&' || c == '|') {
		status = read_binary(taker, out_joint);
		skip_lines(taker);
		if (status == WRIT_OK && in->at == in->len)
			return w_shell_refuse(
			    in, in->at, "a command is missing at the end");
		return status;
	}
	in->at++;
	if (c == ';')
		status = w_shell_check_operator_end(taker);
	skip_lines(taker);
	if (in->at < in->len)
		*out_joint = W_JOINT_THEN;
	return status;
}

/* What no command has, and what shells use for themselves inside words. */
static writ_status
check_bytes(struct w_shell_taker *taker)
{
	const char *text = taker->in.text;

	for (size_t i = 0; i < taker->in.len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
			return w_shell_refuse(&taker->in, i,
			    "shells treat control characters differently");
	}
	if (w_utf8_valid(text, taker->in.len))
		return WRIT_OK;
	size_t valid = 0;
	for (size_t len = 1; len <= 4 && len <= taker->in.len - valid; len++) {
		if (w_utf8_valid(text + valid, len)) {
			valid += len;
			len = 0;
		}
	}
	return w_shell_refuse(&taker->in, valid,
	    "what is not UTF-8 depends on the shell's locale");
}

static writ_status
read_all(struct w_shell_taker *taker)
{
	struct w_shell_input *in = &taker->in;
	writ_status status = check_bytes(taker);

	if (status != WRIT_OK)
		return status;
	in->out = w_arena_alloc(&taker->arena, in->len + 1, 1);
	if (in->out == NULL)
		return no_memory(taker);
	for (skip_lines(taker); in->at < in->len;) {
		struct w_shell_part part = {.joint = W_JOINT_END};

		if (taker->parts.len ==
		    W_SHELL_PARTS_MAX * sizeof(struct w_shell_part))
			return w_shell_refuse(
			    in, in->at, "there are more than 1000 commands");
		status = w_shell_read_part(taker, &part);
		if (status == WRIT_OK)
			status = read_joint(taker, &part.joint);
		if (status != WRIT_OK)
			return status;
		w_buf_add(&taker->parts, &part, sizeof(part));
	}
	return taker->parts.failed ? no_memory(taker) : WRIT_OK;
}

/* Hands out what was read. */
static writ_status
finish(struct w_shell_taker *taker, struct w_shell *out_shell)
{
	struct w_shell shell = {
	    .count = taker->parts.len / sizeof(struct w_shell_part)};

	if (shell.count > 0) {
		shell.parts = w_arena_alloc(&taker->arena, taker->parts.len, 1);
		if (shell.parts == NULL)
			return no_memory(taker);
		memcpy(shell.parts, taker->parts.data, taker->parts.len);
	}
	shell.arena = taker->arena;
	*out_shell = shell;
	return WRIT_OK;
}

writ_status
w_shell_take_apart(const char *text, size_t len, struct w_shell *out_shell,
    size_t *out_offset, writ_error *err)
{
	struct w_shell_taker taker = {
	    .in = {.text = text, .len = len, .err = err}};

	w_buf_init(
	    &taker.parts, W_SHELL_PARTS_MAX * sizeof(struct w_shell_part));
	w_buf_init(&taker.words, SIZE_MAX / 2);
	w_buf_init(&taker.assignments, SIZE_MAX / 2);
	w_buf_init(&taker.redirections, SIZE_MAX / 2);
	writ_status status = read_all(&taker);
	if (status == WRIT_OK)
		status = finish(&taker, out_shell);
	w_buf_done(&taker.redirections);
	w_buf_done(&taker.assignments);
	w_buf_done(&taker.words);
	w_buf_done(&taker.parts);
	if (status != WRIT_OK)
		w_arena_done(&taker.arena);
	if (status == WRIT_E_INVALID && out_offset != NULL)
		*out_offset = taker.in.fault;
	return status;
}

void
w_shell_done(struct w_shell *shell)
{
	w_arena_done(&shell->arena);
	*shell = (struct w_shell){.count = 0};
}
