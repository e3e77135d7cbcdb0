/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_WAIT_H
#define W_CLI_QUESTION_WAIT_H

#include <stdbool.h>

#include <writ/approval.h>
#include <writ/config.h>

/*
 * Asking for a run that the engine has just refused for want of an approval:
 * at this terminal, or by waiting for whoever looks into the queue.
 */
struct w_question_options {
	writ_engine *engine;
	const writ_request *request;
	const writ_config *config; /* NULL: as the environment says */
	int signal_fd;             /* whose signals end the waiting */
	bool has_terminal;         /* somebody sits at it */
	bool is_quiet;             /* says nothing while it waits */
	int parent_fd;             /* of a detached run: who is told instead,
				       and whose end ends the waiting; -1 */
	uint64_t timeout_ms;       /* 0: as is set */
};

/*
 * WRIT_OK: the question was answered, or its time is over; what comes of it is
 * for the engine to say, when the request names *out_id. WRIT_E_REFUSED: who
 * waited gave up, and the question is withdrawn or denied.
 */
writ_status w_question_wait(const struct w_question_options *plan,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err);

/* Says what is waited for, and how long. */
void w_question_note_wait(const char *id, const char *left);

#endif /* W_CLI_QUESTION_WAIT_H */
