/* SPDX-License-Identifier: Apache-2.0 */

/* The sandbox of a run, and its triggers, in the JSON of its result. */

#include "engine/result/result_sandbox.h"

#include <string.h>

#include "audit/record/record.h"
#include "data/json_fields.h"

/* More than the keys, quotes and numbers of a row. */
#define ROW_MAX        128

#define DENIAL(member) W_JSON_AT(writ_denial, member)
#define AT(member)     W_JSON_AT(writ_result, member)

static const struct w_json_field denial_fields[] = {
    {"layer", W_JSON_STRING, DENIAL(layer)},
    {"call", W_JSON_STRING, DENIAL(call)},
    {"what", W_JSON_STRING, DENIAL(what)},
    {"path", W_JSON_STRING, DENIAL(path)},
    {"hint", W_JSON_STRING, DENIAL(hint)},
    {"count", W_JSON_UINT, DENIAL(count)},
    {.key = NULL},
};

static const struct w_json_field sandbox_fields[] = {
    {"profile", W_JSON_STRING, AT(sandbox)},
    {"network", W_JSON_STRING, AT(network)},
    {"session", W_JSON_STRING, AT(session)},
    {"tmp", W_JSON_STRING, AT(tmp)},
    {"tmp_by", W_JSON_STRING, AT(tmp_by)},
    {"home", W_JSON_STRING, AT(home), .flags = W_JSON_OMIT_EMPTY},
    {"layers", W_JSON_LIST, AT(layers)},
    {"missing", W_JSON_LIST, AT(missing)},
    {"lacks", W_JSON_LIST, AT(lacks), .flags = W_JSON_OMIT_EMPTY},
    {"created", W_JSON_LIST, AT(created)},
    {"denials", W_JSON_ARRAY, AT(denials), .fields = denial_fields,
	.count_offset = offsetof(writ_result, denial_count),
	.item_size = sizeof(writ_denial)},
    {.key = NULL},
};

void
w_result_sandbox_add(struct w_buf *buf, const writ_result *result)
{
	w_json_add_object_member(buf, "sandbox", sandbox_fields, result);
	w_record_add_denials(buf, result, true);
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
	size_t max =
	    4 * ROW_MAX + text_max(result->sandbox) + text_max(result->session);

	max += list_max(result->layers) + list_max(result->missing) +
	       list_max(result->lacks) + list_max(result->created);
	for (size_t i = 0; i < result->denial_count; i++) {
		const writ_denial *denial = &result->denials[i];

		max += text_max(denial->layer) + text_max(denial->call) +
		       text_max(denial->what) + text_max(denial->path) +
		       text_max(denial->hint);
	}
	for (size_t i = 0; i < result->wall_denial_count; i++) {
		const writ_wall_denial *denial = &result->wall_denials[i];

		max += text_max(denial->what) + text_max(denial->path) +
		       text_max(denial->host) + text_max(denial->family) +
		       text_max(denial->wall) + text_max(denial->ask_write);
	}
	for (size_t i = 0; i < result->trigger_count; i++)
		max += text_max(result->triggers[i].path) +
		       text_max(result->triggers[i].why);
	for (size_t i = 0; i < result->held_count; i++)
		max += text_max(result->held[i].path) +
		       text_max(result->held[i].why);
	return max;
}
