/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_NOTES_H
#define W_CLI_RUN_NOTES_H

#include <writ/result.h>
#include <writ/run.h>

#include "base/buf.h"

/* Appends what a person should know about how a run ended and cannot see from
 * its output: one line each, nothing for an ordinary end. */
void w_notes_add(struct w_buf *buf, const writ_result *result);

/* The part of it that is about the sandbox. */
void w_notes_add_sandbox(struct w_buf *buf, const writ_result *result);

/* Why root's command, which has failed, may not have been able to write in its
 * working directory; nothing where that is not so. */
void w_notes_add_owner(
    struct w_buf *buf, const writ_request *request, const writ_result *result);

#endif /* W_CLI_RUN_NOTES_H */
