/* SPDX-License-Identifier: Apache-2.0 */

/* Lists and revokes grants. */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approval_record.h"
#include "engine/approval/approval_state.h"
#include "engine/approval/grant.h"

#define JSON_MAX ((size_t)1 << 28)
#define DAY_MS   UINT64_C(86400000)

/* ---- listing ---- */

struct listing {
	writ_approvals *approvals;
	struct w_timestamp now;
	struct w_buf json;
};

static void
grants_add_grant(struct w_buf *buf, const struct w_grant_file *file)
{
	w_buf_add_str(buf, buf->len > 1 ? ",{\"id\":" : "{\"id\":");
	w_json_add_text(buf, file->id);
	w_json_add_text_member(
	    buf, "scope", w_approval_scope_word(file->scope));
	w_json_add_text_member(buf, "rule", file->rule);
	w_json_add_text_member(buf, "agent", file->agent);
	w_json_add_text_member(buf, "session", file->session);
	w_json_add_text_member(buf, "project", file->project);
	w_json_add_number_member(buf, "until", file->validity.until_ms);
	w_approval_add_actor(buf, &file->by);
	w_json_add_number_member(buf, "at", file->validity.at_ms);
	w_json_add_text_member(buf, "request_hash", file->request_hash);
	w_buf_add_char(buf, '}');
}

static bool
is_long_over(const struct w_validity *validity, const struct w_timestamp *now)
{
	return w_validity_is_over(validity, now, true) &&
	       now->wall_ms > validity->until_ms + DAY_MS;
}

static void
grants_drop(
    const struct w_approval_store *store, const char *id, const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_approval_file_name(id, suffix, name);
	(void)unlinkat(store->grants_fd, name, 0);
}

/* The mark of a revocation is needed as long as the grant would have been
 * valid. */
static void
drop_old_mark(const struct listing *listing, const char *id)
{
	const struct w_approval_store *store = &listing->approvals->store;
	char name[W_APPROVAL_NAME_SIZE];
	struct w_json *json;
	struct w_validity validity;

	w_approval_file_name(id, ".revoked", name);
	if (w_approval_file_read(store, store->grants_fd, name, "revoked",
		&json, NULL) != WRIT_OK)
		return;
	if (w_approval_parse_validity(w_json_root(json), &validity) &&
	    is_long_over(&validity, &listing->now))
		grants_drop(store, id, ".revoked");
	w_json_free(json);
}

static bool
list_one(void *ctx, const char *id, const char *suffix)
{
	struct listing *listing = ctx;
	struct w_buf *note = &listing->approvals->note;
	const struct w_approval_store *store = &listing->approvals->store;
	W_AUTO_GRANT struct w_grant_file file = {.json = NULL};
	writ_error err;

	if (strcmp(suffix, ".revoked") == 0)
		drop_old_mark(listing, id);
	if (strcmp(suffix, ".json") != 0)
		return true;
	writ_status status = w_grant_read(store, id, &file, &err);
	if (status == WRIT_E_NOTFOUND)
		return true;
	if (status != WRIT_OK)
		w_buf_add_fmt(
		    note, "%s%s", note->len > 0 ? "\n" : "", err.message);
	else if (is_long_over(&file.validity, &listing->now))
		grants_drop(store, id, ".json");
	else if (!w_validity_is_over(&file.validity, &listing->now, true))
		grants_add_grant(&listing->json, &file);
	return true;
}

writ_status
writ_grants_list(writ_approvals *approvals, char **out_json, size_t *out_len,
    writ_error *err)
{
	struct listing listing = {.approvals = approvals};
	size_t len = 0;
	int error = 0;

	writ_status status = w_approvals_begin(approvals, err);
	if (status != WRIT_OK)
		return status;
	w_timestamp_now(&listing.now);
	w_buf_init(&listing.json, JSON_MAX);
	w_buf_add_char(&listing.json, '[');
	if (approvals->store.grants_fd >= 0)
		error = w_approval_list_ids(
		    approvals->store.grants_fd, list_one, &listing);
	w_buf_add_char(&listing.json, ']');
	char *json = w_buf_take(&listing.json, &len);
	if (json == NULL || error != 0) {
		free(json);
		return error == 0
			   ? w_fail_nomem(err, "approval")
			   : w_fail(err, WRIT_E_SYSTEM, "approval", error,
				 "cannot list '%s/%s'",
				 approvals->store.state_dir, W_GRANTS_DIR);
	}
	*out_json = json;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}

/* ---- revoking ---- */

static writ_status
write_revocation(const struct w_approval_store *store,
    const struct w_grant_file *file, writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	w_approval_file_begin(&body, "revoked", file->id);
	w_approval_add_validity(&body, &file->validity);
	const struct w_actor self = w_approval_own_actor();
	w_approval_add_actor(&body, &self);
	w_approval_file_name(file->id, ".revoked", name);
	int error = w_approval_file_write(store, store->grants_fd, name, &body);
	if (error != 0 && error != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot revoke %s", file->id);
	grants_drop(store, file->id, ".json");
	return WRIT_OK;
}

writ_status
writ_grants_revoke(writ_approvals *approvals, const char *id, writ_error *err)
{
	W_AUTO_GRANT struct w_grant_file file = {.json = NULL};
	char whole[WRIT_APPROVAL_ID_LEN + 1];

	writ_status status = w_approvals_begin(approvals, err);
	if (status == WRIT_OK)
		status = w_approval_find_id(
		    approvals->store.grants_fd, id, "grant", whole, err);
	if (status == WRIT_OK)
		status = w_grant_read(&approvals->store, whole, &file, err);
	if (status == WRIT_OK)
		status = write_revocation(&approvals->store, &file, err);
	/* Already revoked: an audit trail that cannot be written must not
	 * keep anybody from revoking. */
	if (status == WRIT_OK)
		status =
		    w_approval_record_revoked(approvals->config, whole, err);
	return status;
}
