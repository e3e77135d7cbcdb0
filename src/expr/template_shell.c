/* SPDX-License-Identifier: Apache-2.0 */
#include "expr/template_fill.h"

writ_status
w_template_shell(const struct w_template *template, const struct w_scope *scope,
    struct w_arena *arena, const char **out_text, writ_error *err)
{
	struct w_value text;

	if (!w_template_is_plain(template))
		return w_template_refuse(template, 0, err,
		    "expressions in shell commands are not there yet");
	writ_status status =
	    w_template_text(template, scope, arena, &text, err);
	if (status == WRIT_OK)
		*out_text = text.as.string.text;
	return status;
}
