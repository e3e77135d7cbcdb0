/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_FILE_STATE_H
#define W_ENGINE_FILE_STATE_H

#include <sys/stat.h>
#include <sys/types.h>

#include <writ/file.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "engine/engine_state.h"
#include "os/parent_dir.h"
#include "os/stage.h"
#include "run/resolve/prepare.h"
#include "run/result/run_result.h"

/*
 * One call of writ_file(), in the order of its steps:
 *
 *   check     the request alone (file_check.c)
 *   inspect   what is there, and the source (file_inspect.c)
 *   plan      what to do, and why (file_plan.c)
 *   decide    like for a run (file_decide.c)
 *   apply     (file_apply.c, file_kept.c, file_link.c)
 *
 * Invariants
 *  1. The directory stays open from the inspection on; everything happens in
 *     it, and it is the one that was judged.
 *  2. Nothing is changed before the begin record is written, and an end record
 *     always follows.
 */
#define W_FILE_STAGE    "file"
#define W_FILE_KEEP_MAX ((size_t)64 << 10) /* for a diff */

enum w_file_kind {
	W_FILE_NONE,
	W_FILE_REGULAR,
	W_FILE_DIR,
	W_FILE_LINK,
	W_FILE_OTHER,
};

enum w_file_action {
	W_FILE_NOTHING,
	W_FILE_STORE,      /* a new file, or new content */
	W_FILE_ATTRIBUTES, /* of an existing file */
	W_FILE_MAKE_DIR,
	W_FILE_MAKE_LINK,
	W_FILE_REMOVE,
	W_FILE_REMOVE_DIR,
	W_FILE_REMOVE_TREE,
};

/* Content that was read: hashed, and kept if small. */
struct w_file_sum {
	char hex[W_SHA256_HEX + 1]; /* "": not hashed */
	uint64_t size;
	const char *text; /* NULL: too large */
	struct w_buf kept;
};

struct w_file_seen {
	enum w_file_kind kind;
	struct stat st; /* unset for W_FILE_NONE */
	struct w_file_sum sum;
	char *target; /* of a link that may stay; NULL: not read */
};

struct w_file_change {
	writ_engine *engine;
	writ_file_request request; /* current size */

	/* The wanted state. */
	uid_t uid; /* (uid_t)-1: unchanged */
	gid_t gid;
	bool has_mode;
	mode_t mode;
	bool has_content; /* content or source */
	struct w_file_sum wanted;
	int source_fd; /* -1: none */

	/* The current state. */
	struct w_parent_dir parent;
	struct w_file_seen seen;

	/* The plan. */
	enum w_file_action action;
	char reason[256];

	/* For the decision and the record. */
	const char *words[20];
	char mode_word[8];
	char *target_word; /* absolute */
	writ_request asked;
	writ_request granted;
	struct w_prepared prepared;
	struct w_run_result *storage;
	uint64_t start_ns;
	bool has_begun;

	/* In a batch: its staged file waits for the commit. */
	bool is_pending;
	struct stat pending_st;
};

/* ---- file_check.c ---- */

writ_status w_engine_file_check(struct w_file_change *job,
    const writ_file_request *request, writ_error *err);

/* ---- file_owner.c ---- */

/* A number stands for itself. Names are cached for some seconds. */
writ_status w_engine_find_user(
    const char *name, uid_t *out_uid, writ_error *err);
writ_status w_engine_find_group(
    const char *name, gid_t *out_gid, writ_error *err);

/* The name, or the number if it has none. false: out of memory. */
bool w_engine_user_name(
    struct w_arena *arena, uid_t uid, const char **out_name);
bool w_engine_group_name(
    struct w_arena *arena, gid_t gid, const char **out_name);

/* ---- file_inspect.c ---- */

writ_status w_engine_file_inspect(struct w_file_change *job, writ_error *err);

/* Stats the path again, without following a link. */
writ_status w_engine_file_restat(
    const struct w_file_change *job, struct stat *out, writ_error *err);

/* ---- file_plan.c ---- */

writ_status w_engine_file_plan(struct w_file_change *job, writ_error *err);

/* What differs in owner, group and mode; false: nothing. */
bool w_engine_file_differs(const struct w_file_change *job,
    const struct stat *st, char *out_reason, size_t size);

/* "present", "absent", "directory". */
const char *w_engine_file_ensure_word(writ_file_ensure ensure);
const char *w_engine_file_kind_word(enum w_file_kind kind);
const char *w_engine_file_done_text(const struct w_file_change *job);

/* ---- file_decide.c ---- */

/* Decides whether it may be done. w_engine_file_end() must follow, whatever
 * the decision. */
writ_status w_engine_file_decide(struct w_file_change *job, writ_error *err);

/* Writes the begin record. */
writ_status w_engine_file_begin(struct w_file_change *job, writ_error *err);

/* Writes the end record, unless it is pending; failure is NULL on success. */
void w_engine_file_end(struct w_file_change *job, const writ_error *failure);

/* Writes the end record of a change that was pending. */
void w_engine_file_settle(writ_engine *engine, struct w_run_result *storage,
    uint64_t start_ns, const writ_error *failure);

/* ---- file_apply.c ---- */

writ_status w_engine_file_apply(struct w_file_change *job, writ_error *err);

/* ---- file_link.c ---- */

writ_status w_engine_file_make_link(struct w_file_change *job, writ_error *err);

/* ---- file_kept.c ---- */

/* Gives the new file what replacing it would lose: access control list and
 * security label of the one at the path. 0, or an errno. */
int w_engine_file_keep(const struct w_file_change *job, int fd);

/* ---- file_batch.c ---- */

/* Hands the staged file over, to be named at the commit. false: it has to be
 * published at once. */
bool w_engine_file_batch_take(struct w_file_change *job, struct w_stage *stage);
/* After the record has begun; the batch then owns what its end needs. */
void w_engine_file_batch_keep(struct w_file_change *job);

#endif /* W_ENGINE_FILE_STATE_H */
