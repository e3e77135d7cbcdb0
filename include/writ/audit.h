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
 * Every run of an engine leaves a "begin" record before its process exists
 * and an "end" record afterwards; a request that failed before it ran leaves
 * a "refused" one. The records are lines of JSON in STATE_DIR/audit, chained
 * by their hashes; writ-audit(5) describes them.
 *
 * An index (SQLite, beside the trail) makes searching fast. It is made and
 * mended here, by readers; it holds nothing that is not in the trail and may
 * be deleted at any time. Where it cannot be used the trail itself is read.
 *
 * What a function opens is yours to free. An audit, or a recording, belongs to
 * one thread at a time; different ones are independent, also of the engines
 * that write. A callback may ask the same audit another question, but not free
 * it.
 */
typedef struct writ_audit writ_audit;

typedef struct writ_audit_options {
	size_t size;           /* set by the initializer */
	const char *state_dir; /* NULL: as the settings say */
	const char *key_file;  /* of a keyed trail; NULL: as the settings
				  say */
	bool no_index;         /* read the trail itself */
} writ_audit_options;

/* clang-format off */
#define WRIT_AUDIT_OPTIONS_INIT {sizeof(writ_audit_options), NULL, NULL, false}
/* clang-format on */

/* Opens a trail for reading; one that does not exist has no records.
 * WRIT_E_INVALID: it is not yours, or others can write it. */
WRIT_API writ_status writ_audit_open(
    const writ_audit_options *options, writ_audit **out_audit, writ_error *err);
WRIT_API void writ_audit_free(writ_audit *audit);

/* What the index had to do or why it is not used, for people; NULL: nothing
 * worth a word. Borrowed until the next call. */
WRIT_API const char *writ_audit_note(const writ_audit *audit);

/* One record. Everything is borrowed for the time of a callback. */
typedef struct writ_record {
	uint64_t seq;
	uint64_t time_us;   /* since 1970 */
	const char *kind;   /* "begin", "end", "refused", ... */
	const char *run_id; /* NULL: belongs to no run */
	const char *json;   /* the exact line, json_len bytes and a NUL */
	size_t json_len;
	const char *file; /* its file's name */
	uint64_t offset;  /* of its first byte */
} writ_record;

/* Which records or runs. Zero and NULL: any. Start from the initializer. */
typedef struct writ_audit_filter {
	size_t size;
	uint64_t since_us; /* of the record; for a run: of its begin */
	uint64_t until_us;
	uint64_t after_seq;  /* only later ones */
	const char *kind;    /* records only */
	const char *run_id;  /* or the beginning of one */
	const char *agent;   /* exact */
	const char *program; /* path, last part of it, or the word asked for */
	const char *outcome; /* "exited", "timed_out", ..., or the code of an
				error; "refused", "running", "lost",
				"unknown"; "ok": exit code 0; "failed":
				everything else that has ended */
	const char *text;    /* stands somewhere in one of its records; case
				does not matter for ASCII letters */
	size_t limit;        /* how many at most */
	bool oldest_first;   /* else the newest come first */
} writ_audit_filter;

/* clang-format off */
#define WRIT_AUDIT_FILTER_INIT \
	{sizeof(writ_audit_filter), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, \
	 NULL, 0, false}
/* clang-format on */

/* Called for each; return false to stop. */
typedef bool (*writ_record_fn)(void *ctx, const writ_record *record);

WRIT_API writ_status writ_audit_records(writ_audit *audit,
    const writ_audit_filter *filter, writ_record_fn fn, void *ctx,
    writ_error *err);

/* Where a run stands. LOST: begun, no end, and the process that ran it is
 * gone. UNKNOWN: likewise, and it ran where we cannot look (another pid
 * namespace). */
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

/* A run as its records tell it. Borrowed for the time of a callback. */
typedef struct writ_audit_run {
	const char *run_id;
	writ_run_state state;
	uint64_t begin_seq; /* of the begin or refused record */
	uint64_t end_seq;   /* 0: none */
	uint64_t begin_us;
	uint64_t end_us;     /* 0: none */
	const char *command; /* argv as a shell would read it, or the shell
				string */
	const char *program; /* the file; NULL: not found */
	const char *cwd;
	const char *agent; /* NULL: none was named */
	const char *door;  /* "cli", "library", ... */
	const char *sandbox;
	const char *outcome; /* its word, or the code of an error: "denied";
				NULL while it runs */
	int exit_code;       /* -1: none */
	int signal;
	uint64_t duration_ms;
	uint64_t uid;
	int pid; /* of the process that runs it */
	uint64_t out_bytes[2];
	const char *recording;  /* file of the kept output; NULL: none */
	const char *begin_json; /* the exact lines; NULL: none */
	const char *end_json;
} writ_audit_run;

typedef bool (*writ_audit_run_fn)(void *ctx, const writ_audit_run *run);

WRIT_API writ_status writ_audit_runs(writ_audit *audit,
    const writ_audit_filter *filter, writ_audit_run_fn fn, void *ctx,
    writ_error *err);

/*
 * Finds one run by its id or by a beginning of it that no other run has; "-"
 * is the newest. WRIT_E_NOTFOUND, or WRIT_E_INVALID when several begin so.
 */
WRIT_API writ_status writ_audit_find(writ_audit *audit, const char *id,
    writ_audit_run_fn fn, void *ctx, writ_error *err);

/* ---- counting ---- */

typedef struct writ_audit_count {
	const char *name; /* what was counted by: "git", "2026-11-16" */
	uint64_t runs;
	uint64_t failed; /* ended otherwise than with exit code 0 */
	uint64_t refused;
	uint64_t duration_ms; /* sum */
	uint64_t longest_ms;
	uint64_t cpu_ms;
	uint64_t out_bytes;
} writ_audit_count;

typedef bool (*writ_audit_count_fn)(void *ctx, const writ_audit_count *count);

/* by: "program", "agent", "outcome", "day", "sandbox", or "all" for one row.
 * Most runs first; days in their order. */
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
	const char *output_dir; /* likewise */
} writ_audit_disk;

WRIT_API writ_status writ_audit_disk_use(
    writ_audit *audit, writ_audit_disk *out_disk, writ_error *err);

/* ---- proving ---- */

typedef struct writ_audit_finding {
	const char *kind;     /* a stable word: "changed", "gap", ... */
	const char *severity; /* "bad", "warning", "note" */
	const char *file;     /* NULL: of no file */
	uint64_t offset;      /* the first byte that is wrong */
	uint64_t line;        /* from 1; 0: none */
	uint64_t seq;         /* 0: none */
	const char *run_id;   /* NULL: none */
	const char *text;     /* what, with the figures, one line */
	const char *advice;   /* what it may mean and what to do; NULL */
} writ_audit_finding;

typedef void (*writ_audit_finding_fn)(
    void *ctx, const writ_audit_finding *finding);

typedef struct writ_audit_verify_options {
	size_t size;
	const char *anchor;     /* text of a checkpoint kept elsewhere */
	const char *public_key; /* file: signatures of checkpoints must be by
				   this key */
	bool outputs;           /* also hash the kept outputs again */
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
	uint64_t running; /* begun, not ended, and alive */
	uint64_t lost;    /* begun, not ended, and gone: a finding each */
	uint64_t checkpoints;
	uint64_t signatures; /* of those, proved */
	uint64_t outputs;    /* kept outputs that were hashed again */
	uint64_t bad;
	uint64_t warnings;
	uint64_t notes;
} writ_audit_proof;

/* Reads the whole trail, never the index. WRIT_OK means that it could be
 * read; the proof says whether it holds: bad is 0. */
WRIT_API writ_status writ_audit_verify(writ_audit *audit,
    const writ_audit_verify_options *options, writ_audit_finding_fn fn,
    void *ctx, writ_audit_proof *out_proof, writ_error *err);

/*
 * Appends a "checkpoint" record: number and hash of the last record, signed
 * with the Ed25519 private key in the PEM file unless that is NULL. *out_json
 * is the record, to be kept where nobody who can write the trail can write;
 * yours: free().
 */
WRIT_API writ_status writ_audit_checkpoint(writ_audit *audit,
    const char *private_key, char **out_json, size_t *out_len, writ_error *err);

/* ---- keeping house ---- */

typedef struct writ_audit_prune_options {
	size_t size;
	uint64_t output_age_ms; /* outputs older than this go; 0: settings */
	uint64_t output_bytes;  /* the oldest go until this is left; 0: ... */
	uint64_t record_age_ms; /* whole files of records older than this go;
				   0: none do */
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

/* Deletes what is too old or too much, and says so in a "prune" record. The
 * chain goes on: what remains is still proved from its first file on. Outputs
 * of runs that still run stay. */
WRIT_API writ_status writ_audit_prune(writ_audit *audit,
    const writ_audit_prune_options *options, writ_audit_pruned *out_pruned,
    writ_error *err);

/* ---- kept output ---- */

typedef struct writ_recording writ_recording;

/* A piece of output; borrowed until the next. */
typedef struct writ_piece {
	writ_stream stream;
	uint64_t at_us; /* since the start of the run */
	const char *bytes;
	size_t len; /* 0: no more, at the moment */
} writ_piece;

/* path is the recording of a writ_audit_run. WRIT_E_NOTFOUND: it is not there
 * (the run wrote nothing, or it was pruned). */
WRIT_API writ_status writ_recording_open(
    const char *path, writ_recording **out_recording, writ_error *err);
WRIT_API writ_status writ_recording_next(
    writ_recording *recording, writ_piece *out_piece, writ_error *err);
WRIT_API void writ_recording_free(writ_recording *recording);

/* ---- runs of other processes ---- */

/*
 * Ends a run that a `writ run` elsewhere is running, as its Ctrl-C would;
 * is_now: SIGKILL at once. WRIT_E_INVALID: it has ended, or it belongs to a
 * program of somebody's own, which has to be asked itself.
 */
WRIT_API writ_status writ_audit_kill(
    writ_audit *audit, const char *run_id, bool is_now, writ_error *err);

/*
 * Waits until the process that runs it is gone or the end is recorded, up to
 * timeout_ms (-1: for ever). WRIT_OK with *out_is_over false: still running.
 */
WRIT_API writ_status writ_audit_wait(writ_audit *audit, const char *run_id,
    int timeout_ms, bool *out_is_over, writ_error *err);

/*
 * What a person has not been told yet, in a state directory: files that were
 * made or changed by runs of untrusted callers, and that make some program
 * outside the sandbox run something later. A JSON array of
 * {"time","run","path","why"}, where time is seconds since 1970; *out_json is
 * yours. are_told: now they are, and the next call does not have them. The
 * record of each run keeps them.
 */
WRIT_API writ_status writ_triggers_untold(const char *state_dir, bool are_told,
    char **out_json, size_t *out_len, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_AUDIT_H */
