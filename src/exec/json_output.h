/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_JSON_OUTPUT_H
#define W_EXEC_JSON_OUTPUT_H

#include <stdint.h>

#include "exec/result_box.h"

/* Reads what the run wrote to stdout as JSON: one value, or one a line. The
 * box gets json_output, else json_error. limit is what was kept of it. */
void w_json_output_read(struct w_result_box *box, uint64_t limit);

#endif /* W_EXEC_JSON_OUTPUT_H */
