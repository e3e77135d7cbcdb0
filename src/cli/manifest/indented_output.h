/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INDENTED_OUTPUT_H
#define W_CLI_INDENTED_OUTPUT_H

#include <stdbool.h>

#include <writ/run.h>

#include "base/buf.h"
#include "cli/output/sanitizer.h"

/*
 * The output of a resource's command, shown below the lines of an apply: each
 * line is indented, and lines of the two streams are never mixed. Output to a
 * terminal is sanitized. Starts all zero.
 */
struct w_indented_output {
	bool is_sanitized;
	bool is_mid_line;
	writ_stream last; /* the stream of the unfinished line */
	struct w_sanitizer sanitizers[2];
};

void w_indented_output_add(struct w_indented_output *live, struct w_buf *out,
    writ_stream stream, const char *bytes, size_t len);

/* Ends the last line of the command. */
void w_indented_output_end(struct w_indented_output *live, struct w_buf *out);

#endif /* W_CLI_INDENTED_OUTPUT_H */
