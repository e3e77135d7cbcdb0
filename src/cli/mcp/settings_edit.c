/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the formats of settings have in common: a change as a splice of the
 * text, and the choice of the format.
 */

#include "cli/mcp/settings_edit.h"

#include <string.h>

#include "base/encode.h"
#include "base/error.h"

static const struct w_client_settings_editor *const editors[] = {
    [W_SETTINGS_JSON] = &w_client_settings_json,
    [W_SETTINGS_TOML] = &w_client_settings_toml,
    [W_SETTINGS_YAML] = &w_client_settings_yaml,
};

void
w_client_settings_splice_init(struct w_client_settings_splice *splice)
{
	splice->at = 0;
	splice->was_len = 0;
	w_buf_init(&splice->now, W_SETTINGS_TEXT_MAX);
}

void
w_client_settings_splice_done(struct w_client_settings_splice *splice)
{
	w_buf_done(&splice->now);
}

void
w_client_settings_splice_add(struct w_buf *out, const struct w_buf *text,
    const struct w_client_settings_splice *splice)
{
	const size_t rest = splice->at + splice->was_len;

	w_buf_add(out, text->data, splice->at);
	w_buf_add(out, splice->now.data, splice->now.len);
	w_buf_add(out, text->data + rest, text->len - rest);
}

/* All formats are UTF-8, and the scanners stop at a NUL. */
static writ_status
settings_check_bytes(const struct w_buf *text, writ_error *err)
{
	if (memchr(text->data, '\0', text->len) != NULL)
		return w_fail(err, WRIT_E_PARSE, "mcp", 0, "it has a NUL byte");
	if (!w_utf8_valid(text->data, text->len))
		return w_fail(err, WRIT_E_PARSE, "mcp", 0, "it is not UTF-8");
	return WRIT_OK;
}

writ_status
w_client_settings_find(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    bool *out_is_there, writ_error *err)
{
	writ_status status = settings_check_bytes(text, err);

	return status == WRIT_OK
		   ? editors[format]->find(text, value, out_is_there, err)
		   : status;
}

/* An edit that the scanners got wrong must not reach a person's file: the new
 * text is parsed as well. */
static writ_status
settings_check_result(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    const struct w_client_settings_splice *splice, bool is_wanted,
    writ_error *err)
{
	bool is_there = false;
	writ_error why;
	W_AUTO_BUF struct w_buf now;

	w_buf_init(&now, W_SETTINGS_TEXT_MAX);
	w_client_settings_splice_add(&now, text, splice);
	if (now.failed || splice->now.failed)
		return w_fail_nomem(err, "mcp");
	writ_status status =
	    editors[format]->find(&now, value, &is_there, &why);
	if (status == WRIT_OK && is_there == is_wanted)
		return WRIT_OK;
	return w_fail(err, WRIT_E_PARSE, "mcp", 0,
	    "'%s' is written there in a form that writ cannot change",
	    value->path[0]);
}

writ_status
w_client_settings_put(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	writ_status status = settings_check_bytes(text, err);

	if (status == WRIT_OK)
		status = editors[format]->put(text, value, out, err);
	return status == WRIT_OK
		   ? settings_check_result(format, text, value, out, true, err)
		   : status;
}

writ_status
w_client_settings_drop(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	writ_status status = settings_check_bytes(text, err);

	if (status == WRIT_OK)
		status = editors[format]->drop(text, value, out, err);
	return status == WRIT_OK
		   ? settings_check_result(format, text, value, out, false, err)
		   : status;
}
