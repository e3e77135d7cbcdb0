/* SPDX-License-Identifier: Apache-2.0 */

/* The storage behind a result. */

#include "exec/result_box.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct w_result_box *
w_result_box_new(const char *trace_id)
{
	struct w_result_box *box = calloc(1, sizeof(*box));
	uint8_t random[10] = {0};
	struct timespec now;

	if (box == NULL)
		return NULL;
	if (trace_id != NULL) {
		box->trace_id = strdup(trace_id);
		if (box->trace_id == NULL) {
			free(box);
			return NULL;
		}
	}

	/* Without random bytes the time alone still orders the runs; that
	 * happens only before the kernel's pool is ready. */
	(void)!getrandom(random, sizeof(random), GRND_NONBLOCK);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	w_id_format(
	    (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
	    random, box->run_id);
	box->result.run_id = box->run_id;
	box->result.trace_id = box->trace_id;
	return box;
}

/* What w_capture_take() and w_spill_take() handed over, as const. */
static void
free_output(struct w_result_box *box, int stream)
{
	const writ_output *out = &box->result.out[stream];
	union {
		const char *borrowed;
		char *owned;
	} head = {out->head}, tail = {out->tail}, path = {out->spill_path};

	if (box->owns[stream]) {
		free(head.owned);
		free(tail.owned);
	}
	if (path.owned != NULL && !box->keeps_spill)
		(void)unlink(path.owned);
	free(path.owned);
}

void
w_result_box_free(struct w_result_box *box)
{
	if (box == NULL)
		return;
	free_output(box, WRIT_STDOUT);
	free_output(box, WRIT_STDERR);
	free(box->trace_id);
	free(box);
}
