/* SPDX-License-Identifier: Apache-2.0 */

/* The writer of a log: opening, appending, closing. */

#include "log/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "log/log_state.h"
#include "os/file.h"

#define PAYLOAD_MAX (W_LOG_LINE_MAX - 1024)

/* Room below the host's file size limit for the records of runs that began. */
#define ENDS_ROOM 4096

static const char kind_key[] = "\"kind\":\"";

static int
log_open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static writ_status
fail_dir(const struct w_log *log, writ_error *err)
{
	/* open() reports ELOOP for a link with O_NOFOLLOW. */
	int error = errno == ELOOP ? ENOTDIR : errno;

	return w_fail(err,
	    error == ENOENT    ? WRIT_E_NOTFOUND
	    : error == ENOTDIR ? WRIT_E_INVALID
			       : WRIT_E_SYSTEM,
	    W_LOG_STAGE, error, "cannot open '%s'", log->dir);
}

writ_status
w_log_reopen(struct w_log *log, writ_error *err)
{
	struct stat st;
	W_AUTO_FD int fd = log_open_dir(log->dir);

	w_close(&log->dir_fd);
	w_close(&log->head_fd);
	if (fd < 0 && errno == ENOENT && !log->options.must_exist) {
		writ_status status = w_file_make_dirs(log->dir, 0700, err);
		if (status != WRIT_OK)
			return status;
		fd = log_open_dir(log->dir);
	}
	if (fd < 0 || fstat(fd, &st) < 0)
		return fail_dir(log, err);
	if (!w_log_is_ours(log, "", &st, S_IFDIR, err))
		return WRIT_E_INVALID;
	(void)w_fd_raise(&fd);
	log->dir_fd = w_take_fd(&fd);
	writ_status status = w_log_head_open(log, err);
	if (status == WRIT_OK)
		status = w_log_segment_find(log, err);
	return status;
}

static bool
log_is_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]))
			return false;
	return len > 0 && len <= W_LOG_NAME_LEN && strcmp(name, "head") != 0;
}

static void
log_take_options(struct w_log *log, const struct w_log_options *options)
{
	log->options = *options;
	log->owes_head = options->is_brief;
	(void)strcpy(log->name, options->name);
	if (options->key != NULL)
		memcpy(log->key_id, options->key_id, W_LOG_KEY_ID_LEN);
	if (log->options.segment_max == 0)
		log->options.segment_max = W_LOG_SEGMENT_MAX;
	if (log->options.reserve == 0)
		log->options.reserve = W_LOG_RESERVE;
	if (log->options.lock_ms == 0)
		log->options.lock_ms = W_LOG_LOCK_MS;
}

writ_status
w_log_open(const char *dir, const struct w_log_options *options,
    struct w_log **out_log, writ_error *err)
{
	if (!log_is_name(options->name))
		return w_fail(err, WRIT_E_INVALID, W_LOG_STAGE, 0,
		    "'%s' is not a name for a log", options->name);

	struct w_log *log = calloc(1, sizeof(*log));
	if (log == NULL)
		return w_fail_nomem(err, W_LOG_STAGE);
	log->dir_fd = -1;
	log->head_fd = -1;
	log->fd = -1;
	log->left_fd = -1;
	log_take_options(log, options);
	log->dir = strdup(dir);
	writ_status status = log->dir == NULL ? w_fail_nomem(err, W_LOG_STAGE)
					      : w_log_reopen(log, err);
	if (status != WRIT_OK) {
		w_log_close(log);
		return status;
	}
	*out_log = log;
	return WRIT_OK;
}

void
w_log_close(struct w_log *log)
{
	if (log == NULL)
		return;
	w_log_sync_note(log);
	w_log_segment_drop(log);
	w_close(&log->head_fd);
	w_close(&log->dir_fd);
	free(log->line);
	free(log->dir);
	free(log);
}

/* Starts the file if it has no line yet, and writes what was found. */
static writ_status
log_write_notes(struct w_log *log, writ_error *err)
{
	int error = log->has_head ? 0 : w_log_head_make(log);
	writ_status status = WRIT_OK;

	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "cannot write the head of the log in '%s'", log->dir);
	/* The writer that started it has recorded why the previous one was
	 * left. */
	if (!log->is_known && log->size > 0)
		log->left_note[0] = '\0';
	if (log->size == 0)
		status = w_log_write_segment(log, err);
	if (status == WRIT_OK)
		status = w_log_recover_write(log, err);
	return status;
}

/* The length of the first one. */
static size_t
payload_len(const char *payloads, size_t len)
{
	const char *newline = memchr(payloads, '\n', len);

	return newline == NULL ? len : (size_t)(newline - payloads);
}

static bool
has_no_notes(const struct w_log *log)
{
	return log->is_known && log->left_note[0] == '\0' &&
	       log->torn_notes[0] == '\0' && log->witness_note[0] == '\0';
}

/* Appends what has room in one file. */
static writ_status
append_some(struct w_log *log, const char *payloads, size_t len,
    enum w_log_urgency urgency, size_t *out_used, writ_error *err)
{
	writ_status status = w_log_reserve(log, len, urgency, err);
	if (status == WRIT_OK && !has_no_notes(log))
		status = log_write_notes(log, err);
	if (status == WRIT_OK &&
	    w_log_is_full(log, 0, payload_len(payloads, len))) {
		status = w_log_rotate(log, urgency, err);
		if (status == WRIT_OK && !has_no_notes(log))
			status = log_write_notes(log, err);
	}
	if (status == WRIT_OK && urgency == W_LOG_BEGINS &&
	    !w_log_may_grow(log, log->size + len + ENDS_ROOM))
		status = w_log_fail_write(log, EFBIG, err);
	if (status == WRIT_OK)
		status = w_log_write(log, payloads, len, out_used, err);
	return status;
}

static writ_status
log_append(struct w_log *log, const char *payloads, size_t len,
    enum w_log_urgency urgency, writ_error *err)
{
	writ_status status = w_log_hold(log, err);
	/* The head needs its size within the limit too. */
	if (status == WRIT_OK && !w_log_may_grow(log, W_LOG_HEAD_LEN))
		status = w_log_fail_write(log, EFBIG, err);
	while (status == WRIT_OK && len > 0) {
		size_t used = 0;

		status = append_some(log, payloads, len, urgency, &used, err);
		payloads += used;
		len -= used;
	}
	return status;
}

static bool
log_has_kind(const char *payload, size_t len)
{
	const size_t at = sizeof(kind_key) - 1;

	if (len < at || memcmp(payload, kind_key, at) != 0)
		return false;
	size_t span = w_log_kind_span(payload + at, len - at);
	return span > 0 && at + span < len && payload[at + span] == '"';
}

static writ_status
fail_long(size_t len, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, W_LOG_STAGE, 0,
	    "a record of %zu bytes is too long", len);
}

/* Each of them. */
static writ_status
check_payloads(const char *payloads, size_t len, writ_error *err)
{
	for (;;) {
		const size_t one = payload_len(payloads, len);

		if (one > PAYLOAD_MAX)
			return fail_long(one, err);
		if (!log_has_kind(payloads, one))
			return w_fail(err, WRIT_E_INTERNAL, W_LOG_STAGE, 0,
			    "a record must be one line and begin with its "
			    "kind");
		if (one == len)
			return WRIT_OK;
		payloads += one + 1;
		len -= one + 1;
	}
}

writ_status
w_log_append(struct w_log *log, const char *payload, size_t len,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err)
{
	if (len > PAYLOAD_MAX)
		return fail_long(len, err);
	if (memchr(payload, '\n', len) != NULL)
		return w_fail(err, WRIT_E_INTERNAL, W_LOG_STAGE, 0,
		    "a record must be one line and begin with its kind");
	return w_log_append_all(log, payload, len, urgency, out_mark, err);
}

writ_status
w_log_append_all(struct w_log *log, const char *payloads, size_t len,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err)
{
	log->found[0] = '\0';
	writ_status status = check_payloads(payloads, len, err);
	if (status != WRIT_OK)
		return status;
	status = log_append(log, payloads, len, urgency, err);
	w_log_release(log);
	if (status != WRIT_OK)
		return status;
	if (out_mark != NULL) {
		*out_mark = log->last;
		memcpy(out_mark->hash, log->end.hash, sizeof(log->end.hash));
	}
	if (log->options.durability == W_LOG_SYNC) {
		int error = w_log_sync(log);
		if (error != 0)
			return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
			    "cannot sync the log in '%s'", log->dir);
	}
	return WRIT_OK;
}

const char *
w_log_repair_note(const struct w_log *log)
{
	return log->found[0] != '\0' ? log->found : NULL;
}
