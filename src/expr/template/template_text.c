/* SPDX-License-Identifier: Apache-2.0 */

/* Renders templates as texts and as values. */

#include <string.h>

#include "base/position.h"
#include "expr/eval/eval.h"
#include "expr/template/template_fill.h"

writ_status
w_template_refuse(const struct w_template *template, size_t offset,
    writ_error *err, const char *what)
{
	(void)w_fail(err, WRIT_E_INVALID, W_TEMPLATE_STAGE, 0, "%s", what);
	w_locate_offset(err, template->text, offset);
	return WRIT_E_INVALID;
}

writ_status
w_template_check_secret(const struct w_template *template,
    const struct w_value *texts, writ_error *err)
{
	for (size_t i = 0; i < template->count; i++) {
		if (!texts[i].is_secret)
			continue;
		(void)w_template_refuse(template, template->parts[i].offset,
		    err,
		    "a secret cannot be a part of a command: every user can "
		    "read the arguments of a process");
		w_suggest(
		    err, "give it to the command by 'environment' or 'stdin'");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_template_fill(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value **out_texts, size_t *out_len, writ_error *err)
{
	struct w_value *texts =
	    w_arena_alloc(arena, template->count, sizeof(*texts));
	writ_status status = WRIT_OK;
	size_t len = 0;

	if (texts == NULL)
		return w_fail_nomem(err, W_TEMPLATE_STAGE);
	for (size_t i = 0; status == WRIT_OK && i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];

		if (part->expr == NULL)
			texts[i] = w_value_text(part->literal, part->len);
		else
			status = w_eval_for_text(
			    part->expr, scope, arena, &texts[i], err);
		if (status != WRIT_OK)
			return status;
		len += texts[i].as.string.len;
		if (len > W_VALUE_TEXT_MAX)
			return w_template_refuse(template, part->offset, err,
			    "a text of more than 16 MiB");
	}
	*out_texts = texts;
	*out_len = len;
	return WRIT_OK;
}

writ_status
w_template_text(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err)
{
	struct w_value *texts = NULL;
	size_t len;
	bool is_secret = false;

	if (template->count == 0) {
		*out_text = w_value_text(template->text, template->len);
		return WRIT_OK;
	}
	writ_status status =
	    w_template_fill(template, scope, arena, &texts, &len, err);
	if (status != WRIT_OK)
		return status;
	char *text = w_arena_alloc(arena, len + 1, 1);
	if (text == NULL)
		return w_fail_nomem(err, W_TEMPLATE_STAGE);
	char *at = text;
	for (size_t i = 0; i < template->count; i++) {
		at = mempcpy(
		    at, texts[i].as.string.text, texts[i].as.string.len);
		is_secret = is_secret || texts[i].is_secret;
	}
	*out_text = w_value_text(text, len);
	out_text->is_secret = is_secret;
	return WRIT_OK;
}

writ_status
w_template_value(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_value, writ_error *err)
{
	if (template->count == 1 && template->parts[0].expr != NULL)
		return w_expr_eval(
		    template->parts[0].expr, scope, arena, out_value, err);
	return w_template_text(template, scope, arena, out_value, err);
}
