/* SPDX-License-Identifier: Apache-2.0 */

/* The audit record of a run in the JSON of its result. */

#include "engine/result/result_record.h"

#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"
#include "data/json.h"

/* Keys, numbers, digests. */
#define FRAME_MAX (256 + 2 * W_SHA256_HEX)

static void
add_seq(struct w_buf *buf, const char *key, uint64_t seq)
{
	if (seq == 0)
		w_buf_add_fmt(buf, "\"%s\":null", key);
	else
		w_buf_add_fmt(buf, "\"%s\":%" PRIu64, key, seq);
}

static void
add_audit(struct w_buf *buf, const writ_result *result)
{
	w_buf_add_str(buf, ",\"audit\":");
	if (result->begin_seq == 0 && result->unrecorded == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_char(buf, '{');
	add_seq(buf, "begin", result->begin_seq);
	w_buf_add_char(buf, ',');
	add_seq(buf, "end", result->end_seq);
	if (result->unrecorded != NULL) {
		w_json_add_path_member(buf, "error", result->unrecorded);
	}
	w_buf_add_char(buf, '}');
}

static void
result_record_add_policy(struct w_buf *buf, const writ_result *result)
{
	w_buf_add_str(buf, ",\"policy\":");
	if (result->decision == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_fmt(buf, "{\"decision\":\"%s\"", result->decision);
	w_json_add_path_member(buf, "rule", result->rule);
	if (result->grant != NULL)
		w_json_add_path_member(buf, "grant", result->grant);
	if (result->approval != NULL)
		w_json_add_path_member(buf, "approval", result->approval);
	w_buf_add_char(buf, '}');
}

void
w_result_record_add(struct w_buf *buf, const writ_result *result)
{
	w_json_add_text_member(
	    buf, "stdout_sha256", result->sha256[WRIT_STDOUT]);
	w_json_add_text_member(
	    buf, "stderr_sha256", result->sha256[WRIT_STDERR]);
	w_json_add_path_member(buf, "recording", result->recording);
	w_buf_add_fmt(
	    buf, ",\"recording_bytes\":%" PRIu64, result->recording_bytes);
	add_audit(buf, result);
	result_record_add_policy(buf, result);
}

static size_t
text_len(const char *text)
{
	return text == NULL ? 0 : strlen(text);
}

size_t
w_result_record_max(const writ_result *result)
{
	return FRAME_MAX + text_len(result->recording) +
	       text_len(result->unrecorded) + text_len(result->rule) +
	       text_len(result->grant) + text_len(result->approval);
}
