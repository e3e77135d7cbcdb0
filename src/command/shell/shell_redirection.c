/* SPDX-License-Identifier: Apache-2.0 */

/* Redirections, and the texts of here documents. */

#include <string.h>

#include "base/ascii.h"
#include "command/shell/shell_parser.h"

/* A redirection operator. */
struct arrow {
	char text[4];
	enum w_redirection_kind kind;
	enum {
		ARROW_PATH,
		ARROW_DESCRIPTOR,
		ARROW_BASH,
		ARROW_HERE,
		ARROW_HERE_STRING,
	} what;
};

/* Longer ones first. */
static const struct arrow arrows[] = {
    {"&>>", W_REDIRECT_APPEND, ARROW_BASH},
    {"<<<", W_REDIRECT_HERE, ARROW_HERE_STRING},
    {"<<-", W_REDIRECT_HERE, ARROW_HERE},
    {"<<", W_REDIRECT_HERE, ARROW_HERE},
    {"&>", W_REDIRECT_WRITE, ARROW_BASH},
    {"<>", W_REDIRECT_READ_WRITE, ARROW_PATH},
    {"<&", W_REDIRECT_READ, ARROW_DESCRIPTOR},
    {">>", W_REDIRECT_APPEND, ARROW_PATH},
    {">|", W_REDIRECT_WRITE, ARROW_PATH},
    {">&", W_REDIRECT_WRITE, ARROW_DESCRIPTOR},
    {"<", W_REDIRECT_READ, ARROW_PATH},
    {">", W_REDIRECT_WRITE, ARROW_PATH},
};

static const struct arrow *
find_arrow(const struct w_shell_parser *parser)
{
	const char first = w_shell_peek(parser, 0);

	if (first != '<' && first != '>' && first != '&')
		return NULL;
	for (size_t i = 0; i < sizeof(arrows) / sizeof(arrows[0]); i++) {
		const struct arrow *arrow = &arrows[i];
		size_t len = strlen(arrow->text);

		if (len <= parser->len - parser->at &&
		    memcmp(parser->text + parser->at, arrow->text, len) == 0)
			return arrow;
	}
	return NULL;
}

static bool
begins_with(const struct w_shell_word *word, const char *text)
{
	const size_t len = strlen(text);

	return word->parts != NULL && word->parts->kind == W_PART_TEXT &&
	       word->parts->len >= len &&
	       memcmp(word->parts->text, text, len) == 0;
}

static bool
is_digits(const struct w_shell_word *word)
{
	const struct w_shell_part *part = w_shell_plain(word);

	for (size_t i = 0; part != NULL && i < part->len; i++) {
		if (!w_is_digit(part->text[i]))
			return false;
	}
	return part != NULL && part->len > 0;
}

static void
check_target(struct w_shell_parser *parser, const struct w_shell_word *word)
{
	if (w_shell_word_is(word, "!"))
		w_shell_fault(parser, word->offset,
		    "not every shell takes this for a name");
	if ((w_shell_peek(parser, 0) == '<' ||
		w_shell_peek(parser, 0) == '>') &&
	    is_digits(word))
		w_shell_fault(parser, word->offset,
		    "shells read these digits in different ways");
	/* bash opens a connection instead of such a file. */
	if (begins_with(word, "/dev/tcp/") || begins_with(word, "/dev/udp/"))
		w_shell_fault(parser, word->offset,
		    "some shells open a connection for this name");
	for (const struct w_shell_part *part = word->parts; part != NULL;
	     part = part->next) {
		if (part->kind == W_PART_PATTERN)
			w_shell_fault(parser, word->offset,
			    "shells read a pattern here differently");
	}
}

/* "2>&1", "<&-". Anything else is a file to some shells. */
static bool
is_descriptor(const struct w_shell_word *word)
{
	const struct w_shell_part *part = w_shell_plain(word);

	return part != NULL && part->len == 1 && !word->is_continued &&
	       (w_is_digit(part->text[0]) || part->text[0] == '-');
}

static void
add_pending(
    struct w_shell_parser *parser, struct w_redirection *made, bool drops_tabs)
{
	struct w_here_document *document =
	    w_shell_alloc(parser, sizeof(*document));

	if (document == NULL)
		return;
	document->redirection = made;
	document->drops_tabs = drops_tabs;
	document->is_quoted = made->word->is_quoted;
	for (const struct w_shell_part *part = made->word->parts; part != NULL;
	     part = part->next) {
		if (part->kind != W_PART_TEXT)
			w_shell_stop(parser, made->word->offset,
			    "the end of this here document is not known");
	}
	if (parser->pending == NULL)
		parser->pending = document;
	else
		parser->last_pending->next = document;
	parser->last_pending = document;
}

/* NULL: it has no target; reading has ended. */
static struct w_shell_word *
read_target(struct w_shell_parser *parser)
{
	struct w_shell_word *word;

	if (w_shell_peek(parser, 0) == '\\' && w_shell_peek(parser, 1) == '\n')
		w_shell_fault(parser, parser->at,
		    "a line is continued right behind an operator");
	w_shell_skip_blanks(parser);
	if (w_shell_peek(parser, 0) == '#') {
		w_shell_stop(
		    parser, parser->at, "a redirection has no target here");
		return NULL;
	}
	word = w_shell_read_word(parser, W_PLACE_ARGUMENT);
	if (word == NULL)
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a redirection has no target here");
	return word;
}

static void
add_redirection(struct w_shell_node *node, struct w_redirection *made)
{
	if (node->last_redirection == NULL)
		node->redirections = made;
	else
		node->last_redirection->next = made;
	node->last_redirection = made;
}

bool
w_shell_read_redirection(
    struct w_shell_parser *parser, struct w_shell_node *node)
{
	const struct arrow *arrow = find_arrow(parser);
	const size_t offset = parser->at;
	struct w_redirection *made;

	if (arrow == NULL || parser->is_stopped)
		return false;
	parser->at += strlen(arrow->text);
	if (arrow->what == ARROW_BASH || arrow->what == ARROW_HERE_STRING)
		w_shell_only_bash(
		    parser, offset, "this redirection is of some shells only");
	struct w_shell_word *word = read_target(parser);
	if (word == NULL)
		return true;
	if (arrow->what == ARROW_DESCRIPTOR && is_descriptor(word)) {
		if (w_shell_peek(parser, 0) == '<' ||
		    w_shell_peek(parser, 0) == '>')
			check_target(parser, word);
		return true;
	}
	if (arrow->what == ARROW_DESCRIPTOR)
		w_shell_fault(parser, word->offset,
		    "only '-' or one digit means the same to every shell here");
	if (arrow->kind != W_REDIRECT_HERE)
		check_target(parser, word);
	made = w_shell_alloc(parser, sizeof(*made));
	if (made == NULL)
		return true;
	*made = (struct w_redirection){
	    .kind = arrow->kind, .word = word, .offset = offset};
	add_redirection(node, made);
	if (arrow->what == ARROW_HERE)
		add_pending(parser, made, arrow->text[2] == '-');
	return true;
}

void
w_shell_read_redirections(
    struct w_shell_parser *parser, struct w_shell_node *node)
{
	for (w_shell_skip_blanks(parser); !parser->is_stopped;
	     w_shell_skip_blanks(parser)) {
		const char next = w_shell_peek(parser, 1);

		if (w_is_digit(w_shell_peek(parser, 0)) &&
		    (next == '<' || next == '>'))
			parser->at++;
		if (!w_shell_read_redirection(parser, node))
			return;
	}
}

/* ---- here documents ---- */

/* Whether a line is the end of the document. */
static bool
is_end(const struct w_shell_word *end, const char *line, size_t len)
{
	for (const struct w_shell_part *part = end->parts; part != NULL;
	     part = part->next) {
		if (len < part->len || memcmp(line, part->text, part->len) != 0)
			return false;
		line += part->len;
		len -= part->len;
	}
	return len == 0;
}

static size_t
line_len(const struct w_shell_parser *parser)
{
	const char *from = parser->text + parser->at;
	const char *end = memchr(from, '\n', parser->len - parser->at);

	return end == NULL ? parser->len - parser->at : (size_t)(end - from);
}

/* Reads the lines up to the end as a word, whose text is as it is. */
static void
read_here_document(
    struct w_shell_parser *parser, const struct w_here_document *document)
{
	struct w_shell_word *body = w_shell_alloc(parser, sizeof(*body));
	const size_t begin = parser->at;
	size_t end = parser->len;
	bool is_closed = false;

	if (body == NULL)
		return;
	body->offset = begin;
	body->is_quoted = true;
	while (!is_closed && parser->at < parser->len) {
		size_t from = parser->at;
		size_t len = line_len(parser);

		while (document->drops_tabs && len > 0 &&
		       parser->text[parser->at] == '\t') {
			parser->at++;
			len--;
		}
		is_closed = is_end(document->redirection->word,
		    parser->text + parser->at, len);
		if (is_closed)
			end = from;
		else if (document->is_quoted)
			w_shell_add_text(parser, body,
			    parser->text + parser->at,
			    len + (parser->at + len < parser->len ? 1 : 0),
			    true);
		parser->at += len + (parser->at + len < parser->len ? 1 : 0);
	}
	body->end = end;
	if (!is_closed)
		w_shell_fault(parser, document->redirection->offset,
		    "this here document is never closed");
	body->is_continued = document->drops_tabs && !document->is_quoted;
	if (!document->is_quoted) {
		const size_t behind = parser->at;
		const size_t len = parser->len;
		struct w_here_document *pending = parser->pending;

		parser->pending = NULL;
		parser->at = begin;
		parser->len = end;
		w_shell_read_expanding(parser, body, '\0');
		/* A continued line may hide the end, or tabs. */
		if (memmem(parser->text + begin, end - begin, "\\\n", 2) !=
		    NULL)
			w_shell_fault(parser, begin,
			    "a continued line in a here document is not "
			    "followed");
		parser->len = len;
		parser->at = behind;
		parser->pending = pending;
	}
	document->redirection->word = body;
}

void
w_shell_read_here_documents(struct w_shell_parser *parser)
{
	while (parser->pending != NULL && !parser->is_stopped) {
		const struct w_here_document *document = parser->pending;

		parser->pending = document->next;
		read_here_document(parser, document);
	}
}
