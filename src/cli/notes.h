/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_NOTES_H
#define W_CLI_NOTES_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends what a person should know about how a run ended and cannot see from
 * its output: one line each, nothing for an ordinary end. */
void w_notes_add(struct w_buf *buf, const writ_result *result);

/* The part of it that is about the sandbox. */
void w_notes_add_sandbox(struct w_buf *buf, const writ_result *result);

#endif /* W_CLI_NOTES_H */
