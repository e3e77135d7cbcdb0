/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_EVENT_LINE_H
#define W_CLI_EVENT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/manifest.h>

#include "base/buf.h"

/*
 * The outcome of a resource, for people:
 *
 *     exec#extract  changed      14ms
 *     exec#reload   refreshed     8ms  subscribe file#/etc/app.conf
 *     exec#build    stable        0ms  creates '/opt/app/bin/app'
 *     exec#check    failed        3ms  exit status 2 (wanted 0)
 *         warning: ...
 *
 * One line each with the same columns, so that a pipe can sort and cut them;
 * further lines are indented below.
 */
#define W_EVENT_LINE_ID_MAX 40 /* columns; longer ids shift the rest */

struct w_event_style {
	size_t id_width; /* columns of the longest id, up to the maximum */
	bool has_colour;
	bool shows_diff;
};

/* Widens the style for one more id. */
void w_cli_event_fit(struct w_event_style *style, const char *type,
    const char *name, bool is_alias);

void w_cli_event_add(struct w_buf *buf, const struct w_event_style *style,
    const writ_event *event);

/* "14ms", "1.2s", "3m12s" */
void w_cli_event_add_duration(struct w_buf *buf, uint64_t ns);

#endif /* W_CLI_EVENT_LINE_H */
