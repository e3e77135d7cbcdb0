/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_FEED_H
#define W_CLI_LIVE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/approval.h>
#include <writ/audit.h>
#include <writ/config.h>
#include <yyjson.h>

#include "base/words.h"
#include "cli/live/live_runs.h"
#include "cli/live/live_wake.h"

/*
 * What agents do on this machine, as it happens: runs that begin and end, and
 * questions that are asked and answered. It reads the audit trail and the queue
 * of approvals, and writes neither.
 */
enum w_live_kind {
	W_LIVE_STARTED,
	W_LIVE_ENDED,
	W_LIVE_REFUSED,
	W_LIVE_ASKED,
	W_LIVE_ANSWERED, /* or over in another way */
};

/* Borrowed during the callback. */
struct w_live_event {
	enum w_live_kind kind;
	uint64_t at_us;         /* since 1970 */
	const char *id;         /* of the run or the question */
	struct w_live_run *run; /* NULL: it is about a question */
	yyjson_val *question;   /* NULL: it is about a run, or was deleted */
};

typedef void (*w_live_fn)(void *ctx, const struct w_live_event *event);

struct w_live_feed {
	const writ_config *config;
	const char *agent; /* only what concerns this one; NULL: everything */
	w_live_fn fn;      /* called by w_live_feed_update() */
	void *ctx;

	struct w_live_runs runs;
	struct w_live_wake wake;
	writ_audit *audit;
	writ_approvals *approvals;
	int queue_fd;
	struct w_words asked; /* the ids of the questions that wait */
	const char *state_dir;
	uint64_t trail[2]; /* device and inode of the trail's directory */
	uint64_t last_seq;
	uint64_t since_us; /* of another trail, what is older is no news */
	uint64_t check_ms; /* when to look for runs that died */
	bool is_told;      /* what was running at first was told */
};

/* The caller has set the first members. What happens from now on comes from
 * w_live_feed_update(); the first one also tells what is running and asked
 * already. What ended before is only in the list of runs. */
writ_status w_live_feed_open(struct w_live_feed *feed, writ_error *err);
void w_live_feed_close(struct w_live_feed *feed);

/* Reads what is new and tells it. Call it after one of the descriptors polled
 * readable or w_live_feed_wait_ms() is over. */
writ_status w_live_feed_update(struct w_live_feed *feed, writ_error *err);

/* For poll(): -1: only a descriptor tells that something happens. */
int w_live_feed_wait_ms(const struct w_live_feed *feed);

#endif /* W_CLI_LIVE_FEED_H */
