/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes a new policy file. Its 'expect' lines are not guessed: they are
 * decided under that policy, in a private directory that nobody else can write
 * to, and the results are what is written.
 */

#include "cli/setup/init_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "data/json.h"

#define NAME      "policy.yaml"
#define TEXT_MAX  ((size_t)1 << 20)
#define JSON_MAX  ((size_t)64 << 20)
#define DEPTH_MAX 128
#define PATH_SIZE (PATH_MAX + 64)

/* Decisions as static strings, which outlive the document. */
static const char *const words[] = {"allow", "ask", "deny"};

/* Writes a new file. Returns 0, or -1 with errno set. */
static int
write_text(int dir_fd, const char *name, const struct w_buf *text)
{
	W_AUTO_FD int fd = openat(dir_fd, name,
	    O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_EXCL, 0644);

	return fd < 0 || w_print_bytes(fd, text->data, text->len) < 0
		   ? -1
		   : fsync(fd);
}

/* ---- the test run ---- */

static writ_status
fail_fault(yyjson_val *fault, writ_error *err)
{
	const char *message = yyjson_get_str(yyjson_obj_get(fault, "message"));
	const char *hint = yyjson_get_str(yyjson_obj_get(fault, "suggestion"));

	(void)w_fail(err, WRIT_E_INVALID, "init", 0,
	    "the policy would be invalid: %s",
	    message == NULL ? "it cannot be read" : message);
	if (hint != NULL)
		w_suggest(err, "%s", hint);
	return WRIT_E_INVALID;
}

static const char *
find_word(yyjson_val *val)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (yyjson_equals_str(val, words[i]))
			return words[i];
	}
	return NULL;
}

static writ_status
take_answers(
    yyjson_val *policy, struct w_starter_policy *starter, writ_error *err)
{
	yyjson_val *faults = yyjson_obj_get(policy, "faults");
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(faults, i, count, val)
	{
		if (!yyjson_is_true(yyjson_obj_get(val, "warning")))
			return fail_fault(val, err);
	}
	yyjson_arr_foreach(yyjson_obj_get(policy, "expect"), i, count, val)
	{
		if (i < W_STARTER_EXPECT_MAX)
			starter->answers[i] =
			    find_word(yyjson_obj_get(val, "decision"));
	}
	return WRIT_OK;
}

static writ_status
try_file(const struct w_init_file *file, const char *path,
    struct w_starter_policy *starter, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = JSON_MAX, .depth_max = DEPTH_MAX};
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	W_AUTO_FREE char *text = NULL;
	struct w_json *json = NULL;
	size_t len = 0;

	options.cwd = file->cwd;
	options.file = path;
	writ_status status = writ_policy_look(
	    file->config, WRIT_POLICY_TEST, &options, &text, &len, err);
	if (status == WRIT_OK)
		status = w_json_read(text, len, &limits, &json, err);
	if (status == WRIT_OK)
		status = take_answers(
		    yyjson_ptr_get(w_json_root(json), "/policies/0"), starter,
		    err);
	w_json_free(json);
	return status;
}

static writ_status
try_text(const struct w_init_file *file, struct w_starter_policy *starter,
    const struct w_buf *text, writ_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char dir[PATH_MAX];
	char path[PATH_SIZE];

	(void)snprintf(dir, sizeof(dir), "%s/writ-init.XXXXXX",
	    tmp == NULL || tmp[0] != '/' ? "/tmp" : tmp);
	if (mkdtemp(dir) == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "init", errno,
		    "cannot make a directory like '%s'", dir);
	(void)snprintf(path, sizeof(path), "%s/" NAME, dir);
	writ_status status = WRIT_OK;
	if (write_text(AT_FDCWD, path, text) < 0)
		status = w_fail(err, WRIT_E_SYSTEM, "init", errno,
		    "cannot write '%s'", path);
	if (status == WRIT_OK)
		status = try_file(file, path, starter, err);
	(void)unlink(path);
	(void)rmdir(dir);
	return status;
}

static writ_status
try_starter(const struct w_init_file *file, struct w_starter_policy *starter,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf draft;

	w_buf_init(&draft, TEXT_MAX);
	memset(starter->answers, 0, sizeof(starter->answers));
	w_starter_policy_add(&draft, starter);
	if (draft.failed)
		return w_fail_nomem(err, "init");
	return try_text(file, starter, &draft, err);
}

/* A rule that allows what is allowed anyway, or what the preset still asks
 * about, is left out. */
writ_status
w_cli_init_render(const struct w_init_file *file,
    struct w_starter_policy *starter, struct w_buf *out_text, writ_error *err)
{
	writ_status status = try_starter(file, starter, err);

	if (status == WRIT_OK && !w_starter_policy_allows_commands(starter)) {
		starter->has_commands = true;
		status = try_starter(file, starter, err);
	}
	if (status == WRIT_OK && !w_starter_policy_allows_commands(starter)) {
		starter->has_commands = false;
		status = try_starter(file, starter, err);
	}
	if (status != WRIT_OK)
		return status;
	w_starter_policy_add(out_text, starter);
	return out_text->failed ? w_fail_nomem(err, "init") : WRIT_OK;
}

/* ---- the directory ---- */

static writ_status
fail_link(const char *path, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, "init", 0,
	    "'%s' is a symbolic link, which writ init does not follow", path);
	w_suggest(err, "remove it, or writ init --print");
	return WRIT_E_INVALID;
}

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

writ_status
w_cli_init_check_place(const struct w_init_file *file, writ_error *err)
{
	char path[PATH_SIZE];
	struct stat st;

	if (file->is_projects && is_link(file->dir))
		return fail_link(file->dir, err);
	(void)snprintf(path, sizeof(path), "%s/%s", file->dir, file->name);
	if (file->may_replace || lstat(path, &st) < 0)
		return WRIT_OK;
	if (S_ISLNK(st.st_mode))
		return fail_link(path, err);
	const bool is_policy = strcmp(file->name, NAME) == 0;
	const bool is_settings = !is_policy && file->config != NULL;
	(void)w_fail(err, WRIT_E_INVALID, "init", 0, "there %s already: '%s'",
	    is_policy     ? "is a policy"
	    : is_settings ? "are settings"
			  : "is a file",
	    path);
	w_suggest(err, is_settings ? "add to it what --print shows"
				   : "--print shows the text, and --force "
				     "replaces it");
	return WRIT_E_INVALID;
}

/* The parents exist, or the user may create them. */
static writ_status
make_dirs(const char *dir, writ_error *err)
{
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "%s", dir);
	for (char *at = path + 1;; at++) {
		if (*at != '/' && *at != '\0')
			continue;
		const char kept = *at;

		*at = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return w_fail(err, WRIT_E_SYSTEM, "init", errno,
			    "cannot make the directory '%s'", path);
		*at = kept;
		if (kept == '\0')
			return WRIT_OK;
	}
}

/* A project comes from anywhere, and a symlink in it may lead anywhere. The
 * user's own directory may be a symlink. */
static writ_status
init_file_open_dir(const struct w_init_file *file, int *out_fd, writ_error *err)
{
	const int no_follow = file->is_projects ? O_NOFOLLOW : 0;

	if (!file->is_projects) {
		writ_status status = make_dirs(file->dir, err);

		if (status != WRIT_OK)
			return status;
	} else if (mkdir(file->dir, 0755) < 0 && errno != EEXIST) {
		return w_fail(err, WRIT_E_SYSTEM, "init", errno,
		    "cannot make the directory '%s'", file->dir);
	}
	*out_fd =
	    open(file->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | no_follow);
	if (*out_fd >= 0)
		return WRIT_OK;
	const int why = errno;
	if (is_link(file->dir))
		return fail_link(file->dir, err);
	return w_fail(err, WRIT_E_SYSTEM, "init", why,
	    "cannot open the directory '%s'", file->dir);
}

/* The file is named only when complete, so that readers never see half of it.
 * linkat() does not replace a file that was created meanwhile. */
static int
put_file(
    int dir_fd, const char *name, const struct w_buf *text, bool may_replace)
{
	char fresh[64];
	int done;

	(void)snprintf(fresh, sizeof(fresh), ".%s.%d", name, (int)getpid());
	(void)unlinkat(dir_fd, fresh, 0);
	if (write_text(dir_fd, fresh, text) < 0)
		done = -1;
	else if (may_replace)
		done = renameat(dir_fd, fresh, dir_fd, name);
	else
		done = linkat(dir_fd, fresh, dir_fd, name, 0);
	const int why = errno;
	(void)unlinkat(dir_fd, fresh, 0);
	return done == 0 ? 0 : why;
}

writ_status
w_cli_init_write(
    const struct w_init_file *file, const struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int dir_fd = -1;

	if (init_file_open_dir(file, &dir_fd, err) != WRIT_OK)
		return err->status;
	const int error = put_file(dir_fd, file->name, text, file->may_replace);
	if (error == 0)
		return WRIT_OK;
	return w_fail(err, WRIT_E_SYSTEM, "init", error, "cannot write '%s/%s'",
	    file->dir, file->name);
}
