/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INDENTED_OUTPUT_H
#define W_CLI_INDENTED_OUTPUT_H

#include <stdbool.h>

#include <writ/run.h>

#include "base/buf.h"
#include "cli/output/sanitizer.h"

/*
 * What the command of a resource writes, shown beneath the lines of an apply:
 * each line indented, and a line of one stream never mixed with one of the
 * other. On its way to a terminal it is tamed. All zero is nothing yet.
 */
struct w_indented_output {
	bool is_sanitized;
	bool is_mid_line;
	writ_stream last; /* the stream of the line that is not ended */
	struct w_sanitizer sanitizers[2];
};

void w_indented_output_add(struct w_indented_output *live, struct w_buf *out,
    writ_stream stream, const char *bytes, size_t len);

/* The command is over: ends its last line. */
void w_indented_output_end(struct w_indented_output *live, struct w_buf *out);

#endif /* W_CLI_INDENTED_OUTPUT_H */
