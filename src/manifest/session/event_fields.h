/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EVENT_FIELDS_H
#define W_MANIFEST_EVENT_FIELDS_H

#include <stdint.h>

#include "base/buf.h"

/*
 * JSON members of events, states, summaries and session lines. name includes
 * the punctuation, as in ,"name": . This and the number formatting make an
 * event take one microsecond instead of five.
 */

void w_event_add_number(struct w_buf *buf, const char *name, uint64_t number);
void w_event_add_bool(struct w_buf *buf, const char *name, bool is_true);

/* A string, or null for NULL. Invalid UTF-8 becomes U+FFFD, so that the line is
 * always valid JSON. */
void w_event_add_text(struct w_buf *buf, const char *name, const char *text);

/* Likewise a NULL-ended list; NULL: empty. */
void w_event_add_list(
    struct w_buf *buf, const char *name, const char *const *texts);

/* A time, as RFC 3339 in UTC; 0 is null. */
void w_event_add_time(struct w_buf *buf, const char *name, uint64_t time_us);

#endif /* W_MANIFEST_EVENT_FIELDS_H */
