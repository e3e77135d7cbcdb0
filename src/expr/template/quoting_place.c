/* SPDX-License-Identifier: Apache-2.0 */

/* Whether and how a value can be inserted at the scanner's position, and what
 * to tell the author if not. */

#include "expr/template/quoting_scan.h"

static const struct {
	const char *why;
	const char *advice;
} refusals[] = {
    [W_QUOTING_DOLLAR] = {"a value cannot be put into $'...'",
	"write '...' or \"...\" around it"},
    [W_QUOTING_PARAM] = {"a value cannot be put into ${ }",
	"set a variable to it first: x={{ ... }}"},
    [W_QUOTING_ARITH] = {"a value cannot be put into (( ))",
	"set a variable to it first: x={{ ... }}"},
    [W_QUOTING_BACKTICK] = {"a value cannot be put into backticks",
	"write $( ) for them"},
    [W_QUOTING_COMMENT] = {"a value cannot be put into a comment",
	"leave it out of the comment"},
    [W_QUOTING_DOCUMENT] = {"a value cannot be put into a here-document",
	"use printf '%s\\n' {{ ... }}, or the property 'stdin'"},
};

/* The outermost frame that takes no value, not even inside a $( ) nested in it;
 * NULL: none. */
static const struct w_quoting_frame *
find_barrier(const struct w_quoting_scan *scan)
{
	for (size_t i = 0; i <= scan->depth; i++) {
		const struct w_quoting_frame *frame = &scan->frames[i];

		if (refusals[frame->kind].why != NULL)
			return frame;
	}
	return NULL;
}

/* Why no value can be inserted here, whatever the quotes; NULL: it can. */
static const char *
find_obstacle(const struct w_quoting_scan *scan, bool has_newline,
    const char **out_advice)
{
	const struct w_quoting_frame *barrier = find_barrier(scan);

	*out_advice = "set a variable to it before, and use that here";
	if (scan->lost != NULL)
		return scan->lost;
	if (scan->is_index)
		return "a value cannot be put into name[ ]";
	if (barrier != NULL) {
		*out_advice = refusals[barrier->kind].advice;
		return refusals[barrier->kind].why;
	}
	if (scan->is_escaped) {
		*out_advice = "write two for a backslash, or none";
		return "a value cannot come after a backslash";
	}
	if (scan->is_delimiter || scan->before == W_QUOTING_AFTER_LESS2 ||
	    (has_newline && scan->doc_count > 0)) {
		*out_advice = "put it before the '<<'";
		return "a value cannot be where a here-document begins";
	}
	return NULL;
}

enum w_quoting_place
w_quoting_scan_place(const struct w_quoting_scan *scan, bool has_newline,
    const char **out_why, const char **out_advice)
{
	const struct w_quoting_frame *frame = &scan->frames[scan->depth];

	*out_why = find_obstacle(scan, has_newline, out_advice);
	if (*out_why != NULL)
		return W_QUOTING_PLACE_NONE;
	if (frame->kind == W_QUOTING_SINGLE)
		return W_QUOTING_PLACE_SINGLE;
	if (frame->kind == W_QUOTING_DOUBLE)
		return scan->before == W_QUOTING_NOTHING
			   ? W_QUOTING_PLACE_DOUBLE
			   : W_QUOTING_PLACE_APART;
	if (scan->before != W_QUOTING_AFTER_DOLLAR)
		return W_QUOTING_PLACE_BARE;
	*out_why = "a value cannot come after '$'";
	*out_advice = "write \\$ for the character";
	return W_QUOTING_PLACE_NONE;
}
