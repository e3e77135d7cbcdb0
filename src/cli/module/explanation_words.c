/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The words of a command on a terminal, and the marks below them. Words are
 * untrusted: whatever would move the cursor is escaped, and the marks count the
 * columns that are really used.
 */

#include "cli/module/explanation.h"

#include <string.h>

#include "base/printable.h"
#include "base/words.h"
#include "data/json.h"

#define TEXT_MAX    ((size_t)4 << 20)
#define COLUMNS_MAX 400 /* longer words are of no use to a reader */

void
w_explanation_add_text(struct w_buf *buf, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, TEXT_MAX);
	(void)w_json_get_bytes(&bytes, val);
	(void)w_printable_add(buf, bytes.data, COLUMNS_MAX);
}

/* Appends a word; *out_is_plain: it was not changed. Returns its columns. */
static size_t
explanation_words_add_word(
    struct w_buf *buf, yyjson_val *word, bool *out_is_plain)
{
	W_AUTO_BUF struct w_buf bytes;
	W_AUTO_BUF struct w_buf quoted;

	w_buf_init(&bytes, TEXT_MAX);
	w_buf_init(&quoted, TEXT_MAX);
	(void)w_json_get_bytes(&bytes, word);
	/* The mask of a secret must not be quoted. */
	if (strcmp(bytes.data, "***") == 0)
		w_buf_add_str(&quoted, bytes.data);
	else
		w_words_quote(&quoted, bytes.data);
	*out_is_plain = strcmp(quoted.data, bytes.data) == 0;
	return w_printable_add(buf, quoted.data, COLUMNS_MAX);
}

void
w_explanation_add_words(struct w_buf *buf, yyjson_val *node)
{
	yyjson_val *shell = yyjson_obj_get(node, "shell");
	size_t i;
	size_t count;
	yyjson_val *word;
	bool unused;

	if (shell != NULL) {
		w_explanation_add_text(buf, shell);
		return;
	}
	yyjson_arr_foreach(yyjson_obj_get(node, "argv"), i, count, word)
	{
		if (i > 0)
			w_buf_add_char(buf, ' ');
		(void)explanation_words_add_word(buf, word, &unused);
	}
}

static void
explanation_words_add_times(struct w_buf *buf, char c, size_t count)
{
	while (count-- > 0)
		w_buf_add_char(buf, c);
}

/* The columns of the first bytes of a text. */
static size_t
columns_of(const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf part;
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&part, TEXT_MAX);
	w_buf_init(&shown, TEXT_MAX);
	w_buf_add(&part, text, len);
	return w_printable_add(&shown, part.data, COLUMNS_MAX);
}

/* A row of marks, in columns. */
struct explanation_words_mark {
	size_t from;
	size_t count;
};

/* From the offset to the end of a text. */
static struct explanation_words_mark
mark_text(const char *text, size_t len, uint64_t offset)
{
	const size_t at = offset < len ? (size_t)offset : len;
	const size_t from = columns_of(text, at);
	const size_t all = columns_of(text, len);

	return (struct explanation_words_mark){
	    from, all > from ? all - from : 1};
}

static struct explanation_words_mark
mark_word(struct w_buf *line, yyjson_val *word, uint64_t offset)
{
	bool is_plain;
	const size_t columns =
	    explanation_words_add_word(line, word, &is_plain);

	if (!is_plain || !yyjson_is_str(word))
		return (struct explanation_words_mark){
		    0, columns > 0 ? columns : 1};
	return mark_text(yyjson_get_str(word), yyjson_get_len(word), offset);
}

static void
add_marked(struct w_buf *buf, const struct w_buf *line,
    struct explanation_words_mark mark)
{
	w_buf_add_str(buf, "  ");
	w_buf_add(buf, line->data, line->len);
	w_buf_add_str(buf, "\n  ");
	explanation_words_add_times(buf, ' ', mark.from);
	explanation_words_add_times(buf, '^', mark.count);
	w_buf_add_char(buf, '\n');
}

static struct explanation_words_mark
mark_argv(struct w_buf *line, yyjson_val *argv, uint64_t place, uint64_t offset)
{
	struct explanation_words_mark mark = {0, 0};
	size_t columns = 0;
	size_t i;
	size_t count;
	yyjson_val *word;
	bool unused;

	yyjson_arr_foreach(argv, i, count, word)
	{
		if (i > 0) {
			w_buf_add_char(line, ' ');
			columns++;
		}
		if (i != place) {
			columns +=
			    explanation_words_add_word(line, word, &unused);
			continue;
		}
		const size_t before = columns;
		mark = mark_word(line, word, offset);
		mark.from += before;
		columns = mark.from + mark.count;
	}
	return mark.count > 0 ? mark
			      : (struct explanation_words_mark){columns + 1, 1};
}

void
w_explanation_add_mark(struct w_buf *buf, yyjson_val *node)
{
	yyjson_val *reason = yyjson_obj_get(node, "reason");
	yyjson_val *shell = yyjson_obj_get(node, "shell");
	yyjson_val *word = yyjson_obj_get(reason, "word");
	const uint64_t offset =
	    yyjson_get_uint(yyjson_obj_get(reason, "offset"));
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, TEXT_MAX);
	if (reason == NULL || yyjson_is_null(reason))
		return;
	if (yyjson_is_str(shell)) {
		w_explanation_add_text(&line, shell);
		add_marked(buf, &line,
		    mark_text(
			yyjson_get_str(shell), yyjson_get_len(shell), offset));
		return;
	}
	/* Without a word, something is missing at the end. */
	const uint64_t place =
	    yyjson_is_uint(word) ? yyjson_get_uint(word) : UINT64_MAX;
	const struct explanation_words_mark mark =
	    mark_argv(&line, yyjson_obj_get(node, "argv"), place, offset);
	add_marked(buf, &line, mark);
}
