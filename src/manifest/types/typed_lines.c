/* SPDX-License-Identifier: Apache-2.0 */

/* A text as lines. */

#include "manifest/types/typed_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "schema/pattern/pattern.h"

#define STAGE "edit"

writ_status
w_typed_lines_read(
    struct w_typed_lines *lines, const char *text, size_t len, writ_error *err)
{
	size_t count = 0;

	if (memchr(text, '\0', len) != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is a NUL in it: it is no text");
	for (size_t i = 0; i < len; i++)
		count += text[i] == '\n';
	if (len > 0 && text[len - 1] != '\n')
		count++;
	*lines = (struct w_typed_lines){.text = text, .len = len};
	lines->starts = calloc(count + 1, sizeof(*lines->starts));
	if (lines->starts == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);

		lines->starts[lines->count++] = at;
		at = end == NULL ? len : (size_t)(end - text) + 1;
	}
	lines->starts[lines->count] = len;
	const char *first = memchr(text, '\n', len);
	lines->newline =
	    first != NULL && first > text && first[-1] == '\r' ? "\r\n" : "\n";
	return WRIT_OK;
}

void
w_typed_lines_done(struct w_typed_lines *lines)
{
	free(lines->starts);
	lines->starts = NULL;
}

const char *
w_typed_line(const struct w_typed_lines *lines, size_t at, size_t *out_len)
{
	const char *line = lines->text + lines->starts[at];
	size_t len = lines->starts[at + 1] - lines->starts[at];

	if (len > 0 && line[len - 1] == '\n')
		len--;
	if (len > 0 && line[len - 1] == '\r')
		len--;
	*out_len = len;
	return line;
}

bool
w_typed_line_is(const struct w_typed_lines *lines, size_t at, const char *text)
{
	size_t len;
	const char *line = w_typed_line(lines, at, &len);

	return strlen(text) == len && memcmp(line, text, len) == 0;
}

void
w_typed_lines_keep(struct w_buf *out, const struct w_typed_lines *lines,
    size_t from, size_t to)
{
	if (to > from)
		w_buf_add(out, lines->text + lines->starts[from],
		    lines->starts[to] - lines->starts[from]);
}

void
w_typed_lines_put(
    struct w_buf *out, const struct w_typed_lines *lines, const char *text)
{
	if (out->len > 0 && w_buf_last(out) != '\n')
		w_buf_add_str(out, lines->newline);
	do {
		const size_t len = strcspn(text, "\n");

		w_buf_add(out, text, len);
		w_buf_add_str(out, lines->newline);
		text += len + (text[len] != '\0');
	} while (*text != '\0');
}

writ_status
w_typed_lines_find(const struct w_typed_lines *lines, const char *pattern,
    bool is_last, size_t *out_at, writ_error *err)
{
	struct w_pattern *compiled = NULL;
	size_t found = W_TYPED_NOWHERE;
	writ_status status =
	    w_pattern_compile(pattern, strlen(pattern), &compiled, err);

	for (size_t i = 0; status == WRIT_OK && i < lines->count; i++) {
		size_t len;
		const char *line = w_typed_line(lines, i, &len);
		enum w_pattern_answer answer = W_PATTERN_NO;

		if (w_utf8_valid(line, len))
			answer = w_pattern_match(compiled, line, len, NULL);
		if (answer == W_PATTERN_LIMIT)
			status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "'%.80s' takes too long to match line %zu", pattern,
			    i + 1);
		if (answer != W_PATTERN_YES)
			continue;
		found = i;
		if (!is_last)
			break;
	}
	w_pattern_free(compiled);
	if (status == WRIT_OK)
		*out_at = found;
	return status;
}
