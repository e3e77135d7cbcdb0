/* SPDX-License-Identifier: Apache-2.0 */

/* Appends a record about the trail itself. */

#include "audit/record/audit_append.h"

#include <string.h>

#include "base/error.h"

writ_status
w_audit_append(writ_audit *audit, const struct w_buf *payload,
    struct w_log_mark *out_mark, writ_error *err)
{
	struct w_hmac_key key;
	char key_id[W_LOG_KEY_ID_LEN + 1];
	struct w_log_options options = {
	    .name = W_TRAIL_NAME,
	    .durability = W_LOG_SYNC,
	    .segment_max = audit->segment_max,
	    .must_exist = true,
	};
	struct w_log *log;

	if (payload->failed)
		return w_fail_nomem(err, "audit");
	if (audit->key != NULL) {
		w_hmac_key_init(&key, audit->key, audit->key_len);
		w_log_key_id(audit->key, audit->key_len, key_id);
		options.key = &key;
		options.key_id = key_id;
	}
	writ_status status = w_log_open(audit->dir, &options, &log, err);
	if (status == WRIT_OK) {
		status = w_log_append(log, payload->data, payload->len,
		    W_LOG_BEGINS, out_mark, err);
		w_log_close(log);
	}
	explicit_bzero(&key, sizeof(key));
	return status;
}
