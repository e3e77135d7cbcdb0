/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_RESULT_H
#define WRIT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/* How a run ended. The words are the JSON values of "outcome". */
#define WRIT_OUTCOME_MAP(X)                                     \
	X(EXITED, "exited")                 /* by itself */     \
	X(SIGNALED, "signaled")             /* by a signal */   \
	X(TIMED_OUT, "timed_out")           /* total time */    \
	X(IDLE_TIMED_OUT, "idle_timed_out") /* no output */     \
	X(CANCELLED, "cancelled")           /* by the caller */ \
	X(LIMITED, "limited")               /* see limit */

typedef enum writ_outcome {
#define X(name, word) WRIT_##name,
	WRIT_OUTCOME_MAP(X)
#undef X
} writ_outcome;

/* Which limit ended a WRIT_LIMITED run. */
#define WRIT_LIMIT_MAP(X)         \
	X(NONE, NULL)             \
	X(CPU, "cpu")             \
	X(MEMORY, "memory")       \
	X(PROCESSES, "processes") \
	X(FILE_SIZE, "file_size") \
	X(OUTPUT, "output")       \
	X(DISK, "disk") /* of the private TMPDIR */

typedef enum writ_limit {
#define X(name, word) WRIT_LIMIT_##name,
	WRIT_LIMIT_MAP(X)
#undef X
} writ_limit;

/*
 * What held the process tree together. GUARANTEED: the kernel itself ended
 * every descendant. BEST_EFFORT: a keeper process hunted them down, and a
 * determined one could have got away. CALLER: nobody looked, as asked.
 */
#define WRIT_TREE_MAP(X)              \
	X(GUARANTEED, "guaranteed")   \
	X(BEST_EFFORT, "best_effort") \
	X(CALLER, "caller")

typedef enum writ_tree {
#define X(name, word) WRIT_TREE_##name,
	WRIT_TREE_MAP(X)
#undef X
} writ_tree;

typedef enum writ_stream {
	WRIT_STDOUT,
	WRIT_STDERR,
} writ_stream;

/*
 * What one stream carried. When nothing was dropped, head is all of it and
 * tail is empty. Otherwise head and tail are its first and last bytes, and
 * the whole (up to the spill limit) is in the spill file.
 */
typedef struct writ_output {
	const char *head; /* head_len bytes and a NUL; never NULL */
	size_t head_len;
	const char *tail; /* tail_len bytes and a NUL; never NULL */
	size_t tail_len;
	uint64_t bytes;         /* written by the command, kept or not */
	bool truncated;         /* bytes > head_len + tail_len */
	const char *spill_path; /* NULL when there is no spill file */
	uint64_t spill_bytes;   /* how much of the stream it holds */
	int spill_errno;        /* why spilling stopped early; 0: it did not,
				   ENOSPC, or EFBIG for the spill limit */
} writ_output;

/* Something a wall refused, with explain_denials. Many different ones end in
 * a row for all the rest: what is "more", its other texts are NULL. */
typedef struct writ_denial {
	const char *layer; /* which wall: "landlock", "mountns", ... */
	const char *call;  /* the system call */
	const char *what;  /* "read", "write", "execute", "connect", ... */
	const char *path;  /* or the address; may be NULL */
	const char *hint;  /* the profile line or option that would allow it;
			      NULL: nothing would */
	unsigned count;    /* how often */
} writ_denial;

/* A file that was made or changed while the command ran, and that makes some
 * program outside the sandbox run something later. The last row may have no
 * path: not all files were looked at, and why says so. */
typedef struct writ_trigger {
	const char *path;
	const char *why; /* "git runs it as a hook" */
} writ_trigger;

/*
 * How a command ended and what it wrote. Read-only, made by the library,
 * freed by writ_result_free(). Members are only ever added at the end.
 */
typedef struct writ_result {
	const char *run_id;   /* 26 characters, sorts by time */
	const char *trace_id; /* as in the request; NULL when none */
	writ_outcome outcome;
	int exit_code;     /* 0..255; -1 when a signal ended it */
	int signal;        /* 0 when none */
	bool status_known; /* false: the host reaped the child first */
	writ_limit limit;
	writ_output out[2]; /* by writ_stream */
	uint64_t duration_ms;
	uint64_t timeout_ms; /* as asked; 0 when none */
	uint64_t user_ms;    /* processor time of the command and of the */
	uint64_t system_ms;  /* descendants that it waited for */
	uint64_t max_rss_kib;
	unsigned killed;     /* leftover processes that were killed */
	unsigned background; /* processes that live on, as asked */
	writ_tree tree;
	const char *tree_by;       /* "cgroup", "pidns", "keeper"; NULL: none */
	const char *memory_by;     /* "cgroup", "sampling"; "none": no control
				      group can hold the default; NULL: no
				      limit */
	const char *cpu_by;        /* "sampling"; NULL without a cpu limit */
	const char *processes_by;  /* "cgroup", "sampling"; NULL: no limit */
	uint64_t open_files;       /* the limit that counted; 0: none was set */
	const char *sandbox;       /* the profile's name; "none" without one */
	const char *network;       /* "off", "loopback", "host" */
	const char *const *layers; /* walls that stood; NULL-ended */
	const char *const *missing; /* best effort: those that did not */
	const char *const *created; /* protected paths that did not exist
				       before and do now; NULL-ended */
	const writ_denial *denials;
	size_t denial_count;
	uint64_t limit_value;   /* how much the limit or timeout that ended the
				   run allowed, by the request or by its profile:
				   bytes, milliseconds or a number; 0: none did */
	uint64_t begin_seq;     /* number of its begin record; 0: none */
	uint64_t end_seq;       /* of its end record; 0: none was written */
	const char *unrecorded; /* why a record is missing; NULL: none is */
	const char *recording;  /* file of the kept output; NULL: none */
	uint64_t recording_bytes; /* of output in it, both streams */
	const char *sha256[2];    /* of each stream, by writ_stream */
	const char *module_id;    /* as in the request; NULL when none */
	const char *json_output;  /* with parse_json: the JSON that it wrote to
				     stdout, an array where it was one value a
				     line; NULL: none was asked for, or see */
	const char *json_error;   /* why there is none; NULL: nobody asked */
	const char *decision;     /* the policy's: "allow"; NULL: none was asked
				     for */
	const char *rule;         /* where that stands: FILE:LINE:COLUMN */
	const char *grant;        /* by which ask became allow; NULL */
	const char *approval;     /* likewise, for this run alone; NULL */
	const writ_trigger *triggers;
	size_t trigger_count;
} writ_result;

/* The stable words; NULL only for WRIT_LIMIT_NONE. */
WRIT_API const char *writ_outcome_word(writ_outcome outcome);
WRIT_API const char *writ_limit_word(writ_limit limit);
WRIT_API const char *writ_tree_word(writ_tree tree);

/*
 * The exit status with which `writ run` passes this result on: the command's
 * own, 124 for a timeout, 128 + signal, 125 when the status is unknown.
 */
WRIT_API int writ_result_exit(const writ_result *result);

/*
 * Reads up to len bytes of a stream from offset, from memory or from the
 * spill file, and stores how many in *out_len: 0 at the end. A range that was
 * not kept fails with WRIT_E_NOTFOUND.
 */
WRIT_API writ_status writ_result_read(const writ_result *result,
    writ_stream stream, uint64_t offset, void *buf, size_t len,
    size_t *out_len);

/* The result as one JSON object on one line. *out_json is yours: free(). */
WRIT_API writ_status writ_result_json(const writ_result *result,
    char **out_json, size_t *out_len, writ_error *err);

/* An error as the JSON object {"error":{...}}. *out_json is yours: free(). */
WRIT_API writ_status writ_error_json(
    const writ_error *error, char **out_json, size_t *out_len);

/* From now on the spill files stay when the result is freed. */
WRIT_API void writ_result_keep_spill(writ_result *result);

/* Frees a result and deletes its spill files. NULL is allowed. */
WRIT_API void writ_result_free(writ_result *result);

WRIT_END_DECLS

#endif /* WRIT_RESULT_H */
