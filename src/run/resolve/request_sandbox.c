/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks the sandbox options of a request. Nothing is looked up here: whether a
 * profile or a path exists is checked when the sandbox is planned.
 *
 * A request never gets less than it asked for: options that only a sandbox can
 * enforce fail where there is none.
 */

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "run/resolve/request_check.h"

static const char *const network_words[] = {
#define X(name, word) [WRIT_NETWORK_##name] = word,
    WRIT_NETWORK_MAP(X)
#undef X
};

static writ_status
request_sandbox_check_path(const char *key, const char *path, writ_error *err)
{
	if (path[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: a path is empty", key);
	if (strchr(path, '\n') != NULL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: a path has a newline in it", key);
	if (strlen(path) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: a path is longer than the %d bytes that a path can "
		    "have",
		    key, PATH_MAX - 1);
	return WRIT_OK;
}

static writ_status
check_paths(const char *key, const char *const *paths, writ_error *err)
{
	for (size_t i = 0; paths != NULL && paths[i] != NULL; i++) {
		writ_status status =
		    request_sandbox_check_path(key, paths[i], err);

		if (status != WRIT_OK)
			return status;
		if (i == W_REQUEST_PATHS_MAX)
			return w_fail(err, WRIT_E_INVALID, "request", 0,
			    "%s: there are more than %d paths", key,
			    W_REQUEST_PATHS_MAX);
	}
	return WRIT_OK;
}

static bool
has_any(const char *const *paths)
{
	return paths != NULL && paths[0] != NULL;
}

/* The first option that only a sandbox can enforce; NULL: none. */
static const char *
key_for_walls(const writ_request *request, enum w_walls walls)
{
	if (has_any(request->read))
		return "read";
	if (has_any(request->write))
		return "write";
	if (has_any(request->hide))
		return "hide";
	if (has_any(request->hosts))
		return "hosts";
	if (request->network != WRIT_NETWORK_DEFAULT &&
	    request->network != WRIT_NETWORK_HOST)
		return "network";
	if (request->explain_denials)
		return "explain_denials";
	if (request->tmp == WRIT_TMP_DISK)
		return "tmp";
	if (request->undo >= WRIT_UNDO_ON)
		return "undo";
	/* A private TMPDIR comes with the profile "env" or the isolated
	 * environment. */
	return walls == W_WALLS_NONE && request->tmp_size != 0 &&
		       request->env_mode != WRIT_ENV_ISOLATED
		   ? "tmp_size"
		   : NULL;
}

writ_status
w_run_check_walls(
    const writ_request *request, enum w_walls walls, writ_error *err)
{
	const char *key = key_for_walls(request, walls);

	if (walls > W_WALLS_ENV || key == NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "request", 0,
	    "%s: the profile '%s' has no sandbox that could enforce this", key,
	    request->sandbox == NULL ? "none" : request->sandbox);
	w_suggest(err, "the profile readonly, workspace or strict");
	return WRIT_E_INVALID;
}

/* Whether a text is a pattern of hosts is for the engine to say. */
static writ_status
check_hosts(const writ_request *request, writ_error *err)
{
	size_t count = 0;

	while (request->hosts != NULL && request->hosts[count] != NULL)
		count++;
	if (count > W_REQUEST_HOSTS_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "hosts: there are more than %d", W_REQUEST_HOSTS_MAX);
	if (count == 0 || request->network == WRIT_NETWORK_DEFAULT ||
	    request->network == WRIT_NETWORK_HOSTS)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "request", 0,
	    "hosts and the network '%s' cannot be given together",
	    network_words[request->network]);
	w_suggest(err, "leave out the network, or name no hosts");
	return WRIT_E_INVALID;
}

bool
w_run_wants_sandbox(const writ_request *request)
{
	return request->size >=
		   offsetof(writ_request, sandbox) + sizeof(request->sandbox) &&
	       request->sandbox != NULL &&
	       strcmp(request->sandbox, "none") != 0;
}

writ_status
w_run_check_sandbox(const writ_request *request, writ_error *err)
{
	const char *profile = request->sandbox;
	writ_status status = WRIT_OK;

	if ((unsigned)request->network > WRIT_NETWORK_HOSTS ||
	    (unsigned)request->tmp > WRIT_TMP_DISK ||
	    (unsigned)request->undo > WRIT_UNDO_TRIAL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a value of the request is outside its enumeration");
	if (request->tmp_size > W_SIZE_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "tmp_size is larger than 1 EiB");
	/* Without this engine nobody would answer the background's
	 * notifications. */
	if (request->explain_denials &&
	    request->background == WRIT_BACKGROUND_KEEP)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "explain_denials cannot be used with a background that "
		    "keeps "
		    "running");
	/* Its end removes the directory. */
	if (request->tmp == WRIT_TMP_DISK &&
	    request->background == WRIT_BACKGROUND_KEEP)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a /tmp on disk cannot be used with a background that "
		    "keeps running");
	if (profile != NULL)
		status = request_sandbox_check_path("sandbox", profile, err);
	if (status == WRIT_OK)
		status = check_paths("read", request->read, err);
	if (status == WRIT_OK)
		status = check_paths("write", request->write, err);
	if (status == WRIT_OK)
		status = check_paths("hide", request->hide, err);
	if (status == WRIT_OK)
		status = check_hosts(request, err);
	if (status != WRIT_OK)
		return status;
	/* No profile: the policy chooses it. */
	if (profile == NULL)
		return WRIT_OK;
	if (!w_run_wants_sandbox(request))
		return w_run_check_walls(request, W_WALLS_NONE, err);
	if (strcmp(profile, "env") == 0)
		return w_run_check_walls(request, W_WALLS_ENV, err);
	return WRIT_OK;
}
