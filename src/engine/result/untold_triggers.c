/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Triggers that no person has seen yet: a file in the state directory, to which
 * each run appends its triggers as lines of JSON, and which is truncated when
 * they were shown. Readers and writers lock it.
 */

#include "engine/result/untold_triggers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <writ/audit.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "data/json.h"
#include "os/file.h"

#define FILE_NAME "triggers"
#define WHY_MAX   256
/* So that triggers nobody looks at do not fill the disk. */
#define NOTES_MAX ((size_t)256 << 10)

/* Opens and locks the file; -1 with errno. */
static int
open_notes(const char *state_dir, int flags)
{
	W_AUTO_FD int dir = open(state_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	W_AUTO_FD int fd =
	    dir < 0 ? -1
		    : openat(dir, FILE_NAME,
			  flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat found;

	if (fd < 0 || fstat(fd, &found) < 0)
		return -1;
	if (!S_ISREG(found.st_mode) || flock(fd, LOCK_EX) < 0) {
		errno = EINVAL;
		return -1;
	}
	return w_take_fd(&fd);
}

static void
add_notes(struct w_buf *notes, const writ_result *result,
    const writ_trigger *files, size_t count, const char *more)
{
	for (size_t i = 0; i < count; i++) {
		char why[WHY_MAX];

		if (files[i].path == NULL)
			continue;
		(void)snprintf(why, sizeof(why), "%s%s", files[i].why, more);
		w_buf_add_fmt(
		    notes, "{\"time\":%" PRIu64, (uint64_t)time(NULL));
		w_json_add_text_member(notes, "run", result->run_id);
		w_json_add_path_member(notes, "path", files[i].path);
		w_json_add_text_member(notes, "why", why);
		w_buf_add_str(notes, "}\n");
	}
}

void
w_untold_triggers_add(const char *state_dir, const writ_result *result)
{
	W_AUTO_FD int fd = open_notes(state_dir, O_WRONLY | O_APPEND | O_CREAT);
	W_AUTO_BUF struct w_buf notes;
	struct stat found;

	w_buf_init(&notes, NOTES_MAX);
	add_notes(&notes, result, result->triggers, result->trigger_count, "");
	add_notes(&notes, result, result->held, result->held_count,
	    "; held back, see 'writ quarantine'");
	if (fd < 0 || notes.failed || fstat(fd, &found) < 0 ||
	    (size_t)found.st_size + notes.len > NOTES_MAX)
		return;
	(void)w_file_write_all(fd, notes.data, notes.len);
}

/* Complete lines, as an array. */
static void
untold_triggers_add_lines(struct w_buf *json, const char *text)
{
	const char *end;

	w_buf_add_char(json, '[');
	for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		if (w_buf_last(json) == '}')
			w_buf_add_char(json, ',');
		w_buf_add(json, text, (size_t)(end - text));
	}
	w_buf_add_char(json, ']');
}

writ_status
writ_triggers_untold(const char *state_dir, bool are_told, char **out_json,
    size_t *out_len, writ_error *err)
{
	W_AUTO_FD int fd = open_notes(state_dir, are_told ? O_RDWR : O_RDONLY);
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&text, NOTES_MAX + 1);
	w_buf_init(&json, 2 * NOTES_MAX);
	if (fd < 0 && errno != ENOENT)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot read '%s/" FILE_NAME "'", state_dir);
	const int error = fd < 0 ? 0 : w_file_read_all(fd, &text);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot read '%s/" FILE_NAME "'", state_dir);
	untold_triggers_add_lines(&json, text.data);
	*out_json = w_buf_take(&json, out_len);
	if (*out_json == NULL)
		return w_fail_nomem(err, "audit");
	if (are_told && fd >= 0)
		(void)!ftruncate(fd, 0);
	return WRIT_OK;
}
