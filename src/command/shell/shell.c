/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a shell text: its bytes, its limits and its faults. */

#include "command/shell/shell.h"

#include <stdint.h>
#include <string.h>

#include "base/encode.h"
#include "base/position.h"
#include "command/shell/shell_parser.h"

void *
w_shell_alloc(struct w_shell_parser *parser, size_t size)
{
	void *memory;

	if (++parser->pieces > W_SHELL_PIECES_MAX) {
		w_shell_stop(parser, parser->at, "there are too many words");
		return NULL;
	}
	memory = w_arena_alloc(parser->arena, 1, size);
	if (memory == NULL) {
		parser->is_out_of_memory = true;
		parser->is_stopped = true;
	}
	return memory;
}

char
w_shell_peek(const struct w_shell_parser *parser, size_t ahead)
{
	return ahead < parser->len - parser->at
		   ? parser->text[parser->at + ahead]
		   : '\0';
}

void
w_shell_fault(struct w_shell_parser *parser, size_t where, const char *why)
{
	struct w_shell *shell = parser->shell;

	if (shell->has_fault || parser->is_stopped)
		return;
	shell->has_fault = true;
	shell->fault_offset = where;
	(void)w_fail(&shell->fault, WRIT_E_INVALID, "shell", 0, "%s", why);
	w_locate_offset(&shell->fault, parser->text, where);
}

void
w_shell_only_bash(struct w_shell_parser *parser, size_t where, const char *why)
{
	if (!parser->is_bash)
		w_shell_fault(parser, where, why);
}

void
w_shell_stop(struct w_shell_parser *parser, size_t where, const char *why)
{
	w_shell_fault(parser, where, why);
	parser->is_stopped = true;
}

/* Behind a fault it is not certain how shells read on. */
void
w_shell_syntax_error(
    struct w_shell_parser *parser, size_t where, const char *why)
{
	if (!parser->shell->has_fault && !parser->is_stopped) {
		w_shell_fault(parser, where, why);
		parser->shell->is_syntax_error = true;
	}
	parser->is_stopped = true;
}

bool
w_shell_enter(struct w_shell_parser *parser)
{
	if (parser->is_stopped)
		return false;
	if (parser->depth == W_SHELL_DEPTH_MAX) {
		w_shell_stop(parser, parser->at, "it is nested too deep");
		return false;
	}
	parser->depth++;
	return true;
}

void
w_shell_leave(struct w_shell_parser *parser)
{
	parser->depth--;
}

/* Bytes that no command has, or that shells use internally in words. */
static void
shell_check_bytes(struct w_shell_parser *parser)
{
	const char *text = parser->text;
	size_t valid = 0;

	for (size_t i = 0; i < parser->len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
			w_shell_fault(parser, i,
			    "shells treat control characters differently");
			/* No shell gets what is behind it. */
			if (c == 0)
				parser->len = i;
			break;
		}
	}
	if (w_utf8_valid(text, parser->len))
		return;
	for (size_t len = 1; len <= 4 && len <= parser->len - valid; len++) {
		if (w_utf8_valid(text + valid, len)) {
			valid += len;
			len = 0;
		}
	}
	w_shell_fault(
	    parser, valid, "what is not UTF-8 depends on the shell's locale");
}

static void
shell_read_all(struct w_shell_parser *parser)
{
	shell_check_bytes(parser);
	parser->out = w_arena_alloc(parser->arena, parser->len + 1, 1);
	if (parser->out == NULL) {
		parser->is_out_of_memory = true;
		return;
	}
	parser->shell->list = w_shell_read_list(parser);
	if (parser->pending != NULL)
		w_shell_fault(parser, parser->pending->redirection->offset,
		    "this here document is never closed");
	if (!parser->is_stopped && parser->at < parser->len)
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: nothing is open that this could close");
}

writ_status
w_shell_parse(const struct w_shell_input *input, struct w_shell *out_shell,
    writ_error *err)
{
	struct w_shell shell = {.list = NULL};
	struct w_shell_parser parser = {.text = input->text,
	    .len = input->len,
	    .is_bash = input->is_bash,
	    .has_history = input->has_history,
	    .shell = &shell,
	    .arena = &shell.arena};

	shell_read_all(&parser);
	if (parser.is_out_of_memory) {
		w_arena_done(&shell.arena);
		return w_fail_nomem(err, "shell");
	}
	*out_shell = shell;
	return WRIT_OK;
}

void
w_shell_done(struct w_shell *shell)
{
	w_arena_done(&shell->arena);
	*shell = (struct w_shell){.list = NULL};
}
