/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LINE_DIFF_H
#define W_CLI_LINE_DIFF_H

#include <stdbool.h>

#include "base/buf.h"

/* The difference of two texts as a unified diff, three lines around each
 * change. */
struct w_line_diff {
	const char *old_name; /* "/dev/null" for a file that is not there */
	const char *new_name;
	const struct w_buf *old_text;
	const struct w_buf *new_text;
	bool has_colour;
};

/* Appends it; nothing if the texts are equal. */
void w_cli_diff_add(struct w_buf *out, const struct w_line_diff *diff);

#endif /* W_CLI_LINE_DIFF_H */
