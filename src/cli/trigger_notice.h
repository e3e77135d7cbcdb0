/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TRIGGER_NOTICE_H
#define W_CLI_TRIGGER_NOTICE_H

/* Lists on the terminal, once each, files changed by agents that some program
 * will execute later. Does nothing without a terminal or inside a run. */
void w_cli_trigger_notice(void);

#endif /* W_CLI_TRIGGER_NOTICE_H */
