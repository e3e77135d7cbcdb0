/* SPDX-License-Identifier: Apache-2.0 */

/* A question with its answer and state. */

#include "engine/approval/approval.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "data/json_words.h"

/* ---- reading ---- */

static bool
take_asker(struct w_approval *item, yyjson_val *asker)
{
	const uint64_t pid = yyjson_get_uint(yyjson_obj_get(asker, "pid"));

	item->asker = (struct w_pidref){
	    .pid = pid <= INT_MAX ? (int)pid : 0,
	    .pidns = yyjson_get_uint(yyjson_obj_get(asker, "pidns")),
	    .ticks = yyjson_get_uint(yyjson_obj_get(asker, "ticks")),
	};
	item->stays = yyjson_is_true(yyjson_obj_get(asker, "stays"));
	memcpy(item->asker.boot, item->validity.boot, sizeof(item->asker.boot));
	return yyjson_is_obj(asker) &&
	       w_approval_parse_text(asker, "agent", &item->agent) &&
	       w_approval_parse_text(asker, "session", &item->session);
}

bool
w_approval_parse_question(struct w_approval *item, yyjson_val *root)
{
	return w_approval_parse_validity(root, &item->validity) &&
	       take_asker(item, yyjson_obj_get(root, "asker")) &&
	       w_approval_parse_text(
		   root, "request_hash", &item->request_hash) &&
	       item->request_hash != NULL &&
	       w_approval_parse_text(root, "rule", &item->rule) &&
	       w_approval_parse_project(root, &item->project) &&
	       yyjson_is_obj(yyjson_obj_get(root, "request")) &&
	       yyjson_is_obj(yyjson_obj_get(root, "decision"));
}

bool
w_approval_parse_answer(struct w_reply *out_reply, yyjson_val *root)
{
	yyjson_val *approved = yyjson_obj_get(root, "approved");
	yyjson_val *withdrawn = yyjson_obj_get(root, "withdrawn");

	if (!yyjson_is_bool(approved) || !yyjson_is_bool(withdrawn))
		return false;
	*out_reply = (struct w_reply){
	    .is_approved =
		yyjson_get_bool(approved) && !yyjson_get_bool(withdrawn),
	    .is_withdrawn = yyjson_get_bool(withdrawn),
	};
	w_approval_parse_actor(root, &out_reply->by);
	return w_approval_parse_validity(root, &out_reply->validity) &&
	       w_approval_parse_scope(root, &out_reply->scope) &&
	       w_approval_parse_text(root, "rule", &out_reply->rule) &&
	       w_approval_parse_text(root, "note", &out_reply->note);
}

static writ_status
fail_members(const char *name, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "'%.64s' lacks members that it needs", name);
}

static writ_status
read_question(const struct w_approval_store *store, struct w_approval *item,
    writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_approval_file_name(item->id, ".json", name);
	writ_status status = w_approval_file_read(
	    store, store->queue_fd, name, "question", &item->question, err);
	if (status == WRIT_OK &&
	    !w_approval_parse_question(item, w_json_root(item->question)))
		status = fail_members(name, err);
	return status;
}

static writ_status
read_answer(const struct w_approval_store *store, struct w_approval *item,
    writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];
	writ_error inner;

	w_approval_file_name(item->id, ".answer", name);
	writ_status status = w_approval_file_read(
	    store, store->queue_fd, name, "answer", &item->answer, &inner);
	if (status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	if (status == WRIT_OK &&
	    !w_approval_parse_answer(&item->reply, w_json_root(item->answer)))
		status = fail_members(name, &inner);
	if (status != WRIT_OK && err != NULL)
		*err = inner;
	return status;
}

static writ_approval_state
state_of(const struct w_approval *item, const struct w_timestamp *now)
{
	const struct w_reply *reply = &item->reply;

	if (item->is_used)
		return WRIT_APPROVAL_USED;
	if (item->answer == NULL &&
	    w_validity_is_over(&item->validity, now, false))
		return WRIT_APPROVAL_EXPIRED;
	if (item->answer == NULL)
		return !item->stays && w_pidref_is_dead(&item->asker)
			   ? WRIT_APPROVAL_ABANDONED
			   : WRIT_APPROVAL_PENDING;
	if (reply->is_withdrawn)
		return WRIT_APPROVAL_ABANDONED;
	if (!reply->is_approved)
		return WRIT_APPROVAL_DENIED;
	return w_validity_is_over(&reply->validity, now, true)
		   ? WRIT_APPROVAL_EXPIRED
		   : WRIT_APPROVAL_APPROVED;
}

writ_status
w_approval_read(const struct w_approval_store *store, const char *id,
    const struct w_timestamp *now, struct w_approval *out_item, writ_error *err)
{
	struct w_approval item = {.question = NULL};
	char name[W_APPROVAL_NAME_SIZE];
	struct stat st;

	memcpy(item.id, id, strnlen(id, WRIT_APPROVAL_ID_LEN));
	writ_status status = read_question(store, &item, err);
	if (status == WRIT_OK)
		status = read_answer(store, &item, err);
	if (status != WRIT_OK) {
		w_approval_done(&item);
		return status;
	}
	/* Any file of that name counts: better not used than used twice. */
	w_approval_file_name(item.id, ".used", name);
	item.is_used =
	    fstatat(store->queue_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	item.state = state_of(&item, now);
	*out_item = item;
	return WRIT_OK;
}

void
w_approval_done(struct w_approval *item)
{
	w_json_free(item->question);
	w_json_free(item->answer);
	item->question = NULL;
	item->answer = NULL;
}

/* ---- JSON ---- */

static void
add_asker(struct w_buf *buf, yyjson_val *asker)
{
	const char *const keys[] = {"pid", "door", "agent", "session", "stays"};

	w_buf_add_fmt(buf, ",\"asker\":{\"uid\":%" PRIu64,
	    yyjson_get_uint(yyjson_obj_get(asker, "uid")));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		w_json_add_value_member(
		    buf, keys[i], yyjson_obj_get(asker, keys[i]));
	w_buf_add_char(buf, '}');
}

static void
approval_add_answer(struct w_buf *buf, const struct w_approval *item)
{
	const struct w_reply *reply = &item->reply;

	w_buf_add_str(buf, ",\"answer\":");
	if (item->answer == NULL || reply->is_withdrawn) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_str(buf,
	    reply->is_approved ? "{\"approved\":true" : "{\"approved\":false");
	w_json_add_text_member(
	    buf, "scope", w_approval_scope_word(reply->scope));
	w_json_add_number_member(buf, "until", reply->validity.until_ms);
	w_json_add_text_member(buf, "rule", reply->rule);
	w_approval_add_actor(buf, &reply->by);
	w_json_add_number_member(buf, "at", reply->validity.at_ms);
	w_json_add_text_member(buf, "note", reply->note);
	w_buf_add_char(buf, '}');
}

void
w_approval_add_json(struct w_buf *buf, const struct w_approval *item)
{
	yyjson_val *root = w_json_root(item->question);
	const char *const keys[] = {
	    "request", "decision", "rule", "project", "request_hash"};

	w_buf_add_str(buf, "{\"id\":");
	w_json_add_text(buf, item->id);
	w_json_add_text_member(
	    buf, "state", w_approval_state_word(item->state));
	w_json_add_number_member(buf, "asked_at", item->validity.at_ms);
	w_json_add_number_member(buf, "expires_at", item->validity.until_ms);
	add_asker(buf, yyjson_obj_get(root, "asker"));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		w_json_add_value_member(
		    buf, keys[i], yyjson_obj_get(root, keys[i]));
	approval_add_answer(buf, item);
	w_buf_add_char(buf, '}');
}
