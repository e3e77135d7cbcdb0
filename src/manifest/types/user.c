/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The user resource.
 *
 * A password is a hash, compared with the one in /etc/shadow and set by
 * chpasswd from its standard input: arguments can be read by everybody.
 */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>

#include "manifest/types/account.h"

#define LIST_MAX  ((size_t)64 << 10)
#define INPUT_MAX 4096

/* The account as it is; texts are in the arena of the step. */
struct account {
	bool exists;
	uid_t uid;
	gid_t gid;
	const char *home;
	const char *shell;
	const char *comment;
};

/* ---- looking ---- */

static bool
user_look(struct w_typed_step *x, struct account *out)
{
	const struct passwd *found;

	*out = (struct account){.exists = false};
	errno = 0;
	found = getpwnam(x->resource->name.text);
	if (found == NULL) {
		if (errno == 0 || errno == ENOENT || errno == ESRCH)
			return true;
		w_resource_step_fail(x->step, "cannot look up user '%s': %s",
		    x->resource->name.text, strerror(errno));
		return false;
	}
	out->exists = true;
	out->uid = found->pw_uid;
	out->gid = found->pw_gid;
	out->home = w_resource_step_text(x->step, "%s", found->pw_dir);
	out->shell = w_resource_step_text(x->step, "%s", found->pw_shell);
	out->comment = w_resource_step_text(x->step, "%s", found->pw_gecos);
	return true;
}

static bool
is_in_list(const char *const *words, const char *word)
{
	for (; *words != NULL; words++) {
		if (strcmp(*words, word) == 0)
			return true;
	}
	return false;
}

static bool
has_member(const struct group *group, const char *name)
{
	return is_in_list((const char *const *)group->gr_mem, name);
}

/* Whether a wanted group is missing, or another one is there that must not be.
 */
static bool
groups_differ(struct w_typed_step *x, const char *const *wanted)
{
	const char *how = w_typed_text(x, W_USER_MEMBERSHIP);
	const bool is_only = how != NULL && strcmp(how, "inclusive") == 0;
	const char *name = x->resource->name.text;
	const struct group *group;
	bool differs = false;

	for (size_t i = 0; wanted[i] != NULL && !differs; i++) {
		group = getgrnam(wanted[i]);
		differs = group == NULL || !has_member(group, name);
	}
	if (!is_only || differs)
		return differs;
	setgrent();
	while (!differs && (group = getgrent()) != NULL)
		differs = has_member(group, name) &&
			  !is_in_list(wanted, group->gr_name);
	endgrent();
	return differs;
}

static bool
group_differs(const struct account *account, const char *wanted)
{
	const size_t digits = strspn(wanted, "0123456789");
	const struct group *group;

	if (wanted[digits] == '\0')
		return strtoul(wanted, NULL, 10) != account->gid;
	group = getgrnam(wanted);
	return group == NULL || group->gr_gid != account->gid;
}

/* ---- creating and changing ---- */

static const char *
join(struct w_typed_step *x, const char *const *words)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, LIST_MAX);
	for (size_t i = 0; words[i] != NULL; i++) {
		w_buf_add_str(&text, i > 0 ? "," : "");
		w_buf_add_str(&text, words[i]);
	}
	return w_resource_step_copy(x->step, &text);
}

static void
add_option(struct w_typed_step *x, struct w_typed_command *command,
    const char *option, int index)
{
	const char *text = w_typed_text(x, index);

	if (text != NULL)
		w_typed_add(command, option, text, NULL);
}

static bool
user_create(struct w_typed_step *x)
{
	const char *const *groups = w_typed_words(x, W_USER_GROUPS);
	struct w_typed_command command = {.count = 0};

	if (groups == NULL)
		return false;
	w_typed_reason(x, "there is no such user");
	w_typed_add(&command, "useradd", NULL);
	add_option(x, &command, "--uid", W_USER_UID);
	add_option(x, &command, "--gid", W_USER_GROUP);
	add_option(x, &command, "--shell", W_USER_SHELL);
	add_option(x, &command, "--home-dir", W_USER_HOME);
	add_option(x, &command, "--comment", W_USER_COMMENT);
	if (groups[0] != NULL)
		w_typed_add(&command, "--groups", join(x, groups), NULL);
	if (w_typed_truth(x, W_USER_SYSTEM, false))
		w_typed_add(&command, "--system", NULL);
	w_typed_add(&command,
	    w_typed_truth(x, W_USER_MANAGE_HOME, false) ? "--create-home"
							: "--no-create-home",
	    x->resource->name.text, NULL);
	return !w_typed_plan(x, "created the user") ||
	       w_typed_account_run(x, &command);
}

static void
note_difference(struct w_typed_step *x, struct w_buf *what, const char *name)
{
	w_buf_add_str(what, what->len > 0 ? " and " : "");
	w_buf_add_str(what, name);
	w_typed_reason(x, "%s mismatch", name);
}

/* Adds the option if the text is wanted and differs. */
static void
set_text(struct w_typed_step *x, struct w_typed_command *command,
    struct w_buf *what, int index, const char *now)
{
	static const struct {
		const char *name;
		const char *option;
	} rows[] = {
	    [W_USER_SHELL] = {"shell", "--shell"},
	    [W_USER_HOME] = {"home", "--home"},
	    [W_USER_COMMENT] = {"comment", "--comment"},
	};
	const char *wanted = w_typed_text(x, index);

	if (wanted == NULL || strcmp(wanted, now) == 0)
		return;
	w_typed_add(command, rows[index].option, wanted, NULL);
	note_difference(x, what, rows[index].name);
}

static bool
user_modify(struct w_typed_step *x, const struct account *account)
{
	const char *const *groups = w_typed_words(x, W_USER_GROUPS);
	const char *uid = w_typed_text(x, W_USER_UID);
	const char *group = w_typed_text(x, W_USER_GROUP);
	const char *how = w_typed_text(x, W_USER_MEMBERSHIP);
	struct w_typed_command command = {.count = 0};
	W_AUTO_BUF struct w_buf what;

	w_buf_init(&what, LIST_MAX);
	w_typed_add(&command, "usermod", NULL);
	if (uid != NULL && strtoul(uid, NULL, 10) != account->uid) {
		w_typed_add(&command, "--uid", uid, NULL);
		note_difference(x, &what, "uid");
	}
	if (group != NULL && group_differs(account, group)) {
		w_typed_add(&command, "--gid", group, NULL);
		note_difference(x, &what, "group");
	}
	set_text(x, &command, &what, W_USER_SHELL, account->shell);
	set_text(x, &command, &what, W_USER_HOME, account->home);
	set_text(x, &command, &what, W_USER_COMMENT, account->comment);
	if (groups != NULL && groups[0] != NULL && groups_differ(x, groups)) {
		if (how == NULL || strcmp(how, "inclusive") != 0)
			w_typed_add(&command, "--append", NULL);
		w_typed_add(&command, "--groups", join(x, groups), NULL);
		note_difference(x, &what, "groups");
	}
	if (what.len == 0 || what.failed)
		return !what.failed;
	w_typed_add(&command, x->resource->name.text, NULL);
	return !w_typed_plan(x, "changed %s", what.data) ||
	       w_typed_account_run(x, &command);
}

static bool
user_remove(struct w_typed_step *x)
{
	struct w_typed_command command = {.count = 0};

	w_typed_reason(x, "the user exists");
	w_typed_add(&command, "userdel", NULL);
	if (w_typed_truth(x, W_USER_MANAGE_HOME, false))
		w_typed_add(&command, "--remove", NULL);
	w_typed_add(&command, x->resource->name.text, NULL);
	return !w_typed_plan(x, "removed the user") ||
	       w_typed_account_run(x, &command);
}

/* ---- password ---- */

/* The text itself must not be quoted. */
static bool
user_check_hash(struct w_typed_step *x, const char *hash)
{
	if (strpbrk(hash, ":\n\r") == NULL && hash[0] != '\0' &&
	    strchr("$!*_", hash[0]) != NULL)
		return true;
	w_resource_step_fail(
	    x->step, "password is no hash (make one with: openssl passwd -6)");
	return false;
}

static bool
user_set_password(struct w_typed_step *x)
{
	const char *name = x->resource->name.text;
	struct w_typed_command command = {.count = 0};
	struct w_filled_text hash;
	const struct spwd *shadow;
	W_AUTO_BUF struct w_buf input;

	w_buf_init(&input, INPUT_MAX);
	if (!w_typed_fill(x, W_USER_PASSWORD, &hash))
		return false;
	if (hash.text == NULL)
		return true;
	if (!user_check_hash(x, hash.text))
		return false;
	/* Even if it did not come from sensitive(). */
	if (!w_secrets_add(
		&x->step->secrets, &x->step->arena, hash.text, hash.len)) {
		x->step->is_short = true;
		return false;
	}
	shadow = getspnam(name);
	if (shadow != NULL && strcmp(shadow->sp_pwdp, hash.text) == 0)
		return true;
	w_typed_reason(x, "password mismatch");
	if (!w_typed_plan(x, "set the password"))
		return true;
	w_buf_add_fmt(&input, "%s:%s\n", name, hash.text);
	command.input = w_resource_step_copy(x->step, &input);
	command.input_len = input.len;
	w_typed_add(&command, "chpasswd", "--encrypted", NULL);
	return w_typed_account_run(x, &command);
}

/* ---- the whole ---- */

static bool
user_change(struct w_typed_step *x, const struct account *account)
{
	if (strcmp(x->resource->ensure, "absent") == 0)
		return !account->exists || user_remove(x);
	if (!(account->exists ? user_modify(x, account) : user_create(x)))
		return false;
	return user_set_password(x);
}

void
w_typed_user_apply(struct w_resource_step *step)
{
	static const char *const more[] = {"LC_ALL=C", NULL};
	struct account account = {.exists = false};
	struct w_typed_step x;

	const bool ok = w_typed_begin(&x, step, more, -1) &&
			user_look(&x, &account) && user_change(&x, &account) &&
			user_look(&x, &account);
	if (ok && account.exists) {
		w_typed_note(&x, "uid",
		    w_resource_step_text(step, "%u", (unsigned)account.uid));
		w_typed_note(&x, "gid",
		    w_resource_step_text(step, "%u", (unsigned)account.gid));
		w_typed_note(&x, "home", account.home);
		w_typed_note(&x, "shell", account.shell);
	}
	w_typed_end(&x, account.exists ? "present" : "absent");
}
