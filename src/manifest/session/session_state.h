/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_SESSION_STATE_H
#define W_MANIFEST_SESSION_STATE_H

#include "base/arena.h"
#include "log/log.h"
#include "manifest/session/manifest_session.h"
#include "schema/hash_table.h"

/*
 * Shared by the files of a session, and private to them.
 *
 * Of an event only its flags are kept in memory, by name and alias, and one bit
 * for its index. Its text is in the log.
 */
#define W_MANIFEST_SESSION_STAGE     "session"
#define W_MANIFEST_SESSION_LOG       "session" /* base name of its files */
#define W_MANIFEST_SESSION_TYPES_MAX 32 /* resource types in one session */
#define W_MANIFEST_SESSION_EVENT_MAX ((size_t)15 << 20)
#define W_MANIFEST_SESSION_KEPT_MAX \
	((size_t)64 << 20) /* JSON of a session in memory */
#define W_MANIFEST_SESSION_INDEX_MAX 1000000
#define W_MANIFEST_SESSION_NOTE_MAX  160

/* The counted properties of an event. */
struct w_counted {
	bool changed;
	bool failed;
	bool skipped;
	bool refreshed;
	bool has_unmet;
	bool interrupted;
	uint64_t time_us;
	uint64_t duration_ns;
	size_t health[4];
};

/* An event that another one of the same resource may replace. */
struct w_cut_event {
	size_t index;
	struct w_counted counted;
};

struct w_manifest_session_type {
	const char *type;
	struct w_hash_table names; /* to struct w_manifest_session_entry */
};

struct w_manifest_session {
	char *dir; /* NULL: in memory */
	char *id;
	int lock_fd;       /* the directory, while open for writing */
	struct w_log *log; /* NULL: read-only, or in memory */

	struct w_arena arena;
	struct w_manifest_session_type types[W_MANIFEST_SESSION_TYPES_MAX];
	size_t type_count;
	uint8_t *seen; /* a bit for each index */
	size_t seen_len;

	bool has_start;
	bool is_finished;
	struct w_manifest_session_start start;
	uint64_t part_us;  /* start of the current part; 0: none */
	uint64_t parts_ns; /* duration of the previous parts */
	uint64_t last_us;  /* end of the last event of this part */
	uint64_t sum_ns;   /* durations of all events */
	writ_apply_summary summary;
	/* Events of resources that failed or were interrupted: resuming may
	 * replace them. */
	struct w_cut_event *cuts;
	size_t cut_count;
	size_t cut_cap;
	size_t interrupted_count; /* of these */

	struct w_buf line; /* the lines that are held, and the last one */
	size_t held_len;   /* of those that are held; 0: none */
	size_t json_at;    /* offset of its event; 0: not an event */
	struct w_buf kept; /* in memory: the events, each NUL-terminated */

	size_t bad_lines;
	char note[W_MANIFEST_SESSION_NOTE_MAX];
};

/* session_index.c: adds an event to the index. false: no memory, and nothing
 * that counts has changed. */
bool w_manifest_session_note_event(struct w_manifest_session *session,
    size_t index, const char *type, const char *name, const char *alias,
    const struct w_counted *counted);
/* Whether the index has room for it. */
bool w_manifest_session_can_note(
    const struct w_manifest_session *session, const char *type);
/* A part begins or ends. */
void w_manifest_session_note_part(
    struct w_manifest_session *session, uint64_t time_us);

/* session_load.c: fills a session from its log. */
writ_status w_manifest_session_load(
    struct w_manifest_session *session, writ_error *err);
/* Finds the event in a line of ours; false: another format. */
bool w_manifest_session_split_event(const struct w_log_line *line,
    size_t *out_index, const char **out_json, size_t *out_len);

/* LOCK_SH or LOCK_EX on the directory of a session, waiting up to a second. 0;
 * EWOULDBLOCK: it is in use; or an errno. */
int w_manifest_session_lock(int dir_fd, int how);

/* session_dir.c: mkdir -p, mode 0700. 0, or an errno. */
int w_manifest_session_make_dirs(const char *path);

/* session_prune.c: whether a directory contains a session. 0; ENOENT: no; or an
 * errno. */
int w_manifest_session_is_in(int dir_fd);

#endif /* W_MANIFEST_SESSION_STATE_H */
