/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The values of a JSON request that are more than a string: numbers with or
 * without a unit, and bytes.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/size.h"
#include "data/json_words.h"
#include "engine/request/draft_json.h"

static const char *
type_words(yyjson_val *val)
{
	switch (yyjson_get_type(val)) {
	case YYJSON_TYPE_NULL:
		return "null";
	case YYJSON_TYPE_BOOL:
		return yyjson_is_true(val) ? "true" : "false";
	case YYJSON_TYPE_NUM:
		return "a number";
	case YYJSON_TYPE_STR:
		return "a string";
	case YYJSON_TYPE_ARR:
		return "a list";
	case YYJSON_TYPE_OBJ:
		return "an object";
	default:
		return "nothing";
	}
}

writ_status
w_draft_fail_type(
    const char *what, const char *expected, yyjson_val *val, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, "request", 0,
	    "%s: expected %s, got %s", what, expected, type_words(val));
}

writ_status
w_draft_json_text(
    const char *what, yyjson_val *val, const char **out_text, writ_error *err)
{
	if (!yyjson_is_str(val))
		return w_draft_fail_type(what, "a string", val, err);
	if (!w_json_is_text(val))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s contains a NUL byte", what);
	*out_text = yyjson_get_str(val);
	return WRIT_OK;
}

static const char *
expected_number(const struct w_draft_field *field)
{
	if (field->kind == W_KIND_DURATION)
		return "milliseconds or a text like \"1h30m\"";
	if (field->kind == W_KIND_SIZE)
		return "bytes or a text like \"64MiB\"";
	return "a whole number";
}

writ_status
w_draft_json_number(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	const struct w_draft_field *field = reader->field;
	const char *text = NULL;

	if (yyjson_is_str(val) && field->kind != W_KIND_COUNT &&
	    field->kind != W_KIND_INTEGER) {
		writ_status status =
		    w_draft_json_text(field->name, val, &text, err);
		if (status != WRIT_OK)
			return status;
		return w_draft_put_measure(reader->next, field, text, err);
	}
	if (!yyjson_is_num(val))
		return w_draft_fail_type(
		    field->name, expected_number(field), val, err);
	if (field->kind == W_KIND_INTEGER && yyjson_is_sint(val))
		return w_draft_put_nice(
		    reader->next, field, yyjson_get_sint(val), err);
	if (!yyjson_is_uint(val) || yyjson_get_uint(val) > field->max) {
		W_AUTO_FREE char *got =
		    yyjson_val_write(val, YYJSON_WRITE_NOFLAG, NULL);

		return got == NULL ? w_fail_nomem(err, "request")
				   : w_draft_fail_range(field, got, err);
	}
	if (field->kind == W_KIND_INTEGER)
		return w_draft_put_nice(
		    reader->next, field, (int64_t)yyjson_get_uint(val), err);
	return w_draft_put_number(
	    reader->next, field, yyjson_get_uint(val), err);
}

static writ_status
read_base64(struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	const char *text = yyjson_get_str(val);
	size_t text_len = yyjson_get_len(val);
	size_t len;

	if (text == NULL)
		return w_draft_fail_type("stdin.b64", "a string", val, err);
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, text_len);
	bool is_good = w_base64_decode(&buf, text, text_len);
	if (buf.failed)
		return w_fail_nomem(err, "request");
	if (!is_good)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "stdin.b64 is not base64 with padding and without blanks");
	char *bytes = w_buf_take(&buf, &len);
	if (bytes == NULL)
		return w_fail_nomem(err, "request");
	writ_status status = w_draft_keep(reader->next, bytes, free, err);
	if (status != WRIT_OK)
		return status;
	w_draft_put_stdin(reader->next, bytes, len);
	return WRIT_OK;
}

writ_status
w_draft_json_bytes(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	yyjson_val *b64 = yyjson_obj_get(val, "b64");

	if (yyjson_is_str(val)) {
		w_draft_put_stdin(
		    reader->next, yyjson_get_str(val), yyjson_get_len(val));
		return WRIT_OK;
	}
	if (b64 == NULL || yyjson_obj_size(val) != 1)
		return w_draft_fail_type(reader->field->name,
		    "a string or {\"b64\":\"...\"}", val, err);
	reader->at = b64;
	return read_base64(reader, b64, err);
}
