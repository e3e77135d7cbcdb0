/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RESULT_RECORD_H
#define W_ENGINE_RESULT_RECORD_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends the parts of a result about its record: digests, the recorded
 * output, record numbers, the decision. */
void w_result_record_add(struct w_buf *buf, const writ_result *result);

/* Its maximum length in bytes, before escaping. */
size_t w_result_record_max(const writ_result *result);

#endif /* W_ENGINE_RESULT_RECORD_H */
