/* SPDX-License-Identifier: Apache-2.0 */

/* The audit record of a run in the JSON of its result. */

#include "engine/result/result_record.h"

#include <string.h>

#include "base/sha256.h"
#include "data/json_fields.h"

/* Keys, numbers, digests. */
#define FRAME_MAX  (256 + 2 * W_SHA256_HEX)

#define AT(member) W_JSON_AT(writ_result, member)

static const struct w_json_field audit_fields[] = {
    {"begin", W_JSON_UINT, AT(begin_seq), .flags = W_JSON_ZERO_NULL},
    {"end", W_JSON_UINT, AT(end_seq), .flags = W_JSON_ZERO_NULL},
    {"error", W_JSON_STRING, AT(unrecorded), .flags = W_JSON_OMIT_EMPTY},
    {.key = NULL},
};

static const struct w_json_field policy_fields[] = {
    {"decision", W_JSON_STRING, AT(decision)},
    {"rule", W_JSON_STRING, AT(rule)},
    {"grant", W_JSON_STRING, AT(grant), .flags = W_JSON_OMIT_EMPTY},
    {"approval", W_JSON_STRING, AT(approval), .flags = W_JSON_OMIT_EMPTY},
    {.key = NULL},
};

void
w_result_record_add(struct w_buf *buf, const writ_result *result)
{
	const bool is_recorded =
	    result->begin_seq != 0 || result->unrecorded != NULL;

	w_json_add_text_member(
	    buf, "stdout_sha256", result->sha256[WRIT_STDOUT]);
	w_json_add_text_member(
	    buf, "stderr_sha256", result->sha256[WRIT_STDERR]);
	w_json_add_path_member(buf, "recording", result->recording);
	w_json_add_number_member(
	    buf, "recording_bytes", result->recording_bytes);
	w_json_add_object_member(
	    buf, "audit", audit_fields, is_recorded ? result : NULL);
	w_json_add_object_member(buf, "policy", policy_fields,
	    result->decision == NULL ? NULL : result);
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
