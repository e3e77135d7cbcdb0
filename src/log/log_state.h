/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_STATE_H
#define W_LOG_LOG_STATE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "log/log.h"
#include "log/log_reader.h"

/*
 * What the files of the writer share. Nobody else includes this.
 *
 * The end of the log, in this order of trust:
 *
 *  1. Only who holds the lock of a file looks at its end or writes to it.
 *  2. is_known: nobody has written since, if the file's size is still ours.
 *  3. Otherwise the last sound line of the file is its end.
 *  4. A new file is begun only by who holds the lock of the one before it
 *     (left_fd) and knows its end; so there is one successor to each line.
 *  5. A file that is left is made read-only before its successor gets a line:
 *     a writer that still has it open sees that, and moves on.
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

	/* The file at hand. */
	int fd;
	uint32_t segment;
	bool is_known;
	bool is_locked;
	bool is_stuck;   /* nobody let go of it the last time */
	bool is_foreign; /* its key is not ours */
	bool has_chain;  /* what follows was read from its first line */
	struct w_log_chain chain;
	char file_key[W_LOG_KEY_ID_LEN + 1]; /* "": none */
	uint64_t size;
	uint64_t disk;        /* bytes it occupies, as fstat() said */
	uint64_t reserved_to; /* what was held ready, by our own doing */
	bool has_no_reserve;
	struct w_log_end end;

	/* The file before it, locked, while the one at hand is begun. */
	int left_fd;
	uint32_t left_segment;
	char left_note[W_LOG_NOTE_MAX]; /* why without a seal; "": sealed */

	struct w_log_head head;
	char head_text[W_LOG_HEAD_LEN + 1]; /* as written last */
	uint32_t head_text_segment;         /* 0: there is none */
	bool has_head;                      /* as read last */
	char witness_note[W_LOG_NOTE_MAX];  /* how it differs from the end */
	/* Payloads of recovery lines, a newline behind each; in memory of its
	 * own, because a note that could not be made could not be made later.
	 */
	char torn_notes[4 * W_LOG_NOTE_MAX];
	char found[W_LOG_FOUND_MAX];

	uint64_t size_limit; /* as w_file_size_limit() said ... */
	uint64_t limit_to;   /* ... good for a file up to this size */
	char *line;          /* room for the line that is made */
	size_t line_cap;
	struct w_log_mark last; /* written by this writer; seq 0: none */
	uint64_t synced;        /* of our lines, known to be on the disk */
	uint64_t synced_note;   /* what the head is still to be told; 0 */
};

/* log_line.c: makes a whole line with its newline in log->line. 0: no
 * memory. */
size_t w_log_line_make(struct w_log *log, const char *payload, size_t len);

/* log_lock.c: 0, EWOULDBLOCK after so many milliseconds in which the file did
 * not grow, or an errno. */
int w_log_lock(int fd, unsigned ms);
void w_log_unlock(int fd);
/* Who holds it; 0: that cannot be told. */
pid_t w_log_lock_holder(int fd);

/* log_head.c */
writ_status w_log_head_open(struct w_log *log, writ_error *err);
/* Reads it to log->head and log->has_head. */
void w_log_head_read(struct w_log *log);
/* Opens another one and reads it, if the one at hand was deleted. */
void w_log_head_renew(struct w_log *log);
/* Notes the end. Its failure costs a "recovery" line later, nothing else. */
void w_log_head_note(struct w_log *log);
/* Writes a whole one where there is none. 0, or an errno. */
int w_log_head_make(struct w_log *log);
/* Raises "synced"; the head must be locked. */
void w_log_head_synced(struct w_log *log, uint64_t seq);

/* log_segment.c */
/* Opens the file that is to be written next, as far as names can tell; makes
 * the first one. */
writ_status w_log_segment_find(struct w_log *log, writ_error *err);
/* Takes up this file instead of the one at hand. */
writ_status w_log_segment_switch(
    struct w_log *log, uint32_t segment, bool may_make, writ_error *err);
/* Leaves the locked file at hand for the one behind it, made if need be. */
writ_status w_log_segment_next(struct w_log *log, writ_error *err);
/* Makes the file behind the one at hand, with a reserve; it counts only when
 * it has a line. 0, or an errno. */
int w_log_segment_prepare(const struct w_log *log);
/* Lets go of the file at hand and of the one before it. */
void w_log_segment_drop(struct w_log *log);
void w_log_segment_forget_left(struct w_log *log);
/* Opens something in the directory without leaving a trace in its times, which
 * reading would otherwise cost. The descriptor, or -1 with errno. */
int w_log_openat(const struct w_log *log, const char *name, int flags);
/* Mode, owner, links, size and blocks; not the times: who asks for them makes
 * the next write set them to the nanosecond, which costs as much as the write.
 * 0, or -1 with errno. */
int w_log_stat(int fd, struct stat *out_st);
/* Owner, mode and kind of something of ours. false: *err says what. */
bool w_log_is_ours(const struct w_log *log, const char *name,
    const struct stat *st, mode_t kind, writ_error *err);

/* log.c: opens the directory anew by its name. */
writ_status w_log_reopen(struct w_log *log, writ_error *err);

/* log_end.c: locks the file that gets the next line, and knows its end. */
writ_status w_log_hold(struct w_log *log, writ_error *err);
void w_log_release(struct w_log *log);

/* log_sync.c */
/* Tells the head what it has not been told yet. */
void w_log_sync_note(struct w_log *log);
/* 0, or an errno. */
int w_log_sync_file(int fd);

/* log_tail.c */
enum w_log_tail_kind {
	W_LOG_TAIL_SOUND, /* the file ends with a sound line */
	W_LOG_TAIL_TORN,  /* with something else; a sound line is before it */
	W_LOG_TAIL_BARE,  /* no sound line near the end */
};

struct w_log_tail {
	enum w_log_tail_kind kind;
	uint64_t sound_size; /* up to the end of that line */
	struct w_log_end end;
	bool is_seal;
};

/* chain NULL: the form alone is looked at. 0, or an errno. */
int w_log_tail_read(int fd, uint64_t size, const struct w_log_chain *chain,
    struct w_log_tail *out_tail);

/* log_recover.c */
/* Sets the bytes behind the sound part aside and cuts them off.
 * *out_is_left: they could be copied, but not cut. */
writ_status w_log_recover_torn(struct w_log *log, const struct w_log_tail *tail,
    bool *out_is_left, writ_error *err);
/* The file at hand is left without a seal, because of what it ends with. */
void w_log_recover_left(struct w_log *log, enum w_log_tail_kind kind);
/* Compares the end with the head. */
void w_log_recover_witness(struct w_log *log);
/* Writes what was found. */
writ_status w_log_recover_write(struct w_log *log, writ_error *err);

/* log_write.c: one line to the file at hand, whatever it is. */
writ_status w_log_write(
    struct w_log *log, const char *payload, size_t len, writ_error *err);
/* Whether the file at hand may grow to this size. The limit is asked for when
 * a file is opened, again now and then in case the host has changed it, and
 * before anything is refused. */
bool w_log_may_grow(struct w_log *log, uint64_t size);
writ_status w_log_fail_write(
    const struct w_log *log, int error, writ_error *err);
/* The first line of the file at hand. */
writ_status w_log_write_segment(struct w_log *log, writ_error *err);
/* Holds disk ready behind a line of this length. */
writ_status w_log_reserve(
    struct w_log *log, size_t len, enum w_log_urgency urgency, writ_error *err);
/* Whether the file at hand is not to get a line of this length. */
bool w_log_is_full(const struct w_log *log, size_t len);
/* Seals the file at hand and begins the next. */
writ_status w_log_rotate(
    struct w_log *log, enum w_log_urgency urgency, writ_error *err);

#endif /* W_LOG_LOG_STATE_H */
