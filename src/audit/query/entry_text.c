/* SPDX-License-Identifier: Apache-2.0 */

/* The command of a record as a user would type it. */

#include "audit/query/entry.h"

static void
entry_text_add_word(struct w_buf *buf, yyjson_val *word)
{
	yyjson_val *b64 = yyjson_obj_get(word, "b64");
	W_AUTO_BUF struct w_buf raw;

	w_buf_init(&raw, W_LOG_LINE_MAX);
	if (yyjson_is_str(word))
		w_words_quote(buf, yyjson_get_str(word));
	else if (yyjson_is_str(b64) &&
		 w_base64_decode(
		     &raw, yyjson_get_str(b64), yyjson_get_len(b64)))
		w_words_quote(buf, raw.data);
	else
		w_buf_add_char(buf, '?');
}

void
w_entry_command(const struct w_entry *entry, struct w_buf *buf)
{
	size_t i;
	size_t count;
	yyjson_val *word;

	if (entry->shell != NULL) {
		w_buf_add_str(buf, entry->shell);
		return;
	}
	yyjson_arr_foreach(entry->argv, i, count, word)
	{
		if (i > 0)
			w_buf_add_char(buf, ' ');
		entry_text_add_word(buf, word);
	}
	if (count == 0 && entry->module != NULL)
		w_words_quote(buf, entry->module);
}
