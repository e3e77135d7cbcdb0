/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Follows the trail and the queue of approvals.
 *
 * New records are read by their number. A trail that was moved away, deleted or
 * cut is opened again and read from its end: what stood in it before is no
 * news. A run whose process was killed leaves no record, so while something is
 * running, the trail is asked now and then which runs still have a process.
 */

#include "cli/live/live_feed.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/options/datetime.h"
#include "cli/run/recorded_run.h"
#include "data/json.h"

/* How often runs that are going on are looked for. */
#define CHECK_MS 2000

/* Runs that ended before the watching: so many are listed. */
#define EARLIER_MAX 100

/* ---- telling ---- */

static bool
is_of_agent(const struct w_live_feed *feed, const char *agent)
{
	return feed->agent == NULL ||
	       (agent != NULL && strcmp(feed->agent, agent) == 0);
}

static void
tell_run(const struct w_live_feed *feed, enum w_live_kind kind,
    struct w_live_run *run)
{
	const uint64_t at_us = kind == W_LIVE_ENDED && run->end_us != 0
				   ? run->end_us
			       : kind == W_LIVE_ENDED ? w_datetime_now()
						      : run->begin_us;

	feed->fn(feed->ctx,
	    &(struct w_live_event){
		.kind = kind, .at_us = at_us, .id = run->id, .run = run});
}

/* ---- runs ---- */

struct taking {
	struct w_live_feed *feed;
	bool is_quiet; /* what ended before the watching is no news */
	bool is_short_of_memory;
};

static bool
live_feed_take_run(void *ctx, const writ_audit_run *from)
{
	struct taking *taking = ctx;
	struct w_live_feed *feed = taking->feed;
	struct w_live_runs *runs = &feed->runs;

	if (!is_of_agent(feed, from->agent))
		return true;
	struct w_live_run *run = w_live_run_copy(from);
	const struct w_live_run *known = w_live_runs_find(runs, from->run_id);
	const bool is_new = known == NULL;
	const bool was_over = known != NULL && w_live_run_is_over(known);
	taking->is_short_of_memory = run == NULL;
	if (run == NULL)
		return false;
	run->is_seen = true;
	const bool is_over = w_live_run_is_over(run);
	const bool is_refused = run->state == WRIT_RUN_REFUSED;
	taking->is_short_of_memory = !w_live_runs_put(runs, run);
	if (taking->is_short_of_memory)
		return false;
	if (taking->is_quiet)
		return true;
	if (is_new && is_refused)
		tell_run(feed, W_LIVE_REFUSED, run);
	else if (is_new)
		tell_run(feed, W_LIVE_STARTED, run);
	if (is_over && !is_refused && !was_over)
		tell_run(feed, W_LIVE_ENDED, run);
	return true;
}

static writ_status
live_feed_find_run(struct w_live_feed *feed, const char *id, writ_error *err)
{
	struct taking taking = {.feed = feed};
	writ_error why;

	writ_status status =
	    writ_audit_find(feed->audit, id, live_feed_take_run, &taking, &why);
	if (taking.is_short_of_memory)
		return w_fail_nomem(err, "watch");
	/* A record of which the begin was pruned. */
	if (status == WRIT_OK || status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	*err = why;
	return status;
}

struct reading {
	struct w_live_feed *feed;
	writ_status status;
	writ_error *err;
};

static bool
live_feed_take_record(void *ctx, const writ_record *record)
{
	struct reading *reading = ctx;

	reading->feed->last_seq = record->seq;
	if (record->run_id == NULL || (strcmp(record->kind, "begin") != 0 &&
					  strcmp(record->kind, "end") != 0 &&
					  strcmp(record->kind, "refused") != 0))
		return true;
	reading->status =
	    live_feed_find_run(reading->feed, record->run_id, reading->err);
	return reading->status == WRIT_OK;
}

static writ_status
live_feed_read_new(struct w_live_feed *feed, uint64_t since_us, writ_error *err)
{
	struct reading reading = {.feed = feed, .err = err};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	filter.after_seq = feed->last_seq;
	filter.since_us = since_us;
	filter.oldest_first = true;
	writ_status status = writ_audit_records(
	    feed->audit, &filter, live_feed_take_record, &reading, err);
	return status != WRIT_OK ? status : reading.status;
}

static bool
take_seq(void *ctx, const writ_record *record)
{
	*(uint64_t *)ctx = record->seq;
	return false;
}

static writ_status
find_last_seq(struct w_live_feed *feed, uint64_t *out_seq, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	*out_seq = 0;
	filter.limit = 1;
	return writ_audit_records(feed->audit, &filter, take_seq, out_seq, err);
}

static writ_status
take_runs(struct w_live_feed *feed, const writ_audit_filter *filter,
    bool is_quiet, writ_error *err)
{
	struct taking taking = {.feed = feed, .is_quiet = is_quiet};

	writ_status status = writ_audit_runs(
	    feed->audit, filter, live_feed_take_run, &taking, err);
	if (status == WRIT_OK && taking.is_short_of_memory)
		return w_fail_nomem(err, "watch");
	return status;
}

static writ_status
take_running(struct w_live_feed *feed, bool is_quiet, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	filter.outcome = writ_run_state_word(WRIT_RUN_RUNNING);
	filter.agent = feed->agent;
	filter.oldest_first = true;
	return take_runs(feed, &filter, is_quiet, err);
}

static bool
take_ended(void *ctx, const writ_audit_run *run)
{
	return run->state == WRIT_RUN_RUNNING || run->state == WRIT_RUN_UNKNOWN
		   ? true
		   : live_feed_take_run(ctx, run);
}

/* What is there at the start. The number is read first: what is written
 * meanwhile is found twice rather than never. */
static writ_status
live_feed_begin_trail(struct w_live_feed *feed, writ_error *err)
{
	struct taking taking = {.feed = feed, .is_quiet = true};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	writ_status status = find_last_seq(feed, &feed->last_seq, err);
	filter.agent = feed->agent;
	filter.limit = EARLIER_MAX;
	if (status == WRIT_OK)
		status = writ_audit_runs(
		    feed->audit, &filter, take_ended, &taking, err);
	if (status == WRIT_OK && taking.is_short_of_memory)
		return w_fail_nomem(err, "watch");
	return status == WRIT_OK ? take_running(feed, true, err) : status;
}

/* Looks for runs whose process is gone. */
static writ_status
check_running(struct w_live_feed *feed, writ_error *err)
{
	struct w_live_runs *runs = &feed->runs;
	W_AUTO_WORDS struct w_words gone = {.items = NULL};

	for (size_t i = 0; i < runs->count; i++)
		runs->running[i]->is_seen = false;
	writ_status status = take_running(feed, false, err);
	for (size_t i = 0; status == WRIT_OK && i < runs->count; i++) {
		const struct w_live_run *run = runs->running[i];

		if (!run->is_seen &&
		    !w_words_add(&gone, run->id, strlen(run->id)))
			return w_fail_nomem(err, "watch");
	}
	for (size_t i = 0; status == WRIT_OK && i < gone.count; i++)
		status = live_feed_find_run(feed, gone.items[i], err);
	return status;
}

/* ---- the trail itself ---- */

/* Device and inode; 0 and 0: there is none. */
static void
identify_trail(const struct w_live_feed *feed, uint64_t out_trail[2])
{
	W_AUTO_BUF struct w_buf path;
	struct stat st;

	out_trail[0] = 0;
	out_trail[1] = 0;
	w_buf_init(&path, PATH_MAX);
	w_buf_add_fmt(&path, "%s/audit", feed->state_dir);
	if (path.failed || stat(path.data, &st) != 0)
		return;
	out_trail[0] = st.st_dev;
	out_trail[1] = st.st_ino;
}

/* The runs of a trail that is gone are of no use. */
static void
forget_runs(struct w_live_feed *feed)
{
	for (size_t i = 0; i < feed->runs.count; i++) {
		struct w_live_run *run = feed->runs.running[i];

		run->state = WRIT_RUN_LOST;
		tell_run(feed, W_LIVE_ENDED, run);
	}
	w_live_runs_done(&feed->runs);
}

static writ_status
live_feed_open_trail(struct w_live_feed *feed, writ_error *err)
{
	writ_audit_free(feed->audit);
	feed->audit = NULL;
	feed->last_seq = 0;
	identify_trail(feed, feed->trail);
	return w_recorded_runs_open(feed->state_dir, &feed->audit, err);
}

/* Another trail is there. */
static writ_status
live_feed_change_trail(struct w_live_feed *feed, writ_error *err)
{
	forget_runs(feed);
	writ_status status = live_feed_open_trail(feed, err);
	if (status == WRIT_OK)
		status = take_running(feed, false, err);
	return status == WRIT_OK ? live_feed_read_new(feed, feed->since_us, err)
				 : status;
}

static writ_status
live_feed_update_trail(struct w_live_feed *feed, writ_error *err)
{
	const uint64_t now_us = w_datetime_now();
	uint64_t trail[2];
	uint64_t seq = 0;

	identify_trail(feed, trail);
	if (memcmp(trail, feed->trail, sizeof(trail)) != 0)
		return live_feed_change_trail(feed, err);
	writ_status status = find_last_seq(feed, &seq, err);
	if (status == WRIT_OK && seq < feed->last_seq)
		return live_feed_change_trail(feed, err);
	if (status == WRIT_OK && seq > feed->last_seq)
		status = live_feed_read_new(feed, 0, err);
	feed->since_us = now_us;
	return status;
}

/* ---- questions ---- */

static bool
words_have(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

static void
tell_question(const struct w_live_feed *feed, enum w_live_kind kind,
    const char *id, yyjson_val *question)
{
	const uint64_t ms =
	    question == NULL
		? 0
		: w_question_number(question,
		      kind == W_LIVE_ASKED ? "/asked_at" : "/answer/at");

	feed->fn(feed->ctx, &(struct w_live_event){.kind = kind,
				.at_us = ms != 0 ? ms * 1000 : w_datetime_now(),
				.id = id,
				.question = question});
}

static yyjson_val *
find_question(yyjson_val *list, const char *id)
{
	size_t i;
	size_t count;
	yyjson_val *question;

	yyjson_arr_foreach(list, i, count, question)
	{
		const char *other = w_question_text(question, "/id");

		if (other != NULL && strcmp(other, id) == 0)
			return question;
	}
	return NULL;
}

static bool
tell_questions(
    const struct w_live_feed *feed, yyjson_val *list, struct w_words *now)
{
	size_t i;
	size_t count;
	yyjson_val *question;

	yyjson_arr_foreach(list, i, count, question)
	{
		const char *id = w_question_text(question, "/id");

		if (id == NULL ||
		    w_question_state(question) != WRIT_APPROVAL_PENDING ||
		    !is_of_agent(
			feed, w_question_text(question, "/asker/agent")))
			continue;
		if (!w_words_add(now, id, strlen(id)))
			return false;
		if (!words_have(&feed->asked, id))
			tell_question(feed, W_LIVE_ASKED, id, question);
	}
	for (size_t at = 0; at < feed->asked.count; at++) {
		const char *id = feed->asked.items[at];

		if (!words_have(now, id))
			tell_question(
			    feed, W_LIVE_ANSWERED, id, find_question(list, id));
	}
	return true;
}

static writ_status
live_feed_update_queue(struct w_live_feed *feed, writ_error *err)
{
	struct w_words now = {.items = NULL};
	struct w_json *json = NULL;

	writ_status status = w_question_load_all(feed->approvals, &json, err);
	if (status != WRIT_OK)
		return status;
	if (!tell_questions(feed, w_json_root(json), &now))
		status = w_fail_nomem(err, "watch");
	w_json_free(json);
	w_words_done(&feed->asked);
	feed->asked = now;
	return status;
}

/* ---- all of it ---- */

writ_status
w_live_feed_open(struct w_live_feed *feed, writ_error *err)
{
	feed->queue_fd = -1;
	feed->wake.fd = -1;
	feed->state_dir = writ_config_get(feed->config, "state_dir");
	writ_status status =
	    w_live_wake_open(&feed->wake, feed->state_dir, err);
	if (status == WRIT_OK)
		status =
		    writ_approvals_open(feed->config, &feed->approvals, err);
	if (status != WRIT_OK)
		return status;
	feed->queue_fd = writ_approvals_fd(feed->approvals, err);
	if (feed->queue_fd < 0)
		return WRIT_E_SYSTEM;
	feed->since_us = w_datetime_now();
	status = live_feed_open_trail(feed, err);
	return status == WRIT_OK ? live_feed_begin_trail(feed, err) : status;
}

void
w_live_feed_close(struct w_live_feed *feed)
{
	writ_audit_free(feed->audit);
	feed->audit = NULL;
	writ_approvals_free(feed->approvals);
	feed->approvals = NULL;
	w_live_wake_close(&feed->wake);
	w_words_done(&feed->asked);
	w_live_runs_done(&feed->runs);
}

writ_status
w_live_feed_update(struct w_live_feed *feed, writ_error *err)
{
	const uint64_t now_ms = w_question_now_ms();
	const bool has_news = w_live_wake_take(&feed->wake);
	writ_status status = WRIT_OK;

	for (size_t i = 0; !feed->is_told && i < feed->runs.count; i++)
		tell_run(feed, W_LIVE_STARTED, feed->runs.running[i]);
	if (has_news || !feed->is_told)
		status = live_feed_update_trail(feed, err);
	feed->is_told = true;
	if (status == WRIT_OK && w_live_feed_wait_ms(feed) == 0) {
		status = check_running(feed, err);
		feed->check_ms = now_ms + CHECK_MS;
	}
	return status == WRIT_OK ? live_feed_update_queue(feed, err) : status;
}

int
w_live_feed_wait_ms(const struct w_live_feed *feed)
{
	const uint64_t now_ms = w_question_now_ms();

	if (feed->runs.count == 0)
		return -1;
	if (feed->check_ms <= now_ms)
		return 0;
	/* The clock may have been set back. */
	return feed->check_ms - now_ms < CHECK_MS
		   ? (int)(feed->check_ms - now_ms)
		   : CHECK_MS;
}
