/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads JSON from untrusted sources.
 *
 * The document is parsed in place, in a private copy: a string of the tree then
 * points to its own offset in the text. Parsing overwrites that copy (escapes
 * shrink, quotes become NUL), so lines are counted in a second, unmodified one.
 *
 * Depth is limited before the parser runs, so that nested brackets cannot use
 * up memory. Nothing here recurses.
 */

#include "data/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/position.h"
#include "base/size.h"
#include "data/json_keys.h"

#define STAGE "json"

struct w_json {
	yyjson_doc *doc;
	size_t len;
	char *text;    /* unmodified */
	char *scratch; /* what the strings of doc point into */
};

static writ_status
check_start(const char *text, size_t len, writ_error *err)
{
	size_t blanks = 0;

	while (blanks < len && text[blanks] != '\0' &&
	       strchr(" \t\r\n", text[blanks]) != NULL)
		blanks++;
	if (blanks == len) {
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the document is empty");
	}
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the document starts with a byte order mark");
		w_locate(err, 1, 1);
		w_suggest(err, "save it as UTF-8 without BOM");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* The offset after the string that opens at open; len if it never ends. Looks
 * at quotes only: an odd number of backslashes before one escapes it. */
static size_t
skip_string(const char *text, size_t len, size_t open)
{
	size_t start = open + 1;

	while (start < len) {
		const char *quote = memchr(text + start, '"', len - start);
		if (quote == NULL)
			return len;

		size_t at = (size_t)(quote - text);
		size_t slashes = 0;
		while (at - slashes > start && text[at - slashes - 1] == '\\')
			slashes++;
		if (slashes % 2 == 0)
			return at + 1;
		start = at + 1;
	}
	return len;
}

/* Whether there are so few brackets, those in strings included, that no nesting
 * can be too deep. Short steps, so that the count fits in a byte and the
 * compiler can vectorize the loop. */
static bool
is_surely_flat(const char *text, size_t len, size_t depth_max)
{
	enum {
		STEP = 128
	};
	size_t count = 0;

	for (size_t start = 0; start < len && count <= depth_max;
	     start += STEP) {
		size_t step = len - start < STEP ? len - start : STEP;
		unsigned char here = 0;

		/* '[' and '{' differ in one bit, and no other byte becomes '{'
		 * by it. */
		for (size_t i = 0; i < step; i++) {
			const bool opens = (text[start + i] | 0x20) == '{';

			here = (unsigned char)(here + opens);
		}
		count += here;
	}
	return count <= depth_max;
}

/* Exact for valid documents. An invalid one may be refused here for its depth
 * although the parser would have failed earlier. */
static writ_status
check_depth(const char *text, size_t len, size_t depth_max, writ_error *err)
{
	size_t depth = 0;
	size_t at = is_surely_flat(text, len, depth_max) ? len : 0;

	while (at < len) {
		if (text[at] == '"') {
			at = skip_string(text, len, at);
			continue;
		}
		if (text[at] == '[' || text[at] == '{') {
			depth++;
		} else if (depth > 0 && (text[at] == ']' || text[at] == '}')) {
			depth--;
		}
		if (depth > depth_max) {
			(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "nested deeper than the limit of %zu levels",
			    depth_max);
			w_locate_offset(err, text, at);
			return WRIT_E_INVALID;
		}
		at++;
	}
	return WRIT_OK;
}

static const char *
json_explain(const yyjson_read_err *fault)
{
	if (fault->code == YYJSON_READ_ERROR_UNEXPECTED_CONTENT)
		return "more text after the end of the document";
	if (fault->code == YYJSON_READ_ERROR_UNEXPECTED_END)
		return "the document ends too early";
	if (fault->msg == NULL)
		return "unknown fault";

	/* Its other messages are plain words already. */
	if (strstr(fault->msg, "infinity") != NULL)
		return "the number is too large";
	return fault->msg;
}

static writ_status
refuse_syntax(
    const char *text, size_t len, const yyjson_read_err *fault, writ_error *err)
{
	if (fault->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
		return w_fail_nomem(err, STAGE);

	size_t pos = fault->pos < len ? fault->pos : len;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "not valid JSON: %s",
	    json_explain(fault));
	w_locate_offset(err, text, pos);
	if (pos < len && text[pos] == '\'')
		w_suggest(err, "JSON wants double quotes");
	else if (pos < len && text[pos] == '/')
		w_suggest(err, "JSON has no comments");
	else if (pos < len && w_is_name_start(text[pos]))
		w_suggest(err, "a text must be in double quotes");
	else if (fault->code == YYJSON_READ_ERROR_JSON_STRUCTURE)
		w_suggest(err, "remove the comma");
	return WRIT_E_INVALID;
}

static writ_status
json_copy_text(
    struct w_json *json, const char *text, size_t len, writ_error *err)
{
	size_t padded;

	json->len = len;
	if (!w_size_add(len, YYJSON_PADDING_SIZE, &padded))
		return w_fail_nomem(err, STAGE);
	json->text = malloc(len);
	json->scratch = malloc(padded);
	if (json->text == NULL || json->scratch == NULL)
		return w_fail_nomem(err, STAGE);

	memcpy(json->text, text, len);
	memcpy(json->scratch, text, len);
	memset(json->scratch + len, 0, YYJSON_PADDING_SIZE);
	return WRIT_OK;
}

static void
json_place_key(const void *json, const yyjson_val *key, unsigned *out_line,
    unsigned *out_column)
{
	(void)w_json_place(json, key, out_line, out_column);
}

static writ_status
json_parse(struct w_json *json, const char *text, size_t len,
    yyjson_read_flag flags, writ_error *err)
{
	yyjson_read_err fault = {0};
	writ_status status = json_copy_text(json, text, len, err);
	if (status != WRIT_OK)
		return status;

	json->doc = yyjson_read_opts(
	    json->scratch, len, YYJSON_READ_INSITU | flags, NULL, &fault);
	if (json->doc == NULL)
		return refuse_syntax(text, len, &fault, err);
	const struct w_json_keys_source source = {
	    .vals = yyjson_doc_get_root(json->doc),
	    .count = yyjson_doc_get_val_count(json->doc),
	    .stage = STAGE,
	    .place = json_place_key,
	    .ctx = json};
	return w_json_keys_check(&source, err);
}

static writ_status
json_read_text(const char *text, size_t len, const struct w_json_limits *limits,
    yyjson_read_flag flags, struct w_json **out_json, writ_error *err)
{
	if (len > limits->bytes_max) {
		char have[W_SIZE_TEXT_MAX];
		char limit[W_SIZE_TEXT_MAX];

		w_size_format(len, have);
		w_size_format(limits->bytes_max, limit);
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the document has %s, the limit is %s", have, limit);
	}
	writ_status status = check_start(text, len, err);
	if (status == WRIT_OK)
		status = check_depth(text, len, limits->depth_max, err);
	if (status != WRIT_OK)
		return status;

	struct w_json *json = calloc(1, sizeof(*json));
	if (json == NULL)
		return w_fail_nomem(err, STAGE);
	status = json_parse(json, text, len, flags, err);
	if (status != WRIT_OK) {
		w_json_free(json);
		return status;
	}
	*out_json = json;
	return WRIT_OK;
}

writ_status
w_json_read(const char *text, size_t len, const struct w_json_limits *limits,
    struct w_json **out_json, writ_error *err)
{
	return json_read_text(
	    text, len, limits, YYJSON_READ_NOFLAG, out_json, err);
}

/* Numbers of this length always fit. */
#define DIGITS_MAX 18

/* Converts a raw value to a number where nothing is lost; "-0" would lose its
 * sign. */
static void
take_integer(yyjson_val *val)
{
	const char *text = yyjson_get_raw(val);
	const bool is_negative = text[0] == '-';
	const char *digits = text + is_negative;
	const size_t len = yyjson_get_len(val) - is_negative;
	int64_t number = 0;

	if (len > DIGITS_MAX || (is_negative && digits[0] == '0'))
		return;
	for (size_t i = 0; i < len; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return;
		number = number * 10 + (digits[i] - '0');
	}
	if (is_negative)
		(void)yyjson_set_sint(val, -number);
	else
		(void)yyjson_set_uint(val, (uint64_t)number);
}

writ_status
w_json_read_exact(const char *text, size_t len,
    const struct w_json_limits *limits, struct w_json **out_json,
    writ_error *err)
{
	struct w_json *json;
	writ_status status = json_read_text(
	    text, len, limits, YYJSON_READ_NUMBER_AS_RAW, &json, err);

	if (status != WRIT_OK)
		return status;
	/* Values lie in one array, which begins with the root. */
	yyjson_val *vals = w_json_root(json);
	for (size_t i = 0; i < yyjson_doc_get_val_count(json->doc); i++) {
		if (yyjson_is_raw(&vals[i]))
			take_integer(&vals[i]);
	}
	*out_json = json;
	return WRIT_OK;
}

void
w_json_free(struct w_json *json)
{
	if (json == NULL)
		return;
	yyjson_doc_free(json->doc);
	free(json->scratch);
	free(json->text);
	free(json);
}

void
w_json_forget_text(struct w_json *json)
{
	free(json->text);
	json->text = NULL;
	json->len = 0;
}

void
w_json_add_compact(struct w_buf *buf, const char *text, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t start = at;

		while (at < len && strchr(" \t\r\n", text[at]) == NULL)
			at = text[at] == '"' ? skip_string(text, len, at)
					     : at + 1;
		w_buf_add(buf, text + start, at - start);
		while (at < len && strchr(" \t\r\n", text[at]) != NULL)
			at++;
	}
}

yyjson_val *
w_json_root(const struct w_json *json)
{
	return yyjson_doc_get_root(json->doc);
}

bool
w_json_offset(
    const struct w_json *json, const yyjson_val *val, size_t *out_offset)
{
	/* The accessors are not const, but do not write; a copy of the value
	 * saves the cast. */
	if (val == NULL)
		return false;
	yyjson_val copy = *val;
	if (!yyjson_is_str(&copy))
		return false;

	/* A string starts after its opening quote. Compared as numbers: a value
	 * of another document points elsewhere. */
	const char *string = yyjson_get_str(&copy);
	uintptr_t start = (uintptr_t)string;
	uintptr_t base = (uintptr_t)json->scratch;
	if (start <= base || start - base > json->len)
		return false;
	*out_offset = start - base - 1;
	return true;
}

bool
w_json_place(const struct w_json *json, const yyjson_val *val,
    unsigned *out_line, unsigned *out_column)
{
	size_t offset;

	if (!w_json_offset(json, val, &offset))
		return false;
	w_position_of(json->text, offset, out_line, out_column);
	return true;
}
