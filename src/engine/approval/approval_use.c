/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Uses an approval: it applies to exactly the request that was asked about, and
 * only once if the scope is "once". The mark of its use is created exclusively,
 * and is on disk before the run starts.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/approval/approval.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approvals.h"
#include "engine/approval/grant.h"

#define DEPTH_MAX 64

/* The first member of the request that differs; NULL: none of those shown. */
static const char *
find_difference(yyjson_val *asked, yyjson_val *given)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(given, i, count, key, val)
	{
		yyjson_val *was = yyjson_obj_getn(
		    asked, yyjson_get_str(key), yyjson_get_len(key));

		if (was == NULL || !yyjson_equals(was, val))
			return yyjson_get_str(key);
	}
	return NULL;
}

/* ": 'argv' differs", if that is known. */
static void
describe_difference(const struct w_approval *item,
    const struct w_grant_query *query, char *out, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_APPROVAL_FILE_MAX, .depth_max = DEPTH_MAX};
	yyjson_val *asked =
	    yyjson_obj_get(w_json_root(item->question), "request");
	const char *text = query->request_json;
	struct w_json *json;

	out[0] = '\0';
	if (text == NULL ||
	    w_json_read(text, strlen(text), &limits, &json, NULL) != WRIT_OK)
		return;
	const char *key = find_difference(asked, w_json_root(json));
	(void)snprintf(out, size,
	    key == NULL ? ": something differs that is not shown"
			: ": '%.64s' differs",
	    key);
	w_json_free(json);
}

static writ_status
fail_other(const struct w_approval *item, const struct w_grant_query *query,
    writ_error *err)
{
	const char *asked = item->agent == NULL ? "nobody" : item->agent;
	const char *asks = query->agent == NULL ? "nobody" : query->agent;
	char what[128];

	describe_difference(item, query, what, sizeof(what));
	if (strcmp(asked, asks) != 0)
		(void)snprintf(what, sizeof(what),
		    ": agent '%.32s' asked, this is '%.32s'", asked, asks);
	(void)w_fail(err, WRIT_E_REFUSED, "approval", 0,
	    "approval %s is for another request%s", item->id, what);
	w_suggest(err,
	    "writ approvals show %s has what was approved: the words, the "
	    "directory, the environment, the sandbox and the limits must be "
	    "the same",
	    item->id);
	return WRIT_E_REFUSED;
}

static writ_status
fail_denied(const struct w_approval *item, writ_error *err)
{
	const struct w_reply *reply = &item->reply;

	if (reply->note == NULL)
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    "user %lu denied it", (unsigned long)reply->by.uid);
	return w_fail(err, WRIT_E_REFUSED, "approval", 0,
	    "user %lu denied it: %.200s", (unsigned long)reply->by.uid,
	    reply->note);
}

static writ_status
check_state(const struct w_approval *item, writ_error *err)
{
	switch (item->state) {
	case WRIT_APPROVAL_APPROVED:
		return WRIT_OK;
	case WRIT_APPROVAL_PENDING:
		(void)w_fail(err, WRIT_E_APPROVAL, "approval", 0,
		    "nobody has answered %s yet", item->id);
		w_suggest(err, "writ approvals approve %s", item->id);
		return WRIT_E_APPROVAL;
	case WRIT_APPROVAL_DENIED:
		return fail_denied(item, err);
	case WRIT_APPROVAL_USED:
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    "approval %s was for one time, and has been used",
		    item->id);
	case WRIT_APPROVAL_EXPIRED:
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    item->answer == NULL
			? "nobody answered %s in time"
			: "approval %s was given for a time that is over",
		    item->id);
	case WRIT_APPROVAL_ABANDONED:
		break;
	}
	return w_fail(err, WRIT_E_REFUSED, "approval", 0,
	    "%s was never answered: the caller is gone", item->id);
}

static writ_status
mark(const struct w_approval_store *store, const struct w_approval *item,
    writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];
	struct w_timestamp now;
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	w_timestamp_now(&now);
	w_approval_file_begin(&body, "used", item->id);
	w_json_add_number_member(&body, "at", now.wall_ms);
	const struct w_actor self = w_approval_own_actor();
	w_approval_add_actor(&body, &self);
	w_approval_file_name(item->id, ".used", name);
	int error = w_approval_file_write(store, store->queue_fd, name, &body);
	if (error == EEXIST)
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    "approval %s was for one time, and has been used",
		    item->id);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot note that approval %s is used", item->id);
	return WRIT_OK;
}

static bool
approval_use_is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Approvals for longer than once. */
static writ_status
check_lasting(const struct w_approval_store *store,
    const struct w_approval *item, const struct w_grant_query *query,
    writ_error *err)
{
	if (store->grants_fd >= 0 && w_grant_is_revoked(store, item->id))
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    "approval %s was taken back", item->id);
	if (item->reply.scope == WRIT_SCOPE_SESSION &&
	    !approval_use_is_same(item->session, query->session))
		return w_fail(err, WRIT_E_REFUSED, "approval", 0,
		    "approval %s was given for another session", item->id);
	return WRIT_OK;
}

static writ_status
use(const struct w_approval_store *store, const struct w_approval *item,
    const struct w_grant_query *query, writ_error *err)
{
	if (strcmp(item->request_hash, query->request_hash) != 0)
		return fail_other(item, query, err);
	writ_status status = check_state(item, err);
	if (status != WRIT_OK)
		return status;
	if (item->reply.scope == WRIT_SCOPE_ONCE)
		return mark(store, item, err);
	status = check_lasting(store, item, query, err);
	if (status == WRIT_OK)
		status = w_grant_write(store, item, err);
	return status;
}

writ_status
w_approval_use(const char *state_dir, const char *id,
    const struct w_grant_query *query, writ_error *err)
{
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	char whole[WRIT_APPROVAL_ID_LEN + 1];
	struct w_timestamp now;

	w_timestamp_now(&now);
	now.wall_ms = query->now_ms;
	writ_status status = w_approval_store_open(&store, state_dir, err);
	if (status == WRIT_OK && store.queue_fd >= 0)
		status = w_approval_store_create(&store, err);
	if (status == WRIT_OK)
		status = w_approval_find_id(
		    store.queue_fd, id, "approval", whole, err);
	if (status == WRIT_OK)
		status = w_approval_read(&store, whole, &now, &item, err);
	/* Whatever is wrong with the files, nobody has agreed. */
	if (status == WRIT_E_NOTFOUND || status == WRIT_E_INVALID) {
		if (err != NULL)
			err->status = WRIT_E_REFUSED;
		return WRIT_E_REFUSED;
	}
	if (status != WRIT_OK)
		return status;
	return use(&store, &item, query, err);
}
