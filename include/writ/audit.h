/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_AUDIT_H
#define WRIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/error.h>
#include <writ/result.h>

WRIT_BEGIN_DECLS

/*
 * Reading the audit trail.
 *
 * Every run of an engine leaves a "begin" record before its process exists and
 * an "end" record afterwards; a request that failed before it ran leaves a
 * "refused" record. The records are lines of JSON in STATE_DIR/audit, chained
 * by their hashes; see writ-audit(5).
 *
 * An index (SQLite, beside the trail) makes searches fast. Readers create and
 * repair it. It holds nothing that is not in the trail and may be deleted at
 * any time; if it cannot be used, the trail itself is read.
 *
 * The caller frees what a function opens. An audit or a recording belongs to
 * one thread at a time; different ones are independent of each other and of the
 * engines that write. A callback may query the same audit, but must not free
 * it.
 */
typedef struct writ_audit writ_audit;

typedef struct writ_audit_options {
	size_t size;           /* set by the initializer */
	const char *state_dir; /* NULL: from the settings */
	const char *key_file;  /* of a keyed trail; NULL: from the settings */
	bool no_index;         /* read only the trail itself */
} writ_audit_options;

/* clang-format off */
#define WRIT_AUDIT_OPTIONS_INIT {sizeof(writ_audit_options), NULL, NULL, false}
/* clang-format on */

/* Opens a trail for reading; a missing trail has no records. WRIT_E_INVALID:
 * another user owns it, or others can write it. */
WRIT_API writ_status writ_audit_open(
    const writ_audit_options *options, writ_audit **out_audit, writ_error *err);
WRIT_API void writ_audit_free(writ_audit *audit);

/* What the index did, or why it is not used, for people; NULL: nothing to
 * report. Borrowed until the next call. */
WRIT_API const char *writ_audit_note(const writ_audit *audit);

/* One record. Everything is borrowed during a callback. */
typedef struct writ_record {
	uint64_t seq;
	uint64_t time_us;   /* since 1970 */
	const char *kind;   /* "begin", "end", "refused", ... */
	const char *run_id; /* NULL: belongs to no run */
	const char *json;   /* the exact line, json_len bytes and a NUL */
	size_t json_len;
	const char *file; /* name of its file */
	uint64_t offset;  /* of its first byte in that file */
} writ_record;

/* Selects records or runs. Zero and NULL: any. Start from the initializer. */
typedef struct writ_audit_filter {
	size_t size;
	uint64_t since_us; /* of the record; of a run: of its begin */
	uint64_t until_us;
	uint64_t after_seq;  /* only records after this one */
	const char *kind;    /* records only */
	const char *run_id;  /* or a prefix of it */
	const char *agent;   /* exact */
	const char *program; /* path, its last component, or the word as
				requested */
	const char *outcome; /* "exited", "timed_out", ..., or the code of an
				error; "refused", "running", "lost",
				"unknown"; "ok": exit code 0; "failed": ended
				in any other way */
	const char *text;    /* substring of one of its records; ASCII letters
				match in either case */
	size_t limit;        /* at most this many */
	bool oldest_first;   /* false: newest first */
} writ_audit_filter;

/* clang-format off */
#define WRIT_AUDIT_FILTER_INIT \
	{sizeof(writ_audit_filter), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, \
	 NULL, 0, false}
/* clang-format on */

/* Called for each; returns false to stop. */
typedef bool (*writ_record_fn)(void *ctx, const writ_record *record);

WRIT_API writ_status writ_audit_records(writ_audit *audit,
    const writ_audit_filter *filter, writ_record_fn fn, void *ctx,
    writ_error *err);

/* State of a run. LOST: it has begun, has no end, and the process that ran
 * it is gone. UNKNOWN: the same, but that process cannot be seen from here
 * (another PID namespace). */
#define WRIT_RUN_STATE_MAP(X) \
	X(RUNNING, "running") \
	X(ENDED, "ended")     \
	X(REFUSED, "refused") \
	X(LOST, "lost")       \
	X(UNKNOWN, "unknown")

typedef enum writ_run_state {
#define X(name, word) WRIT_RUN_##name,
	WRIT_RUN_STATE_MAP(X)
#undef X
} writ_run_state;

WRIT_API const char *writ_run_state_word(writ_run_state state);

/* A run, from its records. Borrowed during a callback. */
typedef struct writ_audit_run {
	const char *run_id;
	writ_run_state state;
	uint64_t begin_seq; /* of the begin or refused record */
	uint64_t end_seq;   /* 0: none */
	uint64_t begin_us;
	uint64_t end_us;     /* 0: none */
	const char *command; /* argv quoted for a shell, or the shell text */
	const char *program; /* its file; NULL: not found */
	const char *cwd;
	const char *agent; /* NULL: none */
	const char *door;  /* the front end: "cli", "library", ... */
	const char *sandbox;
	const char *outcome; /* an outcome or the code of an error, "denied";
				NULL: still running */
	int exit_code;       /* -1: none */
	int signal;
	uint64_t duration_ms;
	uint64_t uid;
	int pid; /* of the process that runs it */
	uint64_t out_bytes[2];
	const char *recording;  /* file of the recorded output; NULL: none */
	const char *begin_json; /* the exact lines; NULL: none */
	const char *end_json;
} writ_audit_run;

typedef bool (*writ_audit_run_fn)(void *ctx, const writ_audit_run *run);

WRIT_API writ_status writ_audit_runs(writ_audit *audit,
    const writ_audit_filter *filter, writ_audit_run_fn fn, void *ctx,
    writ_error *err);

/*
 * Finds one run by its id or a unique prefix; "-" is the newest. Fails with
 * WRIT_E_NOTFOUND, or WRIT_E_INVALID for an ambiguous prefix.
 */
WRIT_API writ_status writ_audit_find(writ_audit *audit, const char *id,
    writ_audit_run_fn fn, void *ctx, writ_error *err);

/* ---- statistics ---- */

typedef struct writ_audit_count {
	const char *name; /* the group: "git", "2026-11-16" */
	uint64_t runs;
	uint64_t failed; /* ended, but not with exit code 0 */
	uint64_t refused;
	uint64_t duration_ms; /* sum */
	uint64_t longest_ms;
	uint64_t cpu_ms;
	uint64_t out_bytes;
} writ_audit_count;

typedef bool (*writ_audit_count_fn)(void *ctx, const writ_audit_count *count);

/* by: "program", "agent", "outcome", "day", "sandbox", or "all" for one row.
 * Most runs first; days in order. */
WRIT_API writ_status writ_audit_stats(writ_audit *audit,
    const writ_audit_filter *filter, const char *by, writ_audit_count_fn fn,
    void *ctx, writ_error *err);

typedef struct writ_audit_disk {
	uint64_t trail_bytes;
	uint64_t trail_files;
	uint64_t output_bytes;
	uint64_t output_files;
	uint64_t index_bytes;
	uint64_t free_bytes;    /* of the file system of the trail */
	const char *trail_dir;  /* borrowed from the audit */
	const char *output_dir; /* borrowed from the audit */
} writ_audit_disk;

WRIT_API writ_status writ_audit_disk_use(
    writ_audit *audit, writ_audit_disk *out_disk, writ_error *err);

/* ---- verification ---- */

typedef struct writ_audit_finding {
	const char *kind;     /* a stable word: "changed", "gap", ... */
	const char *severity; /* "bad", "warning", "note" */
	const char *file;     /* NULL: none */
	uint64_t offset;      /* of the first wrong byte */
	uint64_t line;        /* from 1; 0: none */
	uint64_t seq;         /* 0: none */
	const char *run_id;   /* NULL: none */
	const char *text;     /* what was found, with numbers, one line */
	const char *advice;   /* what it may mean and what to do; NULL: none */
} writ_audit_finding;

typedef void (*writ_audit_finding_fn)(
    void *ctx, const writ_audit_finding *finding);

typedef struct writ_audit_verify_options {
	size_t size;
	const char *anchor; /* text of a checkpoint that was kept elsewhere */
	const char *public_key; /* file: checkpoints must be signed by this
				   key */
	bool outputs;           /* also hash the recorded outputs */
} writ_audit_verify_options;

/* clang-format off */
#define WRIT_AUDIT_VERIFY_OPTIONS_INIT \
	{sizeof(writ_audit_verify_options), NULL, NULL, false}
/* clang-format on */

typedef struct writ_audit_proof {
	uint64_t records;
	uint64_t bytes;
	uint64_t files;
	uint64_t first_seq;
	uint64_t last_seq;
	uint64_t first_us;
	uint64_t last_us;
	char last_hash[65];
	bool is_keyed;
	uint64_t runs;
	uint64_t running; /* begun, not ended, process alive */
	uint64_t lost; /* begun, not ended, process gone; each is a finding */
	uint64_t checkpoints;
	uint64_t signatures; /* valid signatures among them */
	uint64_t outputs;    /* recorded outputs that were hashed */
	uint64_t bad;
	uint64_t warnings;
	uint64_t notes;
} writ_audit_proof;

/* Reads the whole trail, never the index. WRIT_OK means that it could be
 * read; it is intact if bad is 0. */
WRIT_API writ_status writ_audit_verify(writ_audit *audit,
    const writ_audit_verify_options *options, writ_audit_finding_fn fn,
    void *ctx, writ_audit_proof *out_proof, writ_error *err);

/*
 * Appends a "checkpoint" record: number and hash of the last record, signed
 * with the Ed25519 private key in the PEM file (NULL: not signed). *out_json is
 * the record; keep it where nobody who can write the trail can write. Free it
 * with free().
 */
WRIT_API writ_status writ_audit_checkpoint(writ_audit *audit,
    const char *private_key, char **out_json, size_t *out_len, writ_error *err);

/* ---- pruning ---- */

typedef struct writ_audit_prune_options {
	size_t size;
	uint64_t output_age_ms; /* delete outputs older than this; 0: from the
				   settings */
	uint64_t output_bytes;  /* delete the oldest until this much is left; 0:
				   from the settings */
	uint64_t record_age_ms; /* delete whole files of records older than
				   this; 0: none */
	bool dry_run;
} writ_audit_prune_options;

/* clang-format off */
#define WRIT_AUDIT_PRUNE_OPTIONS_INIT \
	{sizeof(writ_audit_prune_options), 0, 0, 0, false}
/* clang-format on */

typedef struct writ_audit_pruned {
	uint64_t outputs;
	uint64_t output_bytes;
	uint64_t files; /* of records */
	uint64_t file_bytes;
	uint64_t records;
	uint64_t kept_outputs;
	uint64_t kept_bytes;
} writ_audit_pruned;

/* Deletes what is too old or too much, and records that in a "prune" record.
 * The chain stays valid: what remains is verified from its first file on.
 * Outputs of live runs stay. */
WRIT_API writ_status writ_audit_prune(writ_audit *audit,
    const writ_audit_prune_options *options, writ_audit_pruned *out_pruned,
    writ_error *err);

/* ---- recorded output ---- */

typedef struct writ_recording writ_recording;

/* A piece of output; borrowed until the next call. */
typedef struct writ_piece {
	writ_stream stream;
	uint64_t at_us; /* since the start of the run */
	const char *bytes;
	size_t len; /* 0: no more for now */
} writ_piece;

/* path is the recording of a writ_audit_run. WRIT_E_NOTFOUND: no such file
 * (the run wrote nothing, or it was pruned). */
WRIT_API writ_status writ_recording_open(
    const char *path, writ_recording **out_recording, writ_error *err);
WRIT_API writ_status writ_recording_next(
    writ_recording *recording, writ_piece *out_piece, writ_error *err);
WRIT_API void writ_recording_free(writ_recording *recording);

/* ---- runs of other processes ---- */

/*
 * Ends a run of another `writ run` process, as its Ctrl-C would; is_now:
 * SIGKILL at once. WRIT_E_INVALID: it has ended, or it belongs to a program
 * other than writ, which must end it itself.
 */
WRIT_API writ_status writ_audit_kill(
    writ_audit *audit, const char *run_id, bool is_now, writ_error *err);

/*
 * Waits until the process that runs it is gone or the end is recorded, at most
 * timeout_ms (-1: forever). WRIT_OK with *out_is_over false: still running.
 */
WRIT_API writ_status writ_audit_wait(writ_audit *audit, const char *run_id,
    int timeout_ms, bool *out_is_over, writ_error *err);

/*
 * Triggers that no person has seen yet, in a state directory: files that runs
 * of untrusted callers created or changed, and that make a program outside the
 * sandbox run something later. A JSON array of {"time","run","path","why"};
 * time is seconds since 1970. Free *out_json with free(). are_told: marks them
 * as seen, so the next call omits them. The record of each run keeps them.
 */
WRIT_API writ_status writ_triggers_untold(const char *state_dir, bool are_told,
    char **out_json, size_t *out_len, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_AUDIT_H */
