/* SPDX-License-Identifier: Apache-2.0 */

/* Begins and ends of runs: each has the other, once. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/lines.h"
#include "audit/prove.h"
#include "audit/run_view.h"
#include "base/auto.h"
#include "base/error.h"

static struct w_spot
spot_at_hand(const struct w_prove *prove)
{
	return (struct w_spot){
	    .seq = prove->line->seq,
	    .offset = prove->place->offset,
	    .segment = prove->place->segment,
	    .len = (uint32_t)prove->line->len,
	};
}

static void
take_begin(struct w_prove *prove, struct w_run_slot *slot)
{
	prove->proof.runs++;
	if (slot->has_begin)
		w_prove_tell(prove, W_PROVE_TWO_BEGINS, slot->run,
		    "run %s begins a second time; the first is record %" PRIu64,
		    slot->run, slot->spot.seq);
	slot->has_begin = true;
	if (!slot->has_end)
		slot->spot = spot_at_hand(prove);
}

/* Why an end may stand alone, from the harmless to the bad. */
static void
tell_no_begin(struct w_prove *prove, const char *run)
{
	if (prove->first_seq > 1)
		w_prove_tell(prove, W_PROVE_BEGIN_PRUNED, run,
		    "run %s ends; its begin is not among the records that "
		    "remain",
		    run);
	else if (prove->has_lost_records)
		w_prove_tell(prove, W_PROVE_BEGIN_LOST, run,
		    "run %s ends; its begin may be among the records that "
		    "could not be written",
		    run);
	else
		w_prove_tell(prove, W_PROVE_NO_BEGIN, run,
		    "run %s ends without having begun", run);
}

static void
take_end(struct w_prove *prove, struct w_run_slot *slot)
{
	if (slot->has_end)
		w_prove_tell(prove, W_PROVE_TWO_ENDS, slot->run,
		    "run %s ends a second time; the first is record %" PRIu64,
		    slot->run, slot->spot.seq);
	else if (!slot->has_begin)
		tell_no_begin(prove, slot->run);
	if (!slot->has_end)
		slot->spot = spot_at_hand(prove);
	slot->has_end = true;
	if (prove->options->outputs)
		w_prove_output(prove);
}

void
w_prove_run(struct w_prove *prove)
{
	enum w_entry_kind kind = w_entry_kind_of(prove->line);
	char run[W_ID_LEN + 1];

	w_entry_run_of(prove->line, run);
	if (kind == W_ENTRY_REFUSED || run[0] == '\0') {
		prove->proof.runs += kind == W_ENTRY_REFUSED;
		return;
	}
	struct w_run_slot *slot = w_run_map_put(&prove->runs, run);
	prove->is_full |= slot == NULL;
	if (slot == NULL)
		return;
	if (kind == W_ENTRY_BEGIN)
		take_begin(prove, slot);
	else
		take_end(prove, slot);
}

/* Where a begin may be missing for a good reason, its end tells that. */
void
w_prove_input(struct w_prove *prove)
{
	char run[W_ID_LEN + 1];

	w_entry_run_of(prove->line, run);
	const struct w_run_slot *slot =
	    run[0] == '\0' ? NULL : w_run_map_get(&prove->runs, run);
	if (slot == NULL && (prove->first_seq > 1 || prove->has_lost_records))
		return;
	if (slot == NULL || slot->has_end)
		w_prove_tell(prove, W_PROVE_NO_RUN, run,
		    "run %s is given input %s", run,
		    slot == NULL ? "before it begins" : "after its end");
}

static void
judge_open(struct w_prove *prove, const struct w_run_slot *slot,
    const struct w_run_view *view)
{
	switch (view->state) {
	case WRIT_RUN_RUNNING:
		prove->proof.running++;
		break;
	case WRIT_RUN_LOST:
		prove->proof.lost++;
		w_prove_tell_at(prove, W_PROVE_LOST, &slot->spot, slot->run,
		    "run %s began and has no end; process %d, which ran it, "
		    "is gone",
		    slot->run, view->begin.pid);
		break;
	case WRIT_RUN_UNKNOWN:
	case WRIT_RUN_ENDED:
	case WRIT_RUN_REFUSED:
		w_prove_tell_at(prove, W_PROVE_UNKNOWN, &slot->spot, slot->run,
		    "run %s began and has no end; whether process %d still "
		    "runs it cannot be seen from here",
		    slot->run, view->begin.pid);
		break;
	}
}

static writ_status
look_at_open(struct w_prove *prove, struct w_lines *lines,
    const struct w_run_slot *slot, writ_error *err)
{
	struct w_alive_view alive;
	struct w_log_line line;
	struct w_run_view view;
	bool is_there;

	writ_status status =
	    w_lines_get(lines, &slot->spot, &line, &is_there, err);
	if (status != WRIT_OK || !is_there)
		return status;
	w_alive_view_init(&alive);
	if (!w_run_view_init(&view, &line, NULL, &alive))
		return view.is_full ? w_fail_nomem(err, "audit") : WRIT_OK;
	judge_open(prove, slot, &view);
	w_run_view_done(&view);
	return WRIT_OK;
}

static int
compare_places(const void *a, const void *b)
{
	uint64_t left = (*(const struct w_run_slot *const *)a)->spot.seq;
	uint64_t right = (*(const struct w_run_slot *const *)b)->spot.seq;

	return left < right ? -1 : left > right;
}

/* Those without an end, in the order of the trail. NULL: no memory. */
static const struct w_run_slot **
list_open(const struct w_run_map *runs, size_t *out_count)
{
	const struct w_run_slot **open =
	    calloc(runs->count + 1, sizeof(const struct w_run_slot *));

	*out_count = 0;
	for (size_t i = 0; i < runs->cap && open != NULL; i++)
		if (runs->slots[i].run[0] != '\0' && !runs->slots[i].has_end)
			open[(*out_count)++] = &runs->slots[i];
	if (*out_count > 0)
		qsort(open, *out_count, sizeof(const struct w_run_slot *),
		    compare_places);
	return open;
}

writ_status
w_prove_open_runs(struct w_prove *prove, writ_error *err)
{
	size_t count;
	W_AUTO_FREE const struct w_run_slot **open =
	    list_open(&prove->runs, &count);
	struct w_lines lines;
	writ_status status = WRIT_OK;

	if (open == NULL)
		return w_fail_nomem(err, "audit");
	w_lines_init(&lines, prove->audit->dir_fd);
	for (size_t i = 0; i < count && status == WRIT_OK; i++)
		status = look_at_open(prove, &lines, open[i], err);
	w_lines_done(&lines);
	return status;
}
