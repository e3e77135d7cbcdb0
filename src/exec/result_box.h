/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_RESULT_BOX_H
#define W_EXEC_RESULT_BOX_H

#include <stdbool.h>

#include <writ/result.h>

#include "base/encode.h"

/* A result and what it owns. The public part comes first. */
struct w_result_box {
	writ_result result;
	bool keeps_spill;
	bool owns[2]; /* head and tail of the stream were allocated */
	char run_id[W_ID_LEN + 1];
	char *trace_id;
};

/* Makes a box with a fresh run id, so that the end of a run cannot fail for
 * want of memory. NULL: no memory. */
struct w_result_box *w_result_box_new(const char *trace_id);
void w_result_box_free(struct w_result_box *box);

#endif /* W_EXEC_RESULT_BOX_H */
