/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_STATE_H
#define W_CLI_WATCH_STATE_H

#include <writ/approval.h>
#include <writ/session.h>

#include "cli/attach/attach_server.h"
#include "cli/output/sanitizer.h"
#include "cli/output/status_line.h"
#include "cli/output/writer.h"
#include "cli/run/terminal_relay.h"
#include "cli/run/watch.h"

/* After a signal, how long to wait for a reader that does not read. */
#define W_READER_GRACE_MS 1000

/* The state of w_watch_run(): used by watch.c until the run has ended, then by
 * delivery.c. */
struct w_watch {
	const struct w_watch_options *options;
	writ_engine *engine;
	writ_session *session;            /* that it joined; NULL: none */
	writ_job *job;                    /* NULL: it has ended */
	writ_result *result;              /* NULL: it has not ended */
	struct w_writer writers[2];       /* by writ_stream */
	struct w_sanitizer sanitizers[2]; /* likewise, for terminals */
	struct w_status_line line;
	struct w_terminal terminal;
	struct w_attach_server *attach; /* NULL: nobody can attach */
	int signal_fd;
	int signal;       /* the first signal that ends the run; 0: none */
	int broken_errno; /* the write error; 0: none */
	bool is_cut;      /* output was discarded because of a signal */
	int exit_code;    /* from the answer of a module runner */
	char approval[WRIT_APPROVAL_ID_LEN + 1]; /* the one that was given */
	writ_approvals *approvals; /* of connections that wait; NULL: none did
				    */
	char connection[WRIT_APPROVAL_ID_LEN + 1]; /* to be asked about; "":
						      none */
	int parent_fd; /* must confirm that it knows the run id; -1: has done
			  so, or there is none */
};

/* Whether a person at this terminal can be asked. */
bool w_watch_has_terminal(const struct w_watch_options *options);

/* Whether a person sees which approval is waited for. */
bool w_watch_has_reader(const struct w_watch_options *options);

/* Reads pending signals. Each ends the run, unless it is ignored. Returns
 * whether one did. */
bool w_watch_read_signals(struct w_watch *watch);

/* Output cannot be written any more: ends the run. */
void w_watch_abort(struct w_watch *watch, int sys_errno);

/* Whether this stream is sanitized: it is a terminal, and no --raw. */
bool w_watch_is_sanitized(struct w_watch *watch, writ_stream stream);

/* Writes pending bytes of a stream. */
void w_watch_flush(struct w_watch *watch, writ_stream stream);

#endif /* W_CLI_WATCH_STATE_H */
