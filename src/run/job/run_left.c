/* SPDX-License-Identifier: Apache-2.0 */

/* What a shell leaves behind; see run_left.h. Where it is written other runs
 * write, too, so it is opened without following or waiting for anything. */

#include "run/job/run_left.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "base/hex.h"
#include "run/resolve/environ.h"
#include "run/run.h"
#include "run/run_session.h"

#define TMP "/tmp"

static bool
is_bash(const struct w_prepared *prepared)
{
	const char *name = prepared->program.path == NULL
			       ? NULL
			       : strrchr(prepared->program.path, '/');

	return name != NULL && strcmp(name, "/bash") == 0 &&
	       prepared->argv.count >= 3 &&
	       strcmp(prepared->argv.items[1], "-c") == 0;
}

/* A shell that writ has chosen for a text and that is no bash. */
static bool
is_other_shell(const struct w_prepared *prepared, const writ_request *request)
{
	return request->shell != NULL && prepared->argv.count >= 3 &&
	       strcmp(prepared->argv.items[1], "-c") == 0;
}

/* It reads no file before its text, so the words stand before it, on the same
 * line, that lines keep their numbers. */
static bool
add_words(struct w_prepared *prepared)
{
	char **text = &prepared->argv.items[2];
	char *with_words;

	if (asprintf(&with_words,
		"trap '{ command pwd -P; command export -p; } 2>/dev/null "
		">|" TMP "/%s' EXIT; %s",
		prepared->state_file, *text) < 0)
		return false;
	free(*text);
	*text = with_words;
	return true;
}

static bool
add_variables(struct w_prepared *prepared)
{
	char text[sizeof("WRIT_SHELL_STATE=" TMP "/") + W_STATE_FILE_MAX];
	const int len = snprintf(text, sizeof(text),
	    "WRIT_SHELL_STATE=" TMP "/%s", prepared->state_file);

	return w_words_add(&prepared->env, text, (size_t)len) &&
	       w_words_add(&prepared->env, "BASH_ENV=" W_SHARED_HOOK_PATH,
		   sizeof("BASH_ENV=" W_SHARED_HOOK_PATH) - 1);
}

writ_status
w_run_ask_state(
    struct w_prepared *prepared, const writ_request *request, writ_error *err)
{
	const struct w_run_sandbox *sandbox = prepared->sandbox;
	uint8_t salt[8];
	char hex[2 * sizeof(salt) + 1] = "";

	if (!request->wants_state || sandbox == NULL ||
	    sandbox->sandbox_plan == NULL ||
	    sandbox->sandbox_plan->joins == 0 || prepared->decision.gets_more)
		return WRIT_OK;
	const bool is_by_bash = is_bash(prepared);
	if (is_by_bash ? w_environ_get(prepared->env.items, "BASH_ENV") != NULL
		       : !is_other_shell(prepared, request))
		return WRIT_OK;
	if (getrandom(salt, sizeof(salt), 0) != (ssize_t)sizeof(salt))
		return w_fail(
		    err, WRIT_E_SYSTEM, "session", errno, "no random numbers");
	w_hex_put(hex, salt, sizeof(salt));
	(void)snprintf(prepared->state_file, sizeof(prepared->state_file),
	    ".writ-shell-%s", hex);
	return (is_by_bash ? add_variables(prepared) : add_words(prepared))
		   ? WRIT_OK
		   : w_fail_nomem(err, "session");
}

writ_status
w_run_add_state(struct w_prepared *prepared, const writ_request *request,
    w_left_state_risky_fn is_risky, writ_error *err)
{
	const char *const *variable = request->session_env;
	const struct w_run_sandbox *sandbox = prepared->sandbox;

	if (sandbox == NULL || sandbox->sandbox_plan == NULL ||
	    sandbox->sandbox_plan->joins == 0 || prepared->decision.gets_more)
		return WRIT_OK;
	for (; variable != NULL && *variable != NULL; variable++) {
		if (w_left_state_is_kept(
			*variable, prepared->env.items, is_risky) &&
		    !w_words_add(&prepared->env, *variable, strlen(*variable)))
			return w_fail_nomem(err, "session");
	}
	return WRIT_OK;
}

bool
w_run_keep_state(struct writ_job *job, const struct w_prepared *prepared)
{
	if (prepared->state_file[0] == '\0')
		return true;
	(void)snprintf(job->state_file, sizeof(job->state_file), "%s",
	    prepared->state_file);
	for (size_t i = 0; i < prepared->env.count; i++) {
		if (!w_words_add(&job->state_env, prepared->env.items[i],
			strlen(prepared->env.items[i])))
			return false;
	}
	return true;
}

/* A regular file of this size at most; -1: none. */
static ssize_t
read_state(int tmp_fd, const char *name, char *bytes, size_t size)
{
	struct open_how how = {
	    .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};
	char path[sizeof(TMP) + W_STATE_FILE_MAX];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/%s", &TMP[1], name);
	W_AUTO_FD int fd =
	    (int)syscall(SYS_openat2, tmp_fd, path, &how, sizeof(how));
	if (fd < 0)
		return -1;
	(void)unlinkat(tmp_fd, path, 0);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return read(fd, bytes, size);
}

void
w_run_take_state(struct writ_job *job)
{
	struct w_run_result *storage = job->storage;
	struct w_left_state *state = &storage->left_state;

	if (job->state_file[0] == '\0' || job->session == NULL)
		return;
	W_AUTO_FREE char *bytes = malloc(W_LEFT_STATE_MAX + 1);
	if (bytes == NULL)
		return;
	const ssize_t len = read_state(job->session->walls->tmp_fd,
	    job->state_file, bytes, W_LEFT_STATE_MAX + 1);
	if (len <= 0 ||
	    !w_left_state_read(bytes, (size_t)len, job->state_env.items,
		job->runner->is_risky_variable, state))
		return;
	storage->result.left_cwd = state->cwd;
	storage->result.left_env = (const char *const *)state->env.items;
}
