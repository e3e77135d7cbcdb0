/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Here-documents, for the scanner: the word after <<, and the lines up to that
 * word. Expansions in these lines can hide the end, so after such a document no
 * value is inserted.
 */

#include <string.h>

#include "expr/template/quoting_scan.h"

#define AFTER_DOCUMENT "behind a here-document"

/* After <<. */
void
w_quoting_heredoc_begin(struct w_quoting_scan *scan)
{
	if (scan->doc_count == W_QUOTING_DOCS_MAX ||
	    (scan->doc_count > 0 && scan->doc_depth != scan->depth)) {
		w_quoting_scan_lose(scan, AFTER_DOCUMENT);
		return;
	}
	scan->docs[scan->doc_count] = (struct w_quoting_heredoc){.len = 0};
	scan->doc_depth = scan->depth;
	scan->is_delimiter = true;
	scan->delimiter_quote = '\0';
}

static void
end_delimiter(struct w_quoting_scan *scan)
{
	scan->is_delimiter = false;
	scan->is_word_start = true;
	scan->word_len = 0;
	if (scan->docs[scan->doc_count].len == 0)
		w_quoting_scan_lose(scan, AFTER_DOCUMENT);
	scan->doc_count++;
}

static void
add_to_delimiter(struct w_quoting_scan *scan, char c)
{
	struct w_quoting_heredoc *doc = &scan->docs[scan->doc_count];

	/* Shells disagree about anything but plain characters. */
	if (doc->len == W_QUOTING_WORD_MAX || strchr("$`\\\n", c) != NULL)
		w_quoting_scan_lose(scan, AFTER_DOCUMENT);
	else
		doc->word[doc->len++] = c;
}

/* false: the byte ended the word and has to be scanned itself. */
bool
w_quoting_heredoc_add_delimiter(struct w_quoting_scan *scan, char c)
{
	char quote = scan->delimiter_quote;

	if (!scan->is_delimiter)
		return false;
	struct w_quoting_heredoc *doc = &scan->docs[scan->doc_count];
	bool is_first = doc->len == 0 && !doc->is_quoted;
	if ((c == '\'' || c == '"') && (quote == '\0' || quote == c)) {
		doc->is_quoted = true;
		scan->delimiter_quote = quote == c ? '\0' : c;
	} else if (quote != '\0') {
		add_to_delimiter(scan, c);
	} else if (c == '-' && is_first && !doc->strips_tabs) {
		doc->strips_tabs = true;
	} else if ((c == ' ' || c == '\t') && is_first) {
		/* Blanks are allowed before the word, not before the minus. */
		return true;
	} else if (strchr(" \t\n;&|<>()", c) != NULL) {
		end_delimiter(scan);
		return false;
	} else {
		add_to_delimiter(scan, c);
	}
	return true;
}

/* After a line of commands: the documents that it announced follow. */
void
w_quoting_heredoc_add_newline(struct w_quoting_scan *scan)
{
	if (scan->doc_count == 0)
		return;
	w_quoting_scan_push(scan, W_QUOTING_DOCUMENT);
	scan->word_len = 0;
}

static bool
ends_document(const struct w_quoting_scan *scan)
{
	const struct w_quoting_heredoc *doc = &scan->docs[0];
	const char *line = scan->word;
	size_t len = scan->word_len;

	while (doc->strips_tabs && len > 0 && line[0] == '\t') {
		line++;
		len--;
	}
	return scan->word_len < W_QUOTING_WORD_MAX && len == doc->len &&
	       memcmp(line, doc->word, len) == 0;
}

static void
end_document(struct w_quoting_scan *scan)
{
	scan->doc_count--;
	memmove(scan->docs, scan->docs + 1,
	    scan->doc_count * sizeof(scan->docs[0]));
	if (scan->doc_count > 0)
		return;
	w_quoting_scan_pop(scan);
	scan->is_word_start = true;
	scan->word_len = 0;
}

void
w_quoting_heredoc_add_body(struct w_quoting_scan *scan, char c)
{
	if (!scan->docs[0].is_quoted && strchr("$`\\", c) != NULL)
		w_quoting_scan_lose(scan, AFTER_DOCUMENT);
	if (c != '\n') {
		if (scan->word_len < W_QUOTING_WORD_MAX)
			scan->word[scan->word_len++] = c;
		return;
	}
	if (ends_document(scan))
		end_document(scan);
	scan->word_len = 0;
}
