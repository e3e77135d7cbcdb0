/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ELAPSED_LINE_H
#define W_CLI_ELAPSED_LINE_H

/* A sign of life for work that may take a while: a line on standard error
 * with the seconds it has taken, if that is a terminal. By SIGALRM. */
#define W_ELAPSED_TEXT_MAX 96

void w_elapsed_start(const char *text);

/* Before something else is printed. */
void w_elapsed_wipe(void);

void w_elapsed_stop(void);

#endif /* W_CLI_ELAPSED_LINE_H */
