/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_AUDIT_APPEND_H
#define W_AUDIT_AUDIT_APPEND_H

#include "audit/audit.h"
#include "base/buf.h"
#include "log/log.h"

/* Appends one record to a trail that was opened for reading, about something
 * done to the trail itself. It is synced when this returns. The trail must
 * exist. *out_mark may be NULL. */
writ_status w_audit_append(writ_audit *audit, const struct w_buf *payload,
    struct w_log_mark *out_mark, writ_error *err);

#endif /* W_AUDIT_AUDIT_APPEND_H */
