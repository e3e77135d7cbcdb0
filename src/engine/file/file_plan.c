/* SPDX-License-Identifier: Apache-2.0 */

/* Plans what to do about a file, and says why. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/file/file_state.h"
#include "os/trust.h"

const char *
w_engine_file_ensure_word(writ_file_ensure ensure)
{
	static const char *const words[] = {
	    [WRIT_FILE_PRESENT] = "present",
	    [WRIT_FILE_ABSENT] = "absent",
	    [WRIT_FILE_DIRECTORY] = "directory",
	    [WRIT_FILE_LINK] = "link",
	};

	return words[ensure];
}

const char *
w_engine_file_kind_word(enum w_file_kind kind)
{
	static const char *const words[] = {
	    [W_FILE_NONE] = "absent",
	    [W_FILE_REGULAR] = "present",
	    [W_FILE_DIR] = "directory",
	    [W_FILE_LINK] = "link",
	    [W_FILE_OTHER] = "other",
	};

	return words[kind];
}

const char *
w_engine_file_done_text(const struct w_file_change *job)
{
	switch (job->action) {
	case W_FILE_NOTHING:
		return NULL;
	case W_FILE_STORE:
		if (job->seen.kind == W_FILE_REGULAR)
			return "replaced the content";
		return job->has_content ? "created the file"
					: "created an empty file with "
					  "requested attributes";
	case W_FILE_ATTRIBUTES:
		return "updated attributes";
	case W_FILE_MAKE_DIR:
		return "created directory";
	case W_FILE_MAKE_LINK:
		return job->seen.kind == W_FILE_LINK ? "changed the link"
						     : "created the link";
	case W_FILE_REMOVE:
		return "removed the file";
	case W_FILE_REMOVE_DIR:
		return "removed the directory";
	case W_FILE_REMOVE_TREE:
		return "recursively removed the directory";
	}
	return NULL;
}

/* ---- attributes ---- */

/* The state as a number: the request may name one that has no name. */
static void
format_owner(
    char *out, size_t size, const char *what, unsigned is, const char *wanted)
{
	if (out != NULL)
		(void)snprintf(out, size, "%s mismatch: state=%u requested=%s",
		    what, is, wanted);
}

/* A mode without set-group-id and sticky bits says nothing about those of a
 * directory. */
static mode_t
mode_of(const struct w_file_change *job, const struct stat *st)
{
	const bool is_open = S_ISDIR(st->st_mode) && (job->mode & 07000) == 0;

	return st->st_mode & (is_open ? 0777 : 07777);
}

bool
w_engine_file_differs(const struct w_file_change *job, const struct stat *st,
    char *out_reason, size_t size)
{
	if (job->uid != (uid_t)-1 && st->st_uid != job->uid) {
		format_owner(
		    out_reason, size, "owner", st->st_uid, job->request.owner);
		return true;
	}
	if (job->gid != (gid_t)-1 && st->st_gid != job->gid) {
		format_owner(
		    out_reason, size, "group", st->st_gid, job->request.group);
		return true;
	}
	if (job->has_mode && mode_of(job, st) != job->mode) {
		if (out_reason != NULL)
			(void)snprintf(out_reason, size,
			    "mode mismatch: state=%04o requested=%04o",
			    mode_of(job, st), job->mode);
		return true;
	}
	return false;
}

/* ---- one function for each ensure ---- */

static void
file_plan_note(struct w_file_change *job, enum w_file_action action)
{
	job->action = action;
	if (job->reason[0] == '\0')
		(void)snprintf(job->reason, sizeof(job->reason),
		    "ensure mismatch: state=%s requested=%s",
		    w_engine_file_kind_word(job->seen.kind),
		    w_engine_file_ensure_word(job->request.ensure));
}

static writ_status
plan_absent(struct w_file_change *job)
{
	const enum w_file_kind kind = job->seen.kind;

	if (kind == W_FILE_NONE)
		return WRIT_OK;
	(void)snprintf(job->reason, sizeof(job->reason),
	    "file still exists (ensure=%s)", w_engine_file_kind_word(kind));
	if (kind != W_FILE_DIR)
		job->action = W_FILE_REMOVE;
	else
		job->action =
		    job->request.force ? W_FILE_REMOVE_TREE : W_FILE_REMOVE_DIR;
	return WRIT_OK;
}

static writ_status
plan_directory(struct w_file_change *job, writ_error *err)
{
	switch (job->seen.kind) {
	case W_FILE_NONE:
	case W_FILE_LINK:
		file_plan_note(job, W_FILE_MAKE_DIR);
		return WRIT_OK;
	case W_FILE_DIR:
		if (w_engine_file_differs(
			job, &job->seen.st, job->reason, sizeof(job->reason)))
			job->action = W_FILE_ATTRIBUTES;
		return WRIT_OK;
	case W_FILE_REGULAR:
	case W_FILE_OTHER:
		break;
	}
	return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
	    "%.256s exists and is no directory; cannot manage it as one",
	    job->request.path);
}

static writ_status
plan_regular(struct w_file_change *job, writ_error *err)
{
	const bool is_hidden = job->request.hide_content;
	struct stat dir;

	if (job->has_content &&
	    strcmp(job->seen.sum.hex, job->wanted.hex) != 0) {
		(void)snprintf(job->reason, sizeof(job->reason),
		    "content checksum mismatch%s%s%s%s",
		    is_hidden ? "" : ": state=",
		    is_hidden ? "" : job->seen.sum.hex,
		    is_hidden ? "" : " requested=",
		    is_hidden ? "" : job->wanted.hex);
		job->action = W_FILE_STORE;
		return WRIT_OK;
	}
	if (!w_engine_file_differs(
		job, &job->seen.st, job->reason, sizeof(job->reason)))
		return WRIT_OK;
	job->action = W_FILE_ATTRIBUTES;
	/* Others who can write here may have linked the path to a file of ours
	 * that they may not touch. */
	if (job->seen.st.st_nlink <= 1 ||
	    (fstat(job->parent.fd, &dir) == 0 && !w_trust_is_foreign(&dir)))
		return WRIT_OK;
	/* Its content is known, so a new file can replace it. */
	job->action = W_FILE_STORE;
	return job->has_content
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
			 "%.200s has other names too, and others can write its "
			 "directory; refusing to set attributes",
			 job->request.path);
}

static writ_status
plan_new(struct w_file_change *job, enum w_file_action action, writ_error *err)
{
	const char *path = job->request.path;

	/* In a dry run its directory may be planned as well. */
	if (!w_parent_dir_exists(&job->parent) && !job->request.dry_run)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "\"%.*s\" is not a directory",
		    (int)(strrchr(path, '/') - path), path);
	file_plan_note(job, action);
	return WRIT_OK;
}

static writ_status
plan_link(struct w_file_change *job, writ_error *err)
{
	const char *path = job->request.path;

	switch (job->seen.kind) {
	case W_FILE_NONE:
		return plan_new(job, W_FILE_MAKE_LINK, err);
	case W_FILE_LINK:
		if (strcmp(job->seen.target, job->request.target) != 0)
			(void)snprintf(job->reason, sizeof(job->reason),
			    "target mismatch: state=%.100s requested=%.100s",
			    job->seen.target, job->request.target);
		else if (!w_engine_file_differs(job, &job->seen.st, job->reason,
			     sizeof(job->reason)))
			return WRIT_OK;
		break;
	case W_FILE_REGULAR:
		if (job->request.force)
			break;
		(void)w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "%.256s exists as a file; a link would replace it", path);
		w_suggest(err, "set 'force: true' to replace it");
		return WRIT_E_INVALID;
	case W_FILE_DIR:
	case W_FILE_OTHER:
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "%.256s exists and is no link; cannot manage it as one",
		    path);
	}
	file_plan_note(job, W_FILE_MAKE_LINK);
	return WRIT_OK;
}

static writ_status
plan_present(struct w_file_change *job, writ_error *err)
{
	const char *path = job->request.path;

	switch (job->seen.kind) {
	case W_FILE_NONE:
		return plan_new(job, W_FILE_STORE, err);
	case W_FILE_REGULAR:
		return plan_regular(job, err);
	case W_FILE_DIR:
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "%.256s exists as a directory; cannot manage it as a file",
		    path);
	case W_FILE_LINK:
		if (!job->has_content)
			return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
			    "%.200s is a symlink; refusing to set attributes "
			    "through it",
			    path);
		file_plan_note(job, W_FILE_STORE);
		return WRIT_OK;
	case W_FILE_OTHER:
		break;
	}
	return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
	    "%.256s is neither a file nor a directory; cannot manage it", path);
}

writ_status
w_engine_file_plan(struct w_file_change *job, writ_error *err)
{
	switch (job->request.ensure) {
	case WRIT_FILE_PRESENT:
		return plan_present(job, err);
	case WRIT_FILE_DIRECTORY:
		return plan_directory(job, err);
	case WRIT_FILE_LINK:
		return plan_link(job, err);
	case WRIT_FILE_ABSENT:
		break;
	}
	return plan_absent(job);
}
