/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The files of grants.
 *
 * The answer is written first, its grant second: the first answer wins, and
 * whoever finds an answer without its grant (the process that answered was
 * killed in between) writes it. So revoking a grant leaves a mark, which stays
 * as long as the answer could recreate the grant.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/approval/grant.h"

bool
w_grant_is_revoked(const struct w_approval_store *store, const char *id)
{
	char name[W_APPROVAL_NAME_SIZE];
	struct stat st;

	w_approval_file_name(id, ".revoked", name);
	return fstatat(store->grants_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Actor and time are those of the answer. */
static void
grant_file_add_grant(struct w_buf *body, const struct w_approval *item)
{
	const struct w_reply *reply = &item->reply;
	const bool has_rule = w_approval_scope_has_rule(reply->scope);
	const bool is_project = reply->scope == WRIT_SCOPE_PROJECT;

	w_approval_file_begin(body, "grant", item->id);
	w_json_add_text_member(
	    body, "scope", w_approval_scope_word(reply->scope));
	w_json_add_text_member(body, "rule", has_rule ? reply->rule : NULL);
	w_json_add_text_member(
	    body, "project", is_project ? item->project : NULL);
	w_json_add_text_member(body, "agent", item->agent);
	w_json_add_text_member(body, "session", item->session);
	w_json_add_text_member(body, "request_hash", item->request_hash);
	w_approval_add_validity(body, &reply->validity);
	w_approval_add_actor(body, &reply->by);
}

writ_status
w_grant_write(const struct w_approval_store *store,
    const struct w_approval *item, writ_error *err)
{
	char name[W_APPROVAL_NAME_SIZE];
	W_AUTO_BUF struct w_buf body;

	w_buf_init(&body, W_APPROVAL_FILE_MAX);
	if (w_grant_is_revoked(store, item->id))
		return WRIT_OK;
	grant_file_add_grant(&body, item);
	w_approval_file_name(item->id, ".json", name);
	int error = w_approval_file_write(store, store->grants_fd, name, &body);
	if (error != 0 && error != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot write the grant '%s'", item->id);
	/* Revoked between our check and our write. */
	if (error == 0 && w_grant_is_revoked(store, item->id))
		(void)unlinkat(store->grants_fd, name, 0);
	return WRIT_OK;
}

bool
w_grant_parse(struct w_grant_file *file, yyjson_val *root)
{
	w_approval_parse_actor(root, &file->by);
	return w_approval_parse_scope(root, &file->scope) &&
	       file->scope != WRIT_SCOPE_ONCE &&
	       w_approval_parse_validity(root, &file->validity) &&
	       w_approval_parse_text(root, "rule", &file->rule) &&
	       (file->rule != NULL) == w_approval_scope_has_rule(file->scope) &&
	       w_approval_parse_project(root, &file->project) &&
	       (file->project != NULL) == (file->scope == WRIT_SCOPE_PROJECT) &&
	       w_approval_parse_text(root, "agent", &file->agent) &&
	       w_approval_parse_text(root, "session", &file->session) &&
	       w_approval_parse_text(
		   root, "request_hash", &file->request_hash) &&
	       file->request_hash != NULL;
}

writ_status
w_grant_read(const struct w_approval_store *store, const char *id,
    struct w_grant_file *out_file, writ_error *err)
{
	struct w_grant_file file = {.json = NULL};
	char name[W_APPROVAL_NAME_SIZE];

	memcpy(file.id, id, strnlen(id, WRIT_APPROVAL_ID_LEN));
	w_approval_file_name(id, ".json", name);
	if (store->grants_fd >= 0 && w_grant_is_revoked(store, id))
		return w_fail(err, WRIT_E_NOTFOUND, "approval", 0,
		    "the grant '%s' was revoked", file.id);
	writ_status status = w_approval_file_read(
	    store, store->grants_fd, name, "grant", &file.json, err);
	if (status != WRIT_OK)
		return status;
	if (!w_grant_parse(&file, w_json_root(file.json))) {
		w_grant_done(&file);
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' lacks members that it needs", name);
	}
	*out_file = file;
	return WRIT_OK;
}

void
w_grant_done(struct w_grant_file *file)
{
	w_json_free(file->json);
	file->json = NULL;
}
