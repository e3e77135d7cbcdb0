/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RESULT_RECORD_H
#define W_ENGINE_RESULT_RECORD_H

#include <writ/result.h>

#include "base/buf.h"

/* Appends what the record of a run has to do with its result: digests, the
 * kept output, numbers of records. */
void w_result_record_add(struct w_buf *buf, const writ_result *result);

/* The most bytes that it can have before they are escaped. */
size_t w_result_record_max(const writ_result *result);

#endif /* W_ENGINE_RESULT_RECORD_H */
