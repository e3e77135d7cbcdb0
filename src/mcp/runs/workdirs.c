/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Saved directories and variables.
 *
 * Saved is what a run was started with, after it has started: a directory that
 * could not be entered is not saved. This grants nothing: the next run is
 * checked like any other.
 */

#include "mcp/runs/workdirs.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"

enum {
	NAMES_MAX = 64,
	NAME_MAX_LEN = 64,
	ENV_MAX = 64 * 1024, /* bytes of variables per name */
	PATH_MAX_LEN = 4095,
};

struct workdir {
	char name[NAME_MAX_LEN + 1];
	char *cwd;
	struct w_words env; /* NAME=VALUE */
	uint64_t used;      /* a counter: least recently used goes */
};

struct w_workdirs {
	struct workdir items[NAMES_MAX];
	size_t count;
	uint64_t uses;
};

static struct workdir *
workdirs_find(struct w_workdirs *workdirs, const char *name)
{
	for (size_t i = 0; workdirs != NULL && i < workdirs->count; i++) {
		if (strcmp(workdirs->items[i].name, name) == 0)
			return &workdirs->items[i];
	}
	return NULL;
}

static writ_status
workdirs_check_name(const char *name, writ_error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";
	const size_t len = strspn(name, letters);

	if (len > 0 && len <= NAME_MAX_LEN && name[len] == '\0')
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "session", 0,
	    "'%.64s' cannot be the name of a session", name);
	w_suggest(err, "1 to 64 of the characters A-Z a-z 0-9 _ . -");
	return WRIT_E_INVALID;
}

/* ---- directory ---- */

static writ_status
workdirs_set_cwd(
    const char *base, const char *cwd, writ_draft *draft, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX_LEN);
	if (cwd == NULL || cwd[0] != '/')
		w_buf_add_str(&path, base);
	if (cwd != NULL && cwd[0] != '/')
		w_buf_add_char(&path, '/');
	if (cwd != NULL)
		w_buf_add_str(&path, cwd);
	if (path.failed)
		return w_fail(err, WRIT_E_INVALID, "cwd", 0,
		    "the path of the working directory is too long");
	return writ_draft_set(draft, "cwd", path.data, err);
}

/* ---- variables ---- */

static bool
workdirs_has_variable(const char *const *env, const char *variable)
{
	const size_t len = strcspn(variable, "=") + 1;

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strncmp(env[i], variable, len) == 0)
			return true;
	}
	return false;
}

static writ_status
workdirs_add_env(
    const struct workdir *workdir, writ_draft *draft, writ_error *err)
{
	for (size_t i = 0; i < workdir->env.count; i++) {
		const char *variable = workdir->env.items[i];
		writ_status status;

		if (workdirs_has_variable(
			writ_draft_request(draft)->env, variable))
			continue;
		status = writ_draft_set(draft, "env", variable, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
workdirs_check_size(
    const char *name, const writ_request *request, writ_error *err)
{
	size_t sum = 0;

	for (size_t i = 0; request->env != NULL && request->env[i] != NULL; i++)
		sum += strlen(request->env[i]) + 1;
	if (sum <= ENV_MAX)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "session", 0,
	    "the variables of session '%s' are more than 64 KiB", name);
}

writ_status
w_workdir_apply(struct w_mcp *server, const char *name, const char *cwd,
    writ_draft *draft, writ_error *err)
{
	writ_status status;

	if (name == NULL)
		return workdirs_set_cwd(server->cwd, cwd, draft, err);
	status = workdirs_check_name(name, err);
	if (status != WRIT_OK)
		return status;
	const struct workdir *workdir = workdirs_find(server->workdirs, name);
	status = workdirs_set_cwd(
	    workdir == NULL ? server->cwd : workdir->cwd, cwd, draft, err);
	if (status == WRIT_OK && workdir != NULL)
		status = workdirs_add_env(workdir, draft, err);
	return status == WRIT_OK
		   ? workdirs_check_size(name, writ_draft_request(draft), err)
		   : status;
}

/* ---- saving ---- */

static void
workdir_done(struct workdir *workdir)
{
	free(workdir->cwd);
	w_words_done(&workdir->env);
	*workdir = (struct workdir){0};
}

static struct workdir *
workdirs_make_room(struct w_workdirs *workdirs)
{
	struct workdir *oldest = &workdirs->items[0];

	if (workdirs->count < NAMES_MAX)
		return &workdirs->items[workdirs->count++];
	for (size_t i = 1; i < workdirs->count; i++) {
		if (workdirs->items[i].used < oldest->used)
			oldest = &workdirs->items[i];
	}
	workdir_done(oldest);
	return oldest;
}

/* Without memory, the previous values stay. */
void
w_workdir_save(
    struct w_mcp *server, const char *name, const writ_request *request)
{
	W_AUTO_WORDS struct w_words env = {0};

	if (server->workdirs == NULL)
		server->workdirs = calloc(1, sizeof(*server->workdirs));
	/* Resolved, so that saved ".." do not pile up. */
	char *cwd = realpath(request->cwd, NULL);
	if (cwd == NULL)
		cwd = strdup(request->cwd);
	bool ok = server->workdirs != NULL && cwd != NULL;
	for (size_t i = 0;
	     ok && request->env != NULL && request->env[i] != NULL; i++)
		ok =
		    w_words_add(&env, request->env[i], strlen(request->env[i]));
	if (!ok) {
		free(cwd);
		return;
	}
	struct workdir *workdir = workdirs_find(server->workdirs, name);
	if (workdir == NULL)
		workdir = workdirs_make_room(server->workdirs);
	workdir_done(workdir);
	(void)strncpy(workdir->name, name, NAME_MAX_LEN);
	workdir->cwd = cwd;
	workdir->env = env;
	workdir->used = ++server->workdirs->uses;
	env = (struct w_words){0};
}

void
w_workdirs_free(struct w_mcp *server)
{
	for (size_t i = 0;
	     server->workdirs != NULL && i < server->workdirs->count; i++)
		workdir_done(&server->workdirs->items[i]);
	free(server->workdirs);
	server->workdirs = NULL;
}
