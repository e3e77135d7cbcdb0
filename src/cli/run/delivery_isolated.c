/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shows the result of a call that ran in a process of its own, the module
 * runner. Its answer is a result as JSON. Output and exit status are the same
 * as those of a direct call.
 */

#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/encode.h"
#include "base/signal_name.h"
#include "cli/output/print.h"
#include "cli/run/delivery.h"

#define OUTPUT_MAX ((size_t)256 << 20)

static void
add_coded(struct w_buf *bytes, yyjson_val *coded)
{
	if (yyjson_is_str(coded))
		(void)w_base64_decode(
		    bytes, yyjson_get_str(coded), yyjson_get_len(coded));
}

static void
emit_bytes(struct w_watch *watch, writ_stream stream, const struct w_buf *bytes)
{
	struct w_sanitizer sanitizer = {.state = W_SANITIZER_TEXT};
	W_AUTO_BUF struct w_buf sanitized;

	w_buf_init(&sanitized, 3 * OUTPUT_MAX);
	if (!w_watch_is_sanitized(watch, stream)) {
		w_delivery_emit(watch, stream, bytes->data, bytes->len);
		return;
	}
	w_sanitizer_add(&sanitizer, &sanitized, bytes->data, bytes->len);
	w_sanitizer_end(&sanitizer, &sanitized);
	w_delivery_emit(watch, stream, sanitized.data, sanitized.len);
}

/* Output is a string, or {"b64":"..."} if it is not UTF-8, with "tail_b64" if
 * its middle was not kept. */
static void
emit_output(struct w_watch *watch, yyjson_val *answer, writ_stream stream)
{
	yyjson_val *output =
	    yyjson_obj_get(answer, stream == WRIT_STDOUT ? "stdout" : "stderr");
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, OUTPUT_MAX);
	if (yyjson_is_str(output))
		w_buf_add(
		    &bytes, yyjson_get_str(output), yyjson_get_len(output));
	add_coded(&bytes, yyjson_obj_get(output, "b64"));
	add_coded(&bytes, yyjson_obj_get(output, "tail_b64"));
	emit_bytes(watch, stream, &bytes);
}

static bool
delivery_isolated_is_text(yyjson_val *answer, const char *key, const char *text)
{
	return yyjson_equals_str(yyjson_obj_get(answer, key), text);
}

static int
exit_of(yyjson_val *answer)
{
	yyjson_val *code = yyjson_obj_get(answer, "exit_code");
	const char *name = yyjson_get_str(yyjson_obj_get(answer, "signal"));
	const int signal = name != NULL ? w_signal_find(name) : 0;

	if (delivery_isolated_is_text(answer, "outcome", "timed_out") ||
	    delivery_isolated_is_text(answer, "outcome", "idle_timed_out"))
		return writ_status_exit(WRIT_E_TIMEOUT);
	if (signal != 0)
		return 128 + signal;
	return yyjson_is_int(code) ? yyjson_get_int(code) : 125;
}

/* The notes of run_notes.c, from JSON. */
static void
note_ending(const struct w_watch *watch, yyjson_val *answer)
{
	const char *outcome = yyjson_get_str(yyjson_obj_get(answer, "outcome"));
	const char *limit = yyjson_get_str(yyjson_obj_get(answer, "limit"));
	char timeout[W_DURATION_TEXT_MAX];

	if (watch->options->is_quiet || outcome == NULL)
		return;
	if (yyjson_is_true(yyjson_obj_get(answer, "stdout_truncated")) ||
	    yyjson_is_true(yyjson_obj_get(answer, "stderr_truncated")))
		w_print_note("only the head and the tail of the output were "
			     "kept; --output-limit takes another size");
	if (strcmp(outcome, "timed_out") == 0) {
		w_duration_format(
		    yyjson_get_uint(yyjson_obj_get(answer, "timeout_ms")),
		    timeout);
		w_print_note("timed out after %s", timeout);
	} else if (strcmp(outcome, "idle_timed_out") == 0) {
		w_print_note("ended: no output for too long");
	} else if (limit != NULL) {
		w_print_note("ended: limit reached: %s", limit);
	}
}

/* After a timeout the error contains the output so far. */
static void
emit_unfinished(struct w_watch *watch, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);
	yyjson_val *error = yyjson_obj_get(yyjson_doc_get_root(doc), "error");
	yyjson_val *answer =
	    yyjson_obj_get(yyjson_obj_get(error, "details"), "result");

	if (answer != NULL) {
		emit_output(watch, answer, WRIT_STDOUT);
		emit_output(watch, answer, WRIT_STDERR);
	}
	yyjson_doc_free(doc);
}

static void
delivery_isolated_fail(struct w_watch *watch, const writ_error *err)
{
	const int code = watch->result->exit_code;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	/* The runner exits with the status of its own error. */
	watch->exit_code =
	    err->status == WRIT_E_RUNNER && code >= 124 && code <= 127
		? code
		: writ_status_exit(err->status);
	if (writ_isolated_error_json(watch->options->isolated_id, watch->result,
		err, &json, &len) != WRIT_OK) {
		w_print_error(err, NULL);
	} else if (watch->options->is_json) {
		w_delivery_emit(watch, WRIT_STDOUT, json, len);
		w_delivery_emit(watch, WRIT_STDOUT, "\n", 1);
	} else {
		emit_unfinished(watch, json, len);
		w_print_error(err, NULL);
	}
}

static void
delivery_isolated_show(struct w_watch *watch, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);
	yyjson_val *answer = yyjson_doc_get_root(doc);

	watch->exit_code = exit_of(answer);
	if (watch->options->is_json) {
		w_delivery_emit(watch, WRIT_STDOUT, json, len);
		w_delivery_emit(watch, WRIT_STDOUT, "\n", 1);
	} else {
		emit_output(watch, answer, WRIT_STDOUT);
		emit_output(watch, answer, WRIT_STDERR);
		note_ending(watch, answer);
	}
	yyjson_doc_free(doc);
}

void
w_delivery_isolated(struct w_watch *watch)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_error err;

	if (watch->result->outcome == WRIT_CANCELLED)
		return;
	if (writ_isolated_decode(watch->options->isolated_id, watch->result,
		&json, &len, &err) == WRIT_OK)
		delivery_isolated_show(watch, json, len);
	else
		delivery_isolated_fail(watch, &err);
}
