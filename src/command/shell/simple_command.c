/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One simple command of a shell string: its assignments, words and
 * redirections. What shells read differently is refused.
 */

#include "command/shell/simple_command.h"

#include <string.h>

#include "base/ascii.h"

/* POSIX, and extensions of other shells. */
static const char *const reserved[] = {
    "case",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "esac",
    "fi",
    "for",
    "function",
    "if",
    "in",
    "namespace",
    "select",
    "then",
    "time",
    "until",
    "while",
    "!",
    "]]",
};

static bool
is_digits(const struct w_shell_word *word)
{
	return !word->is_quoted &&
	       strspn(word->text, "0123456789") == word->len;
}

static bool
is_reserved(const struct w_shell_word *word)
{
	if (word->is_quoted)
		return false;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (strcmp(word->text, reserved[i]) == 0)
			return true;
	}
	return false;
}

/* Whether a reserved word begins a loop. */
static bool
is_loop(const struct w_shell_word *word)
{
	return strcmp(word->text, "for") == 0 ||
	       strcmp(word->text, "while") == 0 ||
	       strcmp(word->text, "until") == 0 ||
	       strcmp(word->text, "select") == 0;
}

/* Only bash has "NAME+=", and only some locales have letters beyond ASCII:
 * other shells run these as commands. */
static bool
is_nearly_assignment(const struct w_shell_word *word)
{
	size_t len = 0;
	const char *text = word->text;

	while (w_is_name_start(text[len]) || w_is_digit(text[len]) ||
	       (text[len] & 0x80) != 0)
		len++;
	if (len == 0 || word->name_len > 0)
		return false;
	if (text[len] == '+')
		len++;
	return len < word->bare_len && text[len] == '=';
}

/* Several digits right before an operator are a descriptor in one shell and a
 * word in another. */
static bool
is_before_redirection(const struct w_shell_parser *parser)
{
	char next = w_shell_peek(&parser->in, 0);

	return next == '<' || next == '>';
}

/* A redirection operator. */
struct arrow {
	char text[3];
	enum w_redirection_kind kind;
	bool is_of_descriptors;
};

/* Longer ones first. */
static const struct arrow arrows[] = {
    {"<>", W_REDIRECT_READ_WRITE, false},
    {"<&", W_REDIRECT_READ, true},
    {">>", W_REDIRECT_APPEND, false},
    {">|", W_REDIRECT_WRITE, false},
    {">&", W_REDIRECT_WRITE, true},
    {"<", W_REDIRECT_READ, false},
    {">", W_REDIRECT_WRITE, false},
};

static const struct arrow *
find_arrow(const struct w_shell_parser *parser)
{
	const struct arrow *found = arrows;

	while (found->text[0] != w_shell_peek(&parser->in, 0) ||
	       (found->text[1] != '\0' &&
		   found->text[1] != w_shell_peek(&parser->in, 1)))
		found++;
	return found;
}

writ_status
w_shell_check_operator_end(struct w_shell_parser *parser)
{
	struct w_shell_input *in = &parser->in;

	if (w_shell_peek(in, 0) == '\\' && w_shell_peek(in, 1) == '\n')
		return w_shell_refuse(
		    in, in->at, "a line is continued right behind an operator");
	return WRIT_OK;
}

static writ_status
read_target(struct w_shell_parser *parser, struct w_shell_word *out_word)
{
	struct w_shell_input *in = &parser->in;
	writ_status status = w_shell_check_operator_end(parser);

	if (status != WRIT_OK)
		return status;
	w_shell_skip_blanks(in);
	status = w_shell_read_word(in, out_word);
	if (status != WRIT_OK)
		return status;
	if (out_word->text == NULL)
		return w_shell_refuse(
		    in, in->at, "a redirection has no target here");
	if (!out_word->is_quoted && strcmp(out_word->text, "!") == 0)
		return w_shell_refuse(in, out_word->offset,
		    "not every shell takes this for a name");
	if (is_before_redirection(parser) && is_digits(out_word))
		return w_shell_refuse(in, out_word->offset,
		    "shells read these digits in different ways");
	/* bash opens a connection instead of such a file. */
	if (strncmp(out_word->text, "/dev/tcp/", 9) == 0 ||
	    strncmp(out_word->text, "/dev/udp/", 9) == 0)
		return w_shell_refuse(in, out_word->offset,
		    "some shells open a connection for this name");
	return WRIT_OK;
}

static writ_status
simple_command_put(struct w_shell_parser *parser, struct w_buf *list,
    const void *item, size_t size)
{
	w_buf_add(list, item, size);
	return list->failed ? w_fail_nomem(parser->in.err, "shell") : WRIT_OK;
}

static writ_status
read_redirection(struct w_shell_parser *parser)
{
	struct w_shell_input *in = &parser->in;
	size_t offset = in->at;
	struct w_shell_word word;

	if (w_shell_peek(in, 0) == '<' && w_shell_peek(in, 1) == '<')
		return w_shell_refuse(
		    in, offset, "here documents are not followed");
	const struct arrow *arrow = find_arrow(parser);
	in->at += strlen(arrow->text);
	writ_status status = read_target(parser, &word);
	if (status != WRIT_OK)
		return status;
	if (!arrow->is_of_descriptors) {
		const struct w_redirection made = {
		    arrow->kind, word.text, offset};
		return simple_command_put(
		    parser, &parser->redirections, &made, sizeof(made));
	}
	if (word.is_plain && word.len == 1 &&
	    (is_digits(&word) || word.text[0] == '-'))
		return WRIT_OK;
	return w_shell_refuse(in, word.offset,
	    "only '-' or one digit means the same to every shell here");
}

/* A word that may be the command itself, or an assignment before it. */
static writ_status
take_first(struct w_shell_parser *parser, const struct w_shell_word *word)
{
	struct w_shell_input *in = &parser->in;

	if (is_reserved(word))
		return w_shell_refuse(in, word->offset,
		    is_loop(word) ? "writ cannot see what this shell loop will "
				    "run"
				  : "writ cannot see what this shell keyword "
				    "will run");
	if (is_nearly_assignment(word))
		return w_shell_refuse(in, word->offset,
		    "only some shells take this for an assignment");
	if (word->text[0] == '%')
		return w_shell_refuse(
		    in, word->offset, "some shells take this for a job");
	return simple_command_put(parser,
	    word->name_len > 0 ? &parser->assignments : &parser->words,
	    &word->text, sizeof(word->text));
}

static writ_status
simple_command_take_word(struct w_shell_parser *parser)
{
	struct w_shell_word word;
	writ_status status = w_shell_read_word(&parser->in, &word);

	if (status != WRIT_OK)
		return status;
	if (is_before_redirection(parser) && is_digits(&word)) {
		if (word.is_plain && word.len == 1)
			return WRIT_OK; /* the redirected descriptor */
		return w_shell_refuse(&parser->in, word.offset,
		    "shells read these digits in different ways");
	}
	if (parser->words.len == 0)
		return take_first(parser, &word);
	return simple_command_put(
	    parser, &parser->words, &word.text, sizeof(word.text));
}

static bool
is_at_end_of_part(const struct w_shell_parser *parser)
{
	return parser->in.at == parser->in.len ||
	       strchr("\n;&|", w_shell_peek(&parser->in, 0)) != NULL;
}

/* The collected items in permanent memory, zero-terminated. */
static const void *
simple_command_keep(
    struct w_shell_parser *parser, struct w_buf *list, size_t behind)
{
	void *kept = w_arena_alloc(&parser->arena, list->len + behind, 1);

	if (kept == NULL) {
		list->failed = true;
		return NULL;
	}
	if (list->len > 0)
		memcpy(kept, list->data, list->len);
	return kept;
}

static writ_status
keep_part(struct w_shell_parser *parser, struct w_simple_command *part)
{
	part->argc = parser->words.len / sizeof(char *);
	if (part->argc > 0)
		part->argv =
		    simple_command_keep(parser, &parser->words, sizeof(char *));
	if (parser->assignments.len > 0)
		part->assignments = simple_command_keep(
		    parser, &parser->assignments, sizeof(char *));
	part->redirection_count =
	    parser->redirections.len / sizeof(struct w_redirection);
	if (part->redirection_count > 0)
		part->redirections =
		    simple_command_keep(parser, &parser->redirections, 0);
	if (parser->words.failed || parser->assignments.failed ||
	    parser->redirections.failed)
		return w_fail_nomem(parser->in.err, "shell");
	parser->words.len = 0;
	parser->assignments.len = 0;
	parser->redirections.len = 0;
	return WRIT_OK;
}

writ_status
w_shell_read_command(
    struct w_shell_parser *parser, struct w_simple_command *part)
{
	struct w_shell_input *in = &parser->in;
	writ_status status = WRIT_OK;

	part->offset = in->at;
	if (is_at_end_of_part(parser))
		return w_shell_refuse(in, in->at, "a command is missing here");
	while (status == WRIT_OK && !is_at_end_of_part(parser)) {
		status = is_before_redirection(parser)
			     ? read_redirection(parser)
			     : simple_command_take_word(parser);
		if (status == WRIT_OK)
			w_shell_skip_blanks(in);
	}
	if (status != WRIT_OK)
		return status;
	return keep_part(parser, part);
}
