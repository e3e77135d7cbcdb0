/* SPDX-License-Identifier: Apache-2.0 */

/* The public queries: records, runs, one run. */

#include <string.h>

#include <writ/audit.h>

#include "audit/query/query.h"
#include "base/error.h"

/* ---- records ---- */

struct gather {
	struct w_audit_run_map map;
	bool is_full;
};

static bool
gather_run(void *ctx, const writ_audit_run *run)
{
	struct gather *gather = ctx;

	gather->is_full =
	    w_audit_run_map_put(&gather->map, run->run_id) == NULL;
	return !gather->is_full;
}

/* Agent, program and outcome are those of the run that a record belongs to, so
 * the runs are found first. */
static writ_status
gather_runs(writ_audit *audit, const struct w_filter *filter,
    struct gather *gather, writ_error *err)
{
	writ_audit_filter runs = WRIT_AUDIT_FILTER_INIT;
	struct w_query query = {
	    .audit = audit, .on_run = gather_run, .ctx = gather};

	runs.run_id = filter->want.run_id;
	runs.agent = filter->want.agent;
	runs.program = filter->want.program;
	runs.outcome = filter->want.outcome;
	writ_status status = w_query_run(&query, &runs, err);
	if (status == WRIT_OK && gather->is_full)
		return w_fail_nomem(err, "audit");
	return status;
}

writ_status
writ_audit_records(writ_audit *audit, const writ_audit_filter *filter,
    writ_record_fn fn, void *ctx, writ_error *err)
{
	struct gather gather = {0};
	struct w_query query = {.audit = audit, .on_record = fn, .ctx = ctx};
	struct w_filter ready;

	writ_status status = w_filter_init(&ready, filter, err);
	if (status != WRIT_OK)
		return status;
	if (w_filter_is_of_runs(&ready)) {
		status = gather_runs(audit, &ready, &gather, err);
		query.only = &gather.map;
	}
	if (status == WRIT_OK)
		status = w_query_run(&query, filter, err);
	w_audit_run_map_done(&gather.map);
	w_filter_done(&ready);
	return status;
}

/* ---- runs ---- */

writ_status
writ_audit_runs(writ_audit *audit, const writ_audit_filter *filter,
    writ_audit_run_fn fn, void *ctx, writ_error *err)
{
	struct w_query query = {.audit = audit, .on_run = fn, .ctx = ctx};

	return w_query_run(&query, filter, err);
}

/* ---- one run ---- */

enum {
	SHOWN_MAX = 2
};

struct match {
	const char *id;
	const char *typed;    /* the id as the user wrote it */
	writ_audit_run_fn fn; /* NULL: only count */
	void *ctx;
	unsigned count;
	char first[SHOWN_MAX][W_ID_LEN + 1];
};

static bool
count_run(void *ctx, const writ_audit_run *run)
{
	struct match *match = ctx;

	if (match->count < SHOWN_MAX)
		memcpy(match->first[match->count], run->run_id,
		    strlen(run->run_id) + 1);
	match->count++;
	if (strcmp(run->run_id, match->id) != 0)
		return true;
	/* A full id matches only itself. */
	match->count = 1;
	memcpy(match->first[0], run->run_id, strlen(run->run_id) + 1);
	return false;
}

static bool
audit_queries_hand_over(void *ctx, const writ_audit_run *run)
{
	struct match *match = ctx;

	match->count++;
	(void)match->fn(match->ctx, run);
	return false;
}

static writ_status
find_newest(writ_audit *audit, struct match *match, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	filter.limit = 1;
	writ_status status = writ_audit_runs(
	    audit, &filter, audit_queries_hand_over, match, err);
	if (status != WRIT_OK || match->count != 0)
		return status;
	return w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
	    "the trail in '%s' has no run", audit->dir);
}

static writ_status
fail_find(const writ_audit *audit, const struct match *match, writ_error *err)
{
	if (match->count == 0)
		return w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
		    "no run '%s' in the trail in '%s'", match->typed,
		    audit->dir);
	(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
	    "several runs begin with '%s': '%s', '%s'%s", match->typed,
	    match->first[0], match->first[1], match->count > 2 ? ", ..." : "");
	w_suggest(err, "give more characters of the id");
	return WRIT_E_INVALID;
}

/* Ids are upper case; the user may type lower case. */
static bool
audit_queries_spell(const char *id, char out[W_ID_LEN + 1])
{
	size_t len = strlen(id);

	if (!w_entry_is_run_id(id, len))
		return false;
	for (size_t i = 0; i <= len; i++)
		out[i] = id[i] >= 'a' && id[i] <= 'z'
			     ? (char)(id[i] - 'a' + 'A')
			     : id[i];
	return true;
}

writ_status
writ_audit_find(writ_audit *audit, const char *id, writ_audit_run_fn fn,
    void *ctx, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	struct match match = {.id = id, .typed = id, .fn = fn, .ctx = ctx};
	char spelled[W_ID_LEN + 1];

	if (strcmp(id, "-") == 0)
		return find_newest(audit, &match, err);
	if (!audit_queries_spell(id, spelled))
		return w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
		    "'%s' is not the id of a run, or the beginning of one", id);
	match.id = spelled;
	filter.run_id = spelled;
	filter.limit = 3;
	writ_status status =
	    writ_audit_runs(audit, &filter, count_run, &match, err);
	if (status != WRIT_OK)
		return status;
	if (match.count != 1)
		return fail_find(audit, &match, err);
	filter.run_id = match.first[0];
	filter.limit = 1;
	match.count = 0;
	return writ_audit_runs(
	    audit, &filter, audit_queries_hand_over, &match, err);
}
