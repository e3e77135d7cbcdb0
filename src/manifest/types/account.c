/* SPDX-License-Identifier: Apache-2.0 */

/* The group resource, and what it shares with the user resource. */

#include "manifest/types/account.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS UINT64_C(300000)

bool
w_typed_account_run(
    struct w_typed_step *x, const struct w_typed_command *command)
{
	struct w_typed_command own = *command;
	struct w_typed_answer answer;

	own.timeout_ms = TIMEOUT_MS;
	if (!w_typed_run(x, &own, &answer))
		return false;
	if (answer.code == 0)
		return true;
	if (answer.code == W_ACCOUNT_IN_USE &&
	    x->resource->type == W_RESOURCE_USER)
		w_resource_step_fail(x->step,
		    "user '%s' is logged in, or runs something: %s (end that "
		    "first)",
		    x->resource->name.text, w_typed_last_lines(x, &answer, 1));
	else if (answer.code == W_ACCOUNT_IN_USE)
		w_resource_step_fail(x->step,
		    "group '%s' is the first group of a user: %s (remove the "
		    "user first)",
		    x->resource->name.text, w_typed_last_lines(x, &answer, 1));
	else
		w_typed_fail_answer(x, &own, &answer);
	return false;
}

/* ---- groups ---- */

static bool
group_look(struct w_typed_step *x, bool *out_exists, gid_t *out_gid)
{
	const struct group *group;

	errno = 0;
	group = getgrnam(x->resource->name.text);
	if (group == NULL && errno != 0 && errno != ENOENT && errno != ESRCH) {
		w_resource_step_fail(x->step, "cannot look up group '%s': %s",
		    x->resource->name.text, strerror(errno));
		return false;
	}
	*out_exists = group != NULL;
	*out_gid = group == NULL ? 0 : group->gr_gid;
	return true;
}

static bool
group_create(struct w_typed_step *x)
{
	struct w_typed_command command = {.count = 0};

	w_typed_reason(x, "there is no such group");
	w_typed_add(&command, "groupadd", NULL);
	if (w_typed_text(x, W_GROUP_GID) != NULL)
		w_typed_add(
		    &command, "--gid", w_typed_text(x, W_GROUP_GID), NULL);
	if (w_typed_truth(x, W_GROUP_SYSTEM, false))
		w_typed_add(&command, "--system", NULL);
	w_typed_add(&command, x->resource->name.text, NULL);
	return !w_typed_plan(x, "created the group") ||
	       w_typed_account_run(x, &command);
}

static bool
group_change(struct w_typed_step *x, bool exists, gid_t gid)
{
	const char *wanted = w_typed_text(x, W_GROUP_GID);
	struct w_typed_command command = {.count = 0};

	if (strcmp(x->resource->ensure, "absent") == 0) {
		if (!exists)
			return true;
		w_typed_reason(x, "the group exists");
		w_typed_add(&command, "groupdel", x->resource->name.text, NULL);
		return !w_typed_plan(x, "removed the group") ||
		       w_typed_account_run(x, &command);
	}
	if (!exists)
		return group_create(x);
	if (wanted == NULL || strtoul(wanted, NULL, 10) == gid)
		return true;
	w_typed_reason(
	    x, "gid mismatch: state=%u requested=%s", (unsigned)gid, wanted);
	w_typed_add(&command, "groupmod", "--gid", wanted,
	    x->resource->name.text, NULL);
	return !w_typed_plan(x, "changed gid") ||
	       w_typed_account_run(x, &command);
}

void
w_typed_group_apply(struct w_resource_step *step)
{
	static const char *const more[] = {"LC_ALL=C", NULL};
	struct w_typed_step x;
	bool exists = false;
	gid_t gid = 0;

	const bool ok = w_typed_begin(&x, step, more, -1) &&
			group_look(&x, &exists, &gid) &&
			group_change(&x, exists, gid) &&
			group_look(&x, &exists, &gid);
	if (ok && exists)
		w_typed_note(
		    &x, "gid", w_resource_step_text(step, "%u", (unsigned)gid));
	w_typed_end(&x, exists ? "present" : "absent");
}
