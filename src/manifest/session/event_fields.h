/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EVENT_FIELDS_H
#define W_MANIFEST_EVENT_FIELDS_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Pieces of JSON that events, states, summaries and the lines of a session
 * are made of. A name is given with all that stands around it: ,"name":
 * That and the number make one event cost a microsecond and not five.
 */

void w_event_add_number(struct w_buf *buf, const char *name, uint64_t number);
void w_event_add_bool(struct w_buf *buf, const char *name, bool is_true);

/* A string, or null for NULL. Bytes that are no character become U+FFFD: a
 * line that nobody can read is of no use to anybody. */
void w_event_add_text(struct w_buf *buf, const char *name, const char *text);

/* Likewise a list that ends with NULL; NULL: an empty one. */
void w_event_add_list(
    struct w_buf *buf, const char *name, const char *const *texts);

/* A time, as RFC 3339 in UTC; 0 is null. */
void w_event_add_time(struct w_buf *buf, const char *name, uint64_t time_us);

#endif /* W_MANIFEST_EVENT_FIELDS_H */
