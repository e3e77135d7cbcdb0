/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ELAPSED_LINE_H
#define W_CLI_ELAPSED_LINE_H

/* Progress of long work: a line on standard error with the seconds so far, if
 * that is a terminal. Uses SIGALRM. */
#define W_ELAPSED_TEXT_MAX 96

void w_elapsed_start(const char *text);

/* Call it before something else is printed. */
void w_elapsed_wipe(void);

void w_elapsed_stop(void);

#endif /* W_CLI_ELAPSED_LINE_H */
