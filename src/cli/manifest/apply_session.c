/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The session of an apply.
 */

#include "cli/manifest/apply_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "manifest/session/manifest_session.h"

#define STAGE        "session"
#define PATH_MAX_LEN 8192

writ_status
w_cli_sessions_dir(const writ_config *config, char **out_dir, writ_error *err)
{
	const char *state = writ_config_get(config, "state_dir");
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX_LEN);
	w_buf_add_fmt(&path, "%s/sessions", state);
	char *dir = w_buf_take(&path, NULL);
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	*out_dir = dir;
	return WRIT_OK;
}

const char *
w_cli_session_named(const char *option)
{
	const char *dir = getenv(W_SESSION_VARIABLE);

	if (option != NULL)
		return option;
	return dir != NULL && dir[0] != '\0' ? dir : NULL;
}

/* Whether two NULL-ended lists are equal. */
static bool
is_same_list(const char *const *a, const char *const *b)
{
	size_t i = 0;

	if (a == NULL || b == NULL)
		return (a == NULL || a[0] == NULL) &&
		       (b == NULL || b[0] == NULL);
	while (a[i] != NULL && b[i] != NULL && strcmp(a[i], b[i]) == 0)
		i++;
	return a[i] == NULL && b[i] == NULL;
}

/* Fails if the manifest or an option differs from when the session started. */
static writ_status
check_same(const struct w_cli_apply *run, writ_error *err)
{
	struct w_manifest_session_start start;
	const char *what = NULL;
	W_AUTO_WORDS struct w_words choice = {.items = NULL};
	const bool has_begun = w_manifest_session_started(run->store, &start);

	if (!w_cli_apply_choice(run, &choice))
		return w_fail_nomem(err, STAGE);

	if (!has_begun || start.manifest == NULL || start.sha256 == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "cannot resume '%s': it is not the session of an apply",
		    run->resume);
	if (strcmp(start.sha256, run->loaded.manifest->sha256) != 0)
		what = "the manifest has changed";
	else if (start.resources != run->loaded.manifest->count)
		what = "the manifest has other resources";
	else if (start.noop && !run->is_noop)
		what = "it began with --noop";
	else if (!start.noop && run->is_noop)
		what = "it began without --noop";
	else if (!is_same_list(start.only, (const char *const *)choice.items))
		what = "it began with other --only or --tags";
	if (what == NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "cannot resume '%s': %s",
	    run->resume, what);
	w_suggest(err, "apply without --resume, which checks everything again");
	return WRIT_E_INVALID;
}

static writ_status
apply_session_open_dir(
    struct w_cli_apply *run, const char *dir, bool must_exist, writ_error *err)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = must_exist, .is_alone = true};

	return w_manifest_session_open(&options, &run->store, err);
}

static writ_status
resume(struct w_cli_apply *run, const char *parent, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status =
	    w_manifest_session_find(parent, run->resume, &dir, err);

	if (status == WRIT_OK)
		status = apply_session_open_dir(run, dir, true, err);
	if (status == WRIT_OK)
		status = check_same(run, err);
	if (status == WRIT_OK && w_manifest_session_note(run->store) != NULL &&
	    !run->is_json && !run->is_quiet)
		w_print_note("%s", w_manifest_session_note(run->store));
	return status;
}

/* A directory that the user names holds one apply. */
static writ_status
use_dir(struct w_cli_apply *run, writ_error *err)
{
	struct w_manifest_session_start start;
	writ_status status =
	    apply_session_open_dir(run, run->session, false, err);

	if (status != WRIT_OK ||
	    !w_manifest_session_started(run->store, &start))
		return status;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the directory '%s' has a session already", run->session);
	w_suggest(err, "another directory, or --resume to go on with it");
	return WRIT_E_INVALID;
}

/* A noop apply does not need write access. */
static writ_status
apply_session_make(struct w_cli_apply *run, const char *parent, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status = w_manifest_session_make(parent, &dir, err);

	if (status == WRIT_OK)
		status = apply_session_open_dir(run, dir, false, err);
	if (status == WRIT_OK)
		w_manifest_session_prune(parent, &w_manifest_session_kept);
	else if (run->is_noop && status != WRIT_E_NOMEM)
		status = w_manifest_session_new_in_memory(&run->store, err);
	return status;
}

writ_status
w_cli_session_open(struct w_cli_apply *run, writ_error *err)
{
	W_AUTO_FREE char *parent = NULL;
	writ_status status = w_cli_sessions_dir(run->config, &parent, err);

	if (status != WRIT_OK)
		return status;
	if (run->resume != NULL)
		return resume(run, parent, err);
	if (run->session != NULL)
		return use_dir(run, err);
	return apply_session_make(run, parent, err);
}

writ_status
w_cli_session_join(struct w_cli_apply *run, writ_error *err)
{
	const char *dir = w_cli_session_named(run->session);
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true};

	if (dir == NULL)
		return w_manifest_session_new_in_memory(&run->store, err);
	writ_status status =
	    w_manifest_session_open(&options, &run->store, err);
	if (status == WRIT_E_NOTFOUND) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "session store '%s' does not exist", dir);
		w_suggest(err, "eval \"$(writ session new)\" makes one");
	}
	return status;
}
