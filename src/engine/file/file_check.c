/* SPDX-License-Identifier: Apache-2.0 */

/* Checks a request about a file, and reads what it wants. */

#include <limits.h>
#include <string.h>

#include "base/hex.h"
#include "engine/file/file_state.h"

#define MODE_MAX  07777U
#define MODE_SAID WRIT_FILE_MODE(0)

/* A canonical path, so that what is judged is what is written. */
static bool
is_canonical(const char *path)
{
	const char *at = path;

	while (*at == '/') {
		const size_t len = strcspn(at + 1, "/");

		if (len == 0 || len > NAME_MAX ||
		    (len <= 2 && strncmp(at + 1, "..", len) == 0))
			return false;
		at += len + 1;
	}
	return *at == '\0' && strlen(path) < PATH_MAX;
}

static writ_status
file_check_path(const char *path, writ_error *err)
{
	if (path == NULL || path[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "there is no file path");
	if (path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "file path must be absolute: '%.256s'", path);
	if (strcmp(path, "/") != 0 && !is_canonical(path))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "file path must be canonical: '%.256s'", path);
	return WRIT_OK;
}

static writ_status
file_check_words(const writ_file_request *request, writ_error *err)
{
	const bool is_absent = request->ensure == WRIT_FILE_ABSENT;
	const bool is_link = request->ensure == WRIT_FILE_LINK;

	if ((unsigned)request->ensure > WRIT_FILE_LINK)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "invalid ensure value: must be one of \"present\", "
		    "\"absent\", \"directory\" or \"link\"");
	if (request->force && !is_absent && !is_link)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "'force: true' is only valid with 'ensure: absent' or "
		    "'ensure: link', got 'ensure: %s'",
		    w_engine_file_ensure_word(request->ensure));
	if (request->force && strcmp(request->path, "/") == 0)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "'force: true' cannot be used with the filesystem root");
	if (strcmp(request->path, "/") == 0)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "the filesystem root cannot be managed");
	if (request->content != NULL && request->source != NULL)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "'content' and 'source' are mutually exclusive");
	if (request->ensure != WRIT_FILE_PRESENT &&
	    (request->content != NULL || request->source != NULL))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "only a file has content, not 'ensure: %s'",
		    w_engine_file_ensure_word(request->ensure));
	if (is_link != (request->target != NULL))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "'ensure: link' and 'target' belong together");
	if (is_link &&
	    (request->target[0] == '\0' || strlen(request->target) >= PATH_MAX))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "target must have from 1 to %d bytes", PATH_MAX - 1);
	if (is_link && request->mode != 0)
		return w_fail(
		    err, WRIT_E_INVALID, W_FILE_STAGE, 0, "a link has no mode");
	if (request->mode != 0 && (request->mode & ~MODE_SAID) > MODE_MAX)
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "mode \"%04o\" exceeds maximum value 07777",
		    request->mode & ~MODE_SAID);
	return WRIT_OK;
}

static writ_status
find_owner(struct w_file_change *job, writ_error *err)
{
	const writ_file_request *request = &job->request;
	writ_status status = WRIT_OK;

	if (request->ensure == WRIT_FILE_ABSENT)
		return WRIT_OK;
	if ((request->owner != NULL && request->owner[0] == '\0') ||
	    (request->group != NULL && request->group[0] == '\0'))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "%s cannot be empty",
		    request->owner != NULL && request->owner[0] == '\0'
			? "owner"
			: "group");
	if (request->owner != NULL)
		status = w_engine_find_user(request->owner, &job->uid, err);
	if (status == WRIT_OK && request->group != NULL)
		status = w_engine_find_group(request->group, &job->gid, err);
	return status;
}

static void
sum_content(struct w_file_change *job)
{
	const writ_file_request *request = &job->request;
	uint8_t sum[W_SHA256_SIZE];

	w_sha256(request->content, request->content_len, sum);
	w_hex_put(job->wanted.hex, sum, sizeof(sum));
	job->wanted.hex[W_SHA256_HEX] = '\0';
	job->wanted.size = request->content_len;
	if (request->content_len <= W_FILE_KEEP_MAX)
		job->wanted.text = request->content;
}

static writ_status
file_check_take(struct w_file_change *job, const writ_file_request *request,
    writ_error *err)
{
	const writ_file_request standard = WRIT_FILE_REQUEST_INIT;

	if (request->size < sizeof(request->size) ||
	    request->size > sizeof(job->request))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "the request is of another libwrit, or did not start from "
		    "WRIT_FILE_REQUEST_INIT");
	job->request = standard;
	memcpy(&job->request, request, request->size);
	return WRIT_OK;
}

writ_status
w_engine_file_check(struct w_file_change *job, const writ_file_request *request,
    writ_error *err)
{
	writ_status status = file_check_take(job, request, err);

	request = &job->request;
	if (status == WRIT_OK)
		status = file_check_path(request->path, err);
	if (status == WRIT_OK && request->source != NULL &&
	    request->source[0] != '/')
		status = w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "source path must be absolute: '%.256s'", request->source);
	if (status == WRIT_OK)
		status = file_check_words(request, err);
	if (status == WRIT_OK)
		status = find_owner(job, err);
	if (status != WRIT_OK)
		return status;
	job->has_mode = request->mode != 0;
	job->mode = request->mode & MODE_MAX;
	/* Who may read or write a directory may search it, too. */
	for (unsigned shift = 0;
	     shift <= 6 && request->ensure == WRIT_FILE_DIRECTORY; shift += 3) {
		if ((job->mode & (6U << shift)) != 0)
			job->mode |= 1U << shift;
	}
	job->has_content = request->content != NULL || request->source != NULL;
	if (request->content != NULL)
		sum_content(job);
	return WRIT_OK;
}
