/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_NOTES_H
#define W_CLI_RUN_NOTES_H

#include <writ/result.h>
#include <writ/run.h>

#include "base/buf.h"

/* Appends what a person should know about the end of a run and cannot see from
 * its output: one line each, nothing for a normal end. */
void w_notes_add(struct w_buf *buf, const writ_result *result);

/* The notes about the sandbox; part of w_notes_add(). */
void w_notes_add_sandbox(struct w_buf *buf, const writ_result *result);

/* Explains why a failed command of root may not write to its working
 * directory: another user owns it. Appends nothing otherwise. */
void w_notes_add_owner(
    struct w_buf *buf, const writ_request *request, const writ_result *result);

#endif /* W_CLI_RUN_NOTES_H */
