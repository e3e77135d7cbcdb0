/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EVENT_H
#define W_MANIFEST_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/manifest.h>

#include "base/buf.h"

/*
 * The outcome of one resource: the transaction event, as <writ/manifest.h>
 * declares it. Secrets are already redacted in all texts.
 */
#define W_EVENT_ID_LEN 27 /* a KSUID: seconds since 2014, then random bytes */

_Static_assert(sizeof(((writ_event *)NULL)->id) == W_EVENT_ID_LEN + 1, "an id");

/* A new id; ids of one process sort in the order of creation, also within a
 * second. */
void w_event_new_id(char out[W_EVENT_ID_LEN + 1]);

/* Unix time. */
uint64_t w_event_now_us(void);

/* Appends one line of JSON, without newline. */
void w_event_add_json(struct w_buf *buf, const writ_event *event);

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
void w_exec_state_add_json(struct w_buf *buf, const writ_event *event,
    const struct w_exec_state *state);

/* "changed", "skipped due to unmet requirement" */
const char *w_event_verdict_text(writ_verdict verdict);

/* Appends the object, with the names of the reference: "start_time",
 * "total_resources" and so on. A time of 0 is null. */
void w_event_summary_add_json(
    struct w_buf *buf, const writ_apply_summary *summary);

#endif /* W_MANIFEST_EVENT_H */
