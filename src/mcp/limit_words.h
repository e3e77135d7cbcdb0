/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LIMIT_WORDS_H
#define W_MCP_LIMIT_WORDS_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends which limit ended a run: "memory limit 64MiB reached". */
void w_limit_words_add(struct w_buf *buf, const writ_result *result);

#endif /* W_MCP_LIMIT_WORDS_H */
