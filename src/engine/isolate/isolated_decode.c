/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Decodes the output of a runner.
 *
 * A runner writes one line to its standard output. Anything but a complete JSON
 * object is no result; and a runner that did not exit with 0 has no result,
 * whatever it wrote.
 */

#include "base/signal_name.h"
#include "engine/isolate/isolated.h"

#include <inttypes.h>
#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/encode.h"
#include "base/error.h"

#define STAGE "isolated"

/* How much of a runner's own text goes into a message. */
#define SHOWN 160

/* Adds ": " and the reason to a message. Control characters would break its
 * line. */
static void
isolated_decode_add_reason(struct w_buf *buf, const char *text, size_t len)
{
	if (len == 0)
		return;
	if (len > SHOWN)
		len = w_utf8_trim_end(text, SHOWN);
	w_buf_add_str(buf, ": ");
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		w_buf_add_char(buf, c < 0x20 || c == 0x7f ? ' ' : text[i]);
	}
}

/* ---- failures ---- */

static void
isolated_decode_add_ending(struct w_buf *buf, const writ_result *result)
{
	char name[W_SIGNAL_NAME_MAX];

	if (!result->status_known) {
		w_buf_add_str(buf, "ended in a way that nobody saw");
		return;
	}
	if (result->signal == 0) {
		w_buf_add_fmt(buf, "exited with code %d", result->exit_code);
		return;
	}
	w_buf_add_fmt(
	    buf, "was ended by %s", w_signal_name(result->signal, name));
	if (result->outcome != WRIT_SIGNALED)
		w_buf_add_fmt(buf, ", %s", writ_outcome_word(result->outcome));
}

static writ_status
fail_runner(const char *id, const writ_result *result, writ_error *err)
{
	yyjson_doc *doc = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, sizeof(err->message));
	isolated_decode_add_ending(&text, result);
	yyjson_val *cause = w_isolated_cause(result, &doc);
	yyjson_val *message = yyjson_obj_get(cause, "message");
	yyjson_val *advice = yyjson_obj_get(cause, "suggestion");
	struct w_isolated_text line =
	    w_isolated_last_line(w_isolated_stderr(result));
	if (cause != NULL)
		line = (struct w_isolated_text){
		    yyjson_get_str(message), yyjson_get_len(message)};
	isolated_decode_add_reason(&text, line.at, line.len);
	(void)w_fail(err, WRIT_E_RUNNER, STAGE, 0, "module '%s': the runner %s",
	    id, text.data);
	if (yyjson_is_str(advice))
		w_suggest(err, "%s", yyjson_get_str(advice));
	yyjson_doc_free(doc);
	return WRIT_E_RUNNER;
}

static writ_status
fail_timeout(const char *id, const writ_result *result, writ_error *err)
{
	uint64_t limit =
	    result->limit_value != 0 ? result->limit_value : result->timeout_ms;
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(limit, text);
	return w_fail(err, WRIT_E_TIMEOUT, STAGE, 0,
	    "module '%s': timed out after %s", id, text);
}

static writ_status
fail_long(const char *id, const writ_output *out, writ_error *err)
{
	(void)w_fail(err, WRIT_E_PARSE, STAGE, 0,
	    "module '%s': the runner's result is longer than the limit: "
	    "%" PRIu64 " bytes, of which %zu were kept",
	    id, out->bytes, out->head_len + out->tail_len);
	w_suggest(err, "give the module a smaller output_limit");
	return WRIT_E_PARSE;
}

/* ---- the result ---- */

static writ_status
check_result(const char *id, struct w_isolated_text text, writ_error *err)
{
	yyjson_read_err why = {.msg = NULL};
	yyjson_doc *doc;

	if (text.len == 0)
		return w_fail(err, WRIT_E_PARSE, STAGE, 0,
		    "module '%s': the runner wrote no result", id);
	/* Not modified despite its type, since the flag for in-situ parsing
	 * is off. */
	doc = yyjson_read_opts((char *)(uintptr_t)text.at, text.len,
	    YYJSON_READ_BIGNUM_AS_RAW, NULL, &why);
	if (doc == NULL && why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
		return w_fail_nomem(err, STAGE);
	if (doc == NULL)
		return w_fail(err, WRIT_E_PARSE, STAGE, 0,
		    "module '%s': what the runner wrote is not JSON: %s at "
		    "byte %zu",
		    id, why.msg, why.pos);
	bool is_object = yyjson_is_obj(yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return is_object ? WRIT_OK
			 : w_fail(err, WRIT_E_PARSE, STAGE, 0,
			       "module '%s': what the runner wrote is JSON, "
			       "but not an "
			       "object",
			       id);
}

writ_status
writ_isolated_decode(const char *id, const writ_result *result, char **out_json,
    size_t *out_len, writ_error *err)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	struct w_isolated_text text = {out->head, out->head_len};
	char *json;

	if (result->outcome == WRIT_TIMED_OUT ||
	    result->outcome == WRIT_IDLE_TIMED_OUT)
		return fail_timeout(id, result, err);
	if (result->outcome != WRIT_EXITED || !result->status_known ||
	    result->exit_code != 0 || result->signal != 0)
		return fail_runner(id, result, err);
	if (out->truncated)
		return fail_long(id, out, err);
	text = w_isolated_trim(text);

	writ_status status = check_result(id, text, err);
	if (status != WRIT_OK)
		return status;
	json = strndup(text.at, text.len);
	if (json == NULL)
		return w_fail_nomem(err, STAGE);
	*out_json = json;
	if (out_len != NULL)
		*out_len = text.len;
	return WRIT_OK;
}
