/* SPDX-License-Identifier: Apache-2.0 */

/* The records of how runs ended. */

#include <string.h>

#include "audit/record/record.h"
#include "base/basename.h"
#include "base/signal_name.h"
#include "data/json.h"

#define WORD(name, word) word,

static const char *const outcome_words[] = {WRIT_OUTCOME_MAP(WORD)};
static const char *const limit_words[] = {WRIT_LIMIT_MAP(WORD)};
static const char *const tree_words[] = {WRIT_TREE_MAP(WORD)};

static void
add_opening(struct w_buf *buf, const char *run_id)
{
	w_buf_add_str(buf, "\"kind\":\"end\",\"run\":");
	w_json_add_text(buf, run_id);
	w_buf_add_str(buf, ",\"outcome\":");
}

static void
record_end_add_usage(struct w_buf *buf, const writ_result *result)
{
	w_record_add_number(buf, "duration_ms", result->duration_ms);
	w_buf_add_str(buf, ",\"usage\":{\"user_ms\":");
	w_record_add_decimal(buf, result->user_ms);
	w_record_add_number(buf, "system_ms", result->system_ms);
	w_record_add_number(buf, "max_rss_kib", result->max_rss_kib);
	w_buf_add_char(buf, '}');
	w_record_add_number(buf, "killed", result->killed);
	w_record_add_number(buf, "background", result->background);
}

static void
record_end_add_stream(struct w_buf *buf, const char *key,
    const writ_result *result, writ_stream stream)
{
	w_buf_add_char(buf, ',');
	w_json_add_text(buf, key);
	w_buf_add_str(buf, ":{\"bytes\":");
	w_record_add_decimal(buf, result->out[stream].bytes);
	w_buf_add_str(buf, ",\"sha256\":");
	w_json_add_text(buf, result->sha256[stream]);
	w_buf_add_char(buf, '}');
}

/* Only its name: the state directory may move, and the reader knows it. */
static void
add_kept(struct w_buf *buf, const writ_result *result, bool is_whole)
{
	w_buf_add_str(buf, ",\"kept\":");
	if (result->recording == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_str(buf, "{\"file\":");
	w_json_add_path(buf, w_basename(result->recording));
	w_record_add_number(buf, "bytes", result->recording_bytes);
	w_buf_add_str(buf, is_whole ? ",\"whole\":true}" : ",\"whole\":false}");
}

void
w_record_add_end(struct w_buf *buf, const writ_result *result, bool is_whole,
    bool shows_names)
{
	const int code = result->exit_code;
	char name[W_SIGNAL_NAME_MAX];

	add_opening(buf, result->run_id);
	w_json_add_text(buf, outcome_words[result->outcome]);
	w_buf_add_str(buf, code < 0 ? ",\"exit_code\":-" : ",\"exit_code\":");
	w_record_add_decimal(
	    buf, code < 0 ? (uint64_t) - (int64_t)code : (uint64_t)code);
	w_json_add_text_member(buf, "signal",
	    result->signal == 0 ? NULL : w_signal_name(result->signal, name));
	if (!result->status_known)
		w_buf_add_str(buf, ",\"status\":\"unknown\"");
	w_buf_add_str(buf, ",\"limit\":");
	w_json_add_text(buf, limit_words[result->limit]);
	record_end_add_usage(buf, result);
	w_buf_add_str(buf, ",\"tree\":");
	w_json_add_text(buf, tree_words[result->tree]);
	w_buf_add_str(buf, ",\"layers\":");
	w_json_add_list(buf, result->layers);
	w_buf_add_str(buf, ",\"missing\":");
	w_json_add_list(buf, result->missing);
	record_end_add_stream(buf, "stdout", result, WRIT_STDOUT);
	record_end_add_stream(buf, "stderr", result, WRIT_STDERR);
	add_kept(buf, result, is_whole);
	if (result->wall_denial_count > 0)
		w_record_add_denials(buf, result, shows_names);
	if (result->trigger_count > 0)
		w_record_add_triggers(buf, result);
	if (result->execs != NULL) {
		w_buf_add_str(buf, ",\"execs\":");
		w_buf_add_str(buf, result->execs);
	}
	if (result->changes != NULL) {
		w_buf_add_str(buf, ",\"changes\":");
		w_buf_add_str(buf, result->changes);
		if (result->held_count > 0)
			w_record_add_held(buf, result);
	}
}

void
w_record_add_failed(struct w_buf *buf, struct w_redactor *redactor,
    const char *run_id, const writ_error *error)
{
	add_opening(buf, run_id);
	w_buf_add_str(buf, "null,\"error\":");
	w_record_add_error(buf, redactor, error);
	w_buf_add_str(buf, redactor->has_redacted ? ",\"redacted\":true"
						  : ",\"redacted\":false");
}

void
w_record_add_abandoned(struct w_buf *buf, const char *run_id)
{
	add_opening(buf, run_id);
	w_buf_add_str(buf, "\"cancelled\",\"by\":\"engine\"");
}
