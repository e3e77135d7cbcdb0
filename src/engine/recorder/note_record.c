/* SPDX-License-Identifier: Apache-2.0 */

/* A record without an engine. */

#include "engine/recorder/note_record.h"

#include "audit/record/record.h"
#include "audit/record/trail.h"
#include "base/error.h"

writ_status
w_note_record(const writ_config *config, const char *door,
    const struct w_buf *record, const char *what, writ_error *err)
{
	const struct w_trail_options options = {
	    .state_dir = w_config_path(config, W_SET_STATE_DIR),
	    .durability = W_LOG_SYNC,
	    .key_file = w_config_path(config, W_SET_AUDIT_KEY),
	    .segment_max = w_config_number(config, W_SET_AUDIT_SEGMENT),
	    .door = door,
	};
	writ_error inner = {0};
	struct w_trail *trail;

	writ_status status = w_trail_open(&options, &trail, &inner);
	if (status == WRIT_OK) {
		status =
		    w_trail_append(trail, record, W_LOG_BEGINS, NULL, &inner);
		w_trail_close(trail);
	}
	if (status == WRIT_OK ||
	    w_config_number(config, W_SET_AUDIT_FAILURE) != 0)
		return WRIT_OK;
	(void)w_fail(err, status, "audit", 0, "cannot record %s: %s", what,
	    inner.message);
	if (err != NULL)
		err->sys_errno = inner.sys_errno;
	return status;
}
