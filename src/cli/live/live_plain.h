/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_PLAIN_H
#define W_CLI_LIVE_PLAIN_H

#include "cli/approval/question_screen.h"
#include "cli/live/live_feed.h"

/*
 * Shows the feed on a terminal that cannot move its cursor: a line for each
 * event, and each question as it comes. Ends and fails like w_live_seat(). The
 * screen is that of an open terminal.
 */
writ_status w_live_plain(struct w_live_feed *feed,
    struct w_question_screen *screen, int signal_fd, int *out_exit,
    writ_error *err);

#endif /* W_CLI_LIVE_PLAIN_H */
