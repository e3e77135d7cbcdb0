/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_INPUT_H
#define W_CLI_CALL_INPUT_H

#include "base/buf.h"
#include "cli/call/call_words.h"

/*
 * The input of a call as JSON: the members of text (NULL: none), overridden by
 * those from words. A word is converted to the type of its parameter if
 * possible; otherwise it stays a string, and the schema reports what is wrong.
 * Numbers keep their digits.
 *
 * Without words the text is passed on byte for byte and *out_is_verbatim is
 * true: line and column then refer to the user's text.
 */
writ_status w_cli_call_input(const struct w_call_words *words, const char *text,
    size_t len, struct w_buf *out, bool *out_is_verbatim, writ_error *err);

#endif /* W_CLI_CALL_INPUT_H */
