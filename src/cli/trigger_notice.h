/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TRIGGER_NOTICE_H
#define W_CLI_TRIGGER_NOTICE_H

/* Tells the person at the terminal, once, which files that run something later
 * were changed by agents since the last time. Does nothing where there is no
 * terminal, or beneath a run. */
void w_cli_trigger_notice(void);

#endif /* W_CLI_TRIGGER_NOTICE_H */
