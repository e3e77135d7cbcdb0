/* SPDX-License-Identifier: Apache-2.0 */

/* Functions that convert or mark values. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "data/json.h"
#include "expr/eval/eval.h"

#define JSON_BYTES_MAX ((size_t)8 << 20)

/* 2^63, one more than the largest integer. */
#define INTEGER_END 9223372036854775808.0

W_FUNCTION(raw)
{
	(void)eval;
	(void)call;
	*out_value = args[0];
	out_value->is_raw = true;
	return WRIT_OK;
}

W_FUNCTION(sensitive)
{
	*out_value = args[0];
	return w_eval_mark(eval, call, true, out_value);
}

/* The reader's own message may contain the path, which may be secret. */
static writ_status
function_value_read_file(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *path, struct w_value *out_value)
{
	writ_error err = {0};
	writ_status status = eval->scope->read_file(eval->scope->ctx,
	    path->as.string.text, eval->arena, out_value, &err);

	if (status == WRIT_OK)
		return WRIT_OK;
	(void)w_fail(eval->err, status, W_EXPR_STAGE, 0, "%s",
	    path->is_secret ? "the file cannot be read" : err.message);
	if (!path->is_secret && err.suggestion[0] != '\0')
		w_suggest(eval->err, "%s", err.suggestion);
	(void)w_eval_locate(eval, call);
	return status;
}

W_FUNCTION(file)
{
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	if (status != WRIT_OK)
		return status;
	if (eval->scope->read_file == NULL)
		return w_eval_fail(
		    eval, call, "files cannot be read at this place");
	status = function_value_read_file(eval, call, &args[0], out_value);
	if (status != WRIT_OK)
		return status;
	/* A computed path can read a large file many times. */
	return w_eval_spend(eval, call, 1 + (out_value->as.string.len >> 6));
}

/* ---- strings ---- */

static writ_status
composite_text(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *value, struct w_value *out_text)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, W_VALUE_TEXT_MAX);
	w_value_add_json(&json, value, true);
	if (!json.failed)
		return w_eval_copy(eval, call, json.data, json.len, out_text);
	if (json.len < W_VALUE_TEXT_MAX / 2)
		return w_fail_nomem(eval->err, W_EXPR_STAGE);
	return w_eval_fail(
	    eval, call, "a text of more than %zu MiB", W_VALUE_TEXT_MAX >> 20);
}

writ_status
w_eval_as_text(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *value, struct w_value *out_text)
{
	char number[W_VALUE_NUMBER_MAX];

	if (value->kind == W_VALUE_STRING) {
		*out_text = *value;
		return WRIT_OK;
	}
	if (value->kind == W_VALUE_LIST || value->kind == W_VALUE_MAP)
		return composite_text(eval, node, value, out_text);
	size_t len = w_value_put_number(number, value);
	return w_eval_copy(eval, node, number, len, out_text);
}

W_FUNCTION(string)
{
	return w_eval_as_text(eval, call, &args[0], out_value);
}

W_FUNCTION(to_json)
{
	return composite_text(eval, call, &args[0], out_value);
}

/* ---- numbers ---- */

static writ_status
refuse_number(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *value)
{
	const char *what = call->as.list.function->name[0] == 'i'
			       ? "a whole number"
			       : "a number";

	if (value->kind != W_VALUE_STRING || value->is_secret)
		return w_eval_fail(eval, call, "%s is not %s that fits",
		    value->is_secret ? "the secret"
				     : w_value_kind_words(value->kind),
		    what);
	return w_eval_fail(
	    eval, call, "'%.60s' is not %s", value->as.string.text, what);
}

static bool
read_integer(const char *text, struct w_value *out_value)
{
	size_t sign = text[0] == '-' || text[0] == '+';
	char *end;

	if (text[sign] == '\0' ||
	    text[sign + strspn(text + sign, "0123456789")] != '\0')
		return false;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	*out_value =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = number};
	return errno == 0 && *end == '\0';
}

W_FUNCTION(int)
{
	bool is_read = args[0].kind == W_VALUE_INT;

	*out_value = args[0];
	if (args[0].kind == W_VALUE_FLOAT && args[0].as.number < INTEGER_END &&
	    args[0].as.number >= -INTEGER_END) {
		*out_value = (struct w_value){.kind = W_VALUE_INT,
		    .as.integer = (int64_t)args[0].as.number};
		is_read = true;
	} else if (args[0].kind == W_VALUE_STRING) {
		is_read = read_integer(args[0].as.string.text, out_value);
	}
	return is_read ? WRIT_OK : refuse_number(eval, call, &args[0]);
}

static bool
read_float(const char *text, struct w_value *out_value)
{
	char *end;

	/* No hexadecimal, no infinity, no blanks. */
	if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
		return false;
	*out_value = (struct w_value){
	    .kind = W_VALUE_FLOAT, .as.number = strtod(text, &end)};
	return *end == '\0' && isfinite(out_value->as.number);
}

W_FUNCTION(float)
{
	bool is_read = args[0].kind == W_VALUE_FLOAT;

	*out_value = args[0];
	if (args[0].kind == W_VALUE_INT) {
		*out_value = (struct w_value){.kind = W_VALUE_FLOAT,
		    .as.number = (double)args[0].as.integer};
		is_read = true;
	} else if (args[0].kind == W_VALUE_STRING) {
		is_read = read_float(args[0].as.string.text, out_value);
	}
	return is_read ? WRIT_OK : refuse_number(eval, call, &args[0]);
}

/* ---- base64 and kinds ---- */

W_FUNCTION(to_base64)
{
	W_AUTO_BUF struct w_buf coded;
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	w_buf_init(&coded, 2 * W_VALUE_TEXT_MAX);
	if (status != WRIT_OK)
		return status;
	w_base64_add(&coded, args[0].as.string.text, args[0].as.string.len);
	if (coded.failed)
		return w_fail_nomem(eval->err, W_EXPR_STAGE);
	return w_eval_copy(eval, call, coded.data, coded.len, out_value);
}

W_FUNCTION(from_base64)
{
	W_AUTO_BUF struct w_buf plain;
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	w_buf_init(&plain, W_VALUE_TEXT_MAX);
	if (status != WRIT_OK)
		return status;
	if (!w_base64_decode(
		&plain, args[0].as.string.text, args[0].as.string.len))
		return w_eval_fail(eval, call, "not valid base64");
	if (plain.len > 0 && (memchr(plain.data, '\0', plain.len) != NULL ||
				 !w_utf8_valid(plain.data, plain.len)))
		return w_eval_fail(
		    eval, call, "what the base64 stands for is not a text");
	return w_eval_copy(
	    eval, call, plain.len > 0 ? plain.data : "", plain.len, out_value);
}

W_FUNCTION(type)
{
	static const char *const words[] = {
	    [W_VALUE_NULL] = "nil",
	    [W_VALUE_BOOL] = "bool",
	    [W_VALUE_INT] = "int",
	    [W_VALUE_FLOAT] = "float",
	    [W_VALUE_STRING] = "string",
	    [W_VALUE_LIST] = "array",
	    [W_VALUE_MAP] = "map",
	};
	const char *word = words[args[0].kind];

	(void)eval;
	(void)call;
	*out_value = w_value_text(word, strlen(word));
	return WRIT_OK;
}

/* ---- others ---- */

static writ_status
read_json(struct w_eval *eval, const struct w_value *text,
    struct w_value *out_value, writ_error *err)
{
	static const struct w_json_limits limits = {
	    .bytes_max = JSON_BYTES_MAX, .depth_max = W_VALUE_DEPTH_MAX};
	struct w_json *json;
	writ_status status = w_json_read(
	    text->as.string.text, text->as.string.len, &limits, &json, err);

	if (status != WRIT_OK)
		return status;
	status =
	    w_value_from_json(eval->arena, w_json_root(json), out_value, err);
	w_json_free(json);
	return status;
}

W_FUNCTION(from_json)
{
	writ_error err = {0};
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	/* A tree takes more memory than its text. */
	if (status == WRIT_OK)
		status =
		    w_eval_spend(eval, call, 1 + (args[0].as.string.len >> 4));
	if (status != WRIT_OK)
		return status;
	status = read_json(eval, &args[0], out_value, &err);
	if (status == WRIT_OK)
		return WRIT_OK;
	(void)w_fail(eval->err, status, W_EXPR_STAGE, 0, "not valid JSON%s%s",
	    args[0].is_secret ? "" : ": ",
	    args[0].is_secret ? "" : err.message);
	(void)w_eval_locate(eval, call);
	return status;
}

W_FUNCTION_LAZY(default)
{
	writ_status status =
	    w_eval_node(eval, call->as.list.items[0], out_value);

	if (status != WRIT_OK)
		return status;
	if (out_value->kind != W_VALUE_NULL &&
	    (out_value->kind != W_VALUE_STRING || out_value->as.string.len > 0))
		return WRIT_OK;
	bool is_secret = out_value->is_secret;
	status = w_eval_node(eval, call->as.list.items[1], out_value);
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, call, is_secret, out_value);
}
