/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Limits of a whole tree, enforced by sampling.
 *
 * Kernel limits count single processes or a whole user; people mean the run. So
 * the tree is sampled several times a second. A burst between two samples is
 * not seen, which is why the result says "sampling"; the kernel's limits for
 * each process are a second barrier.
 */

#include "run/limits/sample.h"

enum {
	BURST_MS = 20, /* processes and memory come in bursts */
	USAGE_MS = 50
};

bool
w_sample_take(const struct w_tree *tree, struct w_sample *out_sample)
{
	struct w_pids pids = {0};
	struct w_sample sample = {0};

	bool ok = w_tree_pids(tree, &pids);
	for (size_t i = 0; i < pids.count; i++) {
		struct w_usage usage;

		if (!w_proc_usage(pids.items[i], &usage))
			continue;
		sample.cpu_ms += usage.cpu_ms;
		sample.memory_bytes += usage.memory_bytes;
		sample.processes += usage.is_zombie ? 0 : 1;
	}
	w_pids_done(&pids);
	if (ok)
		*out_sample = sample;
	return ok;
}

struct w_sample
w_sample_limits(const writ_request *request, unsigned counts)
{
	return (struct w_sample){
	    .processes =
		(counts & W_COUNTS_PROCESSES) != 0 ? 0 : request->processes,
	    .cpu_ms = request->cpu_ms,
	    .memory_bytes =
		(counts & W_COUNTS_MEMORY) != 0 ? 0 : request->memory,
	};
}

writ_limit
w_sample_check(const struct w_sample *sample, const struct w_sample *limits)
{
	if (limits->processes != 0 && sample->processes > limits->processes)
		return WRIT_LIMIT_PROCESSES;
	if (limits->memory_bytes != 0 &&
	    sample->memory_bytes > limits->memory_bytes)
		return WRIT_LIMIT_MEMORY;
	if (limits->cpu_ms != 0 && sample->cpu_ms >= limits->cpu_ms)
		return WRIT_LIMIT_CPU;
	return WRIT_LIMIT_NONE;
}

uint64_t
w_sample_interval_ms(const writ_request *request)
{
	if (request->processes != 0 || request->memory != 0)
		return BURST_MS;
	return request->cpu_ms != 0 || request->tmp_size != 0 ? USAGE_MS : 0;
}
