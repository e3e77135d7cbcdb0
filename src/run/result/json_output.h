/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_JSON_OUTPUT_H
#define W_RUN_JSON_OUTPUT_H

#include <stdint.h>

#include "run/result/run_result.h"

/* Parses the stdout of a run as JSON: one value, or one per line. Sets
 * json_output, else json_error. limit is the capture limit. */
void w_run_result_read_json(struct w_run_result *storage, uint64_t limit);

#endif /* W_RUN_JSON_OUTPUT_H */
