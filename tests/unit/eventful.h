/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_EVENTFUL_H
#define W_TEST_EVENTFUL_H

/* Events for the tests of sessions. */

#include <stdlib.h>

#include <yyjson.h>

#include "manifest/session/manifest_session.h"

/* A stable exec. Fill in what matters. */
static inline writ_event
an_event(size_t index, const char *name)
{
	writ_event event = {
	    .time_us = UINT64_C(1800000000000000) + index * 1000,
	    .index = index,
	    .type = "exec",
	    .provider = "posix",
	    .name = name,
	    .requested_ensure = "present",
	    .final_ensure = "present",
	    .duration_ns = 500000,
	    .properties = "{\"command\":\"/bin/true\"}",
	};

	w_event_new_id(event.id);
	return event;
}

static inline struct w_manifest_session *
open_session(const char *dir)
{
	const struct w_manifest_session_options options = {.dir = dir};
	struct w_manifest_session *session = NULL;
	writ_error err = {0};

	if (w_manifest_session_open(&options, &session, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return session;
}

static inline void
begin_session(struct w_manifest_session *session, const char *manifest)
{
	const struct w_manifest_session_start start = {
	    .manifest = manifest, .sha256 = "ab12", .resources = 3};

	assert_int_equal(
	    w_manifest_session_begin(session, &start, NULL), WRIT_OK);
}

static inline void
add_event(struct w_manifest_session *session, const writ_event *event)
{
	writ_error err = {0};

	if (w_manifest_session_add(session, event, false, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

/* Adds plain events. */
static inline void
add_events(struct w_manifest_session *session, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "step %zu", i);
		const writ_event event = an_event(i, name);
		add_event(session, &event);
	}
}

#endif /* W_TEST_EVENTFUL_H */
