/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Users and groups of files, by name and number.
 *
 * A manifest may name "root" a thousand times, and asking the user database
 * takes longer than inspecting a file. So each thread caches the last answers
 * for some seconds. A missing name is never cached, since a command may have
 * just added it.
 */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "engine/file/file_state.h"
#include "os/loop.h"

enum {
	NAMES_MAX = 16,      /* cached entries */
	NAME_LEN_MAX = 63,   /* longer names are not cached */
	ENTRY_MAX = 1 << 16, /* enough for a group with many members */
};
#define REMEMBER_NS (UINT64_C(5) * 1000 * 1000 * 1000)

struct file_owner_known {
	bool is_group;
	unsigned id;
	char name[NAME_LEN_MAX + 1]; /* "": unused */
	uint64_t until_ns;
};

static _Thread_local struct file_owner_known known[NAMES_MAX];
static _Thread_local unsigned next_known;

static void
file_owner_remember(bool is_group, unsigned id, const char *name)
{
	struct file_owner_known *one = &known[next_known % NAMES_MAX];

	if (strlen(name) > NAME_LEN_MAX || name[0] == '\0')
		return;
	next_known++;
	*one = (struct file_owner_known){.is_group = is_group,
	    .id = id,
	    .until_ns = w_now_ns() + REMEMBER_NS};
	(void)strcpy(one->name, name);
}

/* By name, or by number if name is NULL. */
static const struct file_owner_known *
recall(bool is_group, const char *name, unsigned id)
{
	const uint64_t now = w_now_ns();

	for (size_t i = 0; i < NAMES_MAX; i++) {
		const struct file_owner_known *one = &known[i];

		if (one->is_group == is_group && one->until_ns > now &&
		    (name == NULL ? one->id == id
				  : strcmp(one->name, name) == 0))
			return one;
	}
	return NULL;
}

static writ_status
file_owner_read_number(const char *text, unsigned *out_id, writ_error *err)
{
	errno = 0;
	const unsigned long id = strtoul(text, NULL, 10);

	/* The last id means "unchanged" to the kernel. */
	if (errno != 0 || id >= (unsigned)-1)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "there is no user or group %.64s", text);
	*out_id = (unsigned)id;
	return WRIT_OK;
}

/* Asks the database; *out_is_found is false if there is no such entry. */
static int
file_owner_ask(bool is_group, const char *name, struct file_owner_known *out,
    bool *out_is_found)
{
	W_AUTO_FREE char *buf = malloc(ENTRY_MAX);
	struct group group, *has_group = NULL;
	struct passwd user, *has_user = NULL;

	if (buf == NULL)
		return ENOMEM;
	int error = is_group ? (name == NULL ? getgrgid_r(out->id, &group, buf,
						   ENTRY_MAX, &has_group)
					     : getgrnam_r(name, &group, buf,
						   ENTRY_MAX, &has_group))
			     : (name == NULL ? getpwuid_r(out->id, &user, buf,
						   ENTRY_MAX, &has_user)
					     : getpwnam_r(name, &user, buf,
						   ENTRY_MAX, &has_user));
	*out_is_found = has_group != NULL || has_user != NULL;
	if (!*out_is_found)
		return error == ENOMEM ? ENOMEM : 0;
	out->id = is_group ? group.gr_gid : user.pw_uid;
	(void)snprintf(out->name, sizeof(out->name), "%s",
	    is_group ? group.gr_name : user.pw_name);
	file_owner_remember(
	    is_group, out->id, is_group ? group.gr_name : user.pw_name);
	return 0;
}

static writ_status
file_owner_find(
    bool is_group, const char *name, unsigned *out_id, writ_error *err)
{
	struct file_owner_known asked = {.is_group = is_group};
	bool is_found;

	if (name[strspn(name, "0123456789")] == '\0')
		return file_owner_read_number(name, out_id, err);
	const struct file_owner_known *one = recall(is_group, name, 0);
	if (one == NULL) {
		if (file_owner_ask(is_group, name, &asked, &is_found) != 0)
			return w_fail_nomem(err, W_FILE_STAGE);
		if (!is_found)
			return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
			    "there is no %s '%.128s'",
			    is_group ? "group" : "user", name);
		one = &asked;
	}
	*out_id = one->id;
	return WRIT_OK;
}

static bool
find_name(struct w_arena *arena, bool is_group, unsigned id, const char **out)
{
	struct file_owner_known asked = {.is_group = is_group, .id = id};
	const struct file_owner_known *one = recall(is_group, NULL, id);
	bool is_found = true;

	if (one == NULL) {
		if (file_owner_ask(is_group, NULL, &asked, &is_found) != 0)
			return false;
		if (!is_found)
			(void)snprintf(
			    asked.name, sizeof(asked.name), "%u", id);
		one = &asked;
	}
	*out = w_arena_text(arena, one->name, strlen(one->name));
	return *out != NULL;
}

writ_status
w_engine_find_user(const char *name, uid_t *out_uid, writ_error *err)
{
	return file_owner_find(false, name, out_uid, err);
}

writ_status
w_engine_find_group(const char *name, gid_t *out_gid, writ_error *err)
{
	return file_owner_find(true, name, out_gid, err);
}

bool
w_engine_user_name(struct w_arena *arena, uid_t uid, const char **out_name)
{
	return find_name(arena, false, uid, out_name);
}

bool
w_engine_group_name(struct w_arena *arena, gid_t gid, const char **out_name)
{
	return find_name(arena, true, gid, out_name);
}
