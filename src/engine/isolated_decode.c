/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a runner answered.
 *
 * A runner has one line to say on its standard output. Anything but a whole
 * JSON object there, however it came about, is no result; and a runner that
 * did not exit with 0 has none, whatever it wrote.
 */

#include <writ/module.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/encode.h"
#include "base/error.h"
#include "data/json.h"

#define STAGE "isolated"

/* The most of a runner's own words that goes into a message. */
#define SHOWN 160

/* The most of its standard error that goes into an error's details. */
#define STDERR_MAX 8192

/* ---- what it said on standard error ---- */

struct text {
	const char *at;
	size_t len;
};

/* What is left of standard error: the end, where the reason stands. */
static struct text
last_words(const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDERR];
	struct text text = {out->head, out->head_len};

	if (out->truncated && out->tail_len > 0)
		text = (struct text){out->tail, out->tail_len};
	return text;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct text
last_line(struct text text)
{
	while (text.len > 0 && is_blank(text.at[text.len - 1]))
		text.len--;

	const char *newline =
	    text.len == 0 ? NULL : memrchr(text.at, '\n', text.len);
	if (newline != NULL) {
		text.len -= (size_t)(newline + 1 - text.at);
		text.at = newline + 1;
	}
	return text;
}

/* The error that a runner reported: the member "error" of its last line. The
 * document is the caller's to free. */
static yyjson_val *
find_cause(const writ_result *result, yyjson_doc **out_doc)
{
	struct text line = last_line(last_words(result));

	*out_doc = line.len == 0 ? NULL : yyjson_read(line.at, line.len, 0);
	yyjson_val *cause =
	    yyjson_obj_get(yyjson_doc_get_root(*out_doc), "error");
	return yyjson_is_str(yyjson_obj_get(cause, "code")) &&
		       yyjson_is_str(yyjson_obj_get(cause, "message"))
		   ? cause
		   : NULL;
}

/* ": " and why, for a message. Control characters would break its line. */
static void
add_reason(struct w_buf *buf, const char *text, size_t len)
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

#define SIGNAL_NAME_MAX 24

static const char *
signal_name(int signal, char out[SIGNAL_NAME_MAX])
{
	const char *name = sigabbrev_np(signal);

	if (name != NULL)
		(void)snprintf(out, SIGNAL_NAME_MAX, "SIG%s", name);
	else
		(void)snprintf(out, SIGNAL_NAME_MAX, "SIG%d", signal);
	return out;
}

static writ_status
fail_runner(const char *id, const writ_result *result, writ_error *err)
{
	yyjson_doc *doc = NULL;
	char name[SIGNAL_NAME_MAX];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, sizeof(err->message));
	if (!result->status_known)
		w_buf_add_str(&text, "ended in a way that nobody saw");
	else if (result->signal != 0)
		w_buf_add_fmt(&text, "was ended by %s%s%s",
		    signal_name(result->signal, name),
		    result->outcome == WRIT_SIGNALED ? "" : ", ",
		    result->outcome == WRIT_SIGNALED
			? ""
			: writ_outcome_word(result->outcome));
	else
		w_buf_add_fmt(&text, "exited with code %d", result->exit_code);

	yyjson_val *cause = find_cause(result, &doc);
	yyjson_val *message = yyjson_obj_get(cause, "message");
	yyjson_val *advice = yyjson_obj_get(cause, "suggestion");
	struct text line = last_line(last_words(result));
	if (cause != NULL)
		line = (struct text){
		    yyjson_get_str(message), yyjson_get_len(message)};
	add_reason(&text, line.at, line.len);
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

static bool
has_ended_well(const writ_result *result)
{
	return result->outcome == WRIT_EXITED && result->status_known &&
	       result->exit_code == 0 && result->signal == 0;
}

static writ_status
check_result(const char *id, struct text text, writ_error *err)
{
	yyjson_read_err why = {.msg = NULL};
	yyjson_doc *doc;

	if (text.len == 0)
		return w_fail(err, WRIT_E_PARSE, STAGE, 0,
		    "module '%s': the runner wrote no result", id);
	/* Not changed, in spite of its type, without the flag for that. */
	doc = yyjson_read_opts(
	    (char *)(uintptr_t)text.at, text.len, 0, NULL, &why);
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
			       "but no object",
			       id);
}

writ_status
writ_isolated_decode(const char *id, const writ_result *result, char **out_json,
    size_t *out_len, writ_error *err)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	struct text text = {out->head, out->head_len};
	char *json;

	if (result->outcome == WRIT_TIMED_OUT ||
	    result->outcome == WRIT_IDLE_TIMED_OUT)
		return fail_timeout(id, result, err);
	if (!has_ended_well(result))
		return fail_runner(id, result, err);
	if (out->truncated)
		return fail_long(id, out, err);
	while (text.len > 0 && is_blank(text.at[text.len - 1]))
		text.len--;

	writ_status status = check_result(id, text, err);
	if (status != WRIT_OK)
		return status;
	json = strndup(text.at, text.len);
	if (json == NULL)
		return w_fail_nomem(err, STAGE);
	*out_json = json;
	*out_len = text.len;
	return WRIT_OK;
}

/* ---- the error as JSON ---- */

static void
add_cause(struct w_buf *buf, const writ_result *result)
{
	yyjson_doc *doc = NULL;
	yyjson_val *cause = find_cause(result, &doc);
	size_t len = 0;
	char *text = cause == NULL ? NULL : yyjson_val_write(cause, 0, &len);

	if (text != NULL) {
		w_buf_add_str(buf, ",\"cause\":");
		w_buf_add(buf, text, len);
	}
	free(text);
	yyjson_doc_free(doc);
}

/* A runner that was told to end has still said how far its module came. */
static void
add_answer(struct w_buf *buf, const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	yyjson_doc *doc =
	    out->truncated ? NULL : yyjson_read(out->head, out->head_len, 0);
	size_t len = 0;
	char *text = NULL;

	if (yyjson_is_obj(yyjson_doc_get_root(doc)))
		text = yyjson_write(doc, 0, &len);
	if (text != NULL) {
		w_buf_add_str(buf, ",\"result\":");
		w_buf_add(buf, text, len);
	}
	free(text);
	yyjson_doc_free(doc);
}

static void
add_details(struct w_buf *buf, const char *id, const writ_result *result)
{
	struct text said = last_words(result);
	char name[SIGNAL_NAME_MAX];

	if (said.len > STDERR_MAX) {
		said.at += said.len - STDERR_MAX;
		said.len = STDERR_MAX;
		size_t skip = w_utf8_trim_start(said.at, said.len);
		said.at += skip;
		said.len -= skip;
	}
	w_buf_add_str(buf, ",\"module_id\":");
	w_json_add_path(buf, id);
	w_buf_add_fmt(buf, ",\"exit_code\":%d,\"signal\":", result->exit_code);
	w_json_add_text(buf,
	    result->signal == 0 ? NULL : signal_name(result->signal, name));
	w_buf_add_fmt(
	    buf, ",\"timeout_ms\":%" PRIu64 ",\"stderr\":", result->timeout_ms);
	w_json_add_bytes(buf, said.at, said.len);
	w_buf_add_str(buf, ",\"run_id\":");
	w_json_add_text(buf, result->run_id);
	add_cause(buf, result);
	if (result->outcome == WRIT_TIMED_OUT ||
	    result->outcome == WRIT_CANCELLED)
		add_answer(buf, result);
}

writ_status
writ_isolated_error_json(const char *id, const writ_result *result,
    const writ_error *error, char **out_json, size_t *out_len)
{
	/* {"error":{...,"details":{...}}}: the details are its end. */
	static const char end[] = "}}}";
	W_AUTO_FREE char *plain = NULL;
	size_t plain_len = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, SIZE_MAX / 2);
	writ_status status = writ_error_json(error, &plain, &plain_len);
	if (status != WRIT_OK)
		return status;
	w_buf_add(&buf, plain, plain_len - (sizeof(end) - 1));
	add_details(&buf, id, result);
	w_buf_add_str(&buf, end);

	char *json = w_buf_take(&buf, out_len);
	if (json == NULL)
		return WRIT_E_NOMEM;
	*out_json = json;
	return WRIT_OK;
}
