/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An error as JSON: {"error":{...}} on one line. Anybody may have filled in the
 * error, so invalid UTF-8 in it is replaced.
 */

#include <writ/result.h>

#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"
#include "data/json.h"

/* Six characters for each byte of text, and the rest. */
#define ERROR_JSON_MAX (6 * sizeof(writ_error) + 1024)

/* U+FFFD replaces an invalid byte. */
#define REPLACEMENT     "\xef\xbf\xbd"
#define REPLACEMENT_LEN 3

static size_t
error_json_char_len(const char *at, size_t left)
{
	for (size_t len = 1; len <= 4 && len <= left; len++) {
		if (w_utf8_valid(at, len))
			return len;
	}
	return 0;
}

static void
add_field(struct w_buf *buf, const char *text, size_t max)
{
	size_t left = strnlen(text, max);
	W_AUTO_BUF struct w_buf clean;

	w_buf_init(&clean, left * REPLACEMENT_LEN);
	while (left > 0) {
		size_t len = error_json_char_len(text, left);

		if (len == 0)
			w_buf_add_str(&clean, REPLACEMENT);
		else
			w_buf_add(&clean, text, len);
		text += len == 0 ? 1 : len;
		left -= len == 0 ? 1 : len;
	}
	if (clean.failed)
		buf->failed = true;
	w_json_add_string(buf, clean.data, clean.len);
}

static void
add_details(struct w_buf *buf, const writ_error *error)
{
	const char *name = strerrorname_np(error->sys_errno);

	w_buf_add_str(buf, "{\"stage\":");
	add_field(buf, error->stage, sizeof(error->stage));
	if (error->sys_errno != 0 && name != NULL)
		w_buf_add_fmt(buf, ",\"errno\":\"%s\"", name);
	if (error->line != 0)
		w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", error->line,
		    error->column);
	w_buf_add_char(buf, '}');
}

writ_status
writ_error_json(const writ_error *error, char **out_json, size_t *out_len)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ERROR_JSON_MAX);
	w_buf_add_fmt(&buf, "{\"error\":{\"code\":\"%s\",\"message\":",
	    writ_status_word(error->status));
	add_field(&buf, error->message, sizeof(error->message));
	w_buf_add_str(&buf, ",\"suggestion\":");
	if (error->suggestion[0] == '\0')
		w_buf_add_str(&buf, "null");
	else
		add_field(&buf, error->suggestion, sizeof(error->suggestion));
	w_buf_add_str(&buf, ",\"details\":");
	add_details(&buf, error);
	w_buf_add_str(&buf, "}}");
	return w_json_take(&buf, "json", out_json, out_len, NULL);
}
