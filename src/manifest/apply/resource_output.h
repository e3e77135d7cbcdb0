/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RESOURCE_OUTPUT_H
#define W_MANIFEST_RESOURCE_OUTPUT_H

#include <writ/run.h>

#include "manifest/apply/resource_step.h"

/*
 * Passes a command's output on to the watch: both streams, any bytes, secrets
 * redacted. Whole lines at a time, so that the streams do not mix within a
 * line; a line longer than W_RESOURCE_OUTPUT_LINE_MAX is split.
 */
#define W_RESOURCE_OUTPUT_LINE_MAX ((size_t)64 << 10)

struct w_resource_output {
	struct w_resource_step *step;
	struct w_redaction redaction[2]; /* by writ_stream */
	struct w_buf lines[2];           /* unfinished lines */
};

void w_resource_output_init(
    struct w_resource_output *resource_output, struct w_resource_step *step);
void w_resource_output_done(struct w_resource_output *resource_output);

/* A writ_output_fn, with the struct as its context. */
int w_resource_output_add(void *ctx, writ_job *job, writ_stream stream,
    const char *bytes, size_t len);

/* Shows unfinished lines: the output has ended. */
void w_resource_output_end(struct w_resource_output *resource_output);

/* Shows the output kept in a result. */
void w_resource_output_show_kept(
    struct w_resource_step *step, const writ_result *result);

/* Shows the last lines of an output whose secrets are redacted. */
#define W_RESOURCE_OUTPUT_LAST 5
void w_resource_output_show_last(struct w_resource_step *step,
    writ_stream stream, const char *text, size_t len);

/* Appends the last bytes of a stream, at most max. */
void w_resource_output_add_tail(struct w_buf *buf, struct w_resource_step *step,
    const writ_output *output, size_t max);

#endif /* W_MANIFEST_RESOURCE_OUTPUT_H */
