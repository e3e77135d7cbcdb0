/* SPDX-License-Identifier: Apache-2.0 */

/* The error of an isolated call as JSON, with everything its runner
 * reported. */

#include <inttypes.h>
#include <stdlib.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"
#include "base/signal_name.h"
#include "data/json.h"
#include "engine/isolate/isolated.h"

/* How much of its standard error is shown, in bytes. */
#define STDERR_MAX 8192

static void
add_cause(struct w_buf *buf, const writ_result *result)
{
	yyjson_doc *doc = NULL;
	yyjson_val *cause = w_isolated_cause(result, &doc);
	size_t len = 0;
	char *text = cause == NULL ? NULL : yyjson_val_write(cause, 0, &len);

	if (text != NULL) {
		w_buf_add_str(buf, ",\"cause\":");
		w_buf_add(buf, text, len);
	}
	free(text);
	yyjson_doc_free(doc);
}

/* A runner that was told to end has still reported the result so far. */
static void
isolated_error_add_answer(struct w_buf *buf, const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	yyjson_doc *doc = out->truncated ? NULL
					 : yyjson_read(out->head, out->head_len,
					       YYJSON_READ_BIGNUM_AS_RAW);
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
	struct w_isolated_text said = w_isolated_stderr(result);
	char name[W_SIGNAL_NAME_MAX];

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
	    result->signal == 0 ? NULL : w_signal_name(result->signal, name));
	w_buf_add_fmt(
	    buf, ",\"timeout_ms\":%" PRIu64 ",\"stderr\":", result->timeout_ms);
	w_json_add_bytes(buf, said.at, said.len);
	w_buf_add_str(buf, ",\"run_id\":");
	w_json_add_text(buf, result->run_id);
	add_cause(buf, result);
	if (result->outcome == WRIT_TIMED_OUT ||
	    result->outcome == WRIT_CANCELLED)
		isolated_error_add_answer(buf, result);
}

writ_status
writ_isolated_error_json(const char *id, const writ_result *result,
    const writ_error *error, char **out_json, size_t *out_len)
{
	/* {"error":{...,"details":{...}}}: the details are last. */
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
	return w_json_take(&buf, "json", out_json, out_len, NULL);
}
