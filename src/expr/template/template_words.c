/* SPDX-License-Identifier: Apache-2.0 */

/* Renders templates as the words of a command: literal text is split, values
 * are not. */

#include <string.h>

#include "base/words.h"
#include "expr/template/template_fill.h"

static writ_status
feed(struct w_splitter *in, const struct w_template *template,
    const struct w_value *texts, writ_error *err)
{
	if (template->count == 0)
		w_splitter_feed(in, template->text, template->len, 0);
	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];

		if (part->expr == NULL) {
			w_splitter_feed(
			    in, part->literal, part->len, part->offset);
		} else if (!w_splitter_value(in, texts[i].as.string.text,
			       texts[i].as.string.len)) {
			(void)w_template_refuse(template, in->escape_at, err,
			    "this backslash comes before a value");
			w_suggest(err, "write two for a backslash, or none");
			return WRIT_E_INVALID;
		}
	}
	return w_splitter_end(in, template->text, err);
}

static writ_status
list_words(const struct w_splitter *in, struct w_arena *arena,
    const char *const **out_words, writ_error *err)
{
	const char **words =
	    w_arena_alloc(arena, in->count + 1, sizeof(*words));
	const char *at = in->out;

	if (words == NULL)
		return w_fail_nomem(err, W_TEMPLATE_STAGE);
	for (size_t i = 0; i < in->count; i++) {
		words[i] = at;
		at += strlen(at) + 1;
	}
	*out_words = words;
	return WRIT_OK;
}

writ_status
w_template_words(const struct w_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    const char *const **out_words, writ_error *err)
{
	struct w_splitter in;
	struct w_value *texts = NULL;
	size_t len = template->len;
	writ_status status = WRIT_OK;

	if (template->count > 0)
		status =
		    w_template_fill(template, scope, arena, &texts, &len, err);
	if (status == WRIT_OK && template->count > 0)
		status = w_template_check_secret(template, texts, err);
	if (status != WRIT_OK)
		return status;
	char *room = w_arena_alloc(arena, len + 1, 1);
	if (room == NULL)
		return w_fail_nomem(err, W_TEMPLATE_STAGE);
	w_splitter_init(&in, room);
	status = feed(&in, template, texts, err);
	if (status != WRIT_OK)
		return status;
	return list_words(&in, arena, out_words, err);
}
