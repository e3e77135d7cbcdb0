/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Changes the user's policy file.
 *
 * The new text is first tried as a file beside the old one, so that its
 * includes are found. The file is replaced by rename, under a lock, and only if
 * it is still the one that was shown.
 */

#include "cli/policy/policy_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/caller.h"
#include "cli/options/options.h"
#include "cli/output/confirm.h"
#include "cli/output/line_diff.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"

#define STAGE      "policy"
#define NAME       "policy.yaml"
#define TEXT_MAX   ((size_t)16 << 20)
#define FRESH_SIZE 48

static const char starter[] =
    "# What commands may do, in every directory: 'writ policy explain -- "
    "COMMAND'\n"
    "# says why. docs/policy.md has the language.\n"
    "version: 1\n"
    "include: [developer]\n";

/* ---- the file ---- */

/* An empty text if there is no such file. */
static writ_status
read_file(const char *path, struct w_buf *text, writ_error *err)
{
	char chunk[4096];
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	text->len = 0;
	if (fd < 0 && errno == ENOENT)
		return WRIT_OK;
	ssize_t n = fd < 0 ? -1 : 0;
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		w_buf_add(text, chunk, (size_t)n);
	if (n < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot read '%s'", path);
	return text->failed ? w_fail(err, WRIT_E_INVALID, STAGE, 0,
				  "'%s' is too large", path)
			    : WRIT_OK;
}

static writ_status
find_file(struct w_policy_writing *writing, writ_error *err)
{
	const char *dir = writ_config_get(writing->config, "config_dir");
	struct stat st;

	if (dir == NULL || strlen(dir) + sizeof(NAME) + FRESH_SIZE >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the path of the user's policy is %s",
		    dir == NULL ? "not known" : "too long");
	(void)snprintf(writing->dir, sizeof(writing->dir), "%s", dir);
	(void)snprintf(
	    writing->path, sizeof(writing->path), "%.4000s/" NAME, dir);
	if (realpath(writing->path, writing->real) != NULL)
		return WRIT_OK;
	if (errno != ENOENT || lstat(writing->path, &st) == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot find where '%s' leads", writing->path);
	writing->is_new = true;
	(void)snprintf(
	    writing->real, sizeof(writing->real), "%s", writing->path);
	return WRIT_OK;
}

writ_status
w_cli_policy_writing_open(struct w_policy_writing *writing, writ_error *err)
{
	w_buf_init(&writing->old_text, TEXT_MAX);
	w_buf_init(&writing->new_text, TEXT_MAX);
	if (!writing->is_dry_run && w_cli_caller() != WRIT_CALLER_TRUSTED) {
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "a policy is changed by a person at the command line, and "
		    "this runs inside another writ run");
		return WRIT_E_DENIED;
	}
	writ_status status = find_file(writing, err);
	return status == WRIT_OK
		   ? read_file(writing->real, &writing->old_text, err)
		   : status;
}

void
w_cli_policy_writing_close(struct w_policy_writing *writing)
{
	w_buf_done(&writing->old_text);
	w_buf_done(&writing->new_text);
}

/* ---- trying the new text ---- */

/* The place of a rule, with the name of the file instead of the one that was
 * tried. */
static void
add_place(struct w_buf *buf, const struct w_policy_writing *writing,
    const char *place, const char *tried)
{
	const size_t len = strlen(tried);

	if (strncmp(place, tried, len) == 0) {
		w_buf_add_str(buf, writing->path);
		place += len;
	}
	w_buf_add_str(buf, place);
}

static writ_status
fail_expected(const struct w_policy_writing *writing, yyjson_val *expect,
    const char *tried, writ_error *err)
{
	const char *wanted = w_cli_decision_text(expect, "expected");
	const char *got = w_cli_decision_text(expect, "decision");
	const char *text = w_cli_decision_text(expect, "text");
	const char *rule = w_cli_decision_text(expect, "rule");
	W_AUTO_BUF struct w_buf place;

	w_buf_init(&place, PATH_MAX);
	add_place(&place, writing, rule == NULL ? "the default" : rule, tried);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "nothing was written: '%.128s' has to be '%s', and would be '%s', "
	    "by %.300s",
	    text == NULL ? "?" : text, wanted == NULL ? "?" : wanted,
	    got == NULL ? "?" : got, place.data);
	w_suggest(err, "an allow outranks the asks of included files, never a "
		       "deny: change that rule first");
	return WRIT_E_INVALID;
}

static writ_status
fail_fault(yyjson_val *fault, writ_error *err)
{
	const char *message = w_cli_decision_text(fault, "message");
	const char *hint = w_cli_decision_text(fault, "suggestion");
	const unsigned line =
	    (unsigned)yyjson_get_uint(yyjson_obj_get(fault, "line"));

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "nothing was written: line %u of the policy would be wrong: %.300s",
	    line, message == NULL ? "it cannot be read" : message);
	if (hint != NULL)
		w_suggest(err, "%s", hint);
	return WRIT_E_INVALID;
}

static writ_status
check_report(const struct w_policy_writing *writing, yyjson_val *policy,
    const char *tried, writ_error *err)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(yyjson_obj_get(policy, "faults"), i, count, val)
	{
		if (!yyjson_is_true(yyjson_obj_get(val, "warning")))
			return fail_fault(val, err);
	}
	yyjson_arr_foreach(yyjson_obj_get(policy, "expect"), i, count, val)
	{
		if (!yyjson_is_true(yyjson_obj_get(val, "passed")))
			return fail_expected(writing, val, tried, err);
	}
	return WRIT_OK;
}

static writ_status
try_at(
    const struct w_policy_writing *writing, const char *tried, writ_error *err)
{
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	options.cwd = writing->cwd;
	options.file = tried;
	writ_status status = writ_policy_look(
	    writing->config, WRIT_POLICY_TEST, &options, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	status =
	    doc == NULL
		? w_fail_nomem(err, STAGE)
		: check_report(writing,
		      yyjson_ptr_get(yyjson_doc_get_root(doc), "/policies/0"),
		      tried, err);
	yyjson_doc_free(doc);
	return status;
}

/* A new file with the text, with the mode and owner of `like`. Returns 0, or an
 * errno. */
static int
write_fresh(const char *path, const struct w_buf *text, const struct stat *like)
{
	W_AUTO_FD int fd = open(
	    path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return errno;
	if (like != NULL && (fchown(fd, like->st_uid, like->st_gid) < 0 ||
				fchmod(fd, like->st_mode & 07777) < 0))
		return errno;
	return w_print_bytes(fd, text->data, text->len) < 0 || fsync(fd) < 0
		   ? errno
		   : 0;
}

static void
name_fresh(char out[PATH_MAX], const char *dir)
{
	(void)snprintf(
	    out, PATH_MAX, "%.4000s/." NAME ".%d.yaml", dir, (int)getpid());
}

/* Beside the old file, or, where that directory is not there yet, in a private
 * one. */
static writ_status
try_text(const struct w_policy_writing *writing, writ_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char dir[PATH_MAX];
	char tried[PATH_MAX];

	(void)snprintf(dir, sizeof(dir), "%.4000s/writ-policy.XXXXXX",
	    tmp == NULL || tmp[0] != '/' ? "/tmp" : tmp);
	if (writing->is_new && mkdtemp(dir) == NULL)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make a directory like '%s'", dir);
	name_fresh(tried, writing->is_new ? dir : writing->dir);
	(void)unlink(tried);
	const int error = write_fresh(tried, &writing->new_text, NULL);
	writ_status status = error == 0
				 ? try_at(writing, tried, err)
				 : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				       "cannot write '%s'", tried);
	(void)unlink(tried);
	if (writing->is_new)
		(void)rmdir(dir);
	return status;
}

writ_status
w_cli_policy_writing_try(struct w_policy_writing *writing,
    const struct w_policy_addition *added, size_t count, size_t *out_changes,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf begin;

	w_buf_init(&begin, sizeof(starter));
	w_buf_add_str(&begin, starter);
	writing->new_text.len = 0;
	writ_status status =
	    w_cli_policy_edit(writing->is_new ? &begin : &writing->old_text,
		added, count, &writing->new_text, out_changes, err);
	if (status != WRIT_OK || *out_changes == 0)
		return status;
	return try_text(writing, err);
}

/* ---- an example of a shape ---- */

/* A shape is one command, and no shell reads it. */
static bool
is_operator(const char *word)
{
	return word[0] != '\0' && word[strspn(word, "|&;<>")] == '\0';
}

writ_status
w_cli_policy_example(
    const char *shape, const char *extra, struct w_buf *out, writ_error *err)
{
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	writ_status status = w_words_split(shape, strlen(shape), &words, err);

	out->len = 0;
	out->data[0] = '\0';
	for (size_t i = 0; status == WRIT_OK && i < words.count; i++) {
		const char *word = words.items[i];

		if (is_operator(word))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "a shape is one command, and '%.16s' is a shell's",
			    word);
		if (strcmp(word, "...") == 0)
			word = extra;
		else if (strcmp(word, "*") == 0)
			word = "x";
		if (word == NULL)
			continue;
		w_buf_add_str(out, out->len > 0 ? " " : "");
		w_words_quote(out, word);
	}
	if (status == WRIT_OK && words.count == 0)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the shape is empty");
	return status == WRIT_OK && out->failed ? w_fail_nomem(err, STAGE)
						: status;
}

/* ---- writing ---- */

static writ_status
make_dir(const char *dir, writ_error *err)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s", dir);
	for (char *at = path + 1;; at++) {
		const char kept = *at;

		if (kept != '/' && kept != '\0')
			continue;
		*at = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot make the directory '%s'", path);
		*at = kept;
		if (kept == '\0')
			return WRIT_OK;
	}
}

/* Under the lock: the file must still be the one that was shown. */
static writ_status
replace_locked(const struct w_policy_writing *writing, const char *dir,
    const struct stat *like, writ_error *err)
{
	char fresh[PATH_MAX];
	W_AUTO_BUF struct w_buf now;

	w_buf_init(&now, TEXT_MAX);
	writ_status status = read_file(writing->real, &now, err);
	if (status != WRIT_OK)
		return status;
	if (now.len != writing->old_text.len ||
	    memcmp(now.data, writing->old_text.data, now.len) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' was changed meanwhile; nothing was written",
		    writing->path);
	name_fresh(fresh, dir);
	(void)unlink(fresh);
	int error = write_fresh(fresh, &writing->new_text, like);
	if (error == 0 && rename(fresh, writing->real) < 0)
		error = errno;
	if (error == 0)
		return WRIT_OK;
	(void)unlink(fresh);
	return w_fail(err, WRIT_E_SYSTEM, STAGE, error, "cannot write '%s'",
	    writing->real);
}

static writ_status
replace_file(const struct w_policy_writing *writing, writ_error *err)
{
	struct stat st;
	char dir[PATH_MAX];

	(void)snprintf(dir, sizeof(dir), "%s", writing->real);
	*strrchr(dir, '/') = '\0';
	if (writing->is_new && make_dir(writing->dir, err) != WRIT_OK)
		return err->status;
	const bool has_old = stat(writing->real, &st) == 0;
	W_AUTO_FD int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0 || flock(dir_fd, LOCK_EX) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot lock the directory '%s'", dir);
	writ_status status =
	    replace_locked(writing, dir, has_old ? &st : NULL, err);
	if (status == WRIT_OK)
		(void)fsync(dir_fd);
	return status;
}

static int
show_difference(const struct w_policy_writing *writing)
{
	const struct w_line_diff diff = {
	    .old_name = writing->is_new ? "/dev/null" : writing->path,
	    .new_name = writing->path,
	    .old_text = &writing->old_text,
	    .new_text = &writing->new_text,
	    .has_colour = w_print_has_colour(STDOUT_FILENO)};
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, TEXT_MAX * 4);
	w_cli_diff_add(&out, &diff);
	return w_print(&out);
}

int
w_cli_policy_writing_finish(struct w_policy_writing *writing)
{
	writ_error err;

	if (show_difference(writing) != 0)
		return W_POLICY_FAILED;
	if (writing->is_dry_run)
		return 0;
	if (!writing->is_yes && !w_cli_confirm_is_possible()) {
		(void)w_usage_fail(writing->command, &err,
		    "nobody can be asked here; nothing was written");
		w_suggest(&err, "--yes writes it, --dry-run only shows it");
		return w_print_failure(&err, false, W_POLICY_FAILED);
	}
	if (!writing->is_yes && !w_cli_confirm("write this?")) {
		w_print_note("nothing was written");
		return 1;
	}
	if (replace_file(writing, &err) != WRIT_OK)
		return w_print_failure(&err, false, W_POLICY_FAILED);
	w_print_note("wrote %s", writing->path);
	return 0;
}
