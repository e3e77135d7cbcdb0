/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Scans the quoting of sh. It does not find commands; it knows where text is
 * quoted, and reports when it does not know.
 */

#include "expr/template/quoting_scan.h"

#include <string.h>

/* ---- frames ---- */

void
w_quoting_scan_init(struct w_quoting_scan *scan)
{
	*scan = (struct w_quoting_scan){.is_word_start = true};
}

void
w_quoting_scan_lose(struct w_quoting_scan *scan, const char *why)
{
	if (scan->lost == NULL)
		scan->lost = why;
}

static struct w_quoting_frame *
innermost(struct w_quoting_scan *scan)
{
	return &scan->frames[scan->depth];
}

static void
break_word(struct w_quoting_scan *scan)
{
	scan->word_len = W_QUOTING_WORD_MAX;
	scan->is_word_start = false;
}

void
w_quoting_scan_push(struct w_quoting_scan *scan, enum w_quoting_frame_kind kind)
{
	bool in_double = innermost(scan)->kind == W_QUOTING_DOUBLE ||
			 innermost(scan)->in_double;

	break_word(scan);
	scan->before = W_QUOTING_NOTHING;
	if (scan->depth + 1 == W_QUOTING_FRAMES_MAX) {
		w_quoting_scan_lose(scan, "behind quotes that nest too deep");
		return;
	}
	scan->depth++;
	*innermost(scan) = (struct w_quoting_frame){.kind = (uint8_t)kind,
	    .in_double = in_double && kind == W_QUOTING_PARAM};
	if (kind == W_QUOTING_COMMAND) {
		scan->is_word_start = true;
		scan->word_len = 0;
	}
}

void
w_quoting_scan_pop(struct w_quoting_scan *scan)
{
	break_word(scan);
	scan->before = W_QUOTING_NOTHING;
	if (scan->depth > 0)
		scan->depth--;
}

/* ---- words of commands ---- */

static bool
quoting_scan_is_name_byte(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* A pattern of `case` ends with an unbalanced parenthesis. */
static void
end_word(struct w_quoting_scan *scan)
{
	if (scan->depth > 0 && scan->word_len == 4 &&
	    memcmp(scan->word, "case", 4) == 0)
		w_quoting_scan_lose(scan, "behind 'case' in $( )");
	scan->word_len = 0;
	scan->is_word_start = true;
	if (scan->is_index && scan->index_depth == scan->depth)
		scan->is_index = false;
}

/* bash evaluates what is in name[ ]: quotes there do not make it data. */
static void
note_index(struct w_quoting_scan *scan)
{
	size_t len = scan->word_len;

	if (len == 0 || len == W_QUOTING_WORD_MAX || scan->is_index)
		return;
	for (size_t i = 0; i < len; i++) {
		if (!quoting_scan_is_name_byte(scan->word[i]))
			return;
	}
	scan->is_index = true;
	scan->index_depth = scan->depth;
}

/* ---- after a dollar sign ---- */

/* false: the byte has its usual meaning. */
static bool
scan_after_dollar(struct w_quoting_scan *scan, char c)
{
	const struct w_quoting_frame *frame = innermost(scan);
	bool is_bare = frame->kind == W_QUOTING_COMMAND ||
		       (frame->kind == W_QUOTING_PARAM && !frame->in_double);

	scan->before = W_QUOTING_NOTHING;
	break_word(scan);
	if (c == '(') {
		w_quoting_scan_push(scan, W_QUOTING_COMMAND);
		scan->before = W_QUOTING_AFTER_OPEN;
		return true;
	}
	if (c == '{') {
		w_quoting_scan_push(scan, W_QUOTING_PARAM);
		return true;
	}
	if (c == '\'' && is_bare) {
		w_quoting_scan_push(scan, W_QUOTING_DOLLAR);
		return true;
	}
	if (quoting_scan_is_name_byte(c))
		scan->before = W_QUOTING_AFTER_NAME;
	return quoting_scan_is_name_byte(c) || strchr("$#?!@*-", c) != NULL;
}

/* (( of bash, or two subshells: the closing decides. */
static void
open_arithmetic(struct w_quoting_scan *scan)
{
	if (scan->before == W_QUOTING_AFTER_OPEN) {
		innermost(scan)->kind = W_QUOTING_ARITH;
		scan->before = W_QUOTING_NOTHING;
		return;
	}
	innermost(scan)->parens--;
	w_quoting_scan_push(scan, W_QUOTING_ARITH);
}

/* Handles a byte whose meaning depends on the one before. false: it does not.
 */
static bool
scan_after(struct w_quoting_scan *scan, char c)
{
	enum w_quoting_before before = scan->before;

	if (before == W_QUOTING_AFTER_DOLLAR)
		return scan_after_dollar(scan, c);
	if (before == W_QUOTING_AFTER_NAME && quoting_scan_is_name_byte(c))
		return true;
	if ((before == W_QUOTING_AFTER_OPEN ||
		before == W_QUOTING_AFTER_PAREN) &&
	    c == '(') {
		open_arithmetic(scan);
		return true;
	}
	if (before == W_QUOTING_AFTER_CLOSE) {
		if (c != ')')
			w_quoting_scan_lose(scan, "behind '((' without '))'");
		w_quoting_scan_pop(scan);
		return c == ')';
	}
	if (before == W_QUOTING_AFTER_LESS && c == '<') {
		scan->before = W_QUOTING_AFTER_LESS2;
		return true;
	}
	if (before == W_QUOTING_AFTER_LESS2 && c != '<') {
		scan->before = W_QUOTING_NOTHING;
		w_quoting_heredoc_begin(scan);
		return w_quoting_heredoc_add_delimiter(scan, c);
	}
	scan->before = W_QUOTING_NOTHING;
	return false;
}

/* ---- bytes by context ---- */

static void
scan_paren(struct w_quoting_scan *scan, char c)
{
	struct w_quoting_frame *frame = innermost(scan);

	end_word(scan);
	if (c == '(') {
		frame->parens++;
		scan->before = W_QUOTING_AFTER_PAREN;
	} else if (frame->parens > 0) {
		frame->parens--;
	} else if (scan->depth > 0) {
		if (scan->doc_count > 0)
			w_quoting_scan_lose(
			    scan, "behind a here-document in $( )");
		w_quoting_scan_pop(scan);
	}
}

static void
scan_in_command(struct w_quoting_scan *scan, char c)
{
	bool is_word_start = scan->is_word_start;

	if (c == '(' || c == ')') {
		scan_paren(scan, c);
	} else if (strchr(" \t\n;&|<>", c) != NULL) {
		end_word(scan);
		if (c == '\n')
			w_quoting_heredoc_add_newline(scan);
		else if (c == '<')
			scan->before = W_QUOTING_AFTER_LESS;
	} else if (c == '\'') {
		w_quoting_scan_push(scan, W_QUOTING_SINGLE);
	} else if (c == '"') {
		w_quoting_scan_push(scan, W_QUOTING_DOUBLE);
	} else if (c == '`') {
		w_quoting_scan_push(scan, W_QUOTING_BACKTICK);
	} else if (c == '#' && is_word_start) {
		w_quoting_scan_push(scan, W_QUOTING_COMMENT);
	} else if (c == '$') {
		break_word(scan);
		scan->before = W_QUOTING_AFTER_DOLLAR;
	} else {
		scan->is_word_start = false;
		if (c == '[')
			note_index(scan);
		if (scan->word_len < W_QUOTING_WORD_MAX)
			scan->word[scan->word_len++] = c;
	}
}

static void
scan_in_double(struct w_quoting_scan *scan, char c)
{
	if (c == '"')
		w_quoting_scan_pop(scan);
	else if (c == '`')
		w_quoting_scan_push(scan, W_QUOTING_BACKTICK);
	else if (c == '$')
		scan->before = W_QUOTING_AFTER_DOLLAR;
}

/* Shells disagree about quotes in "${x}". */
static void
scan_in_param(struct w_quoting_scan *scan, char c)
{
	bool is_quote = c == '\'' || c == '"';

	if (c == '}')
		w_quoting_scan_pop(scan);
	else if (is_quote && innermost(scan)->in_double)
		w_quoting_scan_lose(scan, "behind quotes in \"${ }\"");
	else if (is_quote)
		w_quoting_scan_push(
		    scan, c == '"' ? W_QUOTING_DOUBLE : W_QUOTING_SINGLE);
	else if (c == '`')
		w_quoting_scan_push(scan, W_QUOTING_BACKTICK);
	else if (c == '$')
		scan->before = W_QUOTING_AFTER_DOLLAR;
}

static void
scan_in_arithmetic(struct w_quoting_scan *scan, char c)
{
	struct w_quoting_frame *frame = innermost(scan);

	if (c == '(')
		frame->parens++;
	else if (c == ')' && frame->parens > 0)
		frame->parens--;
	else if (c == ')')
		scan->before = W_QUOTING_AFTER_CLOSE;
	else if (c == '$')
		scan->before = W_QUOTING_AFTER_DOLLAR;
	else if (strchr("'\"`#", c) != NULL)
		w_quoting_scan_lose(scan, "behind quotes in '(( ))'");
}

static void
scan_in_backtick(struct w_quoting_scan *scan, char c)
{
	struct w_quoting_frame *frame = innermost(scan);

	if (c == '\'')
		frame->odd_single = !frame->odd_single;
	else if (c == '"')
		frame->odd_double = !frame->odd_double;
	else if (c == '<')
		w_quoting_scan_lose(scan, "behind '<' in backticks");
	if (c != '`')
		return;
	if (frame->odd_single || frame->odd_double)
		w_quoting_scan_lose(scan, "behind quotes in backticks");
	w_quoting_scan_pop(scan);
}

static void
scan_in_quotes(struct w_quoting_scan *scan, char c)
{
	if (c == '\'')
		w_quoting_scan_pop(scan);
}

static void
scan_in_comment(struct w_quoting_scan *scan, char c)
{
	if (c != '\n')
		return;
	w_quoting_scan_pop(scan);
	scan_in_command(scan, c);
}

static void (*const scanners[])(struct w_quoting_scan *scan, char c) = {
    [W_QUOTING_COMMAND] = scan_in_command,
    [W_QUOTING_SINGLE] = scan_in_quotes,
    [W_QUOTING_DOUBLE] = scan_in_double,
    [W_QUOTING_DOLLAR] = scan_in_quotes,
    [W_QUOTING_PARAM] = scan_in_param,
    [W_QUOTING_ARITH] = scan_in_arithmetic,
    [W_QUOTING_BACKTICK] = scan_in_backtick,
    [W_QUOTING_COMMENT] = scan_in_comment,
    [W_QUOTING_DOCUMENT] = w_quoting_heredoc_add_body,
};

/* ---- all bytes ---- */

/* A backslash before a newline removes both. */
static void
scan_escaped(struct w_quoting_scan *scan, char c)
{
	scan->is_escaped = false;
	if (c == '\n')
		return;
	if (scan->before == W_QUOTING_AFTER_LESS2) {
		w_quoting_heredoc_begin(scan);
		w_quoting_scan_lose(scan, "behind a here-document");
	}
	if (scan->before == W_QUOTING_AFTER_CLOSE)
		w_quoting_scan_pop(scan);
	scan->before = W_QUOTING_NOTHING;
	break_word(scan);
}

/* Shells disagree about a line that ends inside quotes while here-documents are
 * pending. */
static void
check_newline(struct w_quoting_scan *scan)
{
	uint8_t kind = innermost(scan)->kind;
	size_t depth = scan->depth - (kind == W_QUOTING_COMMENT);

	if (kind != W_QUOTING_DOCUMENT && depth != scan->doc_depth)
		w_quoting_scan_lose(scan, "behind a here-document");
}

static void
scan_byte(struct w_quoting_scan *scan, char c)
{
	const uint8_t kind = innermost(scan)->kind;

	if (c == '\n' && scan->doc_count > 0)
		check_newline(scan);
	/* Nothing has a special meaning in these. */
	if (kind == W_QUOTING_SINGLE || kind == W_QUOTING_COMMENT ||
	    kind == W_QUOTING_DOCUMENT) {
		scanners[kind](scan, c);
	} else if (scan->is_delimiter &&
		   w_quoting_heredoc_add_delimiter(scan, c)) {
		return;
	} else if (scan->is_escaped) {
		scan_escaped(scan, c);
	} else if (c == '\\') {
		scan->is_escaped = true;
		if (kind == W_QUOTING_ARITH || kind == W_QUOTING_DOLLAR)
			w_quoting_scan_lose(
			    scan, "behind a backslash in '(( ))' or $'...'");
	} else if (!scan_after(scan, c)) {
		scanners[innermost(scan)->kind](scan, c);
	}
}

void
w_quoting_scan_feed(struct w_quoting_scan *scan, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		scan_byte(scan, text[i]);
}

void
w_quoting_scan_value(struct w_quoting_scan *scan)
{
	scan->before = W_QUOTING_NOTHING;
	break_word(scan);
}
