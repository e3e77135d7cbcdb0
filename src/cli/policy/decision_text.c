/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parts of pages about policies: locations, paths, quoted lines.
 */

#include <string.h>

#include "base/printable.h"
#include "cli/policy/decision_page.h"

#define LABEL_WIDTH 12
#define TEXT_MAX    ((size_t)1 << 20)
#define QUOTE_MAX   200 /* columns of a quoted line */

yyjson_val *
w_cli_decision_rule(yyjson_val *decision)
{
	return yyjson_arr_get_first(yyjson_obj_get(decision, "rules"));
}

const char *
w_cli_decision_reason(yyjson_val *decision)
{
	const char *because =
	    w_cli_decision_text(w_cli_decision_rule(decision), "because");
	const char *message = w_cli_decision_text(decision, "message");

	if (because != NULL && message != NULL &&
	    strstr(message, because) != NULL)
		return NULL;
	return because;
}

const char *
w_cli_decision_text(yyjson_val *object, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(object, key));
}

void
w_cli_decision_paint(const struct w_decision_page *page, const char *colour)
{
	if (page->has_colour)
		w_buf_add_fmt(page->buf, "\033[%sm", colour);
}

const char *
w_cli_decision_colour(const char *verdict)
{
	if (strcmp(verdict, "allow") == 0)
		return "1;32";
	return strcmp(verdict, "ask") == 0 ? "1;33" : "1;31";
}

void
w_cli_decision_add_plain(const struct w_decision_page *page, const char *text)
{
	(void)w_printable_add(page->buf, text, 0);
}

/* Strips the directory only at a '/', so that the result is the same file. */
void
w_cli_decision_add_path(const struct w_decision_page *page, const char *path)
{
	const size_t len = page->cwd == NULL ? 0 : strlen(page->cwd);

	if (len > 1 && strncmp(path, page->cwd, len) == 0 && path[len] == '/' &&
	    path[len + 1] != '\0')
		path += len + 1;
	w_cli_decision_add_plain(page, path);
}

void
w_cli_decision_add_place(const struct w_decision_page *page, const char *file,
    unsigned line, unsigned column)
{
	w_cli_decision_add_path(page, file);
	if (line > 0)
		w_buf_add_fmt(page->buf, ":%u:%u", line, column);
}

void
w_cli_decision_add_label(const struct w_decision_page *page, const char *label)
{
	w_cli_decision_paint(page, "2");
	w_buf_add_fmt(page->buf, "%-*s", LABEL_WIDTH, label);
	w_cli_decision_paint(page, "0");
}

/* The width of the first bytes of a line, in columns. */
static size_t
columns_before(const char *line, unsigned column)
{
	W_AUTO_BUF struct w_buf part;
	W_AUTO_BUF struct w_buf shown;
	size_t len = strlen(line);

	w_buf_init(&part, TEXT_MAX);
	w_buf_init(&shown, TEXT_MAX);
	if (column > 0 && column - 1 < len)
		len = column - 1;
	w_buf_add(&part, line, len);
	return w_printable_add(&shown, part.data, 0);
}

static void
add_marked_line(const struct w_decision_page *page, unsigned line,
    const char *text, unsigned column)
{
	const size_t before = columns_before(text, column);

	w_cli_decision_paint(page, "2");
	w_buf_add_fmt(page->buf, "%5u | ", line);
	w_cli_decision_paint(page, "0");
	(void)w_printable_add(page->buf, text, QUOTE_MAX);
	w_buf_add_char(page->buf, '\n');
	if (before >= QUOTE_MAX)
		return;
	w_buf_add_fmt(page->buf, "      | %*s", (int)before, "");
	w_cli_decision_paint(page, "1");
	w_buf_add_char(page->buf, '^');
	w_cli_decision_paint(page, "0");
	w_buf_add_char(page->buf, '\n');
}

void
w_cli_decision_add_quote(const struct w_decision_page *page, const char *file,
    unsigned line, unsigned column, const char *source)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (line == 0)
		return;
	if (source != NULL)
		w_buf_add_str(&text, source);
	else if (page->quote == NULL ||
		 !page->quote(page->ctx, file, line, &text))
		return;
	while (text.len > 0 && strchr("\r\n", w_buf_last(&text)) != NULL)
		text.data[--text.len] = '\0';
	add_marked_line(page, line, text.data, column);
}
