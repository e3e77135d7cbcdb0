/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_DIALOG_H
#define W_CLI_QUESTION_DIALOG_H

#include <stdbool.h>

#include <writ/approval.h>

#include "cli/approval/question_list.h"
#include "cli/approval/question_screen.h"
#include "data/json.h"

/*
 * Asks one question at the terminal. Somebody else may answer it meanwhile; the
 * first answer wins.
 */
enum w_question_end {
	W_QUESTION_ANSWERED,  /* here */
	W_QUESTION_ELSEWHERE, /* by somebody else, or it expired */
	W_QUESTION_LEFT,      /* left for later */
	W_QUESTION_GONE_ON,   /* to the next one of the list */
	W_QUESTION_GONE_BACK, /* to the one before it */
	W_QUESTION_CLOSED,    /* the list was left */
	W_QUESTION_STOPPED,   /* Ctrl-C, a signal, or the terminal hung up */
};

struct w_question_dialog {
	writ_approvals *approvals;
	const char *id;
	bool has_list;    /* the question is one of a list, which is shown */
	bool stop_denies; /* Ctrl-C denies */
	int signal_fd;    /* signals on it end the dialog; -1: none */
	struct w_question_list *list;     /* is kept up to date */
	struct w_question_screen *screen; /* of an open terminal */
	uint64_t deaf_ms;           /* no key answers for so long: it may have
				     * been meant for another question */
	writ_approval_state state;  /* the last one read */
	int busy_fd;                /* something else that goes on meanwhile: */
	void (*on_busy)(void *ctx); /* is called when that polls readable; NULL:
				       nothing does */
	void *busy_ctx;
};

/* Shows the question and waits until it is answered or left. */
writ_status w_question_dialog(struct w_question_dialog *dialog,
    enum w_question_end *out_end, writ_error *err);

/* Milliseconds since the epoch. */
uint64_t w_question_now_ms(void);

/* Reads one question. The caller frees *out_json. */
writ_status w_question_load(writ_approvals *approvals, const char *id,
    struct w_json **out_json, writ_error *err);

/* Likewise all questions, as an array. */
writ_status w_question_load_all(
    writ_approvals *approvals, struct w_json **out_json, writ_error *err);

/* The state in words: "approved", "denied", ... */
const char *w_question_state_words(writ_approval_state state);

#endif /* W_CLI_QUESTION_DIALOG_H */
