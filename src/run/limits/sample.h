/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SAMPLE_H
#define W_RUN_SAMPLE_H

#include <writ/run.h>

#include "run/job/process_tree.h"

/* What a tree uses at the moment. */
struct w_sample {
	uint64_t processes;
	uint64_t cpu_ms;
	uint64_t memory_bytes;
};

/* false: it could not be looked at, which proves nothing. */
bool w_sample_take(const struct w_tree *tree, struct w_sample *out_sample);

/* What of a request's limits has to be held by looking, given what control
 * groups count (W_COUNTS_ mask). 0 is no limit. */
struct w_sample w_sample_limits(const writ_request *request, unsigned counts);

/* The limit that the sample breaks, or WRIT_LIMIT_NONE. */
writ_limit w_sample_check(
    const struct w_sample *sample, const struct w_sample *limits);

/* How often to look, in milliseconds; 0: nothing needs it. What a control
 * group counts is looked at too: whether the kernel had to act. */
uint64_t w_sample_interval_ms(const writ_request *request);

#endif /* W_RUN_SAMPLE_H */
