/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SUMMARY_PAGE_H
#define W_CLI_SUMMARY_PAGE_H

#include "base/buf.h"
#include "manifest/session/event.h"

/* The counts of an apply or of a session, as a table for people. */
void w_cli_summary_add_apply(
    struct w_buf *buf, const writ_apply_summary *summary);
void w_cli_summary_add_session(
    struct w_buf *buf, const writ_apply_summary *summary);

#endif /* W_CLI_SUMMARY_PAGE_H */
