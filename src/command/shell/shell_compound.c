/* SPDX-License-Identifier: Apache-2.0 */

/* Compound commands: sub-shells, groups, if, loops, case, functions, [[ ]]. */

#include <string.h>

#include "base/ascii.h"
#include "command/shell/shell_parser.h"

/* Passes a reserved word; else reading ends. */
static bool
expect_word(struct w_shell_parser *parser, const char *word, const char *why)
{
	if (parser->is_stopped)
		return false;
	if (!w_shell_is_next(parser, word)) {
		w_shell_syntax_error(parser, parser->at, why);
		return false;
	}
	parser->at += strlen(word);
	return true;
}

/* A list that must have a command, as the next child. */
static void
read_body(struct w_shell_parser *parser, struct w_shell_node *node)
{
	struct w_shell_node *list = w_shell_read_list(parser);

	if (list == NULL)
		return;
	w_shell_add_child(node, list);
	if (list->first == NULL && !parser->is_stopped)
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a command is missing here");
}

/* At the second "(" of "((": what is run in it counts as its word. */
static void
read_condition(struct w_shell_parser *parser, struct w_shell_node *node)
{
	const size_t open = parser->at++;

	node->words = w_shell_alloc(parser, sizeof(*node->words));
	if (node->words == NULL)
		return;
	node->words->offset = open;
	(void)w_shell_read_arithmetic(parser, node->words, open);
	node->words->end = parser->at;
	parser->changes++;
}

static void
read_subshell(struct w_shell_parser *parser, struct w_shell_node *node)
{
	const size_t open = parser->at++;

	/* bash takes it for arithmetic, which may run what a variable holds;
	 * others for two sub-shells. */
	if (w_shell_peek(parser, 0) == '(') {
		w_shell_fault(
		    parser, open, "arithmetic as a command is not followed");
		if (parser->is_bash) {
			read_condition(parser, node);
			return;
		}
	}
	node->kind = W_NODE_SUBSHELL;
	read_body(parser, node);
	if (parser->is_stopped)
		return;
	if (w_shell_peek(parser, 0) == ')')
		parser->at++;
	else
		w_shell_syntax_error(
		    parser, open, "syntax error: this '(' is never closed");
}

static void
read_group(struct w_shell_parser *parser, struct w_shell_node *node)
{
	node->kind = W_NODE_GROUP;
	parser->at++;
	read_body(parser, node);
	(void)expect_word(
	    parser, "}", "syntax error: a '}' is missing for a '{'");
}

static void
read_if(struct w_shell_parser *parser, struct w_shell_node *node)
{
	static const char missing[] =
	    "syntax error: an 'if' lacks its 'then' or 'fi'";

	node->kind = W_NODE_IF;
	parser->at += strlen("if");
	for (;;) {
		read_body(parser, node);
		if (!expect_word(parser, "then", missing))
			return;
		read_body(parser, node);
		if (parser->is_stopped || !w_shell_is_next(parser, "elif"))
			break;
		parser->at += strlen("elif");
	}
	if (!parser->is_stopped && w_shell_is_next(parser, "else")) {
		parser->at += strlen("else");
		read_body(parser, node);
	}
	(void)expect_word(parser, "fi", missing);
}

static void
read_do(struct w_shell_parser *parser, struct w_shell_node *node)
{
	static const char missing[] =
	    "syntax error: a loop lacks its 'do' or 'done'";

	if (!expect_word(parser, "do", missing))
		return;
	read_body(parser, node);
	(void)expect_word(parser, "done", missing);
}

static void
read_loop(struct w_shell_parser *parser, struct w_shell_node *node)
{
	node->kind = W_NODE_LOOP;
	parser->at += strlen("while"); /* or "until" */
	read_body(parser, node);
	read_do(parser, node);
}

/* Words up to the end of the line, or ";". */
static void
read_values(struct w_shell_parser *parser, struct w_shell_node *node)
{
	struct w_shell_word **at = &node->words;

	for (w_shell_skip_blanks(parser); !parser->is_stopped;
	     w_shell_skip_blanks(parser)) {
		struct w_shell_word *word =
		    w_shell_peek(parser, 0) == '#'
			? NULL
			: w_shell_read_word(parser, W_PLACE_ARGUMENT);

		if (word == NULL)
			break;
		*at = word;
		at = &word->next;
	}
}

static void
read_for_body(struct w_shell_parser *parser, struct w_shell_node *node)
{
	w_shell_skip_blanks(parser);
	if (w_shell_peek(parser, 0) == ';')
		parser->at++;
	w_shell_skip_lines(parser);
	read_do(parser, node);
}

static void
read_for(struct w_shell_parser *parser, struct w_shell_node *node, size_t len)
{
	struct w_shell_word *word;

	node->kind = W_NODE_FOR;
	parser->at += len;
	parser->changes++;
	w_shell_skip_blanks(parser);
	if (w_shell_peek(parser, 0) == '(' && w_shell_peek(parser, 1) == '(') {
		w_shell_fault(parser, parser->at,
		    "this kind of 'for' is of some shells only");
		parser->at++;
		read_condition(parser, node);
		read_for_body(parser, node);
		return;
	}
	word = w_shell_read_word(parser, W_PLACE_ARGUMENT);
	const struct w_shell_part *name =
	    word == NULL ? NULL : w_shell_plain(word);
	if (name == NULL) {
		w_shell_stop(parser, node->offset,
		    "the variable of this loop has no plain name");
		return;
	}
	node->name = name->text;
	node->name_len = name->len;
	for (size_t i = 0; i < name->len; i++) {
		if (!w_is_name_start(name->text[i]) &&
		    (i == 0 || !w_is_digit(name->text[i])))
			w_shell_stop(parser, word->offset,
			    "the variable of this loop has no plain name");
	}
	w_shell_skip_lines(parser);
	if (w_shell_is_next(parser, "in")) {
		parser->at += strlen("in");
		node->has_values = true;
		read_values(parser, node);
	}
	read_for_body(parser, node);
}

/* The patterns before ")" of one case. */
static void
read_patterns(struct w_shell_parser *parser, struct w_shell_node *arm,
    struct w_shell_word **at)
{
	if (w_shell_peek(parser, 0) == '(')
		parser->at++;
	for (;;) {
		w_shell_skip_blanks(parser);
		struct w_shell_word *word =
		    w_shell_read_word(parser, W_PLACE_TEST);
		if (word == NULL) {
			w_shell_syntax_error(parser, parser->at,
			    "syntax error: a pattern is missing in 'case'");
			return;
		}
		*at = word;
		at = &word->next;
		w_shell_skip_blanks(parser);
		if (w_shell_peek(parser, 0) != '|')
			break;
		parser->at++;
	}
	if (parser->is_stopped)
		return;
	if (w_shell_peek(parser, 0) != ')') {
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a ')' is missing in 'case'");
		return;
	}
	parser->at++;
	(void)arm;
}

/* The list of a case gets its patterns as words. */
static bool
read_arm(struct w_shell_parser *parser, struct w_shell_node *node)
{
	struct w_shell_word *patterns = NULL;
	struct w_shell_node *list;

	read_patterns(parser, node, &patterns);
	if (parser->is_stopped)
		return false;
	list = w_shell_read_list(parser);
	if (list == NULL)
		return false;
	list->words = patterns;
	w_shell_add_child(node, list);
	if (parser->is_stopped)
		return false;
	if (w_shell_peek(parser, 0) != ';')
		return false;
	if (w_shell_peek(parser, 1) != ';' || w_shell_peek(parser, 2) == '&')
		w_shell_stop(parser, parser->at,
		    "this end of a case is of some shells only");
	parser->at += 2;
	return true;
}

static void
read_case(struct w_shell_parser *parser, struct w_shell_node *node)
{
	static const char missing[] =
	    "syntax error: a 'case' lacks its 'in' or 'esac'";

	node->kind = W_NODE_CASE;
	parser->at += strlen("case");
	w_shell_skip_blanks(parser);
	node->words = w_shell_read_word(parser, W_PLACE_ARGUMENT);
	if (node->words == NULL) {
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: a word is missing behind 'case'");
		return;
	}
	w_shell_skip_lines(parser);
	if (!expect_word(parser, "in", missing))
		return;
	for (w_shell_skip_lines(parser);
	     !parser->is_stopped && !w_shell_is_next(parser, "esac");
	     w_shell_skip_lines(parser)) {
		if (parser->at == parser->len || !read_arm(parser, node))
			break;
	}
	(void)expect_word(parser, "esac", missing);
}

/* "]]" as a word of its own. */
static void
read_test(struct w_shell_parser *parser, struct w_shell_node *node)
{
	struct w_shell_word **at = &node->words;

	w_shell_only_bash(parser, parser->at, "'[[' is of some shells only");
	parser->at += 2;
	for (w_shell_skip_lines(parser); !parser->is_stopped;
	     w_shell_skip_lines(parser)) {
		const char c = w_shell_peek(parser, 0);

		if (parser->at == parser->len) {
			w_shell_stop(
			    parser, node->offset, "this '[[' is never closed");
			return;
		}
		if (w_shell_is_next(parser, "]]")) {
			parser->at += 2;
			return;
		}
		if (c == ';') {
			w_shell_fault(
			    parser, node->offset, "this '[[' is never closed");
			return;
		}
		if (w_shell_is_operator(c) &&
		    !((c == '<' || c == '>') &&
			w_shell_peek(parser, 1) == '(')) {
			parser->at++;
			continue;
		}
		*at = w_shell_read_word(parser, W_PLACE_TEST);
		if (*at == NULL)
			return;
		at = &(*at)->next;
	}
}

void
w_shell_read_function_body(
    struct w_shell_parser *parser, struct w_shell_node *function)
{
	struct w_shell_node *body;

	parser->shell->has_functions = true;
	parser->changes++;
	w_shell_skip_lines(parser);
	if (parser->is_stopped || !w_shell_enter(parser))
		return;
	body = w_shell_read_compound(parser);
	w_shell_leave(parser);
	if (body == NULL) {
		w_shell_stop(parser, parser->at,
		    "writ cannot see what this function runs");
		return;
	}
	body->may_change = true;
	w_shell_add_child(function, body);
	function->end = parser->at;
}

/* "function NAME", with or without "()". */
static void
read_keyword_function(struct w_shell_parser *parser, struct w_shell_node *node)
{
	struct w_shell_word *word;

	w_shell_only_bash(
	    parser, parser->at, "'function' is of some shells only");
	node->kind = W_NODE_FUNCTION;
	parser->at += strlen("function");
	w_shell_skip_blanks(parser);
	word = w_shell_read_word(parser, W_PLACE_ARGUMENT);
	const struct w_shell_part *name =
	    word == NULL ? NULL : w_shell_plain(word);
	if (name == NULL) {
		w_shell_stop(
		    parser, node->offset, "this function has no plain name");
		return;
	}
	node->name = name->text;
	node->name_len = name->len;
	w_shell_skip_blanks(parser);
	if (w_shell_peek(parser, 0) == '(') {
		parser->at++;
		w_shell_skip_blanks(parser);
		if (w_shell_peek(parser, 0) != ')') {
			w_shell_stop(parser, parser->at,
			    "writ cannot see what this function runs");
			return;
		}
		parser->at++;
	}
	w_shell_read_function_body(parser, node);
}

static bool
read_kind(struct w_shell_parser *parser, struct w_shell_node *node)
{
	if (w_shell_peek(parser, 0) == '(')
		read_subshell(parser, node);
	else if (w_shell_is_next(parser, "{"))
		read_group(parser, node);
	else if (w_shell_is_next(parser, "if"))
		read_if(parser, node);
	else if (w_shell_is_next(parser, "while") ||
		 w_shell_is_next(parser, "until"))
		read_loop(parser, node);
	else if (w_shell_is_next(parser, "for"))
		read_for(parser, node, strlen("for"));
	else if (w_shell_is_next(parser, "select")) {
		w_shell_fault(
		    parser, parser->at, "'select' is of some shells only");
		read_for(parser, node, strlen("select"));
	} else if (w_shell_is_next(parser, "case"))
		read_case(parser, node);
	else if (w_shell_is_next(parser, "function"))
		read_keyword_function(parser, node);
	else
		return false;
	return true;
}

struct w_shell_node *
w_shell_read_compound(struct w_shell_parser *parser)
{
	const char c = w_shell_peek(parser, 0);
	struct w_shell_node *node;

	/* Cheap: most commands begin with none of these. */
	if (c == '\0' || strchr("({iwufsc[", c) == NULL)
		return NULL;
	if (w_shell_is_next(parser, "[[")) {
		node = w_shell_new_node(parser, W_NODE_TEST);
		if (node != NULL)
			read_test(parser, node);
	} else {
		node = w_shell_new_node(parser, W_NODE_OTHER);
		if (node == NULL || !read_kind(parser, node))
			return NULL;
	}
	if (node != NULL && node->kind != W_NODE_FUNCTION)
		w_shell_read_redirections(parser, node);
	if (node != NULL)
		node->end = parser->at;
	return node;
}
