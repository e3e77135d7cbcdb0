/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_RUN_H
#define WRIT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/engine.h>
#include <writ/result.h>

WRIT_BEGIN_DECLS

/*
 * Runs a command with limits, and leaves nothing behind.
 *
 *     const char *argv[] = {"git", "status", NULL};
 *     writ_request request = WRIT_REQUEST_INIT;
 *     request.argv = argv;
 *     request.timeout_ms = 30000;
 *     if (writ_run(engine, &request, &result, &err) != WRIT_OK)
 *         return report(&err);
 *     ...
 *     writ_result_free(result);
 *
 * Two kinds of failure are kept apart. A negative status means that the command
 * did not run: not found, no such directory, an invalid request. WRIT_OK means
 * that it ran; how it ended is in the result, and a non-zero exit is no error
 * here.
 *
 * When a run has ended, in whatever way, no process of its tree is alive (see
 * writ_tree for how sure that is), except with WRIT_BACKGROUND_KEEP.
 */

/* What the command's environment starts from; see writ-run(1). */
#define WRIT_ENV_MODE_MAP(X)    \
	X(MINIMAL, "minimal")   \
	X(CLEAN, "clean")       \
	X(ISOLATED, "isolated") \
	X(INHERIT, "inherit")

typedef enum writ_env_mode {
#define X(name, word) WRIT_ENV_##name,
	WRIT_ENV_MODE_MAP(X)
#undef X
} writ_env_mode;

typedef enum writ_stdin_kind {
	WRIT_STDIN_NULL, /* /dev/null */
	WRIT_STDIN_DATA, /* stdin_data, stdin_len bytes, then end of file */
	WRIT_STDIN_FILE, /* the file named stdin_path */
	WRIT_STDIN_FD,   /* stdin_fd: a file, a pipe, a socket */
	WRIT_STDIN_PIPE, /* written by writ_job_write() */
} writ_stdin_kind;

/*
 * What happens to processes that the command leaves behind: they are killed; or
 * they live on after the run, and after this process; or the run goes on until
 * the last of them has ended. WAIT is for a run in a session and is KILL in
 * any other; KEEP cannot be used in a session.
 */
#define WRIT_BACKGROUND_MAP(X) \
	X(KILL, "kill")        \
	X(KEEP, "keep")        \
	X(WAIT, "wait")

typedef enum writ_background {
#define X(name, word) WRIT_BACKGROUND_##name,
	WRIT_BACKGROUND_MAP(X)
#undef X
} writ_background;

/*
 * How the process tree is contained. AUTO takes the best this machine offers;
 * the result says which. CGROUP and PIDNS fail with WRIT_E_SANDBOX if they are
 * not available. KEEPER, a subreaper process, is best effort and lets
 * set-user-ID programs work for an ordinary user. CALLER contains nothing: only
 * the command itself is waited for and signalled.
 */
#define WRIT_HOLD_MAP(X)    \
	X(AUTO, "auto")     \
	X(CGROUP, "cgroup") \
	X(PIDNS, "pidns")   \
	X(KEEPER, "keeper") \
	X(CALLER, "caller")

typedef enum writ_hold {
#define X(name, word) WRIT_HOLD_##name,
	WRIT_HOLD_MAP(X)
#undef X
} writ_hold;

/* The network of a sandboxed command; DEFAULT: from its profile. HOSTS: only
 * the hosts that the request and the policy list; HOST: all that the machine
 * reaches. */
#define WRIT_NETWORK_MAP(X)     \
	X(DEFAULT, "default")   \
	X(OFF, "off")           \
	X(LOOPBACK, "loopback") \
	X(HOST, "host")         \
	X(HOSTS, "hosts")

typedef enum writ_network {
#define X(name, word) WRIT_NETWORK_##name,
	WRIT_NETWORK_MAP(X)
#undef X
} writ_network;

/* Where the private /tmp lies; DEFAULT: as the policy or the profile says, else
 * in memory. */
#define WRIT_TMP_MAP(X)       \
	X(DEFAULT, "default") \
	X(MEMORY, "memory")   \
	X(DISK, "disk")

typedef enum writ_tmp {
#define X(name, word) WRIT_TMP_##name,
	WRIT_TMP_MAP(X)
#undef X
} writ_tmp;

/*
 * Whether the run works on a layer over its project, so that what it changes
 * can be seen and taken back (undo.h). ON: else it does not run. AUTO: where
 * there can be one; the result says why there was none. TRIAL: as ON, and the
 * changes wait until a person accepts them. DEFAULT: as the policy says, else
 * OFF.
 */
#define WRIT_UNDO_MAP(X)      \
	X(DEFAULT, "default") \
	X(OFF, "off")         \
	X(AUTO, "auto")       \
	X(ON, "on")           \
	X(TRIAL, "trial")

typedef enum writ_undo {
#define X(name, word) WRIT_UNDO_##name,
	WRIT_UNDO_MAP(X)
#undef X
} writ_undo;

/* An actual zero, for members where 0 means the default. */
#define WRIT_ZERO UINT64_MAX

/* Sets the member umask; plain 0 keeps the umask. */
#define WRIT_UMASK(mode)          (0x10000U | (unsigned)(mode))

#define WRIT_DEFAULT_GRACE_MS     UINT64_C(5000)
#define WRIT_DEFAULT_OUTPUT_LIMIT (UINT64_C(1) << 20)
#define WRIT_DEFAULT_JSON_LIMIT   (UINT64_C(16) << 20) /* with parse_json */
#define WRIT_DEFAULT_SPILL_LIMIT  (UINT64_C(1) << 30)
#define WRIT_DEFAULT_KEEP         (UINT64_C(1) << 20)

typedef struct writ_job writ_job;

/*
 * Called with output as it arrives. Returns 0 to continue, 1 to pause this
 * stream until writ_job_resume(); the bytes are consumed either way. A run does
 * not end while one of its streams is paused, so that nothing is lost;
 * writ_job_cancel() drops the rest once the processes are gone. The callback
 * may cancel, signal, write and resume; it must not free or dispatch the
 * engine.
 */
typedef int (*writ_output_fn)(void *ctx, writ_job *job, writ_stream stream,
    const char *bytes, size_t len);

/* Called when the command was stopped, by Ctrl-Z (SIGTSTP) or otherwise, in
 * an interactive terminal. writ_job_signal() with SIGCONT continues it. */
typedef void (*writ_stop_fn)(void *ctx, writ_job *job, int signal);

/* Called when the command itself has ended and a run with WRIT_BACKGROUND_WAIT
 * goes on because of the processes that it left behind. */
typedef void (*writ_background_fn)(void *ctx, writ_job *job);

/* Called once when a run has ended. The callback owns the result; the job is
 * gone when it returns. It may start further runs. */
typedef void (*writ_done_fn)(void *ctx, writ_job *job, writ_result *result);

/*
 * Whether the caller is trusted. Only the program that uses the engine can set
 * it; no file and no message can. Options of a trusted caller (a person at the
 * command line) are taken as they are. An untrusted caller gets at least the
 * sandbox of the policy, and has to get approval for anything beyond.
 */
typedef enum writ_caller {
	WRIT_CALLER_UNTRUSTED,
	WRIT_CALLER_TRUSTED,
} writ_caller;

/*
 * A request: plain data. Everything is copied before writ_start() returns;
 * lists end with NULL. Start from WRIT_REQUEST_INIT. Zero means default.
 */
typedef struct writ_request {
	size_t size;                 /* set by the initializer */
	const char *const *argv;     /* argv[0] is looked up in PATH */
	const char *shell;           /* or a text for /bin/sh -c */
	const char *cwd;             /* NULL: the caller's */
	const char *const *roots;    /* cwd must be beneath one of these;
					NULL: cwd is its own root */
	writ_env_mode env_mode;      /* where the environment starts */
	const char *const *env;      /* NAME=VALUE: set */
	const char *const *env_pass; /* globs of variables to pass as well */
	const char *const *env_drop; /* globs of variables to drop */
	writ_stdin_kind stdin_kind;  /* which of the next four applies */
	const void *stdin_data;      /* WRIT_STDIN_DATA */
	size_t stdin_len;            /* WRIT_STDIN_DATA */
	const char *stdin_path;      /* WRIT_STDIN_FILE; relative to cwd */
	int stdin_fd;                /* WRIT_STDIN_FD; not closed */
	uint64_t timeout_ms;         /* of the whole run; 0: none */
	uint64_t idle_timeout_ms;    /* without output; 0: none */
	uint64_t grace_ms;           /* from SIGTERM to SIGKILL */
	uint64_t output_limit;       /* bytes kept in memory, per stream */
	uint64_t spill_limit;        /* bytes in a spill file, per stream;
					WRIT_ZERO: no spill file */
	uint64_t max_output;         /* bytes, both streams; beyond it the
					run is ended. 0: none */
	uint64_t cpu_ms;             /* of the whole tree; 0: none */
	uint64_t memory;             /* bytes, of the whole tree; 0: none */
	uint64_t processes;          /* of the whole tree; 0: none */
	uint64_t open_files;         /* per process; 0: unchanged */
	uint64_t file_size;          /* per file; 0: none */
	unsigned umask;              /* WRIT_UMASK(022); 0: unchanged */
	int nice;                    /* added to the niceness */
	const char *user;            /* name or number; needs root */
	const char *group;           /* name or number; needs root */
	writ_background background;  /* what to do with background processes */
	writ_hold hold;              /* how the tree is contained */
	const char *trace_id;        /* copied to the result: 1 to 128
					printable ASCII characters; NULL:
					none */
	writ_output_fn on_output;    /* may be NULL */
	void *output_ctx;            /* first argument of on_output */
	const char *sandbox;         /* name of a profile, or its file if it
					has a '/'; NULL: the policy decides */
	const char *const *read;     /* more paths to read, ... */
	const char *const *write;    /* to write, ... */
	const char *const *hide;     /* or to hide, besides the profile's */
	writ_network network;        /* DEFAULT: from the profile */
	uint64_t tmp_size;           /* bytes in the private TMPDIR; beyond
					it the run is ended. 0: from the
					profile */
	bool best_effort;            /* go without layers that this machine
					lacks; the result lists them */
	bool explain_denials;        /* the result says what was denied */
	const char *agent;           /* name of the agent, as the caller
					claims. NULL: the policy's default
					agent */
	const char *const *secrets;  /* values that no record may show,
					anywhere in the request, besides
					those that the command's description
					names */
	uint64_t keep;               /* bytes of output to record with
					timing; 0: WRIT_DEFAULT_KEEP;
					WRIT_ZERO: none */
	const char *module;          /* id of the module that is called, for
					policies and the record. NULL: none,
					and the record has the module of the
					command */
	bool parse_json;             /* the result has the output as JSON */
	const char *approval;        /* the approval for exactly this request;
					NULL: none */
	const char *session;         /* session that an approval for a
					session is limited to; NULL: the
					caller's terminal session */
	bool pty;                    /* a terminal of its own as standard
					input, output and error; all output
					is WRIT_STDOUT */
	unsigned rows;               /* of that terminal; 0: 24 */
	unsigned columns;            /* 0: 80 */
	writ_caller caller;          /* trusted or not */
	bool is_module_trusted;      /* the module is not the project's: its
					id also matches in allow rules and
					tool lists, not only in deny rules */
	bool needs_approval;         /* the module requires approval, by a
					person or a rule, for each call */
	const char *description;     /* why, in the caller's words: recorded,
					and shown with a question; nothing
					is decided by it. At most 300
					bytes. NULL: not said */
	bool prefers_bash;           /* bash runs the text of shell, where
					there is one and no policy names the
					shell */
	const char *program;         /* the file to execute, absolute; argv[0]
					is then only what it is called, and
					judged as. NULL: argv[0] is looked
					up */
	struct writ_session *in_session; /* whose walls it shares: see
					    <writ/session.h>; NULL: none */
	bool wants_state; /* in a session, of `bash -c` or shell: the result
			     has the directory and the variables
			     that it left behind */
	const char *const *session_env; /* NAME=VALUE: variables that an
					   earlier run of the session left
					   behind. Not judged, not for a run
					   that gets more than the policy's
					   walls; env goes before them */
	writ_tmp tmp; /* where the private /tmp lies. DISK: a directory of the
			 state directory; its size is sampled. Of a run in a
			 session, the session says it */
	writ_undo undo;
	const char *const *hosts; /* hosts to reach, with the network DEFAULT
				     or HOSTS: docs/network.md has the forms.
				     NULL: those of the policy */
	bool stays; /* it is known to stay, as a server does: with undo AUTO it
		       works on the project itself from its start */
} writ_request;

/* clang-format off */
#define WRIT_REQUEST_INIT                                                    \
	{sizeof(writ_request), NULL, NULL, NULL, NULL, WRIT_ENV_MINIMAL, NULL, \
	 NULL, NULL, WRIT_STDIN_NULL, NULL, 0, NULL, -1, 0, 0, 0, 0, 0, 0, 0, 0, \
	 0, 0, 0, 0, 0, NULL, NULL, WRIT_BACKGROUND_KILL, WRIT_HOLD_AUTO, NULL,  \
	 NULL, NULL, NULL, NULL, NULL, NULL, WRIT_NETWORK_DEFAULT, 0, false,   \
	 false, NULL, NULL, 0, NULL, false, NULL, NULL, false, 0, 0,          \
	 WRIT_CALLER_UNTRUSTED, false, false, NULL, false, NULL, NULL, false, NULL, \
	 WRIT_TMP_DEFAULT, WRIT_UNDO_DEFAULT, NULL, false}
/* clang-format on */

/*
 * Runs a command and waits for it. Other runs of the same engine make progress
 * meanwhile.
 *
 * On WRIT_OK free *out_result with writ_result_free(). Otherwise it is
 * untouched, *err (unless NULL) says why, and nothing was left running.
 *
 * Fails with WRIT_E_DENIED (by the policy; *err says why), _APPROVAL (a person
 * has to agree first: writ/approval.h), _REFUSED (the approval that the request
 * names is for another request, or was denied), _INVALID (an invalid request, a
 * missing cwd), _NOTFOUND and _NOTEXEC (the program), _SANDBOX (a sandbox layer
 * or containment that is not available), _NOMEM, _SYSTEM; the last also, with
 * the stage "audit", if the run cannot be recorded and the setting
 * audit_failure is not "run".
 */
WRIT_API writ_status writ_run(writ_engine *engine, const writ_request *request,
    writ_result **out_result, writ_error *err);

/*
 * Starts a command and returns once its program was executed, or failed to;
 * fails like writ_run(). on_done is called from writ_engine_dispatch(), never
 * from here. *out_job (may be NULL) is borrowed and valid until on_done
 * returns.
 */
WRIT_API writ_status writ_start(writ_engine *engine,
    const writ_request *request, writ_done_fn on_done, void *ctx,
    writ_job **out_job, writ_error *err);

/*
 * Records something that failed before it could become a request, such as a
 * call with invalid arguments. request has what is known of it (module, agent,
 * trace_id), *error says why. The message must not show a secret, unless the
 * request lists it.
 */
WRIT_API void writ_refuse(
    writ_engine *engine, const writ_request *request, const writ_error *error);

/*
 * Ends a run: sends signal now, SIGKILL after the grace time. A second call
 * kills at once. The outcome is WRIT_CANCELLED, unless the run had already
 * ended; then only unread output is dropped.
 */
WRIT_API void writ_job_cancel(writ_job *job, int signal);

/* Sends a signal to every process of the run; does not end the run. */
WRIT_API void writ_job_signal(writ_job *job, int signal);

/* Reads a paused stream again. */
WRIT_API void writ_job_resume(writ_job *job, writ_stream stream);

/*
 * Writes to a WRIT_STDIN_PIPE or a terminal. Never blocks: *out_len is the
 * number of bytes taken, possibly 0; try again later for the rest. Fails with
 * WRIT_E_INVALID if the pipe is closed at either end.
 */
WRIT_API writ_status writ_job_write(
    writ_job *job, const void *bytes, size_t len, size_t *out_len);

/*
 * The same for input of an untrusted caller. The policy as it is now judges it
 * first, and an "input" record has its length and keyed hash. The request of
 * the run is evaluated again; an approval for it is still valid. If a shell
 * reads commands there, the input is evaluated as shell text, also together
 * with earlier input, up to 256 KiB in all. Another command may read it instead
 * of the shell; that cannot be known, and is left to the sandbox. All of it is
 * taken, or none: at most 64 KiB at once, and WRIT_E_SYSTEM with EAGAIN while
 * earlier input is unread. Fails with WRIT_E_DENIED, _APPROVAL (also if a
 * person would have to be asked), _INVALID.
 */
WRIT_API writ_status writ_job_input(
    writ_job *job, const void *bytes, size_t len, writ_error *err);

/* End of file for a WRIT_STDIN_PIPE; sends the end-of-file character to a
 * terminal. */
WRIT_API void writ_job_close_stdin(writ_job *job);

/* Resizes the terminal and signals the command. */
WRIT_API void writ_job_resize(writ_job *job, unsigned rows, unsigned columns);

/* Calls fn when the command is stopped. Without it a command stopped by
 * Ctrl-Z is continued at once, since nobody else could. */
WRIT_API void writ_job_on_stop(writ_job *job, writ_stop_fn fn, void *ctx);

/* Calls fn when only processes that the command left behind keep the run
 * going. */
WRIT_API void writ_job_on_background(
    writ_job *job, writ_background_fn fn, void *ctx);

/* Reads the output of a stream so far, like writ_result_read(): 0 bytes at
 * its current end. */
WRIT_API writ_status writ_job_read(const writ_job *job, writ_stream stream,
    uint64_t offset, void *buf, size_t len, size_t *out_len);

/* The number of bytes a stream has received so far. */
WRIT_API uint64_t writ_job_bytes(const writ_job *job, writ_stream stream);

/* The result so far, in the form of writ_result_json(): "outcome" is
 * "running", "exit_code" -1, unknown values null. Free *out_json with
 * free(). */
WRIT_API writ_status writ_job_json(
    const writ_job *job, char **out_json, size_t *out_len, writ_error *err);

/* The run id of the result. Borrowed. */
WRIT_API const char *writ_job_id(const writ_job *job);

WRIT_END_DECLS

#endif /* WRIT_RUN_H */
