/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Records what a writer found wrong at the end of the log; log_format.h has the
 * members of each line.
 *
 * Nothing is thrown away. The bytes after the last valid line are copied to a
 * file of their own and synced before they are cut off, so a writer that dies
 * in between leaves them twice rather than not at all. The line that reports it
 * comes last: if that cannot be written, a file that no line mentions is left
 * for verification to report.
 */

#include "log/log_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "log/log_files.h"
#include "os/file.h"

#define NAMES_MAX 100 /* attempts to find a free name */

/* Copies the bytes from an offset to the end of the file. */
static int
copy_bytes(const struct w_log *log, uint64_t offset, int to,
    char out_hex[W_SHA256_HEX + 1])
{
	char block[8192];
	uint8_t sum_bytes[W_SHA256_SIZE];
	struct w_sha256 sum;

	w_sha256_init(&sum);
	while (offset < log->size) {
		ssize_t n = pread(log->fd, block, sizeof(block), (off_t)offset);
		int error;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		error = w_file_write_all(to, block, (size_t)n);
		if (error != 0)
			return error;
		w_sha256_add(&sum, block, (size_t)n);
		offset += (uint64_t)n;
	}
	w_sha256_end(&sum, sum_bytes);
	w_hex_put(out_hex, sum_bytes, sizeof(sum_bytes));
	out_hex[W_SHA256_HEX] = '\0';
	return w_log_sync_file(to);
}

static int
make_file(
    const struct w_log *log, uint64_t offset, char out_name[W_LOG_FILE_NAME])
{
	int fd = -1;

	for (unsigned i = 1; i < NAMES_MAX && fd < 0; i++) {
		int used = snprintf(out_name, W_LOG_FILE_NAME,
		    "%s-%06" PRIu32 ".torn-%" PRIu64, log->name, log->segment,
		    offset);

		if (i > 1)
			(void)snprintf(out_name + used,
			    W_LOG_FILE_NAME - (size_t)used, ".%u", i);
		fd = openat(log->dir_fd, out_name,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* Saves what will be cut off. Returns 0 or an errno. */
static int
save_torn(const struct w_log *log, uint64_t offset,
    char out_name[W_LOG_FILE_NAME], char out_hex[W_SHA256_HEX + 1])
{
	W_AUTO_FD int fd = make_file(log, offset, out_name);

	if (fd < 0)
		return errno;
	int error = copy_bytes(log, offset, fd, out_hex);
	if (error == 0 && fsync(log->dir_fd) < 0)
		error = errno;
	if (error != 0)
		(void)unlinkat(log->dir_fd, out_name, 0);
	return error;
}

writ_status
w_log_recover_torn(struct w_log *log, const struct w_log_tail *tail,
    bool *out_is_left, writ_error *err)
{
	char file[W_LOG_FILE_NAME];
	char saved[W_LOG_FILE_NAME];
	char hex[W_SHA256_HEX + 1];
	const uint64_t offset = tail->sound_size;
	/* Earlier notes that could not be written yet come first. */
	int error = strlen(log->torn_notes) > 3 * W_LOG_NOTE_MAX
			? EBUSY
			: save_torn(log, offset, saved, hex);

	w_log_segment_name(log->name, log->segment, file);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "cannot set aside what is torn at byte %" PRIu64
		    " of '%s/%s'",
		    offset, log->dir, file);
	/* Fails for an append-only file (chattr +a). */
	if (ftruncate(log->fd, (off_t)offset) < 0) {
		(void)unlinkat(log->dir_fd, saved, 0);
		*out_is_left = true;
		return WRIT_OK;
	}
	log->reserved_to = 0;
	size_t used = strlen(log->torn_notes);
	(void)snprintf(log->torn_notes + used, sizeof(log->torn_notes) - used,
	    "\"kind\":\"recovery\",\"found\":\"torn\",\"file\":\"%s\","
	    "\"offset\":%" PRIu64 ",\"bytes\":%" PRIu64
	    ",\"saved\":\"%s\",\"sha256\":\"%s\"\n",
	    file, offset, log->size - offset, saved, hex);
	(void)snprintf(log->found, sizeof(log->found),
	    "%" PRIu64 " bytes behind byte %" PRIu64
	    " of '%s/%s' were no record and are in '%s' now",
	    log->size - offset, offset, log->dir, file, saved);
	return WRIT_OK;
}

void
w_log_recover_left(struct w_log *log, enum w_log_tail_kind kind)
{
	char file[W_LOG_FILE_NAME];
	char key[W_LOG_KEY_ID_LEN + 16] = "";
	const char *what = kind == W_LOG_TAIL_SOUND ? "left" : "unreadable";
	const char *why = kind == W_LOG_TAIL_SOUND
			      ? "is read-only without a seal"
			      : "ends in something that is no record";

	if (log->is_foreign) {
		what = "other_key";
		why = "is chained with another key";
		(void)snprintf(
		    key, sizeof(key), ",\"key\":\"%s\"", log->file_key);
	}
	w_log_segment_name(log->name, log->segment, file);
	(void)snprintf(log->left_note, sizeof(log->left_note),
	    "\"kind\":\"recovery\",\"found\":\"%s\",\"file\":\"%s\","
	    "\"bytes\":%" PRIu64 "%s",
	    what, file, log->size, key);
	(void)snprintf(log->found, sizeof(log->found),
	    "'%s/%s' %s and was left; the next file goes on", log->dir, file,
	    why);
}

static bool
is_witnessed(const struct w_log *log)
{
	return log->head.seq == log->end.seq &&
	       (log->end.seq == 0 ||
		   memcmp(log->head.hash, log->end.hash, W_SHA256_HEX) == 0);
}

/* What the head knows has been in the page cache ever since. */
static bool
is_head_of_this_boot(const struct w_log *log)
{
	struct stat st;

	return fstat(log->head_fd, &st) == 0 &&
	       w_log_is_of_this_boot((uint64_t)st.st_mtim.tv_sec * 1000000);
}

void
w_log_recover_witness(struct w_log *log)
{
	const struct w_log_head *head = &log->head;
	const struct w_log_end *end = &log->end;

	log->witness_note[0] = '\0';
	w_log_head_read(log);
	if (!is_witnessed(log))
		w_log_head_renew(log);
	if (is_witnessed(log))
		return;
	bool is_cut = head->seq >= end->seq;
	(void)snprintf(log->witness_note, sizeof(log->witness_note),
	    "\"kind\":\"recovery\",\"found\":\"%s\",\"head_seq\":%" PRIu64
	    ",\"head_hash\":\"%.64s\",\"head_synced\":%" PRIu64
	    ",\"last_seq\":%" PRIu64 ",\"last_hash\":\"%.64s\""
	    ",\"this_boot\":%s",
	    is_cut ? "cut" : "unwitnessed", head->seq, head->hash, head->synced,
	    end->seq, end->hash, is_head_of_this_boot(log) ? "true" : "false");
	(void)snprintf(log->found, sizeof(log->found),
	    "the log in '%s' ends with record %" PRIu64
	    ", but its head knows record %" PRIu64,
	    log->dir, end->seq, head->seq);
}

static writ_status
write_torn_notes(struct w_log *log, writ_error *err)
{
	char *notes = log->torn_notes;

	while (*notes != '\0') {
		size_t len = strcspn(notes, "\n");
		writ_status status = w_log_write(log, notes, len, NULL, err);

		if (status != WRIT_OK)
			return status;
		memmove(notes, notes + len + 1, strlen(notes + len + 1) + 1);
	}
	return WRIT_OK;
}

static writ_status
write_note(struct w_log *log, char *note, writ_error *err)
{
	if (*note == '\0')
		return WRIT_OK;
	writ_status status = w_log_write(log, note, strlen(note), NULL, err);
	if (status == WRIT_OK)
		*note = '\0';
	return status;
}

writ_status
w_log_recover_write(struct w_log *log, writ_error *err)
{
	writ_status status = write_note(log, log->left_note, err);

	if (status == WRIT_OK)
		status = write_torn_notes(log, err);
	if (status == WRIT_OK)
		status = write_note(log, log->witness_note, err);
	return status;
}
