/* SPDX-License-Identifier: Apache-2.0 */

/* The archive resource: what has to be done, and the extraction. */

#include "manifest/types/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"

#define TIMEOUT_MS UINT64_C(1800000)
#define LIST_MAX   (UINT64_C(64) << 20)

const char *
w_archive_beside(struct w_typed_step *x, const char *dir, const char *path,
    const char *suffix)
{
	const char *base = strrchr(path, '/') + 1;

	return dir != NULL ? w_resource_step_text(
				 x->step, "%s/.%s%s", dir, base, suffix)
			   : w_resource_step_text(x->step, "%.*s.%s%s",
				 (int)(base - path), path, base, suffix);
}

static bool
is_there(const char *path)
{
	struct stat st;

	return path != NULL && lstat(path, &st) == 0;
}

/* ---- small changes ---- */

static bool
archive_set_file(struct w_typed_step *x, const char *path,
    writ_file_ensure ensure, const char *content)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;

	request.path = path;
	request.ensure = ensure;
	request.content = content;
	request.content_len = content == NULL ? 0 : strlen(content);
	if (ensure == WRIT_FILE_DIRECTORY) {
		request.owner = w_typed_text(x, W_ARCHIVE_OWNER);
		request.group = w_typed_text(x, W_ARCHIVE_GROUP);
	}
	return w_typed_file(x, &request, NULL);
}

/* ---- extraction ---- */

static void
archive_command(const struct w_typed_step *x, struct w_typed_command *command)
{
	*command = (struct w_typed_command){
	    .timeout_ms = w_typed_time(x, W_ARCHIVE_TIMEOUT, TIMEOUT_MS)};
}

static bool
check_members(struct w_typed_step *x)
{
	const char *name = x->resource->name.text;
	const char *strip = w_typed_text(x, W_ARCHIVE_STRIP);
	const enum w_archive_kind kind = w_archive_kind_of(name);
	struct w_typed_command command;
	struct w_typed_answer answer;
	writ_error err = {.status = WRIT_OK};

	archive_command(x, &command);
	command.is_query = true;
	command.output = LIST_MAX;
	if (kind == W_ARCHIVE_ZIP)
		w_typed_add(
		    &command, "unzip", "-Z", "-s", "-h", "-t", name, NULL);
	else
		w_typed_add(&command, "tar", "--list", "--verbose",
		    "--numeric-owner", "--absolute-names",
		    "--quoting-style=escape", "--quote-chars= ", "--file", name,
		    NULL);
	if (!w_typed_run(x, &command, &answer))
		return false;
	if (answer.code != 0 || answer.is_cut) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	if (w_archive_check(kind,
		strip == NULL ? 0 : (unsigned)strtoul(strip, NULL, 10),
		answer.text[0], answer.len[0], &err) == WRIT_OK)
		return true;
	w_resource_step_fail(
	    x->step, "'%s' is not safe: %s", name, err.message);
	return false;
}

static bool
unpack(struct w_typed_step *x)
{
	const char *name = x->resource->name.text;
	const char *parent = w_typed_text(x, W_ARCHIVE_PARENT);
	const char *strip = w_typed_text(x, W_ARCHIVE_STRIP);
	struct w_typed_command command;

	archive_command(x, &command);
	command.user = w_typed_text(x, W_ARCHIVE_OWNER);
	command.group = w_typed_text(x, W_ARCHIVE_GROUP);
	if (w_archive_kind_of(name) == W_ARCHIVE_ZIP) {
		w_typed_add(
		    &command, "unzip", "-q", "-o", name, "-d", parent, NULL);
		return w_typed_must_run(x, &command);
	}
	w_typed_add(&command, "tar", "--extract", "--no-same-owner",
	    "--no-same-permissions", "--file", name, "--directory", parent,
	    NULL);
	if (strip != NULL)
		w_typed_add(&command, "--strip-components", strip, NULL);
	return w_typed_must_run(x, &command);
}

/* All of it is on the disk before the mark goes. */
static bool
sync_all(struct w_typed_step *x, const char *dir)
{
	W_AUTO_FD int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && syncfs(fd) == 0)
		return true;
	w_resource_step_fail(
	    x->step, "cannot put '%s' on the disk: %s", dir, strerror(errno));
	return false;
}

bool
w_archive_extract(struct w_typed_step *x)
{
	const char *parent = w_typed_text(x, W_ARCHIVE_PARENT);
	const char *creates = w_typed_text(x, W_ARCHIVE_CREATES);
	const char *mark =
	    w_archive_beside(x, parent, x->resource->name.text, ".extracting");

	if (!check_members(x) ||
	    !archive_set_file(x, mark, WRIT_FILE_PRESENT, "") || !unpack(x) ||
	    !sync_all(x, parent))
		return false;
	if (creates != NULL && !is_there(creates)) {
		w_resource_step_fail(x->step,
		    "failed to reach desired state: '%s' was extracted, and "
		    "'%s' is not there",
		    x->resource->name.text, creates);
		return false;
	}
	return archive_set_file(x, mark, WRIT_FILE_ABSENT, NULL);
}

/* ---- what has to be done ---- */

struct archive_state {
	bool has_file;   /* with the right checksum, if one is wanted */
	bool is_wrong;   /* a file with another checksum */
	bool is_marked;  /* an extraction was interrupted */
	bool is_created; /* what it creates is there, and whole */
};

static bool
archive_look(struct w_typed_step *x, struct archive_state *out)
{
	const char *name = x->resource->name.text;
	const char *parent = w_typed_text(x, W_ARCHIVE_PARENT);
	const char *sum = w_typed_text(x, W_ARCHIVE_CHECKSUM);
	char hex[W_SHA256_HEX + 1];
	struct stat st;

	*out = (struct archive_state){.has_file = is_there(name)};
	if (parent != NULL)
		out->is_marked =
		    is_there(w_archive_beside(x, parent, name, ".extracting"));
	out->is_created =
	    is_there(w_typed_text(x, W_ARCHIVE_CREATES)) && !out->is_marked;
	if (!out->has_file)
		return true;
	if (lstat(name, &st) < 0 || !S_ISREG(st.st_mode)) {
		w_resource_step_fail(
		    x->step, "'%s' is there, and is not a file", name);
		return false;
	}
	if (sum == NULL)
		return true;
	if (!w_archive_sum(x, name, hex))
		return false;
	out->is_wrong =
	    strcasecmp(hex, sum + (strchr(sum, ':') == NULL ? 0 : 7)) != 0;
	out->has_file = !out->is_wrong;
	if (out->is_wrong)
		w_typed_reason(x,
		    "content checksum mismatch: state=%s "
		    "requested=%s",
		    hex, sum);
	return true;
}

static bool
archive_extract_it(struct w_typed_step *x, bool is_marked)
{
	const char *parent = w_typed_text(x, W_ARCHIVE_PARENT);

	w_typed_reason(x, is_marked ? "its extraction was interrupted"
				    : "it is not extracted");
	return !w_typed_plan(x, "extracted") ||
	       (archive_set_file(x, parent, WRIT_FILE_DIRECTORY, NULL) &&
		   w_archive_extract(x));
}

/* The mark comes before a new file: a crash between the two must not leave the
 * old content beside the new archive. */
static bool
archive_replace(struct w_typed_step *x, const struct archive_state *state)
{
	const char *parent = w_typed_text(x, W_ARCHIVE_PARENT);

	w_typed_reason(
	    x, state->is_wrong ? "wrong checksum" : "it is not there");
	if (parent != NULL && !x->is_noop &&
	    (!archive_set_file(x, parent, WRIT_FILE_DIRECTORY, NULL) ||
		!archive_set_file(x,
		    w_archive_beside(
			x, parent, x->resource->name.text, ".extracting"),
		    WRIT_FILE_PRESENT, "")))
		return false;
	return w_archive_fetch(x);
}

static bool
archive_clean(struct w_typed_step *x)
{
	const char *name = x->resource->name.text;

	if (!w_typed_truth(x, W_ARCHIVE_CLEANUP, false) ||
	    (!is_there(name) && !x->is_changed))
		return true;
	w_typed_reason(x, "it is extracted");
	return !w_typed_plan(x, "cleaned up") ||
	       archive_set_file(x, name, WRIT_FILE_ABSENT, NULL);
}

static bool
archive_change(struct w_typed_step *x)
{
	const bool is_extracted = w_typed_text(x, W_ARCHIVE_PARENT) != NULL;
	const bool has_creates = w_typed_text(x, W_ARCHIVE_CREATES) != NULL;
	struct archive_state state;
	bool is_new = false;

	if (strcmp(x->resource->ensure, "absent") == 0) {
		if (!is_there(x->resource->name.text))
			return true;
		w_typed_reason(x, "it is there");
		return !w_typed_plan(x, "removed") ||
		       archive_set_file(
			   x, x->resource->name.text, WRIT_FILE_ABSENT, NULL);
	}
	if (!archive_look(x, &state))
		return false;
	if (state.is_created && !state.is_wrong)
		return archive_clean(x);
	if (!state.has_file) {
		if (!archive_replace(x, &state))
			return false;
		is_new = true;
	}
	if (is_extracted &&
	    (is_new || state.is_marked || (has_creates && !state.is_created)) &&
	    !archive_extract_it(x, state.is_marked))
		return false;
	return archive_clean(x);
}

void
w_typed_archive_apply(struct w_resource_step *step)
{
	static const char *const more[] = {"LC_ALL=C", NULL};
	struct w_typed_step x;

	if (w_typed_begin(&x, step, more, W_ARCHIVE_ENVIRONMENT))
		(void)archive_change(&x);
	w_typed_note(&x, "path", step->resource->name.text);
	w_typed_end(&x, step->resource->ensure);
}
