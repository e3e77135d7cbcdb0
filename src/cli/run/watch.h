/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_H
#define W_CLI_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/module.h>
#include <writ/run.h>

struct w_watch_options {
	writ_request *request;     /* on_output and output_ctx are set here */
	const writ_call *call;     /* the module call it was made from; NULL:
				      none */
	const char *isolated_id;   /* the request starts a runner for this
				      module; NULL: it does not */
	bool is_of_project;        /* a module of the project made part of it */
	const writ_config *config; /* NULL: from files and environment */
	bool is_raw;               /* no sanitizing for a terminal */
	bool is_json;              /* one object at the end, no live output */
	bool is_quiet;             /* no status line, no notes */
	bool never_asks;           /* never ask for an approval */
	uint64_t ask_timeout_ms;   /* 0: use the setting */
	bool is_detached; /* output goes only to the recording, and the start
			     is reported to parent_fd */
	int parent_fd;
	const char *session;        /* the live one to run in; NULL: none */
	const char *const *publish; /* of a session for this run alone; NULL:
				       nothing */
	const char *const *connect;
	bool has_reader; /* of a detached run: a person reads the notes */
};

/*
 * Runs the request to its end: passes output on, ends the run if this process
 * gets a signal, and prints the result or the error. Returns the exit status.
 */
int w_watch_run(const struct w_watch_options *options);

#endif /* W_CLI_WATCH_H */
