/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_STATUS_LINE_H
#define W_CLI_STATUS_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/output/writer.h"

/*
 * The line on the terminal that says a run is still going: "running 12s ·
 * timeout 1m · Ctrl-C stops it". It appears when a run is long and silent,
 * never in the middle of a line of output, and is wiped before any output.
 */
struct w_status_line {
	struct w_writer *writer; /* standard error */
	const char *verb;        /* "running" */
	const char *advice;      /* what Ctrl-C does */
	uint64_t timeout_ms;     /* of the run; 0: none */
	uint64_t start_ms;
	uint64_t output_ms; /* when the command last wrote */
	uint64_t next_ms;   /* the next update; UINT64_MAX: never */
	bool is_examined;   /* the terminal was examined */
	bool is_shown;      /* on the screen now */
	bool is_mid_line;   /* the output so far does not end with a newline */
	bool has_colour;
};

void w_status_line_init(struct w_status_line *line, struct w_writer *writer,
    uint64_t timeout_ms, bool is_wanted);

/* For poll(): milliseconds until w_status_line_tick(); -1: never. */
int w_status_line_wait_ms(const struct w_status_line *line);

/* Shows or updates the line, if it is time. */
void w_status_line_tick(struct w_status_line *line);

/* Call it before output of the command goes to a standard stream. bytes are
 * only used if that is a terminal. */
void w_status_line_yield(
    struct w_status_line *line, bool is_tty, const char *bytes, size_t len);

/* Wipes the line for good. */
void w_status_line_done(struct w_status_line *line);

#endif /* W_CLI_STATUS_LINE_H */
