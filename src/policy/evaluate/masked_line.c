/* SPDX-License-Identifier: Apache-2.0 */

/* Command lines with secrets masked. */

#include <string.h>

#include "base/buf.h"
#include "base/words.h"
#include "policy/evaluate/evaluation.h"

/* With more secrets all words but the first are masked. */
#define SECRETS_MAX 1000

/* Finds the next secret bytes in a word at or after `at`; false: none. */
static bool
next_secret(const struct w_analysis *analysis, size_t word, size_t at,
    size_t len, size_t *out_from, size_t *out_to)
{
	bool is_found = false;

	for (size_t i = 0; i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];
		size_t from = place->offset < at ? at : place->offset;

		if (place->word != word || place->offset >= len)
			continue;
		size_t left = len - place->offset;
		size_t to =
		    place->offset + (place->len < left ? place->len : left);
		if (to <= from || (is_found && from >= *out_from))
			continue;
		*out_from = from;
		*out_to = to;
		is_found = true;
	}
	return is_found;
}

void
w_masked_add_word(
    struct w_buf *buf, const struct w_analysis *analysis, size_t word)
{
	const char *text =
	    analysis->shell != NULL ? analysis->shell : analysis->argv[word];
	size_t len = strlen(text);
	size_t at = 0;
	size_t from = 0;
	size_t to = 0;

	/* Each word is compared with all secrets: keep that bounded. */
	if (analysis->secret_count > SECRETS_MAX && word > 0) {
		w_buf_add_str(buf, "***");
		return;
	}
	while (next_secret(analysis, word, at, len, &from, &to)) {
		w_buf_add(buf, text + at, from - at);
		w_buf_add_str(buf, "***");
		at = to;
	}
	w_buf_add(buf, text + at, len - at);
}

void
w_masked_add_line(
    struct w_buf *buf, const struct w_analysis *analysis, size_t max)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, W_POLICY_TEXT_MAX);
	if (analysis->shell != NULL)
		w_masked_add_word(&line, analysis, 0);
	for (size_t i = 0;
	     analysis->shell == NULL && i < analysis->argc && line.len <= max;
	     i++) {
		W_AUTO_BUF struct w_buf word;

		w_buf_init(&word, W_POLICY_TEXT_MAX);
		w_masked_add_word(&word, analysis, i);
		if (i > 0)
			w_buf_add_char(&line, ' ');
		w_words_quote(&line, word.data);
		line.failed = line.failed || word.failed;
	}
	w_buf_add(buf, line.data, line.len <= max ? line.len : max);
	if (line.len > max)
		w_buf_add_str(buf, "...");
	buf->failed = buf->failed || line.failed;
}
