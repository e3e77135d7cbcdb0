/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the audit trail. */

#include "audit/record/trail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/record/key_file.h"
#include "base/auto.h"
#include "os/trust.h"

#define LOST_RECORD_MAX 4096

/* Without /proc pid namespaces cannot be told apart: 0. The link reads
 * pid:[NUMBER]; a stat through it gives the same number but is slower. */
static uint64_t
pid_namespace(void)
{
	static const char before[] = "pid:[";
	char text[64];
	ssize_t len = readlink("/proc/self/ns/pid", text, sizeof(text) - 1);

	if (len < 0)
		return 0;
	text[len] = '\0';
	if (strncmp(text, before, sizeof(before) - 1) != 0)
		return 0;
	return strtoull(text + sizeof(before) - 1, NULL, 10);
}

static writ_status
read_chain_key(struct w_trail *trail, const char *path, writ_error *err)
{
	struct w_chain_key key;

	writ_status status = w_chain_key_read(path, &key, err);
	if (status != WRIT_OK)
		return status;
	w_hmac_key_init(&trail->chain_key, key.bytes, key.len);
	w_log_key_id(key.bytes, key.len, trail->chain_key_id);
	explicit_bzero(&key, sizeof(key));
	return WRIT_OK;
}

static writ_status
read_request_key(struct w_trail *trail, writ_error *err)
{
	uint8_t key[W_SHA256_KEY_SIZE];

	writ_status status = w_audit_request_key_read(trail->dir, key, err);
	if (status != WRIT_OK)
		return status;
	w_hmac_key_init(&trail->request_key, key, sizeof(key));
	explicit_bzero(key, sizeof(key));
	return WRIT_OK;
}

static writ_status
open_log(struct w_trail *trail, const struct w_trail_options *options,
    writ_error *err)
{
	const bool is_keyed = options->key_file != NULL;
	const struct w_log_options log = {
	    .name = W_TRAIL_NAME,
	    .durability = options->durability,
	    .key = is_keyed ? &trail->chain_key : NULL,
	    .key_id = is_keyed ? trail->chain_key_id : NULL,
	    .segment_max = options->segment_max,
	};

	writ_status status = WRIT_OK;
	if (is_keyed)
		status = read_chain_key(trail, options->key_file, err);
	if (status == WRIT_OK)
		status = w_log_open(trail->dir, &log, &trail->log, err);
	if (status == WRIT_OK)
		status = read_request_key(trail, err);
	return status;
}

writ_status
w_trail_open(const struct w_trail_options *options, struct w_trail **out_trail,
    writ_error *err)
{
	writ_status status = w_trust_check_state(options->state_dir, err);

	if (status != WRIT_OK)
		return status;
	struct w_trail *trail = calloc(1, sizeof(*trail));
	if (trail == NULL)
		return w_fail_nomem(err, "audit");
	trail->door = strdup(options->door);
	if (asprintf(&trail->dir, "%s/%s", options->state_dir, W_TRAIL_DIR) < 0)
		trail->dir = NULL;
	trail->who = (struct w_record_who){
	    .uid = geteuid(),
	    .pid = getpid(),
	    .pidns = pid_namespace(),
	    .door = trail->door,
	};
	status = trail->door == NULL || trail->dir == NULL
		     ? w_fail_nomem(err, "audit")
		     : open_log(trail, options, err);
	if (status != WRIT_OK) {
		w_trail_close(trail);
		return status;
	}
	*out_trail = trail;
	return WRIT_OK;
}

void
w_trail_close(struct w_trail *trail)
{
	if (trail == NULL)
		return;
	w_log_close(trail->log);
	free(trail->dir);
	free(trail->door);
	explicit_bzero(trail, sizeof(*trail));
	free(trail);
}

void
w_trail_count_lost(struct w_trail *trail, uint64_t records, const char *why)
{
	if (trail->lost == 0)
		(void)snprintf(
		    trail->lost_why, sizeof(trail->lost_why), "%s", why);
	trail->lost += records;
}

/* Records what was lost before anything that follows it. */
static writ_status
write_lost(struct w_trail *trail, enum w_log_urgency urgency, writ_error *err)
{
	W_AUTO_BUF struct w_buf record;

	w_buf_init(&record, LOST_RECORD_MAX);
	w_record_add_lost(&record, trail->lost, trail->lost_why);
	if (record.failed)
		return w_fail_nomem(err, "audit");
	writ_status status = w_log_append(
	    trail->log, record.data, record.len, urgency, NULL, err);
	if (status == WRIT_OK)
		trail->lost = 0;
	return status;
}

writ_status
w_trail_append(struct w_trail *trail, const struct w_buf *record,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err)
{
	if (getpid() != trail->who.pid)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the engine belongs to process %d, of which this is a fork",
		    trail->who.pid);
	if (record->failed)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the record has no room: it would be longer than %zu "
		    "bytes, or there is no memory",
		    W_TRAIL_RECORD_MAX);
	if (trail->lost > 0) {
		writ_status status = write_lost(trail, urgency, err);

		if (status != WRIT_OK)
			return status;
	}
	return w_log_append(
	    trail->log, record->data, record->len, urgency, out_mark, err);
}
