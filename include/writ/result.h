/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_RESULT_H
#define WRIT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * The result of a run: how it ended, what it wrote, what it cost, and what held
 * it.
 *
 * A command that fails is no failure of writ: writ_run() succeeds, and the
 * result has its exit code. It is plain data that the library owns; free it
 * with writ_result_free(). It may outlive its engine, and be read from any
 * thread, by one at a time.
 */

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
 * How surely the process tree is gone. GUARANTEED: the kernel killed every
 * descendant. BEST_EFFORT: a subreaper process found and killed them; a
 * determined process could have escaped. CALLER: nobody looked, as requested.
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
 * The output of one stream. If nothing was dropped, head is all of it and tail
 * is empty. Otherwise head and tail are its first and last bytes, and the whole
 * (up to the spill limit) is in the spill file.
 */
typedef struct writ_output {
	const char *head; /* head_len bytes and a NUL; never NULL */
	size_t head_len;
	const char *tail; /* tail_len bytes and a NUL; never NULL */
	size_t tail_len;
	uint64_t bytes;         /* written by the command, kept or not */
	bool truncated;         /* bytes > head_len + tail_len */
	const char *spill_path; /* NULL: no spill file */
	uint64_t spill_bytes;   /* bytes of the stream in it */
	int spill_errno;        /* why spilling stopped early: ENOSPC, or
				   EFBIG for the spill limit; 0: it did not */
} writ_output;

/* Something the sandbox denied, with explain_denials. If there are too many,
 * the last row stands for the rest: what is "more", its other strings are
 * NULL. */
typedef struct writ_denial {
	const char *layer; /* which layer: "landlock", "mountns", ... */
	const char *call;  /* the system call */
	const char *what;  /* "read", "write", "execute", "connect", ... */
	const char *path;  /* or the address; may be NULL */
	const char *hint;  /* the profile line or option that would allow it;
			      NULL: none would */
	unsigned count;    /* how often */
} writ_denial;

/*
 * A wall that was part of a failure. is_guessed: the command's own words name
 * it, and by its profile the sandbox refuses that; the words may be wrong, or
 * forged. Otherwise the kernel reported it (explain_denials).
 *
 * One of path, host and family is set; none of them, if the words named none.
 * Their control characters are escaped and they have at most 200 bytes.
 * ask_write, ask_network and ask_host are values for the request's write,
 * network and hosts that ask for what was refused; the policy decides. NULL:
 * nothing to ask for.
 */
typedef struct writ_wall_denial {
	const char *what;   /* "read", "write", "connect", "socket", ... */
	const char *path;   /* absolute */
	const char *host;   /* a name or an address */
	const char *family; /* "AF_INET" */
	const char *wall;   /* "readonly", "protected", "hidden", "unseen",
			       "network", "seccomp" */
	bool is_guessed;
	const char *ask_write;   /* a path */
	const char *ask_network; /* "loopback", "host" */
	const char *ask_host;    /* "name:port" */
} writ_wall_denial;

/* A file that was created or changed while the command ran, and that makes a
 * program outside the sandbox run something later. The last row may have no
 * path: not all files were examined, and why says so. */
typedef struct writ_trigger {
	const char *path;
	const char *why; /* "git runs it as a hook" */
} writ_trigger;

/*
 * How a command ended and what it wrote. Read-only, made by the library, freed
 * by writ_result_free(). New members are added only at the end.
 */
typedef struct writ_result {
	const char *run_id;   /* 26 characters, sorts by time */
	const char *trace_id; /* as in the request; NULL: none */
	writ_outcome outcome;
	int exit_code;     /* 0..255; -1: a signal ended it */
	int signal;        /* 0: none */
	bool status_known; /* false: the host reaped the child first */
	writ_limit limit;
	writ_output out[2]; /* by writ_stream */
	uint64_t duration_ms;
	uint64_t timeout_ms; /* as requested; 0: none */
	uint64_t user_ms;    /* CPU time of the command and of the */
	uint64_t system_ms;  /* descendants that it waited for */
	uint64_t max_rss_kib;
	unsigned killed;     /* leftover processes that were killed */
	unsigned background; /* processes left running, as requested */
	writ_tree tree;
	const char *tree_by;       /* "cgroup", "pidns", "keeper" (a
				      subreaper); NULL: none */
	const char *memory_by;     /* "cgroup", "sampling"; "none": no cgroup
				      for the default limit; NULL: no limit */
	const char *cpu_by;        /* "sampling"; NULL: no limit */
	const char *processes_by;  /* "cgroup", "sampling"; NULL: no limit */
	uint64_t open_files;       /* the limit in force; 0: none was set */
	const char *sandbox;       /* name of the profile; "none": no sandbox */
	const char *network;       /* "off", "loopback", "hosts", "host" */
	const char *const *layers; /* sandbox layers in force; NULL-ended */
	const char *const *missing; /* best effort: layers not in force */
	const char *const *lacks;   /* what the profile "container" does not
				       hold and "workspace" does, in words;
				       NULL-ended; NULL: other profile */
	const char *const *created; /* protected paths that the run created;
				       NULL-ended */
	const writ_denial *denials;
	size_t denial_count;
	uint64_t limit_value;     /* value of the limit or timeout that ended
				     the run, from the request or its profile:
				     bytes, milliseconds or a count; 0: none
				     did */
	uint64_t begin_seq;       /* number of its begin record; 0: none */
	uint64_t end_seq;         /* of its end record; 0: none */
	const char *unrecorded;   /* why a record is missing; NULL: none is */
	const char *recording;    /* file of the recorded output; NULL: none */
	uint64_t recording_bytes; /* output bytes in it, both streams */
	const char *sha256[2];    /* of each stream, by writ_stream */
	const char *module_id;    /* as in the request; NULL: none */
	const char *json_output;  /* with parse_json: the JSON it wrote to
				     stdout, an array if it was one value per
				     line; NULL: not requested, or see */
	const char *json_error;   /* why there is none; NULL: not requested */
	const char *decision;     /* of the policy: "allow"; NULL: no
				     decision was needed */
	const char *rule;         /* the rule that decided: FILE:LINE:COLUMN */
	const char *grant;        /* that turned ask into allow; NULL: none */
	const char *approval;     /* likewise, for this run only; NULL: none */
	const writ_trigger *triggers;
	size_t trigger_count;
	const writ_wall_denial *wall_denials; /* of a run that failed; with
						 explain_denials of any */
	size_t wall_denial_count;             /* at most 5 */
	const char *execs;   /* where a policy says "judge: exec", the programs
				that were started inside, as one JSON object;
				NULL: they were not judged */
	const char *session; /* name of the session whose walls it shared; NULL:
				none */
	const char *left_cwd; /* with wants_state: where the shell was at its
				 end; NULL: unknown */
	const char *const *left_env; /* NAME=VALUE, NULL-ended: plain variables
					that it exported and that were not so
					before. Without those that make programs
					run code. NULL: unknown */
	const char *tmp;     /* where its private /tmp lay: "memory", "disk";
				NULL: it had none */
	const char *tmp_by;  /* how its size was limited: "kernel", "sampling";
				NULL: there was no limit */
	const char *home;    /* in a session, where it could write in HOME:
				"overlay" (a layer over the directories with a
				dot), "caches" (only caches, empty at first) or
				"none"; NULL: it was in no session */
	const char *changes; /* with undo: how many files it changed in its
				project, and whether that is accepted, as one
				JSON object; see docs/request.md. NULL: no
				undo was asked for */
	const char *const *changed; /* the first of their paths, relative to
				       the project; NULL-ended; NULL: none */
	const writ_trigger *held;   /* with undo: what was held back of them,
				       since it would run something later */
	size_t held_count;
} writ_result;

/* The stable words; NULL only for WRIT_LIMIT_NONE. */
WRIT_API const char *writ_outcome_word(writ_outcome outcome);
WRIT_API const char *writ_limit_word(writ_limit limit);
WRIT_API const char *writ_tree_word(writ_tree tree);

/*
 * The exit status of `writ run` for this result: the command's own, 124 for a
 * timeout, 128 + signal, 125 if the status is unknown.
 */
WRIT_API int writ_result_exit(const writ_result *result);

/*
 * Reads up to len bytes of a stream at offset, from memory or from the spill
 * file. *out_len is the number read: 0 at the end. Fails with WRIT_E_NOTFOUND
 * if that range was not kept.
 */
WRIT_API writ_status writ_result_read(const writ_result *result,
    writ_stream stream, uint64_t offset, void *buf, size_t len,
    size_t *out_len);

/* The result as one JSON object on one line. Free *out_json with free(). */
WRIT_API writ_status writ_result_json(const writ_result *result,
    char **out_json, size_t *out_len, writ_error *err);

/* Takes the next bytes of a document. false: it wants no more. */
typedef bool (*writ_json_fn)(void *ctx, const char *bytes, size_t len);

/*
 * Passes the same object to write, piece by piece: however much the command
 * wrote, it is never in memory a second time. It is WRIT_OK, too, if write
 * wants no more. Fails with WRIT_E_NOMEM, then also after the first piece.
 */
WRIT_API writ_status writ_result_write_json(
    const writ_result *result, writ_json_fn write, void *ctx, writ_error *err);

/* An error as the JSON object {"error":{...}}. Free *out_json with free(). */
WRIT_API writ_status writ_error_json(
    const writ_error *error, char **out_json, size_t *out_len);

/* Keeps the spill files when the result is freed. */
WRIT_API void writ_result_keep_spill(writ_result *result);

/* Frees a result and deletes its spill files. NULL is allowed. */
WRIT_API void writ_result_free(writ_result *result);

WRIT_END_DECLS

#endif /* WRIT_RESULT_H */
