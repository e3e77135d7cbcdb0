/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_STATE_H
#define W_CLI_WATCH_STATE_H

#include <writ/approval.h>

#include "cli/output/sanitizer.h"
#include "cli/output/status_line.h"
#include "cli/output/writer.h"
#include "cli/run/terminal_relay.h"
#include "cli/run/watch.h"

/* Once a signal told us to end, a reader that does not read gets this long
 * for the rest. */
#define W_LAST_READ_MS 1000

/* One run that is being watched; watch.c until it has ended, delivery.c then.
 */
struct w_watch {
	const struct w_watch_options *plan;
	writ_engine *engine;
	writ_job *job;              /* NULL when it has ended */
	writ_result *result;        /* NULL until then */
	struct w_writer writers[2]; /* by writ_stream */
	struct w_sanitizer
	    sanitizers[2]; /* likewise; for outlets that are terminals
			    */
	struct w_status_line line;
	struct w_terminal terminal;
	int signal_fd;
	int signal;       /* the first that told us to end; 0: none */
	int broken_errno; /* why output could not be passed on; 0: it could */
	bool is_cut;      /* output was left unwritten, because of a signal */
	int exit_code;    /* of what a runner answered */
	char approval[WRIT_APPROVAL_ID_LEN + 1]; /* that was asked for */
	int parent_fd; /* has to confirm that it knows of the run; -1: has,
			   or there is none */
};

/* Reads the signals that came and ends the run. Returns whether there was
 * one. */
bool w_watch_read_signals(struct w_watch *watch);

/* Output can go nowhere any more: ends the run. */
void w_watch_abort(struct w_watch *watch, int sys_errno);

/* Whether output for this stream is tamed on its way: it goes to a terminal,
 * and nobody said --raw. */
bool w_watch_is_sanitized(struct w_watch *watch, writ_stream stream);

/* Writes what a stream's outlet kept. */
void w_watch_flush(struct w_watch *watch, writ_stream stream);

#endif /* W_CLI_WATCH_STATE_H */
