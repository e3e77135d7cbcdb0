/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_STATE_H
#define W_LOG_LOG_STATE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "log/log.h"
#include "log/log_reader.h"

/*
 * Shared by the files of the writer. Nobody else includes this.
 *
 * The end of the log, in this order of trust:
 *
 * 1. Only the holder of a file's lock reads its end or writes to it.
 * 2. is_known: nobody has written since, if the file's size is still ours.
 * 3. Otherwise the last valid line of the file is its end.
 * 4. A new file is started only by the holder of the previous one's lock
 *    (left_fd) who knows its end; so each line has one successor.
 * 5. A file that is left is made read-only before its successor gets a line: a
 *    writer that still has it open sees that and moves on.
 */

#define W_LOG_STAGE     "audit"
#define W_LOG_FILE_MAX  UINT32_C(999999)
#define W_LOG_NAME_LEN  32
#define W_LOG_FILE_NAME 80
#define W_LOG_FOUND_MAX 320
/* More than everything around a payload. */
#define W_LOG_FRAME_MAX 320
#define W_LOG_NOTE_MAX  480

/* A line that the next one is chained to. */
struct w_log_end {
	uint64_t seq;
	char hash[W_SHA256_HEX + 1];
};

struct w_log {
	char *dir;
	char name[W_LOG_NAME_LEN + 1];
	struct w_log_options options;
	char key_id[W_LOG_KEY_ID_LEN + 1];
	int dir_fd;
	int head_fd;

	/* The current file. */
	int fd;
	uint32_t segment;
	bool is_known;
	bool is_locked;
	bool is_stuck;   /* its holder timed out the last time */
	bool is_foreign; /* its key is not ours */
	bool has_chain;  /* the next members were read from its first line */
	struct w_log_chain chain;
	char file_key[W_LOG_KEY_ID_LEN + 1]; /* "": none */
	uint64_t size;
	uint64_t disk;        /* allocated bytes, from fstat() */
	uint64_t reserved_to; /* preallocated by us up to here */
	bool has_no_reserve;
	struct w_log_end end;

	/* The previous file, locked, while the current one is started. */
	int left_fd;
	uint32_t left_segment;
	char left_note[W_LOG_NOTE_MAX]; /* why it has no seal; "": sealed */

	struct w_log_head head;
	char head_text[W_LOG_HEAD_LEN + 1]; /* as last written */
	uint32_t head_text_segment;         /* 0: none */
	bool has_head;                      /* as last read */
	bool owes_head;                     /* a sync includes the head */
	char witness_note[W_LOG_NOTE_MAX];  /* how it differs from the end */
	/* Payloads of recovery lines, each with a newline; preallocated,
	 * because a note that cannot be made now cannot be made later. */
	char torn_notes[4 * W_LOG_NOTE_MAX];
	char found[W_LOG_FOUND_MAX];

	uint64_t size_limit; /* from w_file_size_limit() ... */
	uint64_t limit_to;   /* ... valid for a file up to this size */
	char *line;          /* buffer for the line being made */
	size_t line_cap;
	struct w_log_mark last; /* written by this writer; seq 0: none */
	uint64_t synced;        /* of our lines, known to be on disk */
	uint64_t synced_note;   /* not yet in the head; 0: none */
};

/* log_line.c: formats a complete line with its newline in log->line, behind
 * that many bytes of other lines. 0: no memory. */
size_t w_log_line_make(
    struct w_log *log, size_t before, const char *payload, size_t len);

/* log_lock.c: 0, EWOULDBLOCK after this many milliseconds in which the file did
 * not grow, or an errno. */
int w_log_lock(int fd, unsigned ms);
void w_log_unlock(int fd);
/* The pid of the holder; 0: unknown. */
pid_t w_log_lock_holder(int fd);

/* log_head.c */
writ_status w_log_head_open(struct w_log *log, writ_error *err);
/* Reads it into log->head and log->has_head. */
void w_log_head_read(struct w_log *log);
/* Reopens and reads it if the open one was deleted. */
void w_log_head_renew(struct w_log *log);
/* Stores the end. A failure only costs a "recovery" line later. */
void w_log_head_note(struct w_log *log);
/* Writes a complete one if there is none. Returns 0 or an errno. */
int w_log_head_make(struct w_log *log);
/* Puts the head on the disk if that was not done when it was made. Before the
 * first sync of lines: without a head they cannot be verified. */
void w_log_head_sync(struct w_log *log);
/* Raises "synced"; the head must be locked. */
void w_log_head_synced(struct w_log *log, uint64_t seq);

/* log_segment.c */
/* Opens the file to write next, as far as names tell; creates the first one. */
writ_status w_log_segment_find(struct w_log *log, writ_error *err);
/* Switches from the current file to this one. */
writ_status w_log_segment_switch(
    struct w_log *log, uint32_t segment, bool may_make, writ_error *err);
/* Leaves the locked current file for the next one, created if needed. */
writ_status w_log_segment_next(struct w_log *log, writ_error *err);
/* Creates the next file, with a reserve; it counts only once it has a line.
 * Returns 0 or an errno. */
int w_log_segment_prepare(const struct w_log *log);
/* Closes the current file and the previous one. */
void w_log_segment_drop(struct w_log *log);
void w_log_segment_forget_left(struct w_log *log);
/* Opens a file in the directory with O_NOATIME, which saves the update that
 * reading would cause. Returns the descriptor, or -1 with errno. */
int w_log_openat(const struct w_log *log, const char *name, int flags);
/* Mode, owner, links, size and blocks; not the times: asking for them makes the
 * next write update them to the nanosecond, which costs as much as the write.
 * Returns 0, or -1 with errno. */
int w_log_stat(int fd, struct stat *out_st);
/* Checks owner, mode and type of a file of ours. false: *err says what is
 * wrong. */
bool w_log_is_ours(const struct w_log *log, const char *name,
    const struct stat *st, mode_t kind, writ_error *err);

/* log.c: reopens the directory by its name. */
writ_status w_log_reopen(struct w_log *log, writ_error *err);

/* log_end.c: locks the file that gets the next line, and finds its end. */
writ_status w_log_hold(struct w_log *log, writ_error *err);
void w_log_release(struct w_log *log);

/* log_sync.c */
/* Writes the pending "synced" to the head. */
void w_log_sync_note(struct w_log *log);
/* Returns 0 or an errno. */
int w_log_sync_file(int fd);

/* log_tail.c */
enum w_log_tail_kind {
	W_LOG_TAIL_SOUND, /* the file ends with a valid line */
	W_LOG_TAIL_TORN,  /* with something else after a valid line */
	W_LOG_TAIL_BARE,  /* no valid line near the end */
};

struct w_log_tail {
	enum w_log_tail_kind kind;
	uint64_t sound_size; /* up to the end of that line */
	struct w_log_end end;
	bool is_seal;
};

/* chain NULL: checks the format only. Returns 0 or an errno. */
int w_log_tail_read(int fd, uint64_t size, const struct w_log_chain *chain,
    struct w_log_tail *out_tail);

/* log_recover.c */
/* Saves the bytes after the valid part and cuts them off. *out_is_left: they
 * could be copied, but not cut. */
writ_status w_log_recover_torn(struct w_log *log, const struct w_log_tail *tail,
    bool *out_is_left, writ_error *err);
/* The current file is left without a seal, because of how it ends. */
void w_log_recover_left(struct w_log *log, enum w_log_tail_kind kind);
/* Compares the end with the head. */
void w_log_recover_witness(struct w_log *log);
/* Writes what was found. */
writ_status w_log_recover_write(struct w_log *log, writ_error *err);

/* log_write.c: writes lines to the current file: the first of these payloads,
 * with a newline between each two, and as many of the others as the file has
 * room for. *out_used (NULL: there is one): the bytes of these. */
writ_status w_log_write(struct w_log *log, const char *payloads, size_t len,
    size_t *out_used, writ_error *err);
/* Whether the current file may grow to this size. The limit is read when a file
 * is opened, again now and then in case the host has changed it, and before
 * failing. */
bool w_log_may_grow(struct w_log *log, uint64_t size);
writ_status w_log_fail_write(
    const struct w_log *log, int error, writ_error *err);
/* The first line of the current file. */
writ_status w_log_write_segment(struct w_log *log, writ_error *err);
/* Preallocates disk space after a line of this length. */
writ_status w_log_reserve(
    struct w_log *log, size_t len, enum w_log_urgency urgency, writ_error *err);
/* Whether the current file has no room for a line of this length behind others
 * that are about to be written. */
bool w_log_is_full(const struct w_log *log, size_t before, size_t len);
/* Seals the current file and starts the next. */
writ_status w_log_rotate(
    struct w_log *log, enum w_log_urgency urgency, writ_error *err);

#endif /* W_LOG_LOG_STATE_H */
