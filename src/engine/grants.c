/* SPDX-License-Identifier: Apache-2.0 */

/* What was granted, as people see it; and taking it back. */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/approval_queue.h"
#include "engine/approval_record.h"
#include "engine/approval_state.h"
#include "engine/grant.h"

#define JSON_MAX ((size_t)1 << 28)
#define DAY_MS   UINT64_C(86400000)

/* ---- listing ---- */

struct listing {
	writ_approvals *approvals;
	struct w_moment now;
	struct w_buf json;
};

static void
add_grant(struct w_buf *buf, const struct w_grant_file *file)
{
	w_buf_add_str(buf, buf->len > 1 ? ",{\"id\":" : "{\"id\":");
	w_json_add_text(buf, file->id);
	w_json_add_text_member(buf, "scope", w_scope_word(file->scope));
	w_json_add_text_member(buf, "rule", file->rule);
	w_json_add_text_member(buf, "agent", file->agent);
	w_json_add_text_member(buf, "session", file->session);
	w_approval_add_number(buf, "until", file->span.until_ms);
	w_approval_add_hand(buf, &file->by);
	w_approval_add_number(buf, "at", file->span.at_ms);
	w_json_add_text_member(buf, "request_hash", file->request_hash);
	w_buf_add_char(buf, '}');
}

static bool
is_long_over(const struct w_span *span, const struct w_moment *now)
{
	return w_span_is_over(span, now, true) &&
	       now->wall_ms > span->until_ms + DAY_MS;
}

static void
drop(const struct w_desk *desk, const char *id, const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_desk_name(id, suffix, name);
	(void)unlinkat(desk->grants_fd, name, 0);
}

/* The mark that something was taken back is needed as long as that would
 * have counted. */
static void
look_at_mark(const struct listing *listing, const char *id)
{
	const struct w_desk *desk = &listing->approvals->desk;
	char name[W_APPROVAL_NAME_SIZE];
	struct w_json *json;
	struct w_span span;

	w_desk_name(id, ".revoked", name);
	if (w_desk_read(desk, desk->grants_fd, name, "revoked", &json, NULL) !=
	    WRIT_OK)
		return;
	if (w_approval_take_span(w_json_root(json), &span) &&
	    is_long_over(&span, &listing->now))
		drop(desk, id, ".revoked");
	w_json_free(json);
}

static bool
list_one(void *ctx, const char *id, const char *suffix)
{
	struct listing *listing = ctx;
	struct w_buf *note = &listing->approvals->note;
	const struct w_desk *desk = &listing->approvals->desk;
	W_AUTO_GRANT struct w_grant_file file = {.json = NULL};
	writ_error err;

	if (strcmp(suffix, ".revoked") == 0)
		look_at_mark(listing, id);
	if (strcmp(suffix, ".json") != 0)
		return true;
	writ_status status = w_grant_read(desk, id, &file, &err);
	if (status == WRIT_E_NOTFOUND)
		return true;
	if (status != WRIT_OK)
		w_buf_add_fmt(
		    note, "%s%s", note->len > 0 ? "\n" : "", err.message);
	else if (is_long_over(&file.span, &listing->now))
		drop(desk, id, ".json");
	else if (!w_span_is_over(&file.span, &listing->now, true))
		add_grant(&listing->json, &file);
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
	w_moment_now(&listing.now);
	w_buf_init(&listing.json, JSON_MAX);
	w_buf_add_char(&listing.json, '[');
	if (approvals->desk.grants_fd >= 0)
		error = w_queue_names(
		    approvals->desk.grants_fd, list_one, &listing);
	w_buf_add_char(&listing.json, ']');
	char *json = w_buf_take(&listing.json, &len);
	if (json == NULL || error != 0) {
		free(json);
		return error == 0
			   ? w_fail_nomem(err, "approval")
			   : w_fail(err, WRIT_E_SYSTEM, "approval", error,
				 "cannot list '%s/%s'",
				 approvals->desk.state_dir, W_GRANTS_DIR);
	}
	*out_json = json;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}

/* ---- taking back ---- */

static writ_status
take_back(
    const struct w_desk *desk, const struct w_grant_file *file, writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	w_desk_begin(&body, "revoked", file->id);
	w_approval_add_span(&body, &file->span);
	const struct w_hand self = w_approval_own_hand();
	w_approval_add_hand(&body, &self);
	w_desk_name(file->id, ".revoked", name);
	int error = w_desk_write(desk, desk->grants_fd, name, &body);
	if (error != 0 && error != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot revoke %s", file->id);
	drop(desk, file->id, ".json");
	return WRIT_OK;
}

writ_status
writ_grants_revoke(writ_approvals *approvals, const char *id, writ_error *err)
{
	W_AUTO_GRANT struct w_grant_file file = {.json = NULL};
	char whole[WRIT_APPROVAL_ID_LEN + 1];

	writ_status status = w_approvals_begin(approvals, err);
	if (status == WRIT_OK)
		status = w_queue_find(
		    approvals->desk.grants_fd, id, "grant", whole, err);
	if (status == WRIT_OK)
		status = w_grant_read(&approvals->desk, whole, &file, err);
	if (status == WRIT_OK)
		status = take_back(&approvals->desk, &file, err);
	/* It is gone already; a trail that cannot be written keeps nobody from
	 * taking something back. */
	if (status == WRIT_OK)
		status =
		    w_approval_record_revoked(approvals->config, whole, err);
	return status;
}
