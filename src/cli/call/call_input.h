/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_INPUT_H
#define W_CLI_CALL_INPUT_H

#include "base/buf.h"
#include "cli/call/call_words.h"

/*
 * The input of a call as JSON: the members of text (NULL: none), and those
 * that words give, which override them. Words become what the type of their
 * parameter asks for where they can be read as that, and texts otherwise, so
 * that the schema says what is wrong. Numbers keep their digits.
 *
 * Without words the text is passed on byte for byte, and *out_is_verbatim is
 * true: places in it mean something to who wrote it.
 */
writ_status w_cli_call_input(const struct w_call_words *words, const char *text,
    size_t len, struct w_buf *out, bool *out_is_verbatim, writ_error *err);

#endif /* W_CLI_CALL_INPUT_H */
