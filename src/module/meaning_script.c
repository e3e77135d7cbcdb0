/* SPDX-License-Identifier: Apache-2.0 */

/* Programs of sed, awk and jq among the values: what they do is not read, so
 * whoever has one is not understood. */

#include "module/meaning_frame.h"

void
w_frame_scripts(struct w_frame *frame)
{
	const struct w_parse *parse = &frame->meaning->parse;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];
		const struct w_source_place from = {
		    .word = match->word, .param = match->param};

		if (match->count == 0 || match->param->values == NULL ||
		    match->param->values[0].kind != W_VALUE_SCRIPT ||
		    match->param->values[0].script < W_SCRIPT_SED)
			continue;
		w_frame_effects(frame, W_EFFECT_CODE, &from);
		w_frame_refuse(frame, match->word, match->offset,
		    "a script that is not looked into");
	}
}
