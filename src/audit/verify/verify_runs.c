/* SPDX-License-Identifier: Apache-2.0 */

/* Checks that each begin of a run has one end and each end one begin. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/query/audit_run_view.h"
#include "audit/query/trail_lines.h"
#include "audit/verify/verify_trail.h"
#include "base/auto.h"
#include "base/error.h"

static struct w_trail_position
current_position(const struct w_trail_verifier *verifier)
{
	return (struct w_trail_position){
	    .seq = verifier->line->seq,
	    .offset = verifier->place->offset,
	    .segment = verifier->place->segment,
	    .len = (uint32_t)verifier->line->len,
	};
}

static void
take_begin(struct w_trail_verifier *verifier, struct w_audit_run_slot *slot)
{
	verifier->proof.runs++;
	if (slot->has_begin)
		w_verify_report(verifier, W_VERIFY_TWO_BEGINS, slot->run,
		    "run %s begins a second time; the first is record %" PRIu64,
		    slot->run, slot->position.seq);
	slot->has_begin = true;
	if (!slot->has_end)
		slot->position = current_position(verifier);
}

/* Why an end may have no begin, from harmless to bad. */
static void
report_no_begin(struct w_trail_verifier *verifier, const char *run)
{
	if (verifier->first_seq > 1)
		w_verify_report(verifier, W_VERIFY_BEGIN_PRUNED, run,
		    "run %s ends; its begin is not among the records that "
		    "remain",
		    run);
	else if (verifier->has_lost_records)
		w_verify_report(verifier, W_VERIFY_BEGIN_LOST, run,
		    "run %s ends; its begin may be among the records that "
		    "could not be written",
		    run);
	else
		w_verify_report(verifier, W_VERIFY_NO_BEGIN, run,
		    "run %s ends without having begun", run);
}

static void
verify_runs_take_end(
    struct w_trail_verifier *verifier, struct w_audit_run_slot *slot)
{
	if (slot->has_end)
		w_verify_report(verifier, W_VERIFY_TWO_ENDS, slot->run,
		    "run %s ends a second time; the first is record %" PRIu64,
		    slot->run, slot->position.seq);
	else if (!slot->has_begin)
		report_no_begin(verifier, slot->run);
	if (!slot->has_end)
		slot->position = current_position(verifier);
	slot->has_end = true;
	if (verifier->options->outputs)
		w_verify_output(verifier);
}

void
w_verify_run(struct w_trail_verifier *verifier)
{
	enum w_entry_kind kind = w_entry_kind_of(verifier->line);
	char run[W_ID_LEN + 1];

	w_entry_run_of(verifier->line, run);
	if (kind == W_ENTRY_REFUSED || run[0] == '\0') {
		verifier->proof.runs += kind == W_ENTRY_REFUSED;
		return;
	}
	struct w_audit_run_slot *slot =
	    w_audit_run_map_put(&verifier->runs, run);
	verifier->is_full |= slot == NULL;
	if (slot == NULL)
		return;
	if (kind == W_ENTRY_BEGIN)
		take_begin(verifier, slot);
	else
		verify_runs_take_end(verifier, slot);
}

/* If a begin may be missing for a good reason, the end reports that. */
void
w_verify_input(struct w_trail_verifier *verifier)
{
	char run[W_ID_LEN + 1];

	w_entry_run_of(verifier->line, run);
	const struct w_audit_run_slot *slot =
	    run[0] == '\0' ? NULL : w_audit_run_map_get(&verifier->runs, run);
	if (slot == NULL &&
	    (verifier->first_seq > 1 || verifier->has_lost_records))
		return;
	if (slot == NULL || slot->has_end)
		w_verify_report(verifier, W_VERIFY_NO_RUN, run,
		    "run %s is given input %s", run,
		    slot == NULL ? "before it begins" : "after its end");
}

static void
classify_open(struct w_trail_verifier *verifier,
    const struct w_audit_run_slot *slot, const struct w_audit_run_view *view)
{
	switch (view->state) {
	case WRIT_RUN_RUNNING:
		verifier->proof.running++;
		break;
	case WRIT_RUN_LOST:
		verifier->proof.lost++;
		w_verify_report_at(verifier, W_VERIFY_LOST, &slot->position,
		    slot->run,
		    "run %s began and has no end; process %d, which ran it, "
		    "is gone",
		    slot->run, view->begin.pid);
		break;
	case WRIT_RUN_UNKNOWN:
	case WRIT_RUN_ENDED:
	case WRIT_RUN_REFUSED:
		w_verify_report_at(verifier, W_VERIFY_UNKNOWN, &slot->position,
		    slot->run,
		    "run %s began and has no end; whether process %d still "
		    "runs it cannot be seen from here",
		    slot->run, view->begin.pid);
		break;
	}
}

static writ_status
report_open(struct w_trail_verifier *verifier, struct w_trail_lines *lines,
    const struct w_audit_run_slot *slot, writ_error *err)
{
	struct w_liveness liveness;
	struct w_log_line line;
	struct w_audit_run_view view;
	bool is_there;

	writ_status status =
	    w_trail_lines_get(lines, &slot->position, &line, &is_there, err);
	if (status != WRIT_OK || !is_there)
		return status;
	w_liveness_init(&liveness);
	if (!w_audit_run_view_init(&view, &line, NULL, &liveness))
		return view.is_full ? w_fail_nomem(err, "audit") : WRIT_OK;
	classify_open(verifier, slot, &view);
	w_audit_run_view_done(&view);
	return WRIT_OK;
}

static int
verify_runs_compare_positions(const void *a, const void *b)
{
	uint64_t left =
	    (*(const struct w_audit_run_slot *const *)a)->position.seq;
	uint64_t right =
	    (*(const struct w_audit_run_slot *const *)b)->position.seq;

	return left < right ? -1 : left > right;
}

/* Runs without an end, in the order of the trail. NULL: no memory. */
static const struct w_audit_run_slot **
list_open(const struct w_audit_run_map *runs, size_t *out_count)
{
	const struct w_audit_run_slot **open =
	    calloc(runs->count + 1, sizeof(const struct w_audit_run_slot *));

	*out_count = 0;
	for (size_t i = 0; i < runs->cap && open != NULL; i++)
		if (runs->slots[i].run[0] != '\0' && !runs->slots[i].has_end)
			open[(*out_count)++] = &runs->slots[i];
	if (*out_count > 0)
		qsort(open, *out_count, sizeof(const struct w_audit_run_slot *),
		    verify_runs_compare_positions);
	return open;
}

writ_status
w_verify_open_runs(struct w_trail_verifier *verifier, writ_error *err)
{
	size_t count;
	W_AUTO_FREE const struct w_audit_run_slot **open =
	    list_open(&verifier->runs, &count);
	struct w_trail_lines lines;
	writ_status status = WRIT_OK;

	if (open == NULL)
		return w_fail_nomem(err, "audit");
	w_trail_lines_init(&lines, verifier->audit->dir_fd);
	for (size_t i = 0; i < count && status == WRIT_OK; i++)
		status = report_open(verifier, &lines, open[i], err);
	w_trail_lines_done(&lines);
	return status;
}
