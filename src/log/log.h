/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_H
#define W_LOG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sha256.h"
#include "log/log_format.h"

/*
 * Writing to a log: an append-only chain of JSON lines in numbered files,
 * written by many processes at once. log_format.h describes the files.
 *
 * A writer holds flock() on the file with the highest number while it reads its
 * end, chains its line to the last one and writes it with one write(). There is
 * no server, no index to maintain, and nothing to repair for the next writer
 * except a line that a dead one left half written:
 *
 * - the bytes after the last complete line go to a file of their own
 *   (NAME-000001.torn-OFFSET), the log is truncated to the last complete line,
 *   and a line of kind "recovery" says what was found and where it is;
 * - a file whose end is not a record and cannot be truncated is left as it is:
 *   a "recovery" line at the start of the next file says so, and verification
 *   reports on the old one.
 *
 * After each line the writer stores its number and hash in the file "head", so
 * a reader can tell that lines at the end are missing. A writer that finds the
 * log behind or ahead of its head writes a "recovery" line as well. The head is
 * written with pwrite(), not through a mapping: a truncated mapping would kill
 * the host with SIGBUS, and a killed writer could leave half a head.
 *
 * Sealing a file syncs it in every mode, so all files but the last are on disk.
 */

enum w_log_durability {
	W_LOG_SYNC,  /* on disk before w_log_append() returns */
	W_LOG_BATCH, /* within milliseconds: the caller calls w_log_sync() or
			starts w_log_sync_fd() */
	W_LOG_NONE,  /* when the kernel writes it back */
};

struct w_log_options {
	const char *name; /* prefix of its files: "trail" */
	enum w_log_durability durability;
	const struct w_hmac_key *key; /* borrowed; NULL: plain SHA-256 */
	const char *key_id;           /* W_LOG_KEY_ID_LEN characters */
	uint64_t segment_max; /* bytes in a file before the next is started; 0:
				 W_LOG_SEGMENT_MAX */
	uint64_t
	    reserve; /* bytes of disk preallocated, so that a run that began can
			record its end on a full disk; 0: W_LOG_RESERVE */
	unsigned lock_ms; /* how long to wait for a writer that makes no
			     progress; 0: W_LOG_LOCK_MS */
	bool must_exist;  /* fail instead of creating the log */
	bool is_brief;    /* the head of a new log reaches the disk with the
			     first sync, not before: if the power fails earlier,
			     nothing of the log remains */
};

#define W_LOG_SEGMENT_MAX (UINT64_C(64) << 20)
#define W_LOG_RESERVE     (UINT64_C(256) << 10)
#define W_LOG_LOCK_MS     10000

struct w_log;

/* A line that was written. */
struct w_log_mark {
	uint64_t seq;
	uint32_t segment; /* number of its file */
	uint64_t offset;  /* of its first byte in that file */
	char hash[W_SHA256_HEX + 1];
};

/*
 * Opens the log in a directory, which is created with mode 0700 if needed, and
 * creates its first file. Fails with WRIT_E_INVALID if the directory or a file
 * belongs to another user (except root), is writable by others or is not a
 * regular file. The first append reads the end of the log.
 */
writ_status w_log_open(const char *dir, const struct w_log_options *options,
    struct w_log **out_log, writ_error *err);

/* Closes; does not sync. NULL is allowed. */
void w_log_close(struct w_log *log);

enum w_log_urgency {
	W_LOG_BEGINS, /* fails if the reserve cannot be held */
	W_LOG_ENDS,   /* may use up the reserve */
};

/*
 * Appends one line. payload is the caller's members of the object, without
 * braces: "kind":"begin","run":"..." (valid JSON, no newline). Either the whole
 * line is in the file or, after a failure, nothing of it: a short write is
 * undone. *out_mark may be NULL.
 *
 * The one exception: with W_LOG_SYNC a failed sync fails the append, but the
 * line stays; only then *out_mark is set on failure.
 *
 * Fails with WRIT_E_SYSTEM: ENOSPC and the like in sys_errno; EWOULDBLOCK if
 * another writer did not release the lock in time, with its pid in the message.
 */
writ_status w_log_append(struct w_log *log, const char *payload, size_t len,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err);

/*
 * Likewise for several payloads with a newline between each two: under one
 * lock, with one write() as long as they fit the current file. *out_mark is
 * that of the last. If it fails at the next file, the lines of the one before
 * stay.
 */
writ_status w_log_append_all(struct w_log *log, const char *payloads,
    size_t len, enum w_log_urgency urgency, struct w_log_mark *out_mark,
    writ_error *err);

/*
 * Syncs everything appended so far. Concurrent writers share one fdatasync(): a
 * writer whose line another has covered since does nothing. Returns 0 or an
 * errno.
 */
int w_log_sync(struct w_log *log);

/* For a sync in the background: the descriptor for fdatasync, or -1 if
 * everything appended by this writer is known to be on disk; and what to call
 * when it is done. */
int w_log_sync_fd(struct w_log *log, struct w_log_mark *out_covers);
void w_log_synced(struct w_log *log, const struct w_log_mark *covers);

/* What the last append repaired, as a sentence for people; NULL: nothing.
 * Borrowed until the next append. */
const char *w_log_repair_note(const struct w_log *log);

#endif /* W_LOG_LOG_H */
