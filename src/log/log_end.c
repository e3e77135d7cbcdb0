/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Gets hold of the end of the log: the right file, locked, and its last line.
 *
 *     find -> lock -> read --ours, unchanged-------------------> hold
 *      ^               |-----ends with a valid line------------> hold
 *      |               |-----torn: saved, cut------------------> hold
 *      |               |-----sealed, left, another's key, bare-> next file
 *      |               |-----empty, previous one not locked----> that one
 *      `---------------'-----deleted
 */

#include "log/log_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "os/file.h"

/* Steps between files until one is held. Each step is a file that another
 * writer finished meanwhile, so this many never happen. */
#define TURNS_MAX 32

/* How long to wait for a writer that timed out before. */
#define STUCK_MS 20

enum turn {
	HOLD,
	NEXT,
	BACK,
	AGAIN
};

static writ_status
fail_lock(const struct w_log *log, int error, writ_error *err)
{
	char name[W_LOG_FILE_NAME];
	pid_t holder;

	w_log_segment_name(log->name, log->segment, name);
	if (error != EWOULDBLOCK)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "cannot lock '%s/%s'", log->dir, name);
	holder = w_log_lock_holder(log->fd);
	if (holder > 0)
		(void)w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "process %d has held '%s/%s' for %u ms", (int)holder,
		    log->dir, name, log->options.lock_ms);
	else
		(void)w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "another process has held '%s/%s' for %u ms", log->dir,
		    name, log->options.lock_ms);
	w_suggest(err, "let that process go on, or end it");
	return WRIT_E_SYSTEM;
}

/* Reads which key the file has from its first line. */
static void
read_chain(struct w_log *log)
{
	static const char key[] = ",\"key\":\"";
	char bytes[1024];
	struct w_log_line line;
	ssize_t n;

	do
		n = pread(log->fd, bytes, sizeof(bytes), 0);
	while (n < 0 && errno == EINTR);
	const char *newline = n > 0 ? memchr(bytes, '\n', (size_t)n) : NULL;
	log->has_chain = true;
	log->is_foreign = false;
	log->chain.key = log->options.key;
	/* Without a first line the key is unknown; then the last line's hash
	 * decides. */
	if (newline == NULL ||
	    !w_log_line_parse(bytes, (size_t)(newline - bytes), &line) ||
	    !w_log_line_is(&line, "segment"))
		return;
	const char *found =
	    memmem(line.payload, line.payload_len, key, sizeof(key) - 1);
	memset(log->file_key, 0, sizeof(log->file_key));
	if (found == NULL) {
		log->chain.key = NULL;
		return;
	}
	/* A line is longer than an identifier, so this stays inside it. An
	 * invalid id must not get into a line of ours. */
	uint8_t raw[W_LOG_KEY_ID_LEN / 2];
	found += sizeof(key) - 1;
	if (w_hex_get(raw, found, sizeof(raw)))
		memcpy(log->file_key, found, W_LOG_KEY_ID_LEN);
	log->is_foreign =
	    log->options.key == NULL || strcmp(log->file_key, log->key_id) != 0;
}

/* The previous file is locked as well; log->end is its end. */
static bool
comes_from_before(const struct w_log *log)
{
	return log->left_fd >= 0 && log->left_segment + 1 == log->segment;
}

/* The file has no line: the writer that starts it holds the previous one. */
static enum turn
check_empty(struct w_log *log)
{
	char name[W_LOG_FILE_NAME];

	log->size = 0;
	if (comes_from_before(log))
		return HOLD;
	w_log_segment_name(log->name, log->segment - 1, name);
	if (log->segment > 1 &&
	    faccessat(log->dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return BACK;
	log->end = (struct w_log_end){0};
	memset(log->end.hash, '0', W_SHA256_HEX);
	return HOLD;
}

static writ_status
check_torn(struct w_log *log, const struct w_log_tail *tail,
    enum turn *out_turn, writ_error *err)
{
	bool is_left = false;
	writ_status status = w_log_recover_torn(log, tail, &is_left, err);

	if (status != WRIT_OK)
		return status;
	if (is_left) {
		w_log_recover_left(log, tail->kind);
		*out_turn = NEXT;
		return WRIT_OK;
	}
	log->size = tail->sound_size;
	*out_turn = log->size == 0  ? check_empty(log)
		    : tail->is_seal ? NEXT
				    : HOLD;
	return WRIT_OK;
}

/* Reads a file that has lines and that somebody else wrote to. */
static writ_status
check_tail(
    struct w_log *log, bool is_done, enum turn *out_turn, writ_error *err)
{
	struct w_log_tail tail;

	log->left_note[0] = '\0';
	if (!log->has_chain)
		read_chain(log);
	int error = w_log_tail_read(
	    log->fd, log->size, log->is_foreign ? NULL : &log->chain, &tail);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
		    "cannot read the end of the log in '%s'", log->dir);
	if (tail.sound_size > 0) {
		log->end = tail.end;
	} else if (!comes_from_before(log)) {
		/* Without a valid line near its end, the head tells. */
		w_log_head_read(log);
		log->end = (struct w_log_end){.seq = log->head.seq};
		memset(log->end.hash, '0', W_SHA256_HEX);
		if (log->head.seq > 0)
			memcpy(log->end.hash, log->head.hash, W_SHA256_HEX);
	}
	if (is_done || tail.kind == W_LOG_TAIL_BARE || log->is_foreign) {
		if (!tail.is_seal)
			w_log_recover_left(log, tail.kind);
		*out_turn = NEXT;
		return WRIT_OK;
	}
	/* If nothing can be added, nothing is moved either. */
	if (!w_log_may_grow(log, log->size))
		return w_log_fail_write(log, EFBIG, err);
	if (tail.kind == W_LOG_TAIL_TORN)
		return check_torn(log, &tail, out_turn, err);
	*out_turn = tail.is_seal ? NEXT : HOLD;
	return WRIT_OK;
}

static writ_status
log_end_check(struct w_log *log, enum turn *out_turn, writ_error *err)
{
	struct stat st;

	if (w_log_stat(log->fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, errno,
		    "cannot look at the log in '%s'", log->dir);
	bool is_done = (st.st_mode & S_IWUSR) == 0;
	bool is_same = log->is_known && (uint64_t)st.st_size == log->size;
	log->disk = (uint64_t)st.st_blocks * 512;
	*out_turn = HOLD;
	if (st.st_nlink == 0) {
		*out_turn = AGAIN;
		return WRIT_OK;
	}
	if (is_same && !is_done)
		return WRIT_OK;
	log->is_known = false;
	log->size = (uint64_t)st.st_size;
	if (log->size == 0) {
		*out_turn = check_empty(log);
		return WRIT_OK;
	}
	return check_tail(log, is_done, out_turn, err);
}

/* Opens what is needed, and locks the file. */
static writ_status
lock_file(struct w_log *log, writ_error *err)
{
	if (log->fd < 0) {
		writ_status status = w_log_segment_find(log, err);
		if (status != WRIT_OK)
			return status;
	}
	if (log->is_locked)
		return WRIT_OK;
	/* A host with a thousand runs must not wait a thousand times. */
	int error = w_log_lock(
	    log->fd, log->is_stuck ? STUCK_MS : log->options.lock_ms);
	log->is_stuck = error == EWOULDBLOCK;
	if (error != 0)
		return fail_lock(log, error, err);
	log->is_locked = true;
	return WRIT_OK;
}

static writ_status
turn_to(struct w_log *log, enum turn turn, writ_error *err)
{
	uint32_t before = log->segment - 1;

	switch (turn) {
	case NEXT:
		return w_log_segment_next(log, err);
	case BACK:
		w_log_segment_drop(log);
		return w_log_segment_switch(log, before, false, err);
	case AGAIN:
		w_log_segment_drop(log);
		return w_log_reopen(log, err);
	case HOLD:
		break;
	}
	return WRIT_OK;
}

writ_status
w_log_hold(struct w_log *log, writ_error *err)
{
	for (unsigned i = 0; i < TURNS_MAX; i++) {
		enum turn turn = HOLD;
		writ_status status = lock_file(log, err);
		if (status == WRIT_OK)
			status = log_end_check(log, &turn, err);
		if (status != WRIT_OK)
			return status;
		if (turn == HOLD) {
			if (!log->is_known)
				w_log_recover_witness(log);
			return WRIT_OK;
		}
		status = turn_to(log, turn, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, EBUSY,
	    "the log in '%s' does not come to rest", log->dir);
}

void
w_log_release(struct w_log *log)
{
	w_log_segment_forget_left(log);
	if (log->is_locked && log->fd >= 0)
		w_log_unlock(log->fd);
	log->is_locked = false;
}
