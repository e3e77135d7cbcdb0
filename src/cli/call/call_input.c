/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Converts the words of a call to a JSON object.
 */

#include "cli/call/call_input.h"

#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "data/json.h"

/* Same as the limit for the input of a call. */
#define DEPTH_MAX 128

static size_t
digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Whether this is a JSON number. */
static bool
call_input_is_number(const char *text)
{
	text += *text == '-';

	size_t whole = digits(text);
	if (whole == 0 || (whole > 1 && *text == '0'))
		return false;
	text += whole;
	if (*text == '.') {
		if (digits(text + 1) == 0)
			return false;
		text += 1 + digits(text + 1);
	}
	if (*text == 'e' || *text == 'E') {
		text += 1 + (text[1] == '+' || text[1] == '-');
		if (digits(text) == 0)
			return false;
		text += digits(text);
	}
	return *text == '\0';
}

static writ_status
add_document(
    struct w_buf *out, const char *name, const char *text, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = WRIT_REQUEST_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;
	writ_error inner;

	if (w_json_read_exact(text, strlen(text), &limits, &json, &inner) !=
	    WRIT_OK) {
		(void)w_fail(err, inner.status, "usage", 0,
		    "call: '--%s' takes JSON: %s", name, inner.message);
		w_suggest(err, "%s", inner.suggestion);
		return inner.status;
	}
	w_json_free(json);
	w_buf_add_str(out, text);
	return WRIT_OK;
}

/* A word is read as another type only if the parameter takes no string, or if
 * the result is the same. */
static bool
is_taken_as_number(unsigned types, const char *text)
{
	if ((types & (W_CALL_INTEGER | W_CALL_NUMBER)) == 0)
		return false;
	/* A plain integer has the same text as a string and as a number. */
	if ((types & W_CALL_STRING) != 0 &&
	    strspn(text, "-0123456789") < strlen(text))
		return false;
	return call_input_is_number(text);
}

static bool
is_taken_as_boolean(unsigned types, const char *text)
{
	if ((types & W_CALL_BOOLEAN) == 0 || (types & W_CALL_STRING) != 0)
		return false;
	return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static writ_status
call_input_add_text(struct w_buf *out, const writ_parameter *parameter,
    unsigned types, const char *text, writ_error *err)
{
	char name[W_CALL_NAME_MAX];

	w_cli_call_name(parameter->name, name);
	if (!w_utf8_valid(text, strlen(text)))
		return w_fail(err, WRIT_E_INVALID, "usage", 0,
		    "call: '--%s' is not UTF-8, which an input must be", name);
	if (types == W_CALL_ARRAY || types == W_CALL_OBJECT ||
	    types == (W_CALL_ARRAY | W_CALL_OBJECT))
		return add_document(out, name, text, err);
	if (is_taken_as_number(types, text) || is_taken_as_boolean(types, text))
		w_buf_add_str(out, text);
	else
		w_json_add_string(out, text, strlen(text));
	return WRIT_OK;
}

static size_t
call_input_count_of(const struct w_call_words *words, size_t place)
{
	size_t count = 0;

	for (size_t i = 0; i < words->given_count; i++)
		count += words->given[i].parameter == place;
	return count;
}

/* If the parameter need not be an array, a single value is not made one. */
static writ_status
call_input_add_value(struct w_buf *out, const struct w_call_words *words,
    size_t place, writ_error *err)
{
	const writ_parameter *parameter = &words->parameters[place];
	const unsigned types = w_cli_call_types(parameter->type);
	const size_t count = call_input_count_of(words, place);
	const bool is_array =
	    (types & W_CALL_ARRAY) != 0 && (types == W_CALL_ARRAY || count > 1);
	const unsigned each =
	    is_array ? w_cli_call_types(parameter->items) : types;
	size_t done = 0;
	writ_status status = WRIT_OK;

	w_buf_add_str(out, is_array ? "[" : "");
	for (size_t i = 0; status == WRIT_OK && i < words->given_count; i++) {
		if (words->given[i].parameter != place)
			continue;
		w_buf_add_str(out, done++ > 0 ? "," : "");
		if (words->given[i].kind == W_CALL_TEXT)
			status = call_input_add_text(
			    out, parameter, each, words->given[i].text, err);
		else
			w_buf_add_str(out, words->given[i].kind == W_CALL_TRUE
					       ? "true"
					       : "false");
	}
	w_buf_add_str(out, is_array ? "]" : "");
	return status;
}

static bool
is_overridden(const struct w_call_words *words, yyjson_val *key)
{
	for (size_t i = 0; i < words->given_count; i++) {
		const char *name =
		    words->parameters[words->given[i].parameter].name;

		if (yyjson_equals_strn(key, name, strlen(name)))
			return true;
	}
	return false;
}

static void
call_input_add_member(struct w_buf *out, yyjson_val *key, yyjson_val *value)
{
	size_t len = 0;
	W_AUTO_FREE char *text = yyjson_val_write(value, 0, &len);

	if (text == NULL) {
		out->failed = true;
		return;
	}
	w_buf_add_str(out, out->len > 1 ? "," : "");
	w_json_add_string(out, yyjson_get_str(key), yyjson_get_len(key));
	w_buf_add_char(out, ':');
	w_buf_add(out, text, len);
}

/* Parsed again, with numbers as raw text: a double would lose digits. */
static writ_status
add_others(struct w_buf *out, const struct w_call_words *words,
    const char *text, size_t len, writ_error *err)
{
	yyjson_doc *doc = yyjson_read(text, len, YYJSON_READ_NUMBER_AS_RAW);
	yyjson_obj_iter iter;
	yyjson_val *key;

	if (doc == NULL)
		return w_fail_nomem(err, "usage");
	(void)yyjson_obj_iter_init(yyjson_doc_get_root(doc), &iter);
	for (key = yyjson_obj_iter_next(&iter); key != NULL;
	     key = yyjson_obj_iter_next(&iter)) {
		if (!is_overridden(words, key))
			call_input_add_member(
			    out, key, yyjson_obj_iter_get_val(key));
	}
	yyjson_doc_free(doc);
	return WRIT_OK;
}

static writ_status
check_object(const char *text, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = WRIT_REQUEST_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;
	writ_status status = w_json_read_exact(text, len, &limits, &json, err);

	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_obj(w_json_root(json)))
		status = w_fail(err, WRIT_E_INVALID, "input", 0,
		    "the input must be a JSON object");
	w_json_free(json);
	return status;
}

static writ_status
call_input_merge(const struct w_call_words *words, const char *text, size_t len,
    struct w_buf *out, writ_error *err)
{
	writ_status status = WRIT_OK;

	w_buf_add_char(out, '{');
	if (text != NULL)
		status = check_object(text, len, err);
	if (text != NULL && status == WRIT_OK)
		status = add_others(out, words, text, len, err);
	for (size_t i = 0; status == WRIT_OK && i < words->count; i++) {
		const char *name = words->parameters[i].name;

		if (call_input_count_of(words, i) == 0)
			continue;
		w_buf_add_str(out, out->len > 1 ? "," : "");
		w_json_add_string(out, name, strlen(name));
		w_buf_add_char(out, ':');
		status = call_input_add_value(out, words, i, err);
	}
	w_buf_add_char(out, '}');
	return status;
}

writ_status
w_cli_call_input(const struct w_call_words *words, const char *text, size_t len,
    struct w_buf *out, bool *out_is_verbatim, writ_error *err)
{
	const bool is_verbatim = words->given_count == 0 && text != NULL;
	writ_status status = WRIT_OK;

	if (is_verbatim)
		w_buf_add(out, text, len);
	else
		status = call_input_merge(words, text, len, out, err);
	if (status == WRIT_OK && out->failed)
		return w_fail_nomem(err, "input");
	if (status == WRIT_OK)
		*out_is_verbatim = is_verbatim;
	return status;
}
