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
#include "run/resolve/prepare.h"
#include "run/result/run_result.h"

/*
 * One call of writ_file(), in the order of its steps:
 *
 *   check   the request, on its own (file_check.c)
 *   look    at what is there, and at the source (file_inspect.c)
 *   weigh   what is to be done, and why (file_plan.c)
 *   judge   the change, like a run (file_decide.c)
 *   act     (file_apply.c)
 *
 * Invariants
 *  1. The directory is held open from the first look on; everything happens in
 *     it, and it is the one that was judged.
 *  2. Nothing is changed before the begin record is written, and an end record
 *     follows whatever comes of it.
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
	W_FILE_STORE,      /* a new file, or another content */
	W_FILE_ATTRIBUTES, /* of what is there */
	W_FILE_MAKE_DIR,
	W_FILE_REMOVE,
	W_FILE_REMOVE_DIR,
	W_FILE_REMOVE_TREE,
};

/* Bytes that were looked at: summed, and kept if they are few. */
struct w_file_sum {
	char hex[W_SHA256_HEX + 1]; /* "": not summed */
	uint64_t size;
	const char *text; /* NULL: too many */
	struct w_buf kept;
};

struct w_file_seen {
	enum w_file_kind kind;
	struct stat st; /* unless there is nothing */
	struct w_file_sum sum;
};

struct w_file_change {
	writ_engine *engine;
	writ_file_request request; /* today's size */

	/* What is wanted. */
	uid_t uid; /* (uid_t)-1: as it is */
	gid_t gid;
	bool has_mode;
	mode_t mode;
	bool has_content; /* content or source */
	struct w_file_sum wanted;
	int source_fd; /* -1: none */

	/* What there is. */
	struct w_parent_dir parent;
	struct w_file_seen seen;

	/* What is to be done. */
	enum w_file_action action;
	char reason[256];

	/* How it is judged and recorded. */
	const char *words[16];
	char mode_word[8];
	writ_request asked;
	writ_request granted;
	struct w_prepared prepared;
	struct w_run_result *storage;
	uint64_t start_ns;
	bool has_begun;
};

/* ---- file_check.c ---- */

writ_status w_engine_file_check(struct w_file_change *job,
    const writ_file_request *request, writ_error *err);

/* ---- file_owner.c ---- */

/* A number stands for itself. Names are remembered for some seconds. */
writ_status w_engine_find_user(
    const char *name, uid_t *out_uid, writ_error *err);
writ_status w_engine_find_group(
    const char *name, gid_t *out_gid, writ_error *err);

/* The name, or the number where there is none. false: no memory. */
bool w_engine_user_name(
    struct w_arena *arena, uid_t uid, const char **out_name);
bool w_engine_group_name(
    struct w_arena *arena, gid_t gid, const char **out_name);

/* ---- file_inspect.c ---- */

writ_status w_engine_file_inspect(struct w_file_change *job, writ_error *err);

/* Looks once more at what the name leads to, but not into it. */
writ_status w_engine_file_restat(
    const struct w_file_change *job, struct stat *out, writ_error *err);
enum w_file_kind w_engine_file_kind_of(const struct stat *st);

/* ---- file_plan.c ---- */

writ_status w_engine_file_plan(struct w_file_change *job, writ_error *err);

/* What is not as wanted about owner, group and mode; false: nothing. */
bool w_engine_file_differs(const struct w_file_change *job,
    const struct stat *st, char *out_reason, size_t size);

/* "present", "absent", "directory". */
const char *w_engine_file_ensure_word(writ_file_ensure ensure);
const char *w_engine_file_kind_word(enum w_file_kind kind);
const char *w_engine_file_done_text(const struct w_file_change *job);

/* ---- file_decide.c ---- */

/* Settles whether it may be done. After it, whatever it said, one of
 * w_engine_file_end() is due. */
writ_status w_engine_file_decide(struct w_file_change *job, writ_error *err);

/* Writes down that it begins. */
writ_status w_engine_file_begin(struct w_file_change *job, writ_error *err);

/* It is over; failure is NULL when it was done. */
void w_engine_file_end(struct w_file_change *job, const writ_error *failure);

/* ---- file_apply.c ---- */

writ_status w_engine_file_apply(struct w_file_change *job, writ_error *err);

#endif /* W_ENGINE_FILE_STATE_H */
