/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of commands, and simple commands. */

#include <string.h>

#include "base/ascii.h"
#include "command/shell/shell_parser.h"

/* Words that end a list, or stand where no command can. */
static const char *const closing[] = {
    "then", "else", "elif", "fi", "do", "done", "esac", "}", NULL};

/* Builtins that may set a variable, change the directory, or anything. */
static const char *const changing[] = {".", "alias", "builtin", "cd", "command",
    "declare", "eval", "export", "getopts", "let", "local", "mapfile", "popd",
    "printf", "pushd", "read", "readarray", "readonly", "set", "shift", "shopt",
    "source", "trap", "typeset", "unalias", "unset", "wait", NULL};

struct w_shell_node *
w_shell_new_node(struct w_shell_parser *parser, enum w_shell_node_kind kind)
{
	struct w_shell_node *node = w_shell_alloc(parser, sizeof(*node));

	if (node == NULL)
		return NULL;
	node->kind = kind;
	node->offset = parser->at;
	node->end = parser->at;
	if ((kind == W_NODE_SIMPLE || kind == W_NODE_TEST) &&
	    ++parser->shell->command_count > W_SHELL_COMMANDS_MAX) {
		w_shell_stop(
		    parser, parser->at, "there are more than 1000 commands");
		return NULL;
	}
	return node;
}

void
w_shell_add_child(struct w_shell_node *parent, struct w_shell_node *child)
{
	if (parent->last == NULL)
		parent->first = child;
	else
		parent->last->next = child;
	parent->last = child;
}

static void
skip_comment(struct w_shell_parser *parser)
{
	if (w_shell_peek(parser, 0) != '#')
		return;
	while (parser->at < parser->len && parser->text[parser->at] != '\n')
		parser->at++;
}

void
w_shell_skip_lines(struct w_shell_parser *parser)
{
	for (;;) {
		w_shell_skip_blanks(parser);
		skip_comment(parser);
		if (parser->is_stopped || w_shell_peek(parser, 0) != '\n')
			return;
		parser->at++;
		w_shell_read_here_documents(parser);
	}
}

/* Reserved words are not quoted, but may be continued over lines: then they are
 * left alone here, and refused as the first word. */
bool
w_shell_is_next(struct w_shell_parser *parser, const char *word)
{
	/* Cheap: it is asked of many words. */
	if (w_shell_peek(parser, 0) != word[0])
		return false;
	const size_t len = strlen(word);
	const char next = w_shell_peek(parser, len);

	return parser->len - parser->at >= len &&
	       memcmp(parser->text + parser->at, word, len) == 0 &&
	       (parser->at + len == parser->len || w_shell_is_blank(next) ||
		   w_shell_is_operator(next) ||
		   (next == '\\' && w_shell_peek(parser, len + 1) == '\n' &&
		       (parser->at + len + 2 == parser->len ||
			   w_shell_is_blank(w_shell_peek(parser, len + 2)))));
}

static bool
is_closing(struct w_shell_parser *parser)
{
	for (size_t i = 0; closing[i] != NULL; i++) {
		if (w_shell_is_next(parser, closing[i]))
			return true;
	}
	return false;
}

static bool
is_one_of(const struct w_shell_word *word, const char *const *list)
{
	for (; *list != NULL; list++) {
		if (w_shell_word_is(word, *list))
			return true;
	}
	return false;
}

/* ---- simple commands ---- */

/* Only bash has NAME+= and NAME[...]=, and only some locales have letters
 * beyond ASCII: other shells run these as commands. */
static void
check_assignment(struct w_shell_parser *parser, struct w_shell_word *word)
{
	const char *text = parser->text + word->offset;
	const size_t len = word->end - word->offset;
	size_t at = 0;

	while (at < len && (w_is_name_start(text[at]) || w_is_digit(text[at]) ||
			       (text[at] & 0x80) != 0))
		at++;
	if (at == 0 || at == len || word->name_len > 0)
		return;
	bool is_array =
	    text[at] == '[' && memmem(text + at, len - at, "]=", 2) != NULL;
	bool is_array_more =
	    text[at] == '[' && memmem(text + at, len - at, "]+=", 3) != NULL;
	bool is_more = text[at] == '+' && at + 1 < len && text[at + 1] == '=';
	if (text[at] != '=' && !is_array && !is_array_more && !is_more)
		return;
	w_shell_fault(parser, word->offset,
	    "only some shells take this for an assignment");
	parser->changes++;
}

/* NAME=( ... ) of bash. */
static void
read_array(struct w_shell_parser *parser, struct w_shell_word *word)
{
	struct w_shell_word *item;

	if (w_shell_peek(parser, 0) != '(' ||
	    parser->text[parser->at - 1] != '=')
		return;
	w_shell_fault(parser, parser->at, "arrays are of some shells only");
	parser->at++;
	for (w_shell_skip_lines(parser); !parser->is_stopped;
	     w_shell_skip_lines(parser)) {
		item = w_shell_read_word(parser, W_PLACE_ARGUMENT);
		if (item == NULL)
			break;
		/* Its substitutions are run by the assignment. */
		w_shell_add_commands(word, item->commands);
	}
	if (w_shell_peek(parser, 0) == ')')
		parser->at++;
	else
		w_shell_stop(parser, parser->at, "this list is not followed");
	(void)w_shell_add_part(parser, word, W_PART_UNSEEN, word->offset, true);
	word->end = parser->at;
}

static void
check_first(struct w_shell_parser *parser, struct w_shell_word *word)
{
	static const char *const odd[] = {
	    "coproc", "namespace", "time", "]]", NULL};
	const struct w_shell_part *part = word->parts;

	if (part == NULL || part->kind != W_PART_TEXT)
		return;
	if (is_one_of(word, odd) || w_shell_word_is(word, "!"))
		w_shell_fault(parser, word->offset,
		    "writ cannot see what this shell keyword will run");
	if (part->len > 0 && part->text[0] == '%')
		w_shell_fault(
		    parser, word->offset, "some shells take this for a job");
	if (is_one_of(word, changing))
		parser->changes++;
	/* A reserved word behind an assignment, or over two lines. */
	static const char *const reserved[] = {"if", "for", "while", "until",
	    "case", "select", "function", "{", "[[", "then", "else", "elif",
	    "fi", "do", "done", "esac", "}", "in", NULL};
	if (is_one_of(word, reserved))
		w_shell_fault(parser, word->offset,
		    "writ cannot see what this shell keyword will run");
}

/* Digits, or {name}, right before "<" or ">" are a descriptor. true: it was
 * one. */
static bool
is_descriptor_before(
    struct w_shell_parser *parser, const struct w_shell_word *word)
{
	const struct w_shell_part *part = w_shell_plain(word);
	const char next = w_shell_peek(parser, 0);
	size_t digits = 0;

	if (part == NULL || (next != '<' && next != '>'))
		return false;
	while (digits < part->len && w_is_digit(part->text[digits]))
		digits++;
	if (digits == part->len) {
		if (part->len == 1 && !word->is_continued)
			return true;
		w_shell_fault(parser, word->offset,
		    "shells read these digits in different ways");
	}
	if (part->text[0] == '{' && part->text[part->len - 1] == '}' &&
	    part->len > 2) {
		w_shell_fault(parser, word->offset,
		    "some shells take this for a descriptor");
		return true;
	}
	return false;
}

static void
append_word(struct w_shell_word **first, struct w_shell_word **last,
    struct w_shell_word *word)
{
	if (*last == NULL)
		*first = word;
	else
		(*last)->next = word;
	*last = word;
}

/* "NAME ()" makes a function of it. */
static bool
read_function(struct w_shell_parser *parser, struct w_shell_node *node)
{
	const struct w_shell_part *name = w_shell_plain(node->words);
	const size_t at = parser->at;

	if (w_shell_peek(parser, 0) != '(')
		return false;
	parser->at++;
	w_shell_skip_blanks(parser);
	if (w_shell_peek(parser, 0) != ')') {
		w_shell_stop(
		    parser, at, "writ cannot tell what this '(' begins");
		return true;
	}
	parser->at++;
	if (name == NULL) {
		w_shell_stop(
		    parser, node->offset, "this function has no plain name");
		return true;
	}
	for (size_t i = 0; i < name->len; i++) {
		if (!w_is_name_start(name->text[i]) &&
		    (i == 0 || !w_is_digit(name->text[i])))
			w_shell_fault(parser, node->offset,
			    "not every shell takes such a name of a function");
	}
	node->kind = W_NODE_FUNCTION;
	node->name = name->text;
	node->name_len = name->len;
	node->words = NULL;
	w_shell_read_function_body(parser, node);
	return true;
}

/* Reads a word of a command. false: none is there. */
static bool
take_word(struct w_shell_parser *parser, struct w_shell_node *node,
    struct w_shell_word **last_assignment, struct w_shell_word **last_word)
{
	struct w_shell_word *word = w_shell_read_word(
	    parser, node->words == NULL ? W_PLACE_FIRST : W_PLACE_ARGUMENT);

	if (word == NULL)
		return false;
	if (is_descriptor_before(parser, word))
		return true;
	if (node->words == NULL) {
		read_array(parser, word);
		check_assignment(parser, word);
		if (word->name_len > 0) {
			parser->changes++;
			append_word(&node->assignments, last_assignment, word);
			return true;
		}
		check_first(parser, word);
	}
	append_word(&node->words, last_word, word);
	return true;
}

static struct w_shell_node *
read_simple(struct w_shell_parser *parser)
{
	struct w_shell_node *node = w_shell_new_node(parser, W_NODE_SIMPLE);
	struct w_shell_word *last_assignment = NULL;
	struct w_shell_word *last_word = NULL;

	if (node == NULL)
		return NULL;
	while (!parser->is_stopped && parser->at < parser->len) {
		const char c = w_shell_peek(parser, 0);
		const bool is_process =
		    (c == '<' || c == '>') && w_shell_peek(parser, 1) == '(';

		if (c == '#') {
			node->end = parser->at;
			skip_comment(parser);
			return node;
		}
		if ((!is_process && w_shell_read_redirection(parser, node)) ||
		    take_word(parser, node, &last_assignment, &last_word)) {
			node->end = parser->at;
			w_shell_skip_blanks(parser);
			continue;
		}
		if (node->words != NULL && node->words->next == NULL &&
		    node->assignments == NULL && node->redirections == NULL &&
		    read_function(parser, node))
			return node;
		break;
	}
	if (parser->at > node->end)
		node->end = parser->at;
	return node;
}

/* ---- pipes and lists ---- */

static void
skip_negations(struct w_shell_parser *parser, bool *out_is_negated)
{
	if (!w_shell_is_next(parser, "!"))
		return;
	*out_is_negated = true;
	parser->at++;
	w_shell_skip_blanks(parser);
	if (w_shell_is_next(parser, "!"))
		w_shell_stop(
		    parser, parser->at, "only some shells take two '!'");
}

/* "time" is a word of bash, and a program elsewhere. */
static void
skip_time(struct w_shell_parser *parser)
{
	if (!parser->is_bash || !w_shell_is_next(parser, "time"))
		return;
	parser->at += strlen("time");
	w_shell_skip_blanks(parser);
	if (w_shell_is_next(parser, "-p")) {
		parser->at += 2;
		w_shell_skip_blanks(parser);
	}
}

/* NULL: no command is there, which has been refused. */
static struct w_shell_node *
read_command(struct w_shell_parser *parser)
{
	struct w_shell_node *node;
	const size_t changes = parser->changes;
	const size_t offset = parser->at;
	bool is_negated = false;

	if (!w_shell_enter(parser))
		return NULL;
	skip_time(parser);
	skip_negations(parser, &is_negated);
	if (is_closing(parser)) {
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a command is missing before this word");
		w_shell_leave(parser);
		return NULL;
	}
	node = w_shell_read_compound(parser);
	if (node == NULL && !parser->is_stopped)
		node = read_simple(parser);
	w_shell_leave(parser);
	if (node == NULL)
		return NULL;
	if (node->kind == W_NODE_SIMPLE && node->end == node->offset &&
	    !parser->is_stopped) {
		/* bash takes "!" or "time" alone. */
		if (offset != node->offset)
			w_shell_stop(
			    parser, parser->at, "a command is missing here");
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a command is missing here");
		return NULL;
	}
	node->offset = offset;
	node->is_negated = is_negated;
	node->may_change = parser->changes != changes;
	return node;
}

/* "&&", "||" and "|" need a command after them. */
static void
end_binary(struct w_shell_parser *parser, size_t len)
{
	const size_t offset = parser->at;

	parser->at += len;
	if (len == 1 && w_shell_peek(parser, 0) == '\\' &&
	    w_shell_peek(parser, 1) == '\n')
		w_shell_fault(parser, parser->at,
		    "a line is continued right behind an operator");
	w_shell_skip_lines(parser);
	if (parser->at == parser->len && !parser->is_stopped)
		w_shell_syntax_error(parser, offset,
		    "syntax error: a command is missing at the end");
}

static enum w_control_operator
read_control(struct w_shell_parser *parser)
{
	const char first = w_shell_peek(parser, 0);
	const char second = w_shell_peek(parser, 1);

	if (first == '|' && second == '&')
		w_shell_only_bash(
		    parser, parser->at, "'|&' is of some shells only");
	if (first == '|' && second == '|') {
		end_binary(parser, 2);
		return W_CONTROL_OR;
	}
	if (first == '|') {
		end_binary(parser, second == '&' ? 2 : 1);
		return W_CONTROL_PIPE;
	}
	if (first == '&' && second == '&') {
		end_binary(parser, 2);
		return W_CONTROL_AND;
	}
	if (first != '&' && first != ';' && first != '\n')
		return W_CONTROL_END;
	if (first == ';' && (second == ';' || second == '&'))
		return W_CONTROL_END;
	if (first != '\n')
		parser->at++;
	if (first != '\n' && w_shell_peek(parser, 0) == '\\' &&
	    w_shell_peek(parser, 1) == '\n')
		w_shell_fault(parser, parser->at,
		    "a line is continued right behind an operator");
	w_shell_skip_lines(parser);
	return first == '&' ? W_CONTROL_BACKGROUND : W_CONTROL_THEN;
}

static bool
is_end_of_list(struct w_shell_parser *parser)
{
	const char c = w_shell_peek(parser, 0);

	return parser->is_stopped || parser->at == parser->len || c == ')' ||
	       (c == ';' && (w_shell_peek(parser, 1) == ';' ||
				w_shell_peek(parser, 1) == '&')) ||
	       is_closing(parser);
}

struct w_shell_node *
w_shell_read_list(struct w_shell_parser *parser)
{
	struct w_shell_node *list = w_shell_new_node(parser, W_NODE_LIST);
	const size_t changes = parser->changes;
	struct w_shell_node *last = NULL;
	bool needs_command = false;

	if (list == NULL)
		return NULL;
	for (w_shell_skip_lines(parser);
	     needs_command || !is_end_of_list(parser);) {
		struct w_shell_node *node = read_command(parser);

		if (node == NULL)
			break;
		if (last == NULL)
			list->first = node;
		else
			last->next = node;
		last = node;
		if (parser->is_stopped)
			break;
		w_shell_skip_blanks(parser);
		skip_comment(parser);
		node->control = read_control(parser);
		needs_command = node->control == W_CONTROL_PIPE ||
				node->control == W_CONTROL_AND ||
				node->control == W_CONTROL_OR;
		/* A pattern of some shells. */
		if (node->control == W_CONTROL_END &&
		    node->kind == W_NODE_SIMPLE &&
		    w_shell_peek(parser, 0) == '(')
			w_shell_stop(parser, parser->at,
			    "writ cannot tell what this '(' begins");
		if (node->control == W_CONTROL_END)
			break;
	}
	/* At the end a ";" says nothing. */
	if (last != NULL && last->control == W_CONTROL_THEN)
		last->control = W_CONTROL_END;
	list->may_change = parser->changes != changes;
	list->end = parser->at;
	return list;
}
