/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_TRAIL_H
#define W_AUDIT_TRAIL_H

#include <stdbool.h>

#include "audit/record/record.h"
#include "base/sha256.h"
#include "log/log.h"

/*
 * The audit trail as one engine writes it: the log in STATE_DIR/audit, its
 * keys, and the identity of the writer.
 *
 * A record that could not be written is counted; when writing works again, a
 * record of kind "lost" says how many are missing and why. A forked child
 * writes nothing: it would write in the name of its parent.
 */
#define W_TRAIL_DIR  "audit" /* in the state directory */
#define W_TRAIL_NAME "trail" /* prefix of its files */

/* The longest record, without what the log adds. */
#define W_TRAIL_RECORD_MAX (W_LOG_LINE_MAX - 512)

struct w_trail_options {
	const char *state_dir;
	enum w_log_durability durability;
	const char *key_file; /* of the chain; NULL: no key */
	uint64_t segment_max;
	const char *door;
};

struct w_trail {
	struct w_log *log;
	char *dir;
	char *door;
	struct w_hmac_key chain_key;
	char chain_key_id[W_LOG_KEY_ID_LEN + 1];
	struct w_hmac_key request_key;
	struct w_record_who who; /* except the agent */
	uint64_t lost;           /* records not written */
	char lost_why[sizeof(((writ_error *)NULL)->message)];
};

writ_status w_trail_open(const struct w_trail_options *options,
    struct w_trail **out_trail, writ_error *err);

/* NULL is allowed. */
void w_trail_close(struct w_trail *trail);

/* Appends a record. *out_mark may be NULL. */
writ_status w_trail_append(struct w_trail *trail, const struct w_buf *record,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err);

/* Counts records that were not written, for this reason. */
void w_trail_count_lost(
    struct w_trail *trail, uint64_t records, const char *why);

#endif /* W_AUDIT_TRAIL_H */
