/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_DIALOG_H
#define W_CLI_QUESTION_DIALOG_H

#include <stdbool.h>

#include <writ/approval.h>

#include "cli/approval/question_terminal.h"
#include "data/json.h"

/*
 * One question put to the person at the terminal. Others may answer it
 * meanwhile from elsewhere: whoever is first counts.
 */
enum w_question_end {
	W_QUESTION_ANSWERED,  /* here */
	W_QUESTION_ELSEWHERE, /* by somebody else, or its time is over */
	W_QUESTION_LEFT,      /* it is left alone */
	W_QUESTION_STOPPED,   /* Ctrl-C, a signal, or the terminal is gone */
};

struct w_question_dialog {
	writ_approvals *approvals;
	const char *id;
	bool has_later;
	bool stop_denies; /* Ctrl-C is an answer too: no */
	int signal_fd;    /* whose signals end it; -1: none */
	struct w_question_terminal terminal; /* open */
	writ_approval_state state; /* in which the question was seen last */
};

/* Shows the question and stays until it is answered or left. */
writ_status w_question_dialog(struct w_question_dialog *dialog,
    enum w_question_end *out_end, writ_error *err);

/* Milliseconds since 1970. */
uint64_t w_question_now_ms(void);

/* Reads one question. *out_json is to be freed. */
writ_status w_question_load(writ_approvals *approvals, const char *id,
    struct w_json **out_json, writ_error *err);

/* Likewise all of them, as a list. */
writ_status w_question_load_all(
    writ_approvals *approvals, struct w_json **out_json, writ_error *err);

/* "approved", "denied", ...: what people are told about a state. */
const char *w_question_state_words(writ_approval_state state);

#endif /* W_CLI_QUESTION_DIALOG_H */
