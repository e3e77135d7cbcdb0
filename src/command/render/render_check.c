/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses an argv that was rendered by a description back again.
 *
 * A value can look like something else in many ways: an operand like a pair,
 * "-f" with its value like "-fplugin", one word too few so that the others move
 * up. Instead of a rule for each, every word must parse as what it was rendered
 * from; otherwise rendering fails.
 */

#include <stdlib.h>

#include "base/size.h"
#include "command/parse/argv_parse.h"
#include "command/render/renderer.h"

#define STAGE "arguments"

writ_status
w_renderer_note(struct w_renderer *render, const struct w_match *match)
{
	if (!render->is_described)
		return WRIT_OK;
	/* The capacity is always a power of two. */
	if ((render->note_count & (render->note_count - 1)) == 0) {
		size_t cap =
		    render->note_count > 0 ? 2 * render->note_count : 1;
		size_t size;

		if (!w_size_mul(cap, sizeof(*render->notes), &size))
			return w_fail_nomem(render->now.err, STAGE);
		struct w_match *grown = realloc(render->notes, size);
		if (grown == NULL)
			return w_fail_nomem(render->now.err, STAGE);
		render->notes = grown;
	}
	render->notes[render->note_count++] = *match;
	return WRIT_OK;
}

static bool
render_check_is_same(const struct w_match *note, const struct w_match *match)
{
	return note->param == match->param && note->word == match->word &&
	       note->count == match->count &&
	       note->flag_word == match->flag_word &&
	       (note->count == 0 || note->offset == match->offset);
}

static writ_status
render_check_refuse(
    const struct w_renderer *render, const struct w_match *match)
{
	return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
	    "argument '%.64s': '%.64s' would be taken for something else",
	    match->param->key,
	    match->param->is_secret ? "***"
				    : render->words.items[match->flag_word]);
}

static writ_status
render_check_compare(
    const struct w_renderer *render, const struct w_argv_parse *parse)
{
	size_t at = 0;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (match->flag_word >= render->flag_from &&
		    match->flag_word < render->flag_to &&
		    match->param->kind == W_PARAM_OPTION)
			continue;
		if (at == render->note_count)
			return render_check_refuse(render, match);
		if (!render_check_is_same(&render->notes[at], match))
			return render_check_refuse(render, &render->notes[at]);
		at++;
	}
	return at == render->note_count
		   ? WRIT_OK
		   : render_check_refuse(render, &render->notes[at]);
}

writ_status
w_renderer_check(const struct w_renderer *render, size_t fixed)
{
	const struct w_argv_parse_input input = {
	    .argv = (const char *const *)render->words.items,
	    .argc = render->words.count};
	struct w_argv_parse parse;

	if (!render->is_described)
		return WRIT_OK;
	writ_status status = w_argv_parse_by_grammar(
	    render->grammar, fixed, &input, &parse, NULL, render->now.err);
	if (status != WRIT_OK)
		return status;
	status = render_check_compare(render, &parse);
	w_argv_parse_done(&parse);
	return status;
}
