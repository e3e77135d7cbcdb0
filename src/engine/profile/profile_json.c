/* SPDX-License-Identifier: Apache-2.0 */

/* A profile as a JSON object. */

#include <inttypes.h>
#include <string.h>

#include "data/json.h"
#include "engine/profile/shown_profile.h"

/* Far beyond the limits of the profile reader. */
#define TEXT_MAX ((size_t)16 << 20)

static void
profile_json_add_limits(struct w_buf *buf, const writ_profile *profile)
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
	w_buf_add_char(&buf, '{');
	w_json_add_path_member(&buf, "name", profile->name);
	w_json_add_path_member(&buf, "origin", profile->origin);
	w_json_add_path_member(&buf, "description", profile->description);
	w_json_add_text_member(&buf, "walls", profile->walls);
	w_json_add_text_member(&buf, "network", profile->network);
	w_json_add_list_member(&buf, "layers", profile->layers);
	w_json_add_list_member(&buf, "read", profile->read);
	w_json_add_list_member(&buf, "write", profile->write);
	w_json_add_list_member(&buf, "execute", profile->execute);
	w_json_add_list_member(&buf, "hide", profile->hide);
	w_json_add_list_member(&buf, "protect", profile->protect);
	profile_json_add_limits(&buf, profile);
	w_buf_add_char(&buf, '}');

	char *text = w_buf_take(&buf, out_len);
	if (text == NULL)
		return w_fail_nomem(err, "profile");
	*out_text = text;
	return WRIT_OK;
}
