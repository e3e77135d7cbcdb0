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
 * Run a command, bounded, with nothing left behind.
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
 * Two kinds of failure stay apart. A negative status means that the command
 * did not run: not found, no such directory, a bad request. WRIT_OK means it
 * ran; how it ended is in the result, and a non-zero exit is no error here.
 *
 * When a run has ended, however it ended, no process of its tree is alive
 * (see writ_tree for how sure that is), except under WRIT_BACKGROUND_KEEP.
 */

/* Where the command's environment starts from; see writ-run(1). */
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
	WRIT_STDIN_FD,   /* stdin_fd itself: a file, a pipe, a socket */
	WRIT_STDIN_PIPE, /* what writ_job_write() is given */
} writ_stdin_kind;

#define WRIT_BACKGROUND_MAP(X) \
	X(KILL, "kill")        \
	X(KEEP, "keep")

typedef enum writ_background {
#define X(name, word) WRIT_BACKGROUND_##name,
	WRIT_BACKGROUND_MAP(X)
#undef X
} writ_background;

/*
 * How the tree is held. AUTO takes the best this machine offers and the
 * result says what it was. CGROUP and PIDNS are refused (WRIT_E_SANDBOX)
 * where they cannot be had. KEEPER is best effort and lets set-user-ID
 * programs work for an ordinary user. CALLER holds nothing: only the command
 * itself is waited for and signalled.
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

/* What of the network a confined command reaches; DEFAULT: as its profile
 * says. */
#define WRIT_NETWORK_MAP(X)     \
	X(DEFAULT, "default")   \
	X(OFF, "off")           \
	X(LOOPBACK, "loopback") \
	X(HOST, "host")

typedef enum writ_network {
#define X(name, word) WRIT_NETWORK_##name,
	WRIT_NETWORK_MAP(X)
#undef X
} writ_network;

/* Really zero, for the members where 0 stands for the default. */
#define WRIT_ZERO UINT64_MAX

/* Sets the member umask; plain 0 leaves the umask as it is. */
#define WRIT_UMASK(mode)          (0x10000U | (unsigned)(mode))

#define WRIT_DEFAULT_GRACE_MS     UINT64_C(5000)
#define WRIT_DEFAULT_OUTPUT_LIMIT (UINT64_C(1) << 20)
#define WRIT_DEFAULT_JSON_LIMIT   (UINT64_C(16) << 20) /* with parse_json */
#define WRIT_DEFAULT_SPILL_LIMIT  (UINT64_C(1) << 30)
#define WRIT_DEFAULT_KEEP         (UINT64_C(1) << 20)

typedef struct writ_job writ_job;

/*
 * Called with output as it comes. Return 0 to go on, 1 to pause this stream
 * until writ_job_resume(); the bytes handed over are consumed either way. A
 * run does not end while one of its streams is paused, so that nothing is
 * lost; writ_job_cancel() gives the rest up once the processes are gone.
 * The callback may cancel, signal, write and resume; it must not free the
 * engine or dispatch it.
 */
typedef int (*writ_output_fn)(void *ctx, writ_job *job, writ_stream stream,
    const char *bytes, size_t len);

/* Called when the command was stopped, by Ctrl-Z (SIGTSTP) or otherwise, in a
 * terminal that somebody sits at. writ_job_signal() with SIGCONT lets it go
 * on. */
typedef void (*writ_stop_fn)(void *ctx, writ_job *job, int signal);

/* Called once when a run has ended. The result is yours; the job is gone when
 * the callback returns. It may start further runs. */
typedef void (*writ_done_fn)(void *ctx, writ_job *job, writ_result *result);

/*
 * Who the caller is. The program in front of the engine knows and sets it; no
 * file and no message can. The options of a trusted caller (a person at the
 * command line) are taken as they are. Any other caller gets at least the walls
 * of the policy, and every request for more is a question.
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
	const char *shell;           /* or a string for /bin/sh -c */
	const char *cwd;             /* NULL: the caller's */
	const char *const *roots;    /* cwd must lie beneath one of these;
					NULL: cwd is its own root */
	writ_env_mode env_mode;      /* where the environment starts */
	const char *const *env;      /* NAME=VALUE: set */
	const char *const *env_pass; /* globs of names to pass on too */
	const char *const *env_drop; /* globs of names to leave out */
	writ_stdin_kind stdin_kind;  /* which of the next four counts */
	const void *stdin_data;      /* WRIT_STDIN_DATA */
	size_t stdin_len;            /* WRIT_STDIN_DATA */
	const char *stdin_path;      /* WRIT_STDIN_FILE; relative to cwd */
	int stdin_fd;                /* WRIT_STDIN_FD; stays yours */
	uint64_t timeout_ms;         /* whole run; 0: none */
	uint64_t idle_timeout_ms;    /* without output; 0: none */
	uint64_t grace_ms;           /* from SIGTERM to SIGKILL */
	uint64_t output_limit;       /* bytes kept in memory, per stream */
	uint64_t spill_limit;        /* bytes in a spill file, per stream;
					WRIT_ZERO: no spill file */
	uint64_t max_output;         /* both streams; beyond it the run is
					ended. 0: none */
	uint64_t cpu_ms;             /* of the whole tree; 0: none */
	uint64_t memory;             /* bytes, of the whole tree; 0: none */
	uint64_t processes;          /* of the whole tree; 0: none */
	uint64_t open_files;         /* per process; 0: as it is */
	uint64_t file_size;          /* per file; 0: none */
	unsigned umask;              /* WRIT_UMASK(022); 0: as it is */
	int nice;                    /* added to the niceness */
	const char *user;            /* name or number; needs root */
	const char *group;           /* name or number; needs root */
	writ_background background;  /* what becomes of background jobs */
	writ_hold hold;              /* how the tree is held */
	const char *trace_id;        /* given back in the result */
	writ_output_fn on_output;    /* may be NULL */
	void *output_ctx;            /* first argument of on_output */
	const char *sandbox;         /* a profile's name, or its file with a
					'/' in it; NULL: as the policy says */
	const char *const *read;     /* further paths to read, ... */
	const char *const *write;    /* to write, ... */
	const char *const *hide;     /* or to hide, on top of the profile's */
	writ_network network;        /* DEFAULT: as the profile says */
	uint64_t tmp_size;           /* bytes in the private TMPDIR; beyond it
					the run is ended. 0: the profile's */
	bool best_effort;            /* do without layers that this machine
					lacks; the result lists them */
	bool explain_denials;        /* the result says what was refused */
	const char *agent;           /* who asks, as the caller claims. NULL:
					the policy's default agent */
	const char *const *secrets;  /* values that no record may show, wherever
					in the request they stand, besides what
					the command's description says */
	uint64_t keep;               /* bytes of output kept with its timing;
					0: WRIT_DEFAULT_KEEP; WRIT_ZERO: none */
	const char *module;          /* id of the module that this is a call of;
					policies know it by this name, and it
					goes into the record. NULL: none, and
					the record has that of the command */
	bool parse_json;             /* the result has the output as JSON */
	const char *approval;        /* the approval for exactly this request;
					NULL: none */
	const char *session;         /* of what an approval for a session holds
					for; NULL: the caller's terminal
					session */
	bool pty;                    /* a terminal of its own: its standard
					input, output and error; all output is
					that of WRIT_STDOUT */
	unsigned rows;               /* of that terminal; 0: 24 */
	unsigned columns;            /* 0: 80 */
	writ_caller caller;          /* trusted or not */
	bool is_module_trusted;      /* the module is not the project's: rules
					that allow and lists of tools mean it by
					its id too, not only those that deny */
	bool needs_approval;         /* the module says that a person or a rule
					has to agree to each call */
} writ_request;

/* clang-format off */
#define WRIT_REQUEST_INIT                                                    \
	{sizeof(writ_request), NULL, NULL, NULL, NULL, WRIT_ENV_MINIMAL, NULL, \
	 NULL, NULL, WRIT_STDIN_NULL, NULL, 0, NULL, -1, 0, 0, 0, 0, 0, 0, 0, 0, \
	 0, 0, 0, 0, 0, NULL, NULL, WRIT_BACKGROUND_KILL, WRIT_HOLD_AUTO, NULL,  \
	 NULL, NULL, NULL, NULL, NULL, NULL, WRIT_NETWORK_DEFAULT, 0, false,   \
	 false, NULL, NULL, 0, NULL, false, NULL, NULL, false, 0, 0,          \
	 WRIT_CALLER_UNTRUSTED, false, false}
/* clang-format on */

/*
 * Runs a command and waits for it. Other runs of the same engine make
 * progress meanwhile.
 *
 * On WRIT_OK *out_result is yours; free it with writ_result_free(). Otherwise
 * it is untouched, *err (unless NULL) says why, and nothing was left running.
 *
 * Fails with WRIT_E_DENIED (the policy says no, and *err why), _APPROVAL (a
 * person has to agree first: writ/approval.h), _REFUSED (the approval that the
 * request names is not one for it, or was not given), _INVALID (a bad request,
 * a missing cwd), _NOTFOUND and _NOTEXEC (the program), _SANDBOX (a wall or a
 * hold that cannot be had), _NOMEM, _SYSTEM; the last also, with the stage
 * "audit", when the run cannot be recorded and the setting audit_failure does
 * not say "run".
 */
WRIT_API writ_status writ_run(writ_engine *engine, const writ_request *request,
    writ_result **out_result, writ_error *err);

/*
 * Starts a command and returns once it has reached its program, or has not;
 * fails like writ_run(). on_done is called from writ_engine_dispatch(), never
 * from here. *out_job (may be NULL) is borrowed and valid until on_done
 * returns.
 */
WRIT_API writ_status writ_start(writ_engine *engine,
    const writ_request *request, writ_done_fn on_done, void *ctx,
    writ_job **out_job, writ_error *err);

/*
 * Leaves the record of what was refused before it could become a request: a
 * call whose arguments are not in order, say. request has what is known of it
 * (module, agent, trace_id), *error says why; neither is changed. What it says
 * must not show a secret, unless the request lists that.
 */
WRIT_API void writ_refuse(
    writ_engine *engine, const writ_request *request, const writ_error *error);

/*
 * Ends a run: signal now, SIGKILL after the grace time. A second call kills
 * at once. The outcome is WRIT_CANCELLED, unless the run had ended already;
 * then only what is still to be read of its output is given up.
 */
WRIT_API void writ_job_cancel(writ_job *job, int signal);

/* Sends a signal to every process of the run, and does not end it. */
WRIT_API void writ_job_signal(writ_job *job, int signal);

/* Reads a paused stream again. */
WRIT_API void writ_job_resume(writ_job *job, writ_stream stream);

/*
 * Gives bytes to a WRIT_STDIN_PIPE or to a terminal. Never blocks: *out_len
 * says how many were taken, possibly 0; try again later for the rest. Fails
 * with WRIT_E_INVALID when the pipe is closed at either end.
 */
WRIT_API writ_status writ_job_write(
    writ_job *job, const void *bytes, size_t len, size_t *out_len);

/*
 * The same for what somebody else says who may not say everything: the policy
 * as it is now judges it first, and a record of the kind "input" has how much
 * it was and its keyed hash. The request of the run is judged again; an
 * approval for it still holds. Where a shell reads its commands there, what it
 * is given is judged as a text for a shell, also together with what it was
 * given before, 256 KiB in all; that another command may read it instead
 * cannot be known, and is what the walls are for. All of it is taken, or none:
 * at most 64 KiB at once, and WRIT_E_SYSTEM with EAGAIN when the command does
 * not read what there is already. Fails with WRIT_E_DENIED, _APPROVAL (also
 * where a person would have to be asked), _INVALID.
 */
WRIT_API writ_status writ_job_input(
    writ_job *job, const void *bytes, size_t len, writ_error *err);

/* End of file for a WRIT_STDIN_PIPE; for a terminal, the character that means
 * it. */
WRIT_API void writ_job_close_stdin(writ_job *job);

/* Changes the size of its terminal, and lets the command know. */
WRIT_API void writ_job_resize(writ_job *job, unsigned rows, unsigned columns);

/* Has fn called when the command is stopped. Without it a command that Ctrl-Z
 * stops goes on at once, since nobody could let it. */
WRIT_API void writ_job_on_stop(writ_job *job, writ_stop_fn fn, void *ctx);

/* Reads what a stream has brought so far, like writ_result_read(): 0 bytes at
 * its present end. */
WRIT_API writ_status writ_job_read(const writ_job *job, writ_stream stream,
    uint64_t offset, void *buf, size_t len, size_t *out_len);

/* How many bytes a stream has brought so far. */
WRIT_API uint64_t writ_job_bytes(const writ_job *job, writ_stream stream);

/* The result so far, as writ_result_json() will have it: "outcome" is
 * "running", "exit_code" -1, what is not known yet null. *out_json is yours:
 * free(). */
WRIT_API writ_status writ_job_json(
    const writ_job *job, char **out_json, size_t *out_len, writ_error *err);

/* The id that the result will carry. Borrowed. */
WRIT_API const char *writ_job_id(const writ_job *job);

WRIT_END_DECLS

#endif /* WRIT_RUN_H */
