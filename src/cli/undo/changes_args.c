/* SPDX-License-Identifier: Apache-2.0 */

/* The command line of the commands that show and move changes. */

#include "cli/undo/changes_args.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/caller.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

enum {
	FAILED = 1
};

const struct w_exit_row w_cli_changes_exits[] = {
    {"0", "success"},
    {"1", "there is nothing of that kind, it could not be done, or a change "
	  "was left alone"},
    {"2", "wrong usage"},
    {.status = ""},
};

int
w_cli_changes_fail(const struct w_changes_args *args, writ_error *err)
{
	return w_print_failure(err, args->is_json, FAILED);
}

/* What runs under writ must not take back what people see, nor accept its own
 * changes. Its sandbox hides them; a run without one is told. */
static writ_status
check_person(const struct w_changes_args *args, writ_error *err)
{
	if (w_cli_caller() == WRIT_CALLER_TRUSTED)
		return WRIT_OK;
	return w_fail(err, WRIT_E_DENIED, "undo", 0,
	    "'writ %s' is not for commands that run under writ",
	    args->command->name);
}

int
w_cli_changes_begin(struct w_changes_args *args, int argc, char **argv,
    int (*run)(struct w_changes_args *args))
{
	writ_error err;

	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_cli_changes_fail(args, &err);
	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0)
		status = check_person(args, &err) == WRIT_OK
			     ? run(args)
			     : w_cli_changes_fail(args, &err);
	w_words_done(&args->operands);
	w_words_done(&args->paths);
	writ_config_free(args->config);
	return status;
}

/* ---- which run ---- */

static bool
contains(const char *dir, const char *path)
{
	const size_t len = strlen(dir);

	return strncmp(dir, path, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

bool
w_cli_changes_is_here(const writ_changes *changes)
{
	char cwd[PATH_MAX];

	return getcwd(cwd, sizeof(cwd)) != NULL &&
	       contains(changes->project, cwd);
}

bool
w_cli_changes_can(const writ_changes *changes, writ_changes_action action)
{
	size_t count = 0;

	return writ_changes_count(changes, action, NULL, &count, NULL) ==
		   WRIT_OK &&
	       count > 0;
}

struct changes_search {
	writ_changes_action action;
	uint64_t moved_us;
	char id[64];
};

/* What was accepted last is undone first, and what was undone last is done
 * again first. */
static bool
look_at_changes(void *ctx, writ_changes *changes)
{
	struct changes_search *search = ctx;

	if (!w_cli_changes_can(changes, search->action) ||
	    !w_cli_changes_is_here(changes))
		return true;
	if (search->id[0] == '\0' || changes->moved_us > search->moved_us) {
		search->moved_us = changes->moved_us;
		(void)snprintf(
		    search->id, sizeof(search->id), "%s", changes->run_id);
	}
	return search->action == WRIT_CHANGES_REDO ||
	       search->action == WRIT_CHANGES_UNDO;
}

static writ_status
find_newest(
    struct w_changes_args *args, struct changes_search *search, writ_error *err)
{
	static const char *const words[] = {
	    [WRIT_CHANGES_UNDO] = "that could be undone",
	    [WRIT_CHANGES_REDO] = "that were undone",
	    [WRIT_CHANGES_ACCEPT] = "that wait",
	    [WRIT_CHANGES_RESTORE] = "that are held back",
	};
	writ_status status =
	    writ_changes_each(args->config, look_at_changes, search, err);

	if (status != WRIT_OK || search->id[0] != '\0')
		return status;
	return w_fail(err, WRIT_E_NOTFOUND, "undo", 0,
	    "no run in this directory has changes %s", words[search->action]);
}

/* "src" in the current directory, or an absolute path. Not resolved: it may be
 * gone. */
static writ_status
add_path(struct w_changes_args *args, const writ_changes *changes,
    const char *path, writ_error *err)
{
	char cwd[PATH_MAX], whole[2 * PATH_MAX];
	size_t len;

	if (path[0] == '/')
		(void)snprintf(whole, sizeof(whole), "%s", path);
	else if (getcwd(cwd, sizeof(cwd)) == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "undo", 0,
		    "cannot find out the current directory");
	else
		(void)snprintf(whole, sizeof(whole), "%s%s%s", cwd,
		    strcmp(path, ".") == 0 ? "" : "/",
		    strcmp(path, ".") == 0 ? "" : path);
	len = strlen(whole);
	while (len > 1 && whole[len - 1] == '/')
		whole[--len] = '\0';
	if (!contains(changes->project, whole))
		return w_fail(err, WRIT_E_INVALID, "undo", 0,
		    "'%s' is not in '%s', where the run worked", path,
		    changes->project);
	const char *rest = whole + strlen(changes->project);
	rest = rest[0] == '/' ? rest + 1 : ".";
	return w_words_add(&args->paths, rest, strlen(rest))
		   ? WRIT_OK
		   : w_fail_nomem(err, "undo");
}

writ_status
w_cli_changes_open(struct w_changes_args *args, writ_changes_action action,
    writ_changes **out_changes, writ_error *err)
{
	struct changes_search search = {.action = action};
	writ_changes *changes = NULL;
	writ_status status = WRIT_OK;

	if (args->operands.count > 0 &&
	    strcmp(args->operands.items[0], "last") != 0)
		(void)snprintf(search.id, sizeof(search.id), "%s",
		    args->operands.items[0]);
	else
		status = find_newest(args, &search, err);
	if (status == WRIT_OK)
		status =
		    writ_changes_open(args->config, search.id, &changes, err);
	for (size_t i = 1; i < args->operands.count && status == WRIT_OK; i++)
		status = add_path(args, changes, args->operands.items[i], err);
	if (status == WRIT_OK)
		*out_changes = changes;
	else
		writ_changes_free(changes);
	return status;
}

const char *const *
w_cli_changes_paths(const struct w_changes_args *args)
{
	return args->paths.count == 0 ? NULL
				      : (const char *const *)args->paths.items;
}

/* ---- moving ---- */

static int
report_move(const struct w_changes_args *args, const writ_changes *changes,
    const char *what, size_t count)
{
	W_AUTO_BUF struct w_buf buf;
	size_t left = 0;

	w_buf_init(&buf, (size_t)W_CHANGES_TEXT_MAX);
	if (args->is_json) {
		w_cli_changes_add_json(&buf, changes);
		for (size_t i = 0; i < changes->count; i++)
			left += changes->items[i].trouble != NULL;
	} else {
		left = w_cli_changes_print_troubles(changes);
		w_buf_add_fmt(&buf, "%s %zu change%s of %s\n", what, count,
		    count == 1 ? "" : "s", changes->run_id);
	}
	const int status = w_print(&buf);
	return status != 0 ? status : left > 0;
}

int
w_cli_changes_move(struct w_changes_args *args, writ_changes *changes,
    writ_changes_action action)
{
	static const char *const words[2][4] = {
	    {"undid", "did again", "accepted", "restored"},
	    {"would undo", "would do again", "would accept", "would restore"},
	};
	const char *const *paths = w_cli_changes_paths(args);
	size_t count = 0, left = 0;
	writ_error err;

	writ_status status =
	    writ_changes_count(changes, action, paths, &count, &err);
	if (status == WRIT_OK && !args->is_dry_run)
		status = writ_changes_move(changes, action, paths, &err);
	if (status != WRIT_OK)
		return w_cli_changes_fail(args, &err);
	if (args->is_dry_run && !args->is_json &&
	    w_cli_changes_print(args, changes) != 0)
		return FAILED;
	if (!args->is_dry_run) {
		size_t still = 0;

		if (writ_changes_count(changes, action, paths, &still, NULL) ==
		    WRIT_OK)
			left = still;
	}
	return report_move(args, changes, words[args->is_dry_run][action],
	    count > left ? count - left : 0);
}
