/* SPDX-License-Identifier: Apache-2.0 */

/* Looks up users and groups, by name or number. */

#include "run/resolve/identity.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

/* Room for an entry with a long list of members. */
enum {
	ENTRY_MAX = 1 << 16
};

/* Parses a numeric id; false: not a number. */
static bool
parse_id(const char *text, unsigned *out_id)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long id = strtoul(text, &end, 10);
	/* The last id means "unchanged" to the kernel. */
	if (*end != '\0' || errno != 0 || id >= (unsigned)-1)
		return false;
	*out_id = (unsigned)id;
	return true;
}

static writ_status
find_group(const char *group, gid_t *out_gid, writ_error *err)
{
	W_AUTO_FREE char *buf = malloc(ENTRY_MAX);
	struct group entry, *found = NULL;

	if (buf == NULL)
		return w_fail_nomem(err, "identity");
	if (parse_id(group, out_gid))
		return WRIT_OK;
	int error = getgrnam_r(group, &entry, buf, ENTRY_MAX, &found);
	if (found == NULL)
		return w_fail(err, WRIT_E_INVALID, "identity", error,
		    "no group '%s'", group);
	*out_gid = entry.gr_gid;
	return WRIT_OK;
}

/* name: NULL if the user has no entry, and so only the primary group. */
static writ_status
fill_member_groups(
    struct w_identity *identity, const char *name, writ_error *err)
{
	int count = W_IDENTITY_GROUPS_MAX;

	identity->groups = calloc(W_IDENTITY_GROUPS_MAX, sizeof(gid_t));
	if (identity->groups == NULL)
		return w_fail_nomem(err, "identity");
	if (name == NULL) {
		identity->groups[0] = identity->gid;
		identity->group_count = 1;
		return WRIT_OK;
	}
	if (getgrouplist(name, identity->gid, identity->groups, &count) < 0)
		return w_fail(err, WRIT_E_INVALID, "identity", 0,
		    "user '%s' is in more than %d groups", name,
		    W_IDENTITY_GROUPS_MAX);
	identity->group_count = (size_t)count;
	return WRIT_OK;
}

static writ_status
fill_user(struct w_identity *identity, const char *user, bool has_group,
    writ_error *err)
{
	W_AUTO_FREE char *buf = malloc(ENTRY_MAX);
	struct passwd entry, *found = NULL;
	unsigned id;

	if (buf == NULL)
		return w_fail_nomem(err, "identity");
	bool is_number = parse_id(user, &id);
	int error = is_number
			? getpwuid_r(id, &entry, buf, ENTRY_MAX, &found)
			: getpwnam_r(user, &entry, buf, ENTRY_MAX, &found);
	if (found == NULL && !is_number)
		return w_fail(err, WRIT_E_INVALID, "identity", error,
		    "no user '%s'", user);
	if (found == NULL && !has_group)
		return w_fail(err, WRIT_E_INVALID, "identity", 0,
		    "user %u has no entry, so its group must be given", id);

	identity->uid = found == NULL ? id : entry.pw_uid;
	if (!has_group)
		identity->gid = entry.pw_gid;
	return fill_member_groups(
	    identity, found == NULL ? NULL : entry.pw_name, err);
}

writ_status
w_identity_find(const char *user, const char *group,
    struct w_identity *out_identity, writ_error *err)
{
	struct w_identity identity = {.uid = geteuid(), .gid = getegid()};
	writ_status status = WRIT_OK;

	if (user == NULL && group == NULL) {
		*out_identity = identity;
		return WRIT_OK;
	}
	if (identity.uid != 0) {
		status = w_fail(err, WRIT_E_INVALID, "identity", 0,
		    "only root can run a command as another user or group");
		w_suggest(err, "leave user and group out, or run as root");
		return status;
	}
	identity.is_set = true;
	if (group != NULL)
		status = find_group(group, &identity.gid, err);
	if (status == WRIT_OK && user != NULL)
		status = fill_user(&identity, user, group != NULL, err);
	else if (status == WRIT_OK)
		status = fill_member_groups(&identity, NULL, err);
	if (status != WRIT_OK) {
		w_identity_done(&identity);
		return status;
	}
	*out_identity = identity;
	return WRIT_OK;
}

void
w_identity_done(struct w_identity *identity)
{
	free(identity->groups);
	identity->groups = NULL;
}

writ_status
w_account_find(uid_t uid, struct w_account *out_account, writ_error *err)
{
	W_AUTO_FREE char *buf = malloc(ENTRY_MAX);
	struct passwd entry, *found = NULL;
	struct w_account account = {0};

	if (buf == NULL)
		return w_fail_nomem(err, "identity");
	int error = getpwuid_r(uid, &entry, buf, ENTRY_MAX, &found);
	if (error != 0 && error != ENOENT && error != ESRCH)
		return w_fail(err, WRIT_E_SYSTEM, "identity", error,
		    "cannot look up user %u", uid);
	if (found != NULL) {
		account.name = strdup(entry.pw_name);
		account.home = strdup(entry.pw_dir);
		account.shell = strdup(entry.pw_shell);
		if (account.name == NULL || account.home == NULL ||
		    account.shell == NULL) {
			w_account_done(&account);
			return w_fail_nomem(err, "identity");
		}
	}
	*out_account = account;
	return WRIT_OK;
}

void
w_account_done(struct w_account *account)
{
	free(account->name);
	free(account->home);
	free(account->shell);
	*account = (struct w_account){0};
}
