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

/* false: it could not be read, which proves nothing. */
bool w_sample_take(const struct w_tree *tree, struct w_sample *out_sample);

/* The limits of a request that have to be sampled, given what control groups
 * count (W_COUNTS_ mask). 0: no limit. */
struct w_sample w_sample_limits(const writ_request *request, unsigned counts);

/* The limit that the sample exceeds, or WRIT_LIMIT_NONE. */
writ_limit w_sample_check(
    const struct w_sample *sample, const struct w_sample *limits);

/* The sampling interval in milliseconds; 0: not needed. Control groups are
 * checked as well: whether the kernel had to act. */
uint64_t w_sample_interval_ms(const writ_request *request);

#endif /* W_RUN_SAMPLE_H */
