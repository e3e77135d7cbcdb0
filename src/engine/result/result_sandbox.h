/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RESULT_SANDBOX_H
#define W_ENGINE_RESULT_SANDBOX_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends ,"sandbox":{...} for a result. */
void w_result_sandbox_add(struct w_buf *buf, const writ_result *result);

/* Its maximum length in bytes, before escaping. */
size_t w_result_sandbox_max(const writ_result *result);

#endif /* W_ENGINE_RESULT_SANDBOX_H */
