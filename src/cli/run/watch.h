/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_H
#define W_CLI_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/module.h>
#include <writ/run.h>

struct w_watch_options {
	writ_request *request;   /* on_output and output_ctx are set here */
	const writ_call *call;   /* what the request is a call of; NULL: none */
	const char *isolated_id; /* the module that the request is a runner of;
				    NULL: it is none */
	bool is_of_project; /* a module of the project has put words into it */
	const writ_config *config; /* NULL: as the environment says */
	bool is_raw;               /* a terminal gets the output as it is */
	bool is_json;              /* one object at the end, no live output */
	bool is_quiet;             /* no status line, no notes */
	bool has_no_ask;           /* nobody is asked for an approval */
	uint64_t ask_timeout_ms;   /* for how long somebody is; 0: as is set */
	bool is_detached; /* output goes nowhere but into the recording,
			     and starter_fd is told of the start */
	int parent_fd;
};

/*
 * Runs the request and sees it to its end: passes output on, turns signals to
 * this process into the end of the run, and prints the result or the error.
 * Returns the exit status.
 */
int w_watch_run(const struct w_watch_options *plan);

#endif /* W_CLI_WATCH_H */
