/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Renders templates as commands for sh: a value is quoted for its position, so
 * that sh reads it unchanged. raw() is inserted like the text around it.
 */

#include <string.h>

#include "base/position.h"
#include "base/words.h"
#include "expr/template/quoting_scan.h"
#include "expr/template/template_fill.h"

static void
add_double(struct w_buf *buf, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("$`\"\\", text[i]) != NULL)
			w_buf_add_char(buf, '\\');
		w_buf_add_char(buf, text[i]);
	}
}

static void
template_shell_add_value(
    struct w_buf *buf, enum w_quoting_place place, const struct w_value *value)
{
	const char *text = value->as.string.text;
	size_t len = value->as.string.len;

	if (place == W_QUOTING_PLACE_BARE)
		w_buf_add_char(buf, '\'');
	else if (place == W_QUOTING_PLACE_APART)
		w_buf_add_str(buf, "\"\"");
	if (place == W_QUOTING_PLACE_BARE || place == W_QUOTING_PLACE_SINGLE)
		w_words_add_quoted(buf, text, len);
	else
		add_double(buf, text, len);
	if (place == W_QUOTING_PLACE_BARE)
		w_buf_add_char(buf, '\'');
}

/* Finds how to insert a value; fails where it cannot be. */
static writ_status
template_shell_find_place(const struct w_quoting_scan *scan,
    const struct w_template *template, const struct w_template_part *part,
    bool has_newline, enum w_quoting_place *out_place, writ_error *err)
{
	const char *why = "";
	const char *advice = "";

	*out_place = w_quoting_scan_place(scan, has_newline, &why, &advice);
	if (*out_place != W_QUOTING_PLACE_NONE)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, W_TEMPLATE_STAGE, 0, "%s%s",
	    why == scan->lost ? "a value cannot be put safely " : "", why);
	w_suggest(err, "%s", advice);
	w_locate_offset(err, template->text, part->offset);
	return WRIT_E_INVALID;
}

static writ_status
put_value(struct w_buf *buf, struct w_quoting_scan *scan,
    const struct w_template *template, const struct w_template_part *part,
    const struct w_value *value, writ_error *err)
{
	bool has_newline =
	    value->as.string.len > 0 &&
	    memchr(value->as.string.text, '\n', value->as.string.len) != NULL;
	enum w_quoting_place place;
	writ_status status = template_shell_find_place(
	    scan, template, part, has_newline, &place, err);

	if (status != WRIT_OK)
		return status;
	template_shell_add_value(buf, place, value);
	w_quoting_scan_value(scan);
	return WRIT_OK;
}

static writ_status
template_shell_render(struct w_buf *buf, const struct w_template *template,
    const struct w_value *texts, writ_error *err)
{
	struct w_quoting_scan scan;
	writ_status status = WRIT_OK;

	w_quoting_scan_init(&scan);
	for (size_t i = 0; status == WRIT_OK && i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];

		if (part->expr != NULL && !texts[i].is_raw) {
			status = put_value(
			    buf, &scan, template, part, &texts[i], err);
			continue;
		}
		w_quoting_scan_feed(
		    &scan, texts[i].as.string.text, texts[i].as.string.len);
		w_buf_add(buf, texts[i].as.string.text, texts[i].as.string.len);
	}
	return status;
}

static writ_status
template_shell_fill(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char **out_text, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_value *texts = NULL;
	size_t len;
	writ_status status =
	    w_template_fill(template, scope, arena, &texts, &len, err);

	w_buf_init(&buf, W_VALUE_TEXT_MAX);
	if (status == WRIT_OK)
		status = w_template_check_secret(template, texts, err);
	if (status == WRIT_OK)
		status = template_shell_render(&buf, template, texts, err);
	if (status != WRIT_OK)
		return status;
	/* An escaped quote takes four bytes; a text that large is not for sh.
	 */
	if (buf.failed && len > W_VALUE_TEXT_MAX / 8)
		return w_template_refuse(
		    template, 0, err, "a text of more than 16 MiB");
	char *text = buf.failed ? NULL : w_arena_text(arena, buf.data, buf.len);
	if (text == NULL)
		return w_fail_nomem(err, W_TEMPLATE_STAGE);
	*out_text = text;
	return WRIT_OK;
}

writ_status
w_template_shell(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char **out_text, writ_error *err)
{
	struct w_value text;

	if (!w_template_is_plain(template))
		return template_shell_fill(
		    template, scope, arena, out_text, err);
	writ_status status =
	    w_template_text(template, scope, arena, &text, err);
	if (status == WRIT_OK)
		*out_text = text.as.string.text;
	return status;
}

writ_status
w_template_check_shell(const struct w_template *template, writ_error *err)
{
	struct w_quoting_scan scan;
	writ_status status = WRIT_OK;

	w_quoting_scan_init(&scan);
	for (size_t i = 0; status == WRIT_OK && i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];
		enum w_quoting_place place;

		if (part->expr == NULL) {
			w_quoting_scan_feed(&scan, part->literal, part->len);
			continue;
		}
		if ((w_expr_uses(part->expr) & W_EXPR_USES_RAW) != 0)
			break;
		status = template_shell_find_place(
		    &scan, template, part, false, &place, err);
		w_quoting_scan_value(&scan);
	}
	return status;
}
