/* SPDX-License-Identifier: Apache-2.0 */

/* The sandbox of a run, and its triggers, in the JSON of its result. */

#include "engine/result/result_sandbox.h"

#include <string.h>

#include "audit/record/record.h"
#include "data/json.h"

/* More than the keys, quotes and numbers of a row. */
#define ROW_MAX 128

static void
add_denial(struct w_buf *buf, const writ_denial *denial)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "layer", denial->layer);
	w_json_add_text_member(buf, "call", denial->call);
	w_json_add_text_member(buf, "what", denial->what);
	w_json_add_path_member(buf, "path", denial->path);
	w_json_add_path_member(buf, "hint", denial->hint);
	w_buf_add_fmt(buf, ",\"count\":%u}", denial->count);
}

void
w_result_sandbox_add(struct w_buf *buf, const writ_result *result)
{
	w_buf_add_str(buf, ",\"sandbox\":{");
	w_json_add_path_member(buf, "profile", result->sandbox);
	w_json_add_text_member(buf, "network", result->network);
	w_json_add_list_member(buf, "layers", result->layers);
	w_json_add_list_member(buf, "missing", result->missing);
	w_json_add_list_member(buf, "created", result->created);
	w_buf_add_str(buf, ",\"denials\":[");
	for (size_t i = 0; i < result->denial_count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		add_denial(buf, &result->denials[i]);
	}
	w_buf_add_str(buf, "]}");
	w_record_add_triggers(buf, result);
}

static size_t
text_max(const char *text)
{
	return ROW_MAX + (text == NULL ? 0 : strlen(text));
}

static size_t
list_max(const char *const *items)
{
	size_t max = 0;

	for (size_t i = 0; items != NULL && items[i] != NULL; i++)
		max += text_max(items[i]);
	return max;
}

/* Lengths of texts in memory cannot overflow a size_t. */
size_t
w_result_sandbox_max(const writ_result *result)
{
	size_t max = 2 * ROW_MAX + text_max(result->sandbox);

	max += list_max(result->layers) + list_max(result->missing) +
	       list_max(result->created);
	for (size_t i = 0; i < result->denial_count; i++) {
		const writ_denial *denial = &result->denials[i];

		max += text_max(denial->layer) + text_max(denial->call) +
		       text_max(denial->what) + text_max(denial->path) +
		       text_max(denial->hint);
	}
	for (size_t i = 0; i < result->trigger_count; i++)
		max += text_max(result->triggers[i].path) +
		       text_max(result->triggers[i].why);
	return max;
}
