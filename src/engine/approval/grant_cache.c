/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The cached grants of an engine.
 *
 * They are read again when their directory has changed. Two changes within one
 * tick of the file system's clock get the same timestamp. So a directory that
 * changed shortly before it was read is read again next time.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approvals.h"
#include "engine/approval/grant.h"
#include "os/loop.h"

#define TROUBLE_MAX 4096
#define TICK_US     UINT64_C(100000)
#define US_PER_S    UINT64_C(1000000)
#define NS_PER_US   1000

struct grant_cache_known {
	struct w_grant_file file;
	struct w_policy *policy;   /* owns the rule; NULL: none */
	const struct w_rule *rule; /* of a scope that has one */
};

struct w_grants {
	bool is_fresh; /* the cache matches the directory */
	struct stat seen;
	struct grant_cache_known *known;
	size_t count;
	size_t cap;
	struct w_grant *found; /* capacity as known */
	struct w_buf trouble;
	bool has_failed;                      /* no memory */
	struct w_timestamp now;               /* of the last query */
	const struct w_approval_store *store; /* only while reading */
};

static void
grant_cache_forget(struct w_grants *grants)
{
	for (size_t i = 0; i < grants->count; i++) {
		w_grant_done(&grants->known[i].file);
		w_policy_free(grants->known[i].policy);
	}
	grants->count = 0;
	grants->is_fresh = false;
	w_buf_done(&grants->trouble);
	w_buf_init(&grants->trouble, TROUBLE_MAX);
}

void
w_grant_cache_done(struct w_grant_cache *cache)
{
	struct w_grants *grants = cache->grants;

	if (grants == NULL)
		return;
	grant_cache_forget(grants);
	w_buf_done(&grants->trouble);
	free(grants->known);
	free(grants->found);
	free(grants);
	cache->grants = NULL;
}

/* ---- reading ---- */

static bool
make_place(struct w_grants *grants)
{
	if (grants->count < grants->cap)
		return true;
	const size_t cap = grants->cap == 0 ? 8 : grants->cap * 2;
	struct grant_cache_known *known =
	    reallocarray(grants->known, cap, sizeof(*known));
	if (known != NULL)
		grants->known = known;
	struct w_grant *found =
	    reallocarray(grants->found, cap, sizeof(*found));
	if (found != NULL)
		grants->found = found;
	if (known == NULL || found == NULL)
		return false;
	grants->cap = cap;
	return true;
}

static writ_status
read_known(struct w_grants *grants, const char *id, writ_error *err)
{
	struct grant_cache_known known = {.policy = NULL};

	writ_status status = w_grant_read(grants->store, id, &known.file, err);
	if (status != WRIT_OK)
		return status;
	if (w_approval_scope_has_rule(known.file.scope))
		status = w_grant_rule_read(
		    known.file.rule, &known.policy, &known.rule, err);
	if (status != WRIT_OK) {
		w_grant_done(&known.file);
		return status;
	}
	grants->known[grants->count++] = known;
	return WRIT_OK;
}

static bool
read_one(void *ctx, const char *id, const char *suffix)
{
	struct w_grants *grants = ctx;
	struct w_buf *trouble = &grants->trouble;
	writ_error err;

	if (strcmp(suffix, ".json") != 0)
		return true;
	writ_status status =
	    make_place(grants) ? read_known(grants, id, &err) : WRIT_E_NOMEM;
	grants->has_failed |= status == WRIT_E_NOMEM;
	if (status != WRIT_OK && status != WRIT_E_NOTFOUND &&
	    !grants->has_failed)
		w_buf_add_fmt(trouble, "%sthe grant %s is ignored: %s",
		    trouble->len > 0 ? "\n" : "", id, err.message);
	return !grants->has_failed;
}

static uint64_t
changed_us(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * US_PER_S +
	       (uint64_t)st->st_mtim.tv_nsec / NS_PER_US;
}

static writ_status
grant_cache_read_all(struct w_grants *grants, const char *state_dir,
    const struct stat *seen, writ_error *err)
{
	const uint64_t now_us = w_unix_us();
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;

	grant_cache_forget(grants);
	writ_status status = w_approval_store_open(&store, state_dir, err);
	if (status != WRIT_OK)
		return status;
	grants->store = &store;
	grants->has_failed = false;
	int error = store.grants_fd < 0 ? 0
					: w_approval_list_ids(store.grants_fd,
					      read_one, grants);
	grants->store = NULL;
	if (grants->has_failed)
		return w_fail_nomem(err, "approval");
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot list '%s/%s'", state_dir, W_GRANTS_DIR);
	w_timestamp_now(&grants->now);
	grants->seen = *seen;
	grants->is_fresh = changed_us(seen) + TICK_US < now_us;
	return WRIT_OK;
}

/* ---- finding ---- */

static bool
grant_cache_is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
grant_applies(const struct w_grant_file *file,
    const struct w_grant_query *query, const struct w_timestamp *now)
{
	if (w_validity_is_over(&file->validity, now, true) ||
	    !grant_cache_is_same(file->agent, query->agent))
		return false;
	if (file->scope == WRIT_SCOPE_PROJECT)
		return query->project != NULL &&
		       grant_cache_is_same(file->project, query->project);
	return w_approval_scope_has_rule(file->scope) ||
	       (file->session != NULL &&
		   grant_cache_is_same(file->session, query->session) &&
		   grant_cache_is_same(
		       file->request_hash, query->request_hash));
}

static void
select_grants(struct w_grants *grants, const struct w_grant_query *query,
    size_t *out_count)
{
	*out_count = 0;
	if (grants->count == 0)
		return;
	w_timestamp_update(&grants->now);
	grants->now.wall_ms = query->now_ms;
	for (size_t i = 0; i < grants->count; i++) {
		const struct grant_cache_known *known = &grants->known[i];

		if (grant_applies(&known->file, query, &grants->now))
			grants->found[(*out_count)++] = (struct w_grant){
			    .id = known->file.id, .rule = known->rule};
	}
}

/* Returns 0, or an errno. */
static int
look_at_dir(const char *state_dir, struct stat *out_seen)
{
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/%s", state_dir, W_GRANTS_DIR) < 0) {
		path = NULL;
		return ENOMEM;
	}
	return lstat(path, out_seen) < 0 ? errno : 0;
}

static writ_status
refresh(struct w_grant_cache *cache, const char *state_dir,
    const struct stat *seen, writ_error *err)
{
	struct w_grants *grants = cache->grants;

	if (grants == NULL) {
		grants = calloc(1, sizeof(*grants));
		if (grants == NULL)
			return w_fail_nomem(err, "approval");
		w_buf_init(&grants->trouble, TROUBLE_MAX);
		cache->grants = grants;
	}
	const struct stat *last = &grants->seen;
	if (grants->is_fresh && seen->st_dev == last->st_dev &&
	    seen->st_ino == last->st_ino &&
	    changed_us(seen) == changed_us(last) &&
	    seen->st_ctim.tv_sec == last->st_ctim.tv_sec &&
	    seen->st_ctim.tv_nsec == last->st_ctim.tv_nsec)
		return WRIT_OK;
	return grant_cache_read_all(grants, state_dir, seen, err);
}

writ_status
w_grants_find(struct w_grant_cache *cache, const char *state_dir,
    const struct w_grant_query *query, const struct w_grant **out_grants,
    size_t *out_count, const char **out_trouble, writ_error *err)
{
	struct stat seen;
	int error = look_at_dir(state_dir, &seen);

	*out_grants = NULL;
	*out_count = 0;
	*out_trouble = NULL;
	if (error == ENOENT || error == ENOTDIR) {
		w_grant_cache_done(cache);
		return WRIT_OK;
	}
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot look at '%s/%s'", state_dir, W_GRANTS_DIR);
	writ_status status = refresh(cache, state_dir, &seen, err);
	if (status != WRIT_OK)
		return status;
	struct w_grants *grants = cache->grants;
	select_grants(grants, query, out_count);
	*out_grants = grants->found;
	if (grants->trouble.len > 0)
		*out_trouble = grants->trouble.data;
	return WRIT_OK;
}
