/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_QUIET_EVENTS_H
#define W_MANIFEST_QUIET_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Events of resources at which nothing was done are recorded and shown
 * together: of a hundred thousand, most are of that kind, and a line in the
 * session costs as much as all the rest of such a resource.
 *
 * Invariants
 *  1. An event is shown when it is in the session, and in the order of the
 *     resources.
 *  2. Before a command runs, and before anything else that may take long or
 *     changes something, all events before it are recorded and shown.
 *  3. No event is held for longer than a person notices.
 */
#define W_QUIET_EVENTS_MAX 64

struct w_resource_step;
struct w_quiet_event;

struct w_quiet_events {
	struct w_quiet_event *items; /* NULL: not yet */
	size_t count;
	uint64_t since_ns; /* when the first one began to wait */
};

/* Whether the step's event can be held: it has ended, and nothing was done. */
bool w_quiet_events_suit(const struct w_resource_step *step);

/* Holds the event of the step, which the session holds; and tells of all when
 * there are many. */
writ_status w_quiet_events_add(struct w_resource_step *step, writ_error *err);

/* Records and shows those of the step that are held. */
writ_status w_quiet_events_tell(struct w_resource_step *step, writ_error *err);

/* Likewise, and tells that the resource of the step begins, unless that was
 * told. */
writ_status w_quiet_events_begin(struct w_resource_step *step, writ_error *err);

void w_quiet_events_done(struct w_quiet_events *held);

#endif /* W_MANIFEST_QUIET_EVENTS_H */
