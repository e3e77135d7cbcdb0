/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_SEAT_H
#define W_CLI_QUESTION_SEAT_H

#include <writ/approval.h>

/*
 * Puts the questions of the queue before the person at this terminal: shows
 * the list of those that wait and asks the chosen one, until the person leaves
 * or a signal comes. *out_exit is the exit status then.
 */
writ_status w_question_seat(
    writ_approvals *approvals, int signal_fd, int *out_exit, writ_error *err);

#endif /* W_CLI_QUESTION_SEAT_H */
