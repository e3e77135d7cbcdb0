/* SPDX-License-Identifier: Apache-2.0 */

/* Whether and how a value can be put where the scanner of a shell text is, and
 * what to tell the writer of the text when it cannot. */

#include "expr/shell_scan.h"

static const struct {
	const char *why;
	const char *advice;
} refusals[] = {
    [W_SHELL_DOLLAR] = {"a value cannot be put into $'...'",
	"write '...' or \"...\" around it"},
    [W_SHELL_PARAM] = {"a value cannot be put into ${ }",
	"set a variable to it first: x={{ ... }}"},
    [W_SHELL_ARITH] = {"a value cannot be put into (( ))",
	"set a variable to it first: x={{ ... }}"},
    [W_SHELL_BACKTICK] = {"a value cannot be put into backticks",
	"write $( ) for them"},
    [W_SHELL_COMMENT] = {"a value cannot be put into a comment",
	"leave it out of the comment"},
    [W_SHELL_DOCUMENT] = {"a value cannot be put into a here-document",
	"use printf '%s\\n' {{ ... }}, or the property 'stdin'"},
};

static enum w_shell_place
refuse(const char *why, const char *advice, const char **out_why,
    const char **out_advice)
{
	*out_why = why;
	*out_advice = advice;
	return W_SHELL_PLACE_NONE;
}

/* The frame that keeps a value out, also from $( ) in it; NULL: none. */
static const struct w_shell_frame *
find_barrier(const struct w_shell_scan *scan)
{
	for (size_t i = 0; i <= scan->depth; i++) {
		const struct w_shell_frame *frame = &scan->frames[i];

		if (refusals[frame->kind].why != NULL)
			return frame;
	}
	return NULL;
}

enum w_shell_place
w_shell_scan_place(const struct w_shell_scan *scan, bool has_newline,
    const char **out_why, const char **out_advice)
{
	const struct w_shell_frame *frame = &scan->frames[scan->depth];
	const struct w_shell_frame *barrier = find_barrier(scan);
	bool is_document = scan->is_delimiter ||
			   scan->before == W_SHELL_AFTER_LESS2 ||
			   (has_newline && scan->doc_count > 0);

	if (scan->lost != NULL)
		return refuse(scan->lost,
		    "set a variable to the value before that, and use it "
		    "here",
		    out_why, out_advice);
	if (barrier != NULL)
		return refuse(refusals[barrier->kind].why,
		    refusals[barrier->kind].advice, out_why, out_advice);
	if (scan->is_escaped)
		return refuse("a value cannot stand behind a backslash",
		    "write two for a backslash, or none", out_why, out_advice);
	if (is_document)
		return refuse(
		    "a value cannot stand where a here-document begins",
		    "put it before the '<<'", out_why, out_advice);
	if (scan->is_index)
		return refuse("a value cannot be put into name[ ]",
		    "set a variable to it first: x={{ ... }}", out_why,
		    out_advice);
	if (frame->kind == W_SHELL_SINGLE)
		return W_SHELL_PLACE_SINGLE;
	if (frame->kind == W_SHELL_DOUBLE)
		return scan->before == W_SHELL_NOTHING ? W_SHELL_PLACE_DOUBLE
						       : W_SHELL_PLACE_APART;
	if (scan->before == W_SHELL_AFTER_DOLLAR)
		return refuse("a value cannot stand behind '$'",
		    "write \\$ for the character", out_why, out_advice);
	return W_SHELL_PLACE_BARE;
}
