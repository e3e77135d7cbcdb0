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
 * Writing to a log: an append-only chain of JSON lines in numbered files, to
 * which many processes write at once. log_format.h says what is in a file.
 *
 * A writer holds flock() on the file of the highest number while it looks at
 * its end, chains its line to the last one and writes it with one write().
 * There is no server, no index to keep, and nothing to repair for the next
 * writer but a line that a dead one left half written:
 *
 *  - the bytes behind the last whole line go to a file of their own
 *    (NAME-000001.torn-OFFSET), the log is cut to the last whole line, and a
 *    line of kind "recovery" says what was found and where it is;
 *  - a file whose end is no record and cannot be cut off is left as it is: a
 *    "recovery" line at the beginning of the next file says so, and
 *    verification tells what it makes of the old one.
 *
 * After each line the writer notes its number and hash in the file "head":
 * that is how a reader can tell that lines at the end are gone. A writer that
 * finds the log behind or ahead of its head says so with a "recovery" line as
 * well. The head is written with pwrite() and not by a mapping: one that
 * somebody cuts short must not end the host with SIGBUS, and a writer that is
 * killed must not leave half of it.
 *
 * Sealing a file puts it on the disk in every mode, so all files but the last
 * are there.
 */

enum w_log_durability {
	W_LOG_SYNC,  /* on the disk before w_log_append() returns */
	W_LOG_BATCH, /* within some milliseconds: the caller calls
			w_log_sync() or starts w_log_sync_fd() */
	W_LOG_NONE,  /* whenever the kernel writes it */
};

struct w_log_options {
	const char *name; /* of its files: "trail" */
	enum w_log_durability durability;
	const struct w_hmac_key *key; /* borrowed; NULL: plain SHA-256 */
	const char *key_id;           /* W_LOG_KEY_ID_LEN characters */
	uint64_t segment_max;         /* bytes in a file before the next is
					 begun; 0: W_LOG_SEGMENT_MAX */
	uint64_t reserve;             /* bytes of disk held ready, so that what
					 was begun can be ended on a full disk;
					 0: W_LOG_RESERVE */
	unsigned lock_ms;             /* how long to wait for a writer that
					 writes nothing; 0: W_LOG_LOCK_MS */
	bool must_exist;              /* fail instead of making the log */
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
 * Opens the log in a directory, which is made with mode 0700 if need be, and
 * makes its first file. A directory or file that belongs to somebody else
 * (root excepted), that others can write, or that is no plain file is refused
 * with WRIT_E_INVALID. The end of the log is looked at by the first append.
 */
writ_status w_log_open(const char *dir, const struct w_log_options *options,
    struct w_log **out_log, writ_error *err);

/* Closes; does not sync. NULL is allowed. */
void w_log_close(struct w_log *log);

enum w_log_urgency {
	W_LOG_BEGINS, /* refused when the reserve cannot be held */
	W_LOG_ENDS,   /* may use the reserve up */
};

/*
 * Appends one line. payload is the members that the caller gives the object,
 * without braces: "kind":"begin","run":"..." (valid JSON, no newline). Either
 * the whole line is in the file or, after a failure, nothing of it: a short
 * write is taken back. *out_mark may be NULL. The one failure that leaves the
 * line is that of a sync (W_LOG_SYNC): then *out_mark is filled in too, which
 * otherwise stays as it was.
 *
 * The one exception: with W_LOG_SYNC a sync that fails is an error of the
 * append, and the line stays.
 *
 * Fails with WRIT_E_SYSTEM: ENOSPC and the like in sys_errno; EWOULDBLOCK when
 * another writer did not let go in time, with its pid in the message.
 */
writ_status w_log_append(struct w_log *log, const char *payload, size_t len,
    enum w_log_urgency urgency, struct w_log_mark *out_mark, writ_error *err);

/*
 * Puts everything appended so far on the disk. Writers who come together
 * share one fdatasync(): who finds that another has covered its line since
 * does nothing. 0, or an errno.
 */
int w_log_sync(struct w_log *log);

/* For a sync in the background: the descriptor to give to fdatasync, or -1
 * when everything appended by this writer is known to be on the disk; and
 * what to call when it is done. */
int w_log_sync_fd(struct w_log *log, struct w_log_mark *out_covers);
void w_log_synced(struct w_log *log, const struct w_log_mark *covers);

/* What the last append found to repair, as a sentence for people; NULL:
 * nothing. Borrowed until the next append. */
const char *w_log_repair_note(const struct w_log *log);

#endif /* W_LOG_LOG_H */
