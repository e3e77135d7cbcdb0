/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_SESSION_STATE_H
#define W_MANIFEST_SESSION_STATE_H

#include "base/arena.h"
#include "log/log.h"
#include "manifest/session/manifest_session.h"
#include "schema/hash_table.h"

/*
 * What the files of a session share. Nobody else includes this.
 *
 * Of an event only its flags are kept, under its name and its alias; and one
 * bit for its index. The text of an event is in the log.
 */
#define W_MANIFEST_SESSION_STAGE     "session"
#define W_MANIFEST_SESSION_LOG       "session" /* the name of its files */
#define W_MANIFEST_SESSION_TYPES_MAX 32 /* of resources, in one session */
#define W_MANIFEST_SESSION_EVENT_MAX ((size_t)15 << 20)
#define W_MANIFEST_SESSION_KEPT_MAX \
	((size_t)64 << 20) /* JSON of one in memory */
#define W_MANIFEST_SESSION_INDEX_MAX 1000000
#define W_MANIFEST_SESSION_NOTE_MAX  160

/* What is counted of an event. */
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

struct w_manifest_session_type {
	const char *type;
	struct w_hash_table names; /* to struct w_manifest_session_entry */
};

struct w_manifest_session {
	char *dir; /* NULL: in memory */
	char *id;
	int lock_fd;       /* the directory, while it may be written */
	struct w_log *log; /* NULL: read-only, or in memory */

	struct w_arena arena;
	struct w_manifest_session_type types[W_MANIFEST_SESSION_TYPES_MAX];
	size_t type_count;
	uint8_t *seen; /* a bit for each index */
	size_t seen_len;

	bool has_start;
	bool is_finished;
	struct w_manifest_session_start start;
	uint64_t part_us;  /* when this part of it began; 0: it has not */
	uint64_t parts_ns; /* how long those before it took */
	uint64_t last_us;  /* when the last event of this part was over */
	uint64_t sum_ns;   /* of the durations of all events */
	struct w_event_summary summary;
	/* The event of a resource that was interrupted, until another one
	 * takes its place. */
	bool has_cut;
	size_t cut_index;
	struct w_counted cut;

	struct w_buf line; /* what was written last */
	size_t json_at;    /* where its event begins; 0: it is none */
	struct w_buf kept; /* in memory: the events, a NUL behind each */

	size_t bad_lines;
	char note[W_MANIFEST_SESSION_NOTE_MAX];
};

/* session_index.c: takes note of an event. false: no memory, and nothing has
 * changed that counts. */
bool w_manifest_session_note_event(struct w_manifest_session *session,
    size_t index, const char *type, const char *name, const char *alias,
    const struct w_counted *counted);
/* Whether its type and so on can be taken note of. */
bool w_manifest_session_can_note(
    const struct w_manifest_session *session, const char *type);
/* A part begins or ends. */
void w_manifest_session_note_part(
    struct w_manifest_session *session, uint64_t time_us);

/* session_load.c: fills a session from its log. */
writ_status w_manifest_session_load(
    struct w_manifest_session *session, writ_error *err);
/* The event in a line of ours; false: it has another form. */
bool w_manifest_session_split_event(const struct w_log_line *line,
    size_t *out_index, const char **out_json, size_t *out_len);

/* session_prune.c: whether a directory is that of a session. 0; ENOENT: it has
 * no log of one; or an errno. */
int w_manifest_session_is_in(int dir_fd);

#endif /* W_MANIFEST_SESSION_STATE_H */
