/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EVENT_H
#define W_MANIFEST_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The outcome of one resource: the transaction event. It is shown, stored in
 * the session, and used by later resources.
 *
 * Everything is borrowed. Secrets are already redacted in all texts.
 */
#define W_EVENT_ID_LEN 27 /* a KSUID: seconds since 2014, then random bytes */

enum w_health_status {
	W_HEALTH_OK,
	W_HEALTH_WARNING,
	W_HEALTH_CRITICAL,
	W_HEALTH_UNKNOWN,
};

struct w_health_result {
	const char *name;
	enum w_health_status status;
	unsigned tries;
	const char *output; /* trimmed, valid UTF-8 */
};

struct w_event {
	char id[W_EVENT_ID_LEN + 1];
	uint64_t time_us; /* end of the resource, Unix time */
	size_t index;     /* of the resource in its manifest */
	const char *type; /* "exec" */
	const char *provider;
	const char *name;
	const char *alias; /* NULL: none */
	const char *requested_ensure;
	const char *final_ensure; /* "" if it failed before */
	uint64_t duration_ns;
	const char *properties; /* JSON object */
	const char *status;     /* JSON object; NULL: null */
	const char *noop_message;
	const struct w_health_result *health;
	size_t health_count;
	const char *const *errors; /* NULL-ended; NULL: none */
	const char *const *warnings;
	const char *const *unmet; /* unmet references */
	bool changed;
	bool refreshed;
	bool failed;
	bool skipped; /* by control, or for a requirement */
	bool noop;
	bool interrupted;           /* Ctrl-C ended it */
	bool health_only;           /* only health checks were made */
	unsigned tries;             /* runs of its command; 0: unknown */
	const char *decided_by;     /* what decided: "creates '/opt/x'", "onlyif
				     * 'test -e x'", "refreshonly", "subscribe
				     * file#/etc/x", "control.if"; NULL */
	const char *const *run_ids; /* in the audit trail; NULL-ended; NULL */
	const char *diff;           /* of a file; NULL: none */
	const char *registered;     /* JSON: its name in Results, and what is
				     * there; NULL: it has none */
};

/* A new id; ids of one process sort in the order of creation, also within a
 * second. */
void w_event_new_id(char out[W_EVENT_ID_LEN + 1]);

/* Unix time. */
uint64_t w_event_now_us(void);

/* Appends one line of JSON, without newline. */
void w_event_add_json(struct w_buf *buf, const struct w_event *event);

/*
 * The state of an exec: appended as the object "status" of the event; common
 * members (name, ensure, changed, noop ...) come from the event.
 */
struct w_exec_state {
	bool is_stable; /* nothing had to be done */
	bool has_exitcode;
	int exitcode;
	/* Evaluated and true. */
	bool creates_satisfied;
	bool onlyif_satisfied;
	bool unless_satisfied;
	const char *outcome; /* "timed_out", "signaled"; NULL: it exited, or
				did not run */
	const char *signal;  /* "SIGKILL"; NULL: none */
	/* Tail of a failed command's output, by writ_stream; NULL: none. Any
	 * bytes. */
	const char *output[2];
	size_t output_len[2];
};
void w_exec_state_add_json(struct w_buf *buf, const struct w_event *event,
    const struct w_exec_state *state);

/* First match of failed, unmet (skipped for a requirement), skipped, refreshed,
 * changed, stable. */
enum w_verdict_word {
	W_EVENT_FAILED,
	W_EVENT_UNMET,
	W_EVENT_SKIPPED,
	W_EVENT_REFRESHED,
	W_EVENT_CHANGED,
	W_EVENT_STABLE,
};
enum w_verdict_word w_event_verdict(const struct w_event *event);
const char *w_event_verdict_text(enum w_verdict_word verdict);

/* Counts of a session. */
struct w_event_summary {
	uint64_t start_us;
	uint64_t end_us;
	uint64_t duration_ns; /* from start to the end of the last event */
	size_t total;
	size_t unique;
	size_t changed;
	size_t failed;
	size_t skipped;
	size_t stable;
	size_t refreshed;
	size_t unmet;
	size_t checked;
	size_t health[4]; /* by w_health_status */
	size_t errors;
};

/* Appends the object, with the names of the reference: "start_time",
 * "total_resources" and so on. A time of 0 is null. */
void w_event_summary_add_json(
    struct w_buf *buf, const struct w_event_summary *summary);

#endif /* W_MANIFEST_EVENT_H */
