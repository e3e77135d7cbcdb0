/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Resolves a request into open files and plain lists.
 *
 * The order: user, working directory, environment, program, then the sandbox. A
 * missing working directory is never reported as a missing program.
 */

#include "run/resolve/prepare.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"
#include "os/beneath.h"
#include "os/file.h"
#include "os/resolve.h"
#include "run/job/run_left.h"
#include "run/resolve/environ.h"
#include "run/resolve/prepare_sandbox.h"
#include "run/resolve/request_check.h"
#include "run/resolve/scratch.h"
#include "run/run_session.h"

/* Added to the memory limit for RLIMIT_DATA. */
#define DATA_ROOM (UINT64_C(256) << 20)

/* The kernel takes words of less than 128 KiB. */
#define WORD_PART  ((size_t)120 << 10)
#define SCRIPT_MAX 64

/* ---- user, directory and program ---- */

/* A directory that an earlier run of the session made in its /tmp.
 * *out_is_there is false: the path is not the session's, or leads to the
 * machine's. */
static writ_status
open_shared_cwd(struct w_prepared *prepared, const writ_request *request,
    bool *out_is_there, writ_error *err)
{
	*out_is_there = false;
	if (request->roots != NULL || prepared->view.base == NULL ||
	    request->cwd == NULL || *request->cwd != '/')
		return WRIT_OK;
	struct w_session_file file = {.fd = -1};
	struct stat st;
	if (!w_resolve_text("/", request->cwd, file.path) ||
	    !w_session_view_has(&prepared->view, file.path))
		return WRIT_OK;
	int error = w_session_view_open(&prepared->view, request->cwd, &file);
	W_AUTO_FD int fd = file.fd;
	if (error == ENOENT || (error == 0 && fd < 0))
		return WRIT_OK;
	if (error == 0 && fstat(fd, &st) < 0)
		error = errno;
	else if (error == 0 && !S_ISDIR(st.st_mode))
		error = ENOTDIR;
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, "cwd", error,
		    "cannot use '%.256s' of the session as working directory",
		    request->cwd);
	prepared->cwd = strdup(file.path);
	if (prepared->cwd == NULL)
		return w_fail_nomem(err, "cwd");
	prepared->cwd_fd = w_take_fd(&fd);
	prepared->is_cwd_shared = true;
	prepared->is_cwd_written = file.is_written;
	*out_is_there = true;
	return WRIT_OK;
}

static writ_status
open_cwd(
    struct w_prepared *prepared, const writ_request *request, writ_error *err)
{
	bool is_there;
	writ_status status = open_shared_cwd(prepared, request, &is_there, err);
	if (status == WRIT_OK && !is_there)
		status = w_beneath_open(request->cwd, request->roots,
		    &prepared->cwd_fd, &prepared->cwd, err);
	if (status != WRIT_OK)
		return status;

	/* Inside a user namespace the child may enter directories that its user
	 * may not, so check here. For another user the kernel checks when the
	 * child enters it. */
	if (!prepared->identity.is_set && faccessat(prepared->cwd_fd, "", X_OK,
					      AT_EMPTY_PATH | AT_EACCESS) < 0)
		return w_fail(err, WRIT_E_INVALID, "cwd", errno,
		    "cannot use working directory '%s'", prepared->cwd);
	int error = w_fd_raise(&prepared->cwd_fd);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "cwd", error,
		    "cannot hold the working directory");
	return WRIT_OK;
}

static const char *
name_of_shell(const struct w_prepared *prepared)
{
	return prepared->shell == NULL ? "sh" : prepared->shell;
}

/* Cuts between characters: a shell may look at each part. */
static size_t
part_len(const char *text, size_t len)
{
	const size_t part =
	    len <= WORD_PART ? len : w_utf8_trim_end(text, WORD_PART);

	return part > 0 ? part : WORD_PART;
}

/*
 * SHELL -c 'eval "set --<newline>$1$2..."' SHELL PART... for a text that is too
 * long for one word of a command line. The shell puts the parts together again
 * before it reads any of them, and runs exactly the text: "set --" only hides
 * the parts from it.
 */
static bool
add_long_text(struct w_words *words, const char *shell, const char *text)
{
	size_t len = strlen(text);
	size_t count = 0;
	W_AUTO_BUF struct w_buf script;

	w_buf_init(&script, len + SCRIPT_MAX);
	w_buf_add_str(&script, "eval \"set --\n");
	for (size_t at = 0; at < len; at += part_len(text + at, len - at))
		w_buf_add_fmt(&script, "${%zu}", ++count);
	w_buf_add_char(&script, '"');
	bool is_added = !script.failed &&
			w_words_add(words, shell, strlen(shell)) &&
			w_words_add(words, "-c", strlen("-c")) &&
			w_words_add(words, script.data, script.len) &&
			w_words_add(words, shell, strlen(shell));
	for (size_t part; is_added && len > 0; text += part, len -= part) {
		part = part_len(text, len);
		is_added = w_words_add(words, text, part);
	}
	return is_added;
}

static writ_status
build_argv(
    struct w_prepared *prepared, const writ_request *request, writ_error *err)
{
	const char *const shell[] = {
	    name_of_shell(prepared), "-c", request->shell, NULL};
	const char *const *argv =
	    request->shell != NULL ? shell : request->argv;

	if (request->shell != NULL && strlen(request->shell) > WORD_PART) {
		return add_long_text(&prepared->argv, shell[0], request->shell)
			   ? WRIT_OK
			   : w_fail_nomem(err, "argv");
	}
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (!w_words_add(&prepared->argv, argv[i], strlen(argv[i])))
			return w_fail_nomem(err, "argv");
	}
	return WRIT_OK;
}

static writ_status
find_program(struct w_prepared *prepared, const writ_request *request,
    struct w_launcher *launcher, writ_error *err)
{
	const struct w_program_scope scope = {
	    .path_list = w_environ_get(prepared->env.items, "PATH"),
	    .cwd_fd = prepared->cwd_fd,
	    .cwd = prepared->cwd,
	    .seen = launcher == NULL ? NULL : &launcher->seen,
	    .view = &prepared->view,
	};
	char shell[32];

	if (request->shell == NULL)
		return w_program_find(request->program != NULL
					  ? request->program
					  : request->argv[0],
		    &scope, &prepared->program, err);
	(void)snprintf(
	    shell, sizeof(shell), "/bin/%s", name_of_shell(prepared));
	return w_program_find(shell, &scope, &prepared->program, err);
}

/* Keeps an error about a missing file in *missing and goes on: the policy
 * decides first. Any other error is copied to *err. */
static writ_status
defer_missing(writ_status status, const writ_error *missing, writ_error *err)
{
	if (status == WRIT_OK || status == WRIT_E_INVALID ||
	    status == WRIT_E_NOTFOUND || status == WRIT_E_NOTEXEC)
		return WRIT_OK;
	if (err != NULL)
		*err = *missing;
	return status;
}

writ_status
w_run_locate(struct w_prepared *prepared, const writ_request *request,
    const char *base, writ_error *missing, writ_error *err)
{
	if (request->in_session != NULL)
		prepared->view = (struct w_session_view){
		    .walls = request->in_session->walls,
		    .base = base,
		    .read = request->read,
		    .write = request->write,
		};
	writ_status status = w_identity_find(
	    request->user, request->group, &prepared->identity, err);

	if (status != WRIT_OK)
		return status;
	return defer_missing(
	    open_cwd(prepared, request, missing), missing, err);
}

writ_status
w_run_resolve(struct w_prepared *prepared, const writ_request *request,
    const struct w_prepare_context *context, writ_error *missing,
    writ_error *err)
{
	/* PATH, and all else that does not depend on the sandbox. */
	const struct w_environ_sources sources = {
	    .inherited = environ,
	    .identity = &prepared->identity,
	};
	writ_status status =
	    w_environ_build(request, &sources, &prepared->env, err);

	if (status == WRIT_OK)
		status = build_argv(prepared, request, err);
	if (status != WRIT_OK || missing->status != WRIT_OK)
		return status;
	/* For a run that gets more than the session's walls, see
	 * w_prepare_check_visible(). */
	status = find_program(prepared, request, context->launcher, missing);
	return defer_missing(status, missing, err);
}

/* ---- limits ---- */

/* An ordinary user cannot raise a hard limit; a stricter one stays. */
static void
prepare_add_limit(
    struct w_prepared *prepared, int resource, uint64_t value, uint64_t hard)
{
	struct rlimit now;

	if (hard != 0 && geteuid() != 0 &&
	    getrlimit((__rlimit_resource_t)resource, &now) == 0) {
		if (hard > now.rlim_max)
			hard = now.rlim_max;
		if (value > now.rlim_max)
			value = now.rlim_max;
	}
	prepared->limits[prepared->limit_count++] = (struct w_child_limit){
	    .resource = (uint32_t)resource, .soft = value, .hard = hard};
}

static writ_status
add_open_files(struct w_prepared *prepared, uint64_t count, writ_error *err)
{
	struct rlimit now;

	if (geteuid() != 0 && getrlimit(RLIMIT_NOFILE, &now) == 0 &&
	    count > now.rlim_max)
		return w_fail(err, WRIT_E_INVALID, "limits", 0,
		    "cannot allow %llu open files: the hard limit is %llu",
		    (unsigned long long)count,
		    (unsigned long long)now.rlim_max);
	prepare_add_limit(prepared, RLIMIT_NOFILE, count, count);
	return WRIT_OK;
}

static writ_status
fill_limits(
    struct w_prepared *prepared, const writ_request *request, writ_error *err)
{
	prepare_add_limit(prepared, RLIMIT_CORE, 0, 0);
	if (request->cpu_ms != 0) {
		/* The kernel counts whole seconds for each process; the sum
		 * over the tree is sampled. */
		uint64_t seconds = (request->cpu_ms + 999) / 1000;

		prepare_add_limit(prepared, RLIMIT_CPU, seconds, seconds + 1);
	}
	if (request->memory != 0) {
		/* For the time between two samples. It is above the limit: a
		 * failed allocation ends in the program's own message, while a
		 * sample names the limit; and RLIMIT_DATA counts thread stacks,
		 * which are hardly used. */
		uint64_t bytes = request->memory > UINT64_MAX / 4
				     ? RLIM_INFINITY
				     : 2 * request->memory + DATA_ROOM;

		prepare_add_limit(prepared, RLIMIT_DATA, bytes, bytes);
	}
	if (request->file_size != 0)
		prepare_add_limit(prepared, RLIMIT_FSIZE, request->file_size,
		    request->file_size);
	if (request->open_files != 0)
		return add_open_files(prepared, request->open_files, err);
	return WRIT_OK;
}

/* ---- sandbox ---- */

/* Changes the environment if the sandbox moves HOME, TMPDIR or the private
 * directory: in place, or by building it again. */
static writ_status
rebuild_env(struct w_prepared *prepared, const writ_request *request,
    const struct w_prepare_context *context, writ_error *err)
{
	struct w_environ_sources sources = {
	    .inherited = environ,
	    .identity = &prepared->identity,
	};

	writ_status status =
	    w_prepare_home(prepared, request, context, &sources, err);
	if (status != WRIT_OK || (sources.home == NULL && sources.tmp == NULL &&
				     sources.private_dir == NULL))
		return status;
	if (w_environ_can_move(request))
		return w_environ_move(&prepared->env, &sources)
			   ? WRIT_OK
			   : w_fail_nomem(err, "environment");
	w_words_done(&prepared->env);
	prepared->env = (struct w_words){.items = NULL};
	return w_environ_build(request, &sources, &prepared->env, err);
}

writ_status
w_run_apply_profile(struct w_prepared *prepared, writ_request *request,
    const struct w_prepare_context *context, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (!w_run_wants_sandbox(request))
		status = w_run_check_walls(request, W_WALLS_NONE, err);
	if (status == WRIT_OK)
		status = w_prepare_sandbox(prepared, request, context, err);
	if (status == WRIT_OK)
		status = rebuild_env(prepared, request, context, err);
	if (status == WRIT_OK)
		status = w_run_add_state(
		    prepared, request, context->is_risky_variable, err);
	if (status == WRIT_OK)
		status = w_run_ask_state(prepared, request, err);
	if (status == WRIT_OK)
		status = w_prepare_check_visible(prepared, err);
	if (status == WRIT_OK)
		status = fill_limits(prepared, request, err);
	return status;
}

void
w_prepared_done(struct w_prepared *prepared)
{
	w_identity_done(&prepared->identity);
	w_close(&prepared->cwd_fd);
	free(prepared->cwd);
	prepared->cwd = NULL;
	w_scratch_remove(prepared->scratch);
	prepared->scratch = NULL;
	w_settings_copy_free(prepared->settings);
	prepared->settings = NULL;
	w_words_done(&prepared->permit.named);
	w_words_done(&prepared->env);
	w_words_done(&prepared->argv);
	w_program_done(&prepared->program);
	free(prepared->program_path);
	prepared->program_path = NULL;
	w_run_sandbox_release(prepared->sandbox);
	prepared->sandbox = NULL;
	w_session_walls_release(prepared->own_walls);
	prepared->own_walls = NULL;
	if (prepared->execve_judge.ctx != NULL)
		prepared->execve_judge.free(prepared->execve_judge.ctx);
	prepared->execve_judge.ctx = NULL;
}
