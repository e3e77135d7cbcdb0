/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A result as one JSON object on one line. Text stays text; bytes that are not
 * UTF-8 become base64 and are exact. Whatever a command wrote, the line is
 * valid JSON.
 */

#include "engine/result/result_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "audit/record/record.h"
#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"
#include "base/error.h"
#include "base/signal_name.h"
#include "base/size.h"
#include "data/json_fields.h"
#include "engine/result/result_record.h"
#include "engine/result/result_sandbox.h"

/* One byte becomes at most six characters ("\u0000"). */
#define ESCAPE_MAX 6

/* Room for the keys, the numbers and the omission marks. */
#define FRAME_MAX 4096

/* Output is written in pieces of so many bytes. Base64 turns three into four,
 * so only the last piece may be another number. */
#define PIECE (3 * 4096)

/* Where the object goes. */
struct result_json_writer {
	struct w_buf buf;
	writ_json_fn write; /* NULL: it stays in buf */
	void *ctx;
	bool has_ended; /* write wants no more */
};

/* The document so far. */
static void
pass_on(struct result_json_writer *writer)
{
	struct w_buf *buf = &writer->buf;

	if (writer->write == NULL || buf->failed || buf->len == 0)
		return;
	if (!writer->has_ended &&
	    !writer->write(writer->ctx, buf->data, buf->len))
		writer->has_ended = true;
	buf->len = 0;
	buf->data[0] = '\0';
}

static void
add_base64(struct result_json_writer *writer, const char *bytes, size_t len)
{
	w_buf_add_char(&writer->buf, '"');
	while (len > 0) {
		const size_t part = len < PIECE ? len : PIECE;

		w_base64_add(&writer->buf, bytes, part);
		bytes += part;
		len -= part;
		pass_on(writer);
	}
	w_buf_add_char(&writer->buf, '"');
}

/* Text is UTF-8. */
static void
add_text(struct result_json_writer *writer, const char *text, size_t len)
{
	while (len > 0) {
		const size_t part =
		    len <= PIECE ? len : w_utf8_trim_end(text, PIECE);

		w_json_add_chars(&writer->buf, text, part);
		text += part;
		len -= part;
		pass_on(writer);
	}
}

static void
add_cut_bytes(struct result_json_writer *writer, const writ_output *out)
{
	w_buf_add_str(&writer->buf, "{\"b64\":");
	add_base64(writer, out->head, out->head_len);
	w_buf_add_str(&writer->buf, ",\"tail_b64\":");
	add_base64(writer, out->tail, out->tail_len);
	w_buf_add_fmt(&writer->buf, ",\"omitted\":%" PRIu64 "}",
	    out->bytes - out->head_len - out->tail_len);
}

/* The middle is missing, and the cuts may split a character. */
static void
add_cut(struct result_json_writer *writer, const writ_output *out)
{
	size_t head_len = w_utf8_trim_end(out->head, out->head_len);
	size_t skip = w_utf8_trim_start(out->tail, out->tail_len);
	const char *tail = out->tail + skip;
	size_t tail_len = out->tail_len - skip;

	if (!w_utf8_valid(out->head, head_len) ||
	    !w_utf8_valid(tail, tail_len)) {
		add_cut_bytes(writer, out);
		return;
	}
	w_buf_add_char(&writer->buf, '"');
	add_text(writer, out->head, head_len);
	w_buf_add_fmt(&writer->buf, "\\n[... %" PRIu64 " bytes omitted ...]\\n",
	    out->bytes - head_len - tail_len);
	add_text(writer, tail, tail_len);
	w_buf_add_char(&writer->buf, '"');
}

static void
add_whole(struct result_json_writer *writer, const writ_output *out)
{
	const bool is_text = w_utf8_valid(out->head, out->head_len);

	if (is_text) {
		w_buf_add_char(&writer->buf, '"');
		add_text(writer, out->head, out->head_len);
		w_buf_add_char(&writer->buf, '"');
	} else {
		w_buf_add_str(&writer->buf, "{\"b64\":");
		add_base64(writer, out->head, out->head_len);
		w_buf_add_char(&writer->buf, '}');
	}
}

static void
result_json_add_output(
    struct result_json_writer *writer, const writ_output *out)
{
	if (out->truncated)
		add_cut(writer, out);
	else
		add_whole(writer, out);
}

static void
result_json_add_ending(
    struct w_buf *buf, const writ_result *result, bool is_running)
{
	char name[W_SIGNAL_NAME_MAX];

	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "run_id", result->run_id);
	w_json_add_text_member(buf, "trace_id", result->trace_id);
	w_json_add_text_member(buf, "module_id", result->module_id);
	w_json_add_text_member(buf, "outcome",
	    is_running ? "running" : writ_outcome_word(result->outcome));
	w_buf_add_fmt(buf, ",\"exit_code\":%d,\"signal\":", result->exit_code);
	w_json_add_text(buf,
	    result->signal == 0 ? NULL : w_signal_name(result->signal, name));
	if (!result->status_known)
		w_buf_add_str(buf, ",\"status\":\"unknown\"");
	w_json_add_text_member(buf, "limit", writ_limit_word(result->limit));
}

static void
add_streams(struct result_json_writer *writer, const writ_result *result)
{
	struct w_buf *buf = &writer->buf;
	const writ_output *out = &result->out[WRIT_STDOUT];
	const writ_output *err = &result->out[WRIT_STDERR];

	w_buf_add_str(buf, ",\"stdout\":");
	result_json_add_output(writer, out);
	w_buf_add_str(buf, ",\"stderr\":");
	result_json_add_output(writer, err);
	w_json_add_number_member(buf, "stdout_bytes", out->bytes);
	w_json_add_number_member(buf, "stderr_bytes", err->bytes);
	w_json_add_bool_member(buf, "stdout_truncated", out->truncated);
	w_json_add_bool_member(buf, "stderr_truncated", err->truncated);
}

/* It has no newline, so the line stays one. */
static void
add_json_output(struct w_buf *buf, const writ_result *result)
{
	if (result->json_output != NULL) {
		w_buf_add_str(buf, ",\"json_output\":");
		w_buf_add_str(buf, result->json_output);
	}
	if (result->json_error != NULL)
		w_json_add_text_member(buf, "json_error", result->json_error);
}

#define AT(member) W_JSON_AT(writ_result, member)

static const struct w_json_field time_fields[] = {
    {"duration_ms", W_JSON_UINT, AT(duration_ms)},
    {"timeout_ms", W_JSON_UINT, AT(timeout_ms), .flags = W_JSON_ZERO_NULL},
    {.key = NULL},
};

static const struct w_json_field usage_fields[] = {
    {"user_ms", W_JSON_UINT, AT(user_ms)},
    {"system_ms", W_JSON_UINT, AT(system_ms)},
    {"max_rss_kib", W_JSON_UINT, AT(max_rss_kib)},
    {.key = NULL},
};

static void
add_tree_word(struct w_buf *buf, const void *result)
{
	w_json_add_text(
	    buf, writ_tree_word(((const writ_result *)result)->tree));
}

static const struct w_json_field tree_fields[] = {
    {"killed", W_JSON_UINT, AT(killed)},
    {"background", W_JSON_UINT, AT(background)},
    {"tree", W_JSON_ADDED, .add = add_tree_word},
    {"tree_by", W_JSON_STRING, AT(tree_by)},
    {"memory_by", W_JSON_STRING, AT(memory_by)},
    {"cpu_by", W_JSON_STRING, AT(cpu_by)},
    {"processes_by", W_JSON_STRING, AT(processes_by)},
    {"open_files", W_JSON_UINT, AT(open_files), .flags = W_JSON_ZERO_NULL},
    {.key = NULL},
};

static void
add_spill_error(struct w_buf *buf, const char *key, int spill_errno)
{
	const char *text = spill_errno == EFBIG ? "spill limit reached"
						: strerrordesc_np(spill_errno);

	if (spill_errno == 0)
		return;
	w_json_add_text_member(buf, key, text != NULL ? text : "unknown error");
}

static void
add_spill(struct w_buf *buf, const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	const writ_output *err = &result->out[WRIT_STDERR];

	w_json_add_path_member(buf, "stdout_spill", out->spill_path);
	w_json_add_path_member(buf, "stderr_spill", err->spill_path);
	add_spill_error(buf, "stdout_spill_error", out->spill_errno);
	add_spill_error(buf, "stderr_spill_error", err->spill_errno);
}

static size_t
text_len(const char *text)
{
	return text == NULL ? 0 : strlen(text);
}

/* The maximum length of this result as JSON. */
static int
result_json_measure(const writ_result *result, size_t *out_max)
{
	const size_t parts[] = {
	    result->out[0].head_len,
	    result->out[0].tail_len,
	    result->out[1].head_len,
	    result->out[1].tail_len,
	    text_len(result->out[0].spill_path),
	    text_len(result->out[1].spill_path),
	    text_len(result->run_id),
	    text_len(result->trace_id),
	    text_len(result->module_id),
	    text_len(result->json_output),
	    text_len(result->json_error),
	    text_len(result->execs),
	    text_len(result->changes),
	};
	size_t sum = FRAME_MAX + w_result_sandbox_max(result) +
		     w_result_record_max(result);

	for (size_t i = 0;
	     result->changed != NULL && result->changed[i] != NULL; i++)
		sum += strlen(result->changed[i]) + 4;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!w_size_add(sum, parts[i], &sum))
			return 0;
	}
	return w_size_mul(sum, ESCAPE_MAX, out_max);
}

/* Fails if the length of the result cannot be told. */
static writ_status
result_json_add(struct result_json_writer *writer, const writ_result *result,
    bool is_running, writ_error *err)
{
	struct w_buf *buf = &writer->buf;
	size_t max;

	if (!result_json_measure(result, &max))
		return w_fail_nomem(err, "result");
	w_buf_init(buf, max);
	result_json_add_ending(buf, result, is_running);
	add_streams(writer, result);
	add_json_output(buf, result);
	w_json_add_fields(buf, time_fields, result);
	w_json_add_object_member(
	    buf, "usage", usage_fields, is_running ? NULL : result);
	w_json_add_fields(buf, tree_fields, result);
	add_spill(buf, result);
	w_result_record_add(buf, result);
	w_result_sandbox_add(buf, result);
	if (result->execs != NULL) {
		w_buf_add_str(buf, ",\"execs\":");
		w_buf_add_str(buf, result->execs);
	}
	if (result->changes != NULL) {
		w_buf_add_str(buf, ",\"changes\":");
		w_buf_add_str(buf, result->changes);
		w_buf_add_str(buf, ",\"changed\":");
		w_json_add_list(buf, result->changed);
		w_record_add_held(buf, result);
	}
	w_buf_add_char(buf, '}');
	return WRIT_OK;
}

writ_status
w_result_json(const writ_result *result, bool is_running, char **out_json,
    size_t *out_len, writ_error *err)
{
	struct result_json_writer writer = {.write = NULL};
	writ_status status = result_json_add(&writer, result, is_running, err);

	if (status != WRIT_OK)
		return status;
	status = w_json_take(&writer.buf, "result", out_json, out_len, err);
	w_buf_done(&writer.buf);
	return status;
}

writ_status
writ_result_json(const writ_result *result, char **out_json, size_t *out_len,
    writ_error *err)
{
	return w_result_json(result, false, out_json, out_len, err);
}

writ_status
writ_result_write_json(
    const writ_result *result, writ_json_fn write, void *ctx, writ_error *err)
{
	struct result_json_writer writer = {.write = write, .ctx = ctx};
	writ_status status = result_json_add(&writer, result, false, err);

	if (status != WRIT_OK)
		return status;
	if (writer.buf.failed)
		status = w_fail_nomem(err, "result");
	pass_on(&writer);
	w_buf_done(&writer.buf);
	return status;
}
