/* SPDX-License-Identifier: Apache-2.0 */

/* Counts runs by what they have in common. */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <writ/audit.h>

#include "audit/query/query.h"
#include "base/basename.h"
#include "base/error.h"
#include "base/match.h"

#define DAY_LEN 10 /* 2026-11-16 */

enum by {
	BY_ALL,
	BY_PROGRAM,
	BY_AGENT,
	BY_OUTCOME,
	BY_SANDBOX,
	BY_DAY,
};

static const char *const words[] = {
    [BY_ALL] = "all",
    [BY_PROGRAM] = "program",
    [BY_AGENT] = "agent",
    [BY_OUTCOME] = "outcome",
    [BY_SANDBOX] = "sandbox",
    [BY_DAY] = "day",
    NULL,
};

struct stats_counting {
	enum by by;
	void *tree; /* of writ_audit_count, by name */
	size_t count;
	bool is_full;
	writ_audit_count **rows; /* all of them, borrowed from the tree */
	size_t filled;
};

static int
stats_compare_names(const void *a, const void *b)
{
	return strcmp(((const writ_audit_count *)a)->name,
	    ((const writ_audit_count *)b)->name);
}

static const char *
program_name(const struct w_audit_run_view *view)
{
	const char *path = view->begin.program != NULL ? view->begin.program
						       : view->begin.asked;

	if (path == NULL)
		return view->begin.shell != NULL ? "sh" : "none";
	return w_basename(path);
}

static const char *
stats_name_of(
    enum by by, const writ_audit_run *run, char day[W_LOG_TIME_LEN + 1])
{
	switch (by) {
	case BY_PROGRAM:
		return program_name(w_audit_run_view_of(run));
	case BY_AGENT:
		return run->agent != NULL ? run->agent : "none";
	case BY_OUTCOME:
		return run->outcome != NULL ? run->outcome
					    : writ_run_state_word(run->state);
	case BY_SANDBOX:
		return run->sandbox != NULL ? run->sandbox : "none";
	case BY_DAY:
		w_log_time_format(run->begin_us, day);
		day[DAY_LEN] = '\0';
		return day;
	case BY_ALL:
		break;
	}
	return words[BY_ALL];
}

static void
free_row(void *node)
{
	writ_audit_count *row = node;

	free((void *)(uintptr_t)row->name);
	free(row);
}

/* NULL: no memory. */
static writ_audit_count *
row_of(struct stats_counting *counting, const char *name)
{
	writ_audit_count key = {.name = name};
	void *found = tfind(&key, &counting->tree, stats_compare_names);

	if (found != NULL)
		return *(writ_audit_count **)found;
	writ_audit_count *row = calloc(1, sizeof(*row));
	if (row == NULL)
		return NULL;
	row->name = strdup(name);
	if (row->name == NULL ||
	    tsearch(row, &counting->tree, stats_compare_names) == NULL) {
		free_row(row);
		return NULL;
	}
	counting->count++;
	return row;
}

static bool
count_run(void *ctx, const writ_audit_run *run)
{
	struct stats_counting *counting = ctx;
	const struct w_audit_run_view *view = w_audit_run_view_of(run);
	char day[W_LOG_TIME_LEN + 1];
	writ_audit_count *row =
	    row_of(counting, stats_name_of(counting->by, run, day));

	counting->is_full = row == NULL;
	if (row == NULL)
		return false;
	row->runs++;
	row->refused += run->state == WRIT_RUN_REFUSED;
	row->failed +=
	    run->state == WRIT_RUN_ENDED && !w_entry_is_ok(&view->end);
	row->duration_ms += run->duration_ms;
	if (run->duration_ms > row->longest_ms)
		row->longest_ms = run->duration_ms;
	row->cpu_ms += view->end.cpu_ms;
	row->out_bytes += run->out_bytes[0] + run->out_bytes[1];
	return true;
}

static void
stats_collect(const void *node, VISIT visit, void *ctx)
{
	struct stats_counting *counting = ctx;

	if (visit == postorder || visit == leaf)
		counting->rows[counting->filled++] =
		    *(writ_audit_count *const *)node;
}

static int
compare_runs(const void *a, const void *b)
{
	const writ_audit_count *left = *(writ_audit_count *const *)a;
	const writ_audit_count *right = *(writ_audit_count *const *)b;

	if (left->runs != right->runs)
		return left->runs > right->runs ? -1 : 1;
	return strcmp(left->name, right->name);
}

static writ_status
give_rows(struct stats_counting *counting, writ_audit_count_fn fn, void *ctx,
    writ_error *err)
{
	if (counting->count == 0)
		return WRIT_OK;
	counting->rows = calloc(counting->count, sizeof(counting->rows[0]));
	if (counting->rows == NULL)
		return w_fail_nomem(err, "audit");
	twalk_r(counting->tree, stats_collect, counting);
	/* The tree is sorted by name, which is the right order for days. */
	if (counting->by != BY_DAY)
		qsort(counting->rows, counting->filled,
		    sizeof(counting->rows[0]), compare_runs);
	for (size_t i = 0; i < counting->filled; i++)
		if (!fn(ctx, counting->rows[i]))
			break;
	free(counting->rows);
	return WRIT_OK;
}

static writ_status
find_by(const char *by, enum by *out_by, writ_error *err)
{
	for (size_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], by) == 0) {
			*out_by = (enum by)i;
			return WRIT_OK;
		}
	}
	const char *nearest = w_match_nearest(by, words);
	(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
	    "cannot count by '%s': it is by program, agent, outcome, day, "
	    "sandbox or all",
	    by);
	w_match_suggest(nearest, err);
	return WRIT_E_INVALID;
}

writ_status
writ_audit_stats(writ_audit *audit, const writ_audit_filter *filter,
    const char *by, writ_audit_count_fn fn, void *ctx, writ_error *err)
{
	struct stats_counting counting = {0};

	writ_status status = find_by(by, &counting.by, err);
	if (status != WRIT_OK)
		return status;
	status = writ_audit_runs(audit, filter, count_run, &counting, err);
	if (status == WRIT_OK && counting.is_full)
		status = w_fail_nomem(err, "audit");
	if (status == WRIT_OK)
		status = give_rows(&counting, fn, ctx, err);
	tdestroy(counting.tree, free_row);
	return status;
}
