/* SPDX-License-Identifier: Apache-2.0 */

/* A profile as a JSON object. */

#include <inttypes.h>
#include <string.h>

#include "data/json.h"
#include "engine/sandbox.h"

/* A profile is bounded by its reader; this is far beyond. */
#define TEXT_MAX ((size_t)16 << 20)

static void
add_list(struct w_buf *buf, const char *key, const char *const *items)
{
	w_buf_add_fmt(buf, ",\"%s\":[", key);
	for (size_t i = 0; items[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_path(buf, items[i]);
	}
	w_buf_add_char(buf, ']');
}

static void
add_limits(struct w_buf *buf, const writ_profile *profile)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
	    {"timeout_ms", profile->timeout_ms},
	    {"idle_timeout_ms", profile->idle_timeout_ms},
	    {"max_output", profile->max_output},
	    {"cpu_ms", profile->cpu_ms},
	    {"memory", profile->memory},
	    {"processes", profile->processes},
	    {"open_files", profile->open_files},
	    {"file_size", profile->file_size},
	    {"tmp_size", profile->tmp_size},
	};

	w_buf_add_str(buf, ",\"limits\":{");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		w_buf_add_fmt(buf, "%s\"%s\":", i == 0 ? "" : ",", rows[i].key);
		if (rows[i].value == 0)
			w_buf_add_str(buf, "null");
		else
			w_buf_add_fmt(buf, "%" PRIu64, rows[i].value);
	}
	w_buf_add_char(buf, '}');
}

writ_status
writ_profile_json(const writ_profile *profile, char **out_text, size_t *out_len,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_buf_add_str(&buf, "{\"name\":");
	w_json_add_path(&buf, profile->name);
	w_buf_add_str(&buf, ",\"origin\":");
	w_json_add_path(&buf, profile->origin);
	w_buf_add_str(&buf, ",\"description\":");
	w_json_add_path(&buf, profile->description);
	w_buf_add_str(&buf, ",\"walls\":");
	w_json_add_text(&buf, profile->walls);
	w_buf_add_str(&buf, ",\"network\":");
	w_json_add_text(&buf, profile->network);
	add_list(&buf, "layers", profile->layers);
	add_list(&buf, "read", profile->read);
	add_list(&buf, "write", profile->write);
	add_list(&buf, "execute", profile->execute);
	add_list(&buf, "hide", profile->hide);
	add_list(&buf, "protect", profile->protect);
	add_limits(&buf, profile);
	w_buf_add_char(&buf, '}');

	char *text = w_buf_take(&buf, out_len);
	if (text == NULL)
		return w_fail_nomem(err, "profile");
	*out_text = text;
	return WRIT_OK;
}
