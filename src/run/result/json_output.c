/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses the output of a command as JSON.
 *
 * As strict as every JSON reader here: duplicate keys are an error, since two
 * readers could take different values. Tokens stay as they were written, so
 * that no number is rounded; the white space between them is removed.
 */

#include "run/result/json_output.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "data/json.h"

#define DEPTH_MAX 512

/* The brackets around JSON Lines, and a NUL. */
#define FRAME_MAX 3

static writ_status
json_output_add_value(
    struct w_buf *buf, const char *text, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {len, DEPTH_MAX};
	struct w_json *json;
	writ_status status = w_json_read_exact(text, len, &limits, &json, err);

	if (status != WRIT_OK)
		return status;
	w_json_free(json);
	w_json_add_compact(buf, text, len);
	return WRIT_OK;
}

static size_t
line_len(const char *text, size_t len)
{
	const char *newline = memchr(text, '\n', len);

	return newline == NULL ? len : (size_t)(newline - text);
}

static bool
json_output_is_blank(const char *text, size_t len)
{
	size_t at = 0;

	while (
	    at < len && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0')
		at++;
	return at == len;
}

/* If the first line is not a value by itself, the text is one document, and err
 * already has its error. */
static writ_status
json_output_add_lines(
    struct w_buf *buf, const char *text, size_t len, writ_error *err)
{
	writ_error inner = {0};
	unsigned line = 1;
	bool is_first = true;

	w_buf_add_char(buf, '[');
	for (size_t at = 0; at < len; line++) {
		const size_t one = line_len(text + at, len - at);
		const bool is_empty = json_output_is_blank(text + at, one);

		if (!is_empty && !is_first)
			w_buf_add_char(buf, ',');
		if (!is_empty && json_output_add_value(
				     buf, text + at, one, &inner) != WRIT_OK) {
			if (is_first)
				return WRIT_E_INVALID;
			inner.line = line;
			*err = inner;
			return WRIT_E_INVALID;
		}
		is_first = is_first && is_empty;
		at += one + 1;
	}
	w_buf_add_char(buf, ']');
	return WRIT_OK;
}

static writ_status
json_output_read_text(
    struct w_buf *buf, const char *text, size_t len, writ_error *err)
{
	writ_status status = json_output_add_value(buf, text, len, err);

	if (status == WRIT_E_INVALID && line_len(text, len) < len) {
		buf->len = 0;
		status = json_output_add_lines(buf, text, len, err);
	}
	return status == WRIT_OK && buf->failed ? w_fail_nomem(err, "output")
						: status;
}

static void
set_json_error(struct w_run_result *storage, const writ_error *err)
{
	static const char prefix[] = "not valid JSON: ";
	const char *why = err->message;

	storage->result.json_error = storage->json_error;
	if (strncmp(why, prefix, sizeof(prefix) - 1) == 0)
		why += sizeof(prefix) - 1;
	if (err->line == 0)
		(void)snprintf(storage->json_error, sizeof(storage->json_error),
		    "the output is not JSON: %.200s", why);
	else
		(void)snprintf(storage->json_error, sizeof(storage->json_error),
		    "the output is not JSON: line %u, column %u: %.200s",
		    err->line, err->column, why);
}

void
w_run_result_read_json(struct w_run_result *storage, uint64_t limit)
{
	const writ_output *out = &storage->result.out[WRIT_STDOUT];
	writ_error err = {0};

	if (out->truncated) {
		char size[W_SIZE_TEXT_MAX];

		w_size_format(limit, size);
		storage->result.json_error = storage->json_error;
		(void)snprintf(storage->json_error, sizeof(storage->json_error),
		    "the output was longer than the limit of %s", size);
		return;
	}
	if (json_output_is_blank(out->head, out->head_len)) {
		storage->result.json_error = "the output is empty";
		return;
	}
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, out->head_len + FRAME_MAX);
	writ_status status =
	    json_output_read_text(&buf, out->head, out->head_len, &err);
	if (status == WRIT_E_NOMEM) {
		storage->result.json_error =
		    "out of memory for the output as JSON";
		return;
	}
	if (status != WRIT_OK) {
		set_json_error(storage, &err);
		return;
	}
	storage->json_output = w_buf_take(&buf, NULL); /* it has not failed */
	storage->result.json_output = storage->json_output;
}
