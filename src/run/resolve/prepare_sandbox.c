/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the sandbox of a request. */

#include "run/resolve/prepare_sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/proc.h"
#include "run/home/home_store.h"
#include "run/resolve/request_check.h"
#include "run/resolve/scratch.h"
#include "run/run_session.h"
#include "sandbox/path/real_path.h"
#include "sandbox/profile/profile_loader.h"

static bool
is_confined(const struct w_run_sandbox *sandbox)
{
	return sandbox != NULL && sandbox->sandbox_plan != NULL;
}

/* The home directory of the user that the command runs as. */
static writ_status
find_home(const struct w_identity *identity, char **out_home, writ_error *err)
{
	const char *home = identity->is_set ? NULL : secure_getenv("HOME");
	struct w_account account = {0};

	if (home == NULL || *home != '/') {
		writ_status status =
		    w_account_find(identity->is_set ? identity->uid : geteuid(),
			&account, err);

		if (status != WRIT_OK)
			return status;
		home = account.home == NULL ? "/" : account.home;
	}
	*out_home = strdup(home);
	w_account_done(&account);
	return *out_home == NULL ? w_fail_nomem(err, "sandbox") : WRIT_OK;
}

/* A sandbox contains its processes by its own init. */
static writ_status
check_hold(const struct w_run_sandbox *sandbox, const writ_request *request,
    writ_error *err)
{
	if (request->hold == WRIT_HOLD_AUTO || request->hold == WRIT_HOLD_PIDNS)
		return WRIT_OK;
	writ_status status = w_fail(err, WRIT_E_INVALID, "sandbox", 0,
	    "profile '%s' holds the process tree by its pid namespace",
	    sandbox->resolved.profile);
	w_suggest(err, "leave the hold to writ (tree auto)");
	return status;
}

static void
prepare_sandbox_lower(uint64_t *value, uint64_t limit)
{
	if (limit != 0 && (*value == 0 || *value > limit))
		*value = limit;
}

static void
apply_limits(writ_request *request, const struct w_run_sandbox *sandbox)
{
	const struct w_profile_limits *limits = &sandbox->limits;

	prepare_sandbox_lower(&request->timeout_ms, limits->timeout_ms);
	prepare_sandbox_lower(
	    &request->idle_timeout_ms, limits->idle_timeout_ms);
	prepare_sandbox_lower(&request->max_output, limits->max_output);
	prepare_sandbox_lower(&request->cpu_ms, limits->cpu_ms);
	prepare_sandbox_lower(&request->memory, limits->memory);
	prepare_sandbox_lower(&request->processes, limits->processes);
	prepare_sandbox_lower(&request->open_files, limits->open_files);
	prepare_sandbox_lower(&request->file_size, limits->file_size);
	prepare_sandbox_lower(&request->tmp_size, limits->tmp_size);
}

static writ_status
make_scratch(struct w_prepared *prepared,
    const struct w_prepare_context *context, writ_error *err)
{
	struct w_launcher *launcher = context->launcher;

	if (prepared->scratch != NULL)
		return WRIT_OK;
	return w_scratch_make(&prepared->identity,
	    launcher == NULL ? NULL : &launcher->scratch_place,
	    &prepared->scratch, err);
}

/* Every judging filter of an engine has the same pass. *out_pass is 0: nothing
 * is judged. */
static writ_status
find_exec_pass(const struct w_prepared *prepared,
    const struct w_prepare_context *context, uint64_t *out_pass,
    writ_error *err)
{
	struct w_launcher *launcher = context->launcher;

	*out_pass = 0;
	if (prepared->execve_judge.ctx == NULL || launcher == NULL)
		return WRIT_OK;
	if (launcher->exec_pass == 0 &&
	    getrandom(&launcher->exec_pass, sizeof(launcher->exec_pass), 0) !=
		(ssize_t)sizeof(launcher->exec_pass)) {
		launcher->exec_pass = 0;
		return w_fail(
		    err, WRIT_E_SYSTEM, "sandbox", errno, "no random numbers");
	}
	*out_pass = launcher->exec_pass;
	return WRIT_OK;
}

/* Lists the directory of the copy as writable. *out_write is yours. */
static writ_status
copy_settings(struct w_prepared *prepared, struct w_restriction *restriction,
    const char ***out_write, writ_error *err)
{
	size_t count = 0;

	if (restriction->settings == NULL || !restriction->has_write)
		return WRIT_OK;
	w_settings_copy_free(prepared->settings);
	writ_status status = w_settings_copy_make(restriction->settings,
	    &prepared->identity, &prepared->settings, err);
	if (status != WRIT_OK || prepared->settings == NULL)
		return status;
	while (restriction->write != NULL && restriction->write[count] != NULL)
		count++;
	*out_write = calloc(count + 2, sizeof(**out_write));
	if (*out_write == NULL)
		return w_fail_nomem(err, "sandbox");
	if (count > 0)
		memcpy(*out_write, restriction->write,
		    count * sizeof(**out_write));
	(*out_write)[count] = prepared->settings->dir;
	restriction->write = *out_write;
	restriction->settings_copy = prepared->settings->path;
	return WRIT_OK;
}

/* Whether the run sees the machine's /tmp, so that the rules have to name its
 * own directory. A profile may also want that on disk. */
static bool
lacks_view(writ_request *request, const struct w_prepare_context *context,
    uint32_t missing)
{
	struct w_profile profile = {.name = NULL};
	enum w_walls walls;
	writ_error ignored;

	if ((missing & W_LAYER_BIT(W_LAYER_MOUNTNS)) != 0)
		return true;
	if (w_profile_is_builtin(request->sandbox, &walls))
		return walls == W_WALLS_CONTAINER;
	/* A profile that cannot be read fails where it is built. */
	if (w_profile_find(request->sandbox, context->profile_dirs, &profile,
		&ignored) != WRIT_OK)
		return false;
	walls = profile.walls;
	if (request->tmp == WRIT_TMP_DEFAULT)
		request->tmp = (writ_tmp)profile.limits.tmp_on;
	w_profile_done(&profile);
	return walls == W_WALLS_CONTAINER;
}

/* A process that a run with more rights left behind could be used by others. */
bool
w_run_waits(const struct w_prepared *prepared, const writ_request *request)
{
	return request->background == WRIT_BACKGROUND_WAIT &&
	       request->in_session != NULL && !prepared->decision.gets_more;
}

static struct w_session_walls *
walls_to_join(const struct w_prepared *prepared, const writ_request *request)
{
	if (prepared->own_walls != NULL)
		return prepared->own_walls;
	return request->in_session == NULL || prepared->decision.is_outsider
		   ? NULL
		   : request->in_session->walls;
}

/* Hosts are reached from a network that was made for them, as a session's is,
 * of which this run is the only one. */
static writ_status
make_host_walls(struct w_prepared *prepared, const writ_request *request,
    const struct w_prepare_context *context, bool is_viewless, writ_error *err)
{
	const bool is_on_disk = request->tmp == WRIT_TMP_DISK;
	const struct w_session_walls_options options = {
	    .tmp_size = request->tmp_size,
	    .has_network = true,
	    .ports = &prepared->host_ports,
	    .disk_in = is_on_disk ? context->state_dir : NULL,
	};

	if (request->network != WRIT_NETWORK_HOSTS ||
	    context->launcher == NULL ||
	    walls_to_join(prepared, request) != NULL)
		return WRIT_OK;
	if (is_viewless)
		return w_fail(err, WRIT_E_INVALID, "sandbox", 0,
		    "the profile '%s' has no view of its own, and without one "
		    "there is no network by host",
		    request->sandbox);
	if (is_on_disk && context->state_dir == NULL)
		return w_fail(err, WRIT_E_INVALID, "sandbox", 0,
		    "there is no state directory for a /tmp on disk");
	return w_session_walls_make(
	    context->launcher, &options, &prepared->own_walls, err);
}

/* A /tmp on disk is that of a session, of which this run is the only one. */
static writ_status
make_disk_walls(struct w_prepared *prepared, const writ_request *request,
    const struct w_prepare_context *context, bool is_viewless, writ_error *err)
{
	const struct w_session_walls_options options = {
	    .tmp_size = request->tmp_size,
	    .disk_in = context->state_dir,
	};

	if (request->tmp != WRIT_TMP_DISK || context->launcher == NULL ||
	    walls_to_join(prepared, request) != NULL ||
	    request->background == WRIT_BACKGROUND_KEEP ||
	    (is_viewless && request->best_effort))
		return WRIT_OK;
	if (is_viewless)
		return w_fail(err, WRIT_E_INVALID, "sandbox", 0,
		    "the profile '%s' has no /tmp of its own that could lie on "
		    "disk",
		    request->sandbox);
	if (context->state_dir == NULL)
		return w_fail(err, WRIT_E_INVALID, "sandbox", 0,
		    "there is no state directory for a /tmp on disk");
	return w_session_walls_make(
	    context->launcher, &options, &prepared->own_walls, err);
}

/* Opens a file of HOME again, in the fresh layer. 0, or an errno. */
static int
open_again(const struct w_session_view *view, const char *path, int *fd)
{
	struct w_session_file file;

	int error = w_session_view_open(view, path, &file);
	if (error == 0 && (file.fd < 0 || file.is_written))
		error = ESTALE;
	if (error == 0)
		error = w_fd_raise(&file.fd);
	if (error != 0) {
		w_close(&file.fd);
		return error;
	}
	w_close(fd);
	*fd = file.fd;
	return 0;
}

/* What other runs of the session wrote to HOME does not apply to a run that
 * gets more: it has a fresh layer. What it was judged by is the same there, or
 * w_prepare_check_visible() refuses it. */
static writ_status
make_fresh_layer(struct w_prepared *prepared,
    const struct w_prepare_context *context, writ_error *err)
{
	const struct w_session_walls *of = prepared->view.walls;
	const struct w_home_options options = {
	    .state_dir = context->state_dir,
	    .home = of->home_path,
	};
	struct w_home_store *home = NULL;
	int error = 0;

	writ_status status = w_dotdirs_store_make(&options, &home, err);
	if (status == WRIT_OK)
		status = w_session_walls_make_fresh(
		    context->launcher, of, home, &prepared->own_walls, err);
	if (status != WRIT_OK)
		return status;
	struct w_session_view view = prepared->view;
	view.walls = prepared->own_walls;
	if (prepared->is_cwd_shared && !prepared->is_cwd_written)
		error = open_again(&view, prepared->cwd, &prepared->cwd_fd);
	if (error == 0 && prepared->program.is_inside &&
	    !prepared->program.is_shared) {
		error = open_again(
		    &view, prepared->program.path, &prepared->program.fd);
		if (error == 0 &&
		    fstat(prepared->program.fd, &prepared->program.st) < 0)
			error = errno;
	}
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_NOTFOUND, "session", error,
				"cannot use '%s' in a fresh HOME",
				prepared->program.path);
}

static bool
needs_fresh_layer(const struct w_prepared *prepared,
    const writ_request *request, const struct w_prepare_context *context,
    bool is_viewless)
{
	return request->in_session != NULL && context->launcher != NULL &&
	       prepared->decision.gets_more && !is_viewless &&
	       !prepared->decision.is_outsider && prepared->own_walls == NULL &&
	       request->in_session->walls->home_fd >= 0;
}

/* A process that stays would go on writing to a layer that is gone. NULL: the
 * run can have one. */
static const char *
layer_lack(const struct w_prepared *prepared, const writ_request *request,
    bool is_viewless)
{
	if (request->undo < WRIT_UNDO_AUTO)
		return NULL;
	if (is_viewless)
		return "without a view of its own there is no layer";
	if (prepared->decision.layer_lack != NULL)
		return prepared->decision.layer_lack;
	if (request->background == WRIT_BACKGROUND_KEEP)
		return "it leaves processes behind that go on writing";
	if (prepared->is_cwd_shared)
		return "it works in a directory of the session";
	return NULL;
}

writ_status
w_prepare_sandbox(struct w_prepared *prepared, writ_request *request,
    const struct w_prepare_context *context, writ_error *err)
{
	const uint32_t missing = request->best_effort ? context->missing : 0;
	W_AUTO_FREE char *home = NULL;
	struct rlimit now;
	uint64_t exec_pass = 0;

	if (!w_run_wants_sandbox(request))
		return WRIT_OK;
	/* Whether the command's process needs privileges to get ready. */
	bool needs_privileges =
	    prepared->identity.is_set || request->nice < 0 ||
	    (request->open_files != 0 && getrlimit(RLIMIT_NOFILE, &now) == 0 &&
		request->open_files > now.rlim_max);
	writ_status status = find_home(&prepared->identity, &home, err);
	const bool is_viewless = lacks_view(request, context, missing);
	if (status == WRIT_OK && is_viewless)
		status = make_scratch(prepared, context, err);
	if (status == WRIT_OK)
		status = find_exec_pass(prepared, context, &exec_pass, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE const char **write = NULL;
	struct w_restriction restriction = prepared->restriction;
	if (!is_viewless)
		status = copy_settings(prepared, &restriction, &write, err);
	if (status == WRIT_OK)
		status = make_host_walls(
		    prepared, request, context, is_viewless, err);
	if (status == WRIT_OK)
		status = make_disk_walls(
		    prepared, request, context, is_viewless, err);
	if (status == WRIT_OK &&
	    needs_fresh_layer(prepared, request, context, is_viewless))
		status = make_fresh_layer(prepared, context, err);
	if (status != WRIT_OK)
		return status;
	const struct w_run_sandbox_context terms = {
	    .profile_dirs = context->profile_dirs,
	    .state_dir = context->state_dir,
	    .spill_dir = context->spill_dir,
	    .cwd =
		prepared->is_cwd_shared ? prepared->view.base : prepared->cwd,
	    .home = home,
	    .is_late = request->explain_denials || needs_privileges,
	    .may_keep = request->background == WRIT_BACKGROUND_KEEP ||
			w_run_waits(prepared, request),
	    .walls = walls_to_join(prepared, request),
	    .exec_pass = exec_pass,
	    .missing = missing,
	    .scratch = prepared->scratch,
	    .restriction = &restriction,
	    .name_index = &context->sandbox_cache->name_index,
	    .undo = request->undo,
	    .layer_lack = layer_lack(prepared, request, is_viewless),
	    .layer_root = prepared->decision.layer_root,
	    .must_cover = prepared->decision.must_cover,
	    .session_began = prepared->decision.session_began,
	    .session_name =
		request->in_session == NULL ? NULL : request->in_session->name,
	    .owner = context->owner,
	    .permit = &prepared->permit,
	};
	struct w_run_found found;
	status = w_run_sandbox_find(
	    context->sandbox_cache, request, &terms, &found, err);
	prepared->sandbox = found.sandbox;
	prepared->layer_lack = found.layer_lack;
	/* Where it is made, not where the last one is used again. */
	if ((status != WRIT_OK || (is_confined(prepared->sandbox) &&
				      prepared->sandbox->runs == 0)) &&
	    w_proc_check(NULL) != WRIT_OK)
		return w_proc_check(err);
	if (status == WRIT_OK)
		apply_limits(request, prepared->sandbox);
	if (status == WRIT_OK && is_confined(prepared->sandbox))
		status = check_hold(prepared->sandbox, request, err);
	return status;
}

writ_status
w_prepare_home(struct w_prepared *prepared, const writ_request *request,
    const struct w_prepare_context *context, struct w_environ_sources *sources,
    writ_error *err)
{
	const struct w_run_sandbox *sandbox = prepared->sandbox;
	bool is_isolated = request->env_mode == WRIT_ENV_ISOLATED;
	writ_status status = WRIT_OK;

	if (is_confined(sandbox) &&
	    (sandbox->layers & W_LAYER_BIT(W_LAYER_MOUNTNS)) != 0) {
		sources->tmp = "/tmp";
		sources->private_dir = "/tmp";
		if (sandbox->sandbox_plan->has_home) {
			sources->home = W_SANDBOX_PLAN_HOME;
			sources->private_dir = W_SANDBOX_PLAN_HOME;
		}
		return WRIT_OK;
	}
	if (is_isolated || sandbox != NULL)
		status = make_scratch(prepared, context, err);
	sources->private_dir = prepared->scratch;
	if (sandbox != NULL) {
		sources->tmp = prepared->scratch;
		/* A strict sandbox does not see the user's home. */
		sources->home =
		    is_confined(sandbox) &&
			    sandbox->resolved.walls != W_WALLS_STRICT
			? NULL
			: prepared->scratch;
	}
	return status;
}

static writ_status
fail_unseen(const struct w_run_sandbox *sandbox, const char *what,
    const char *path, writ_error *err)
{
	const struct w_real_path *hidden =
	    w_real_paths_covering(&sandbox->resolved.hidden, path);
	writ_status status;

	if (hidden != NULL) {
		status = w_fail(err, WRIT_E_SANDBOX, "sandbox", 0,
		    "%s '%s' is in '%s', which is hidden", what, path,
		    hidden->path);
		w_suggest(err, "hiding wins: use one from another place");
		return status;
	}
	if (sandbox->resolved.has_allowlist &&
	    w_real_paths_covering(&sandbox->resolved.grants, path) != NULL) {
		status = w_fail(err, WRIT_E_SANDBOX, "sandbox", 0,
		    "%s '%s' is not among the programs that may be executed",
		    what, path);
		w_suggest(err, "add it to 'programs' in the policy");
		return status;
	}
	if (w_resolved_profile_allows(&sandbox->resolved, path, W_MAY_READ)) {
		status = w_fail(err, WRIT_E_SANDBOX, "sandbox", 0,
		    "profile '%s' does not let %s '%s' be executed",
		    sandbox->resolved.profile, what, path);
		w_suggest(err,
		    "add it, its loader and its interpreter to 'execute' in "
		    "the profile");
		return status;
	}
	status = w_fail(err, WRIT_E_SANDBOX, "sandbox", 0,
	    "%s '%s' is outside what profile '%s' shows", what, path,
	    sandbox->resolved.profile);
	w_suggest(err, "add --read '%s', or a directory above it", path);
	return status;
}

/* A run with more rights would do what others of the session prepared. */
static writ_status
check_shared(const struct w_prepared *prepared, writ_error *err)
{
	const struct w_run_sandbox *sandbox = prepared->sandbox;
	const bool is_program = prepared->program.is_shared;

	if ((!is_program && !prepared->is_cwd_written) ||
	    (is_confined(sandbox) && sandbox->sandbox_plan->joins != 0 &&
		!prepared->decision.gets_more))
		return WRIT_OK;
	writ_status status =
	    w_fail(err, WRIT_E_INVALID, is_program ? "program" : "cwd", 0,
		"%s '%s' is the session's, and this run gets more than the "
		"session's walls",
		is_program ? "the program" : "the working directory",
		is_program ? prepared->program.path : prepared->cwd);
	w_suggest(err,
	    "use one that no earlier command of the session made in /tmp or "
	    "HOME");
	return status;
}

static writ_status
check_program(struct w_prepared *prepared, writ_error *err)
{
	const struct w_run_sandbox *sandbox = prepared->sandbox;

	const struct w_program *program = &prepared->program;
	const char *real = program->is_inside ? program->path : program->real;

	if (real == NULL) {
		const writ_status status = w_proc_check(err);

		return status != WRIT_OK
			   ? status
			   : w_fail(err, WRIT_E_SYSTEM, "sandbox", 0,
				 "cannot find out where the program is");
	}
	prepared->program_path = strdup(real);
	if (prepared->program_path == NULL)
		return w_fail_nomem(err, "sandbox");
	/* The session's files are in every view of it. */
	if (program->is_inside ||
	    w_resolved_profile_allows(&sandbox->resolved,
		prepared->program_path, W_MAY_EXECUTE | W_MAY_READ))
		return WRIT_OK;
	return fail_unseen(sandbox, "the program", prepared->program_path, err);
}

writ_status
w_prepare_check_visible(struct w_prepared *prepared, writ_error *err)
{
	const struct w_run_sandbox *sandbox = prepared->sandbox;
	writ_status status = check_shared(prepared, err);

	if (status != WRIT_OK || !is_confined(sandbox))
		return status;
	status = check_program(prepared, err);
	if (status == WRIT_OK && !prepared->is_cwd_shared &&
	    !w_resolved_profile_allows(
		&sandbox->resolved, prepared->cwd, W_MAY_READ))
		return fail_unseen(
		    sandbox, "the working directory", prepared->cwd, err);
	return status;
}
