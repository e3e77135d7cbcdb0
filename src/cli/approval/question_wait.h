/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_WAIT_H
#define W_CLI_QUESTION_WAIT_H

#include <stdbool.h>

#include <writ/approval.h>
#include <writ/config.h>

/*
 * Asks about a run that the engine has refused because it needs approval: at
 * this terminal, or by waiting for an answer in the queue.
 */
struct w_question_options {
	writ_engine *engine;
	const writ_request *request;
	const writ_config *config; /* NULL: from the environment */
	int signal_fd;             /* signals on it end the wait */
	bool has_terminal;         /* a person can be asked */
	bool has_reader;           /* a person reads what is waited for, and
				    * can answer elsewhere */
	bool is_agent;             /* an agent asks, not a person */
	bool is_quiet;             /* prints nothing while it waits */
	int parent_fd;             /* detached run: gets the notes instead, and
				    * its end ends the wait; -1: none */
	uint64_t timeout_ms;       /* 0: from the settings */
};

/*
 * *err has the error of the engine. If nobody could answer and no timeout was
 * given, the question stays open, for an hour at least, and this fails at once
 * with that error (WRIT_E_APPROVAL); its suggestion says how to go on with
 * *out_id.
 *
 * WRIT_OK: the question was answered or expired; retry the request with
 * *out_id, and the engine decides. WRIT_E_REFUSED: the caller gave up, and the
 * question was withdrawn or denied.
 */
writ_status w_question_wait(const struct w_question_options *options,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err);

/* Suggests how to go on with a question that stays open. */
void w_question_suggest(writ_error *err, const char *id, bool is_agent);

/* Prints which question is waited for, and how long. */
void w_question_note_wait(const char *id, const char *left);

#endif /* W_CLI_QUESTION_WAIT_H */
