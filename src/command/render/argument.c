/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Values as words.
 *
 * A word has exactly the bytes of the value: nothing is quoted, since no shell
 * reads it, and nothing is lost: what cannot be a word is an error.
 */

#include "command/render/argument.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/encode.h"
#include "command/grammar/grammar.h"
#include "command/render/render.h"

#define STAGE "arguments"

writ_status
w_argument_refuse(const struct w_argument *argument, const char *fmt, ...)
{
	char text[256];
	char element[40] = "";
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (argument->element > 0)
		(void)snprintf(element, sizeof(element), ", element %zu",
		    argument->element);
	return w_fail(argument->err, WRIT_E_INVALID, STAGE, 0,
	    "argument '%.64s'%s: %s", argument->key, element, text);
}

void
w_argument_text_done(struct w_argument_text *text)
{
	free(text->owned);
	text->owned = NULL;
}

static void
write_integer(struct w_argument_text *text, uint64_t value, bool is_negative)
{
	char *at = text->digits + sizeof(text->digits);

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	if (is_negative)
		*--at = '-';
	text->bytes = at;
	text->len = (size_t)(text->digits + sizeof(text->digits) - text->bytes);
}

static void
write_signed(struct w_argument_text *text, int64_t value)
{
	/* INT64_MIN has no positive counterpart. */
	uint64_t size = value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value;

	write_integer(text, size, value < 0);
}

/* A schema of integers accepts 5.0 and 1e3; a program may not. */
static bool
write_whole(struct w_argument_text *text, yyjson_val *val, unsigned types)
{
	double value = yyjson_get_real(val);

	if ((types & W_TYPE_NUMBER) != 0 || (types & W_TYPE_INTEGER) == 0)
		return false;
	if (!(value >= (double)INT64_MIN && value < -(double)INT64_MIN))
		return false;

	int64_t whole = (int64_t)value;
	if ((double)whole < value || (double)whole > value)
		return false;
	write_signed(text, whole);
	return true;
}

/* Up to here a double represents every integer. */
#define EXACT_MAX 0x1p53

/* A number keeps its spelling, unless it must be an integer and does not look
 * like one. */
static void
write_raw(struct w_argument_text *text, yyjson_val *val, unsigned types)
{
	const char *raw = yyjson_get_raw(val);
	yyjson_val number;

	text->bytes = raw;
	text->len = yyjson_get_len(val);
	if (strpbrk(raw, ".eE") == NULL ||
	    yyjson_read_number(raw, &number, 0, NULL, NULL) == NULL)
		return;
	double value = yyjson_get_num(&number);
	if (yyjson_is_real(&number) && value < EXACT_MAX && value > -EXACT_MAX)
		(void)write_whole(text, &number, types);
}

static writ_status
write_json(const struct w_argument *argument, struct w_argument_text *text,
    yyjson_val *val)
{
	text->owned = yyjson_val_write(val, 0, &text->len);
	if (text->owned == NULL)
		return w_fail_nomem(argument->err, STAGE);
	text->bytes = text->owned;
	return WRIT_OK;
}

static writ_status
write_number(const struct w_argument *argument, struct w_argument_text *text,
    yyjson_val *val, unsigned types)
{
	if (yyjson_is_uint(val)) {
		write_integer(text, yyjson_get_uint(val), false);
		return WRIT_OK;
	}
	if (yyjson_is_sint(val)) {
		write_signed(text, yyjson_get_sint(val));
		return WRIT_OK;
	}
	if (write_whole(text, val, types))
		return WRIT_OK;
	return write_json(argument, text, val);
}

/* {"b64":"..."}: how parsing represents a word that is not UTF-8. */
static writ_status
write_bytes(const struct w_argument *argument, struct w_argument_text *text,
    yyjson_val *val)
{
	yyjson_val *encoded = yyjson_obj_get(val, "b64");
	struct w_buf bytes;

	w_buf_init(&bytes, W_WORD_BYTES_MAX);
	if (!w_base64_decode(
		&bytes, yyjson_get_str(encoded), yyjson_get_len(encoded))) {
		w_buf_done(&bytes);
		return w_argument_refuse(
		    argument, "'b64' is not base64 of one word");
	}
	text->owned = w_buf_take(&bytes, &text->len);
	text->bytes = text->owned;
	return text->owned != NULL ? WRIT_OK
				   : w_fail_nomem(argument->err, STAGE);
}

writ_status
w_argument_text(const struct w_argument *argument, yyjson_val *val,
    unsigned types, struct w_argument_text *out_text)
{
	writ_status status = WRIT_OK;

	out_text->owned = NULL;
	if (yyjson_is_str(val)) {
		out_text->bytes = yyjson_get_str(val);
		out_text->len = yyjson_get_len(val);
	} else if (yyjson_is_raw(val)) {
		write_raw(out_text, val, types);
	} else if (yyjson_is_num(val)) {
		status = write_number(argument, out_text, val, types);
	} else if ((types & W_TYPE_OBJECT) == 0 && yyjson_obj_size(val) == 1 &&
		   yyjson_is_str(yyjson_obj_get(val, "b64"))) {
		/* Where an object is allowed it is an ordinary one. */
		status = write_bytes(argument, out_text, val);
	} else {
		status = write_json(argument, out_text, val);
	}
	if (status != WRIT_OK)
		return status;
	if (memchr(out_text->bytes, '\0', out_text->len) != NULL)
		return w_argument_refuse(argument,
		    "it has a NUL in it, which no command line can hold");
	return WRIT_OK;
}

writ_status
w_argument_add(const struct w_argument *argument, struct w_words *words,
    const char *before, size_t before_len, const struct w_argument_text *text)
{
	W_AUTO_BUF struct w_buf word;
	bool is_added;

	w_buf_init(&word, W_WORD_BYTES_MAX);
	if (before_len > W_WORD_BYTES_MAX ||
	    text->len > W_WORD_BYTES_MAX - before_len) {
		(void)w_argument_refuse(argument,
		    "%zu bytes are too many for one word: Linux takes %d",
		    text->len, W_WORD_BYTES_MAX);
		w_suggest(argument->err,
		    "give it on standard input or in a file, if the command "
		    "reads that");
		return WRIT_E_INVALID;
	}
	if (before_len == 0) {
		is_added = w_words_add(words, text->bytes, text->len);
	} else {
		w_buf_add(&word, before, before_len);
		w_buf_add(&word, text->bytes, text->len);
		is_added =
		    !word.failed && w_words_add(words, word.data, word.len);
	}
	return is_added ? WRIT_OK : w_fail_nomem(argument->err, STAGE);
}

bool
w_argument_is_dashed(const char *bytes, size_t len)
{
	return len > 1 && bytes[0] == '-';
}

bool
w_argument_is_marked(const char *bytes, size_t len)
{
	return len > 0 && (bytes[0] == '+' || bytes[0] == '@');
}

bool
w_argument_is_operator(const char *bytes, size_t len)
{
	return len > 0 && bytes[0] != '\0' && strchr("()!,", bytes[0]) != NULL;
}

bool
w_argument_needs_guard(const struct w_param *param, enum w_slot slot,
    const char *bytes, size_t len)
{
	if (param->may_begin_with_dash)
		return false;
	if (w_argument_is_dashed(bytes, len))
		return true;
	return param->is_path && (w_argument_is_marked(bytes, len) ||
				     (slot != W_SLOT_TRAILING &&
					 w_argument_is_operator(bytes, len)));
}

bool
w_argument_is_effective(yyjson_val *val)
{
	if (yyjson_is_arr(val))
		return yyjson_arr_size(val) > 0;
	return val != NULL && !yyjson_is_null(val) && !yyjson_is_false(val);
}
