/* SPDX-License-Identifier: Apache-2.0 */

/* What a runner wrote to its standard error. */

#include <string.h>

#include "engine/isolate/isolated.h"

struct w_isolated_text
w_isolated_stderr(const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDERR];
	struct w_isolated_text text = {out->head, out->head_len};

	if (out->truncated && out->tail_len > 0)
		text = (struct w_isolated_text){out->tail, out->tail_len};
	return text;
}

struct w_isolated_text
w_isolated_trim(struct w_isolated_text text)
{
	while (
	    text.len > 0 && memchr(" \t\n\r", text.at[text.len - 1], 4) != NULL)
		text.len--;
	return text;
}

struct w_isolated_text
w_isolated_last_line(struct w_isolated_text text)
{
	text = w_isolated_trim(text);

	const char *newline =
	    text.len == 0 ? NULL : memrchr(text.at, '\n', text.len);
	if (newline != NULL) {
		text.len -= (size_t)(newline + 1 - text.at);
		text.at = newline + 1;
	}
	return text;
}

yyjson_val *
w_isolated_cause(const writ_result *result, yyjson_doc **out_doc)
{
	struct w_isolated_text line =
	    w_isolated_last_line(w_isolated_stderr(result));

	*out_doc = line.len == 0 ? NULL : yyjson_read(line.at, line.len, 0);
	yyjson_val *cause =
	    yyjson_obj_get(yyjson_doc_get_root(*out_doc), "error");
	return yyjson_is_str(yyjson_obj_get(cause, "code")) &&
		       yyjson_is_str(yyjson_obj_get(cause, "message"))
		   ? cause
		   : NULL;
}
