/* SPDX-License-Identifier: Apache-2.0 */

/* The parts that records have in common. */

#include <string.h>

#include "audit/record/record.h"
#include "data/json.h"

#define DIGITS_MAX 20

/* A record has many numbers, and printf is slow. */
void
w_record_add_decimal(struct w_buf *buf, uint64_t value)
{
	char digits[DIGITS_MAX];
	size_t at = DIGITS_MAX;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	w_buf_add(buf, digits + at, DIGITS_MAX - at);
}

void
w_record_add_number(struct w_buf *buf, const char *key, uint64_t value)
{
	w_buf_add(buf, ",\"", 2);
	w_buf_add_str(buf, key);
	w_buf_add(buf, "\":", 2);
	w_record_add_decimal(buf, value);
}

void
w_record_add_error(
    struct w_buf *buf, struct w_redactor *redactor, const writ_error *error)
{
	w_buf_add_str(buf, "{\"code\":");
	w_json_add_text(buf, writ_status_word(error->status));
	w_buf_add_str(buf, ",\"stage\":");
	w_json_add_bytes(
	    buf, error->stage, strnlen(error->stage, sizeof(error->stage)));
	w_buf_add_str(buf, ",\"message\":");
	w_redact_add_message(redactor, buf, error->message);
	w_buf_add_char(buf, '}');
}

void
w_record_add_lost(struct w_buf *buf, uint64_t records, const char *reason)
{
	w_buf_add_str(buf, "\"kind\":\"lost\"");
	w_record_add_number(buf, "records", records);
	w_buf_add_str(buf, ",\"reason\":");
	w_json_add_path(buf, reason);
}

/* What was asked for has a name, too. */
static void
add_ask(struct w_buf *buf, const writ_wall_denial *denial, bool shows_names)
{
	if (denial->ask_network != NULL) {
		w_buf_add_str(buf, ",\"ask\":{");
		w_json_add_text_member(buf, "network", denial->ask_network);
		w_buf_add_char(buf, '}');
	} else if (denial->ask_write != NULL && shows_names) {
		w_buf_add_str(buf, ",\"ask\":{\"write\":[");
		w_json_add_text(buf, denial->ask_write);
		w_buf_add_str(buf, "]}");
	}
}

static void
add_denial(struct w_buf *buf, const writ_wall_denial *denial, bool shows_names)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "what", denial->what);
	if (denial->path != NULL)
		w_json_add_text_member(
		    buf, "path", shows_names ? denial->path : NULL);
	if (denial->host != NULL)
		w_json_add_text_member(
		    buf, "host", shows_names ? denial->host : NULL);
	if (denial->family != NULL)
		w_json_add_text_member(buf, "family", denial->family);
	w_json_add_text_member(buf, "wall", denial->wall);
	w_json_add_text_member(
	    buf, "certainty", denial->is_guessed ? "guessed" : "certain");
	add_ask(buf, denial, shows_names);
	w_buf_add_char(buf, '}');
}

void
w_record_add_denials(
    struct w_buf *buf, const writ_result *result, bool shows_names)
{
	w_buf_add_str(buf, ",\"denials\":[");
	for (size_t i = 0; i < result->wall_denial_count; i++) {
		w_buf_add_str(buf, i == 0 ? "" : ",");
		add_denial(buf, &result->wall_denials[i], shows_names);
	}
	w_buf_add_char(buf, ']');
}

static void
add_files(struct w_buf *buf, const writ_trigger *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(buf, i == 0 ? "{" : ",{");
		w_json_add_path_member(buf, "path", files[i].path);
		w_json_add_text_member(buf, "why", files[i].why);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

void
w_record_add_triggers(struct w_buf *buf, const writ_result *result)
{
	w_buf_add_str(buf, ",\"triggers\":[");
	add_files(buf, result->triggers, result->trigger_count);
}

void
w_record_add_held(struct w_buf *buf, const writ_result *result)
{
	w_buf_add_str(buf, ",\"held\":[");
	add_files(buf, result->held, result->held_count);
}
