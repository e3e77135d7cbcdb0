/* SPDX-License-Identifier: Apache-2.0 */

/* Converts a byte offset to line and column. */

#include "base/position.h"

#include <limits.h>
#include <string.h>

static unsigned
position_clamp(size_t value)
{
	return value < UINT_MAX ? (unsigned)value : UINT_MAX;
}

void
w_position_of(
    const char *text, size_t offset, unsigned *out_line, unsigned *out_column)
{
	const char *line_start = text;
	const char *end = text + offset;
	size_t line = 1;

	while (line_start < end) {
		const char *newline =
		    memchr(line_start, '\n', (size_t)(end - line_start));
		if (newline == NULL)
			break;
		line_start = newline + 1;
		line++;
	}
	*out_line = position_clamp(line);
	*out_column = position_clamp((size_t)(end - line_start) + 1);
}

void
w_locate_offset(writ_error *err, const char *text, size_t offset)
{
	unsigned line;
	unsigned column;

	if (err == NULL)
		return;
	w_position_of(text, offset, &line, &column);
	w_locate(err, line, column);
}
