/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_H
#define W_RUN_RUN_H

#include <writ/run.h>

#include "base/sha256.h"
#include "log/recording/recording.h"
#include "run/denials/denials.h"
#include "run/execs/notices.h"
#include "run/hosts/run_hosts.h"
#include "run/launch/launch.h"
#include "run/resolve/prepare.h"
#include "run/result/run_result.h"
#include "run/streams/input.h"
#include "run/streams/stream.h"
#include "undo/change_owner.h"
#include "undo/staying_run.h"

/* A helper that stays as the parent of background processes, or that only has
 * to exit after its run. */
struct w_detached_helper {
	struct w_source source;
	struct w_child child;
	struct w_runner *runner;
	struct w_detached_helper *next;
	bool is_leaving; /* no process is left below it: it only has to exit */
};

/* The recorder of runs. Called only for runs with has_begun. */
struct w_run_listener {
	void *ctx;
	/* The result is complete except for what the record adds to it. */
	void (*on_end)(void *ctx, struct w_run_result *storage);
	/* It was killed without a result: the engine is freed. */
	void (*on_abandon)(void *ctx, const char *run_id);
};

/* What all runs of an engine share. */
struct w_runner {
	struct w_run_listener listener;
	struct w_loop loop;
	struct w_launcher launcher;
	const char *spill_dir;  /* borrowed; NULL: no spilling */
	const char *output_dir; /* borrowed; for recordings; NULL: none */
	uint64_t keep_default;  /* bytes, for requests that do not set it */
	const char *state_dir;  /* borrowed; set before a run has a sandbox */
	/* Of what runs on a layer replaced. */
	uint64_t undo_bytes_max;
	uint64_t undo_age_ms;
	bool is_session; /* its runs are a session's as long as it lives */
	struct w_undo_owner owner;
	const char *profile_dirs[3]; /* borrowed; the same; NULL-ended */
	char *read_buf;              /* W_STREAM_READ_MAX */
	int spare_fd;                /* for the next recording; -1: none */
	bool has_recorded; /* a run has recorded, so the next one may, too */
	struct writ_job *live; /* doubly linked */
	size_t live_count;
	struct writ_session *sessions; /* open ones; doubly linked */
	struct writ_session *closed;   /* to be freed after the dispatch */
	struct writ_job *dead; /* ended, to be freed after the dispatch */
	struct w_detached_helper *detached;
	uint32_t missing; /* layers that best effort had to leave out */
	w_left_state_risky_fn is_risky_variable;
	struct w_trigger_cache *trigger_cache; /* NULL: nothing was searched */
};

writ_status w_runner_init(struct w_runner *runner, writ_error *err);

/* Kills every live run, without callbacks. */
void w_runner_done(struct w_runner *runner);

writ_status w_runner_dispatch(
    struct w_runner *runner, int timeout_ms, writ_error *err);

/*
 * A run.
 *
 *     running --command ended--> leaving --tree gone--> draining --> done
 *        |                          ^
 *        +--deadline, cancel, limit-+ (signal; SIGKILL after the grace)
 *
 * Invariants
 *  1. A run is in runner->live from its start until its result is delivered.
 *  2. cause is set once, by whatever ended the run first.
 *  3. is_tree_gone is set when the kernel or the helper reports it; under
 *     W_TREE_BY_CALLER when the command itself has ended.
 *  4. For a run with has_begun the listener is called exactly once, after all
 *     its processes have ended; unless its start failed, as the caller knows.
 *  5. The result is delivered when the command's end is known, the tree is gone
 *     and both streams are closed; each of these waits is bounded.
 */
struct writ_job {
	struct w_runner *runner;
	struct writ_job *next;
	struct writ_job *prev;
	writ_request request; /* checked. The caller may free what it points
				 to: strings that are needed later are copied
				 into storage */
	writ_done_fn on_done;
	void *done_ctx;
	void *note; /* of the layer above: the engine's job context, or NULL */
	void (*free_note)(void *note);
	struct w_run_result *storage;
	char *scratch;
	struct writ_session *session;      /* NULL: none, or it is closed */
	char state_file[W_STATE_FILE_MAX]; /* see struct w_prepared */
	struct w_words state_env;          /* what its shell started with */
	struct w_staying_run staying;
	const char *layer_lack;              /* see struct w_run_found */
	const char *layer_hint;              /* NULL: none; constant */
	struct w_run_sandbox *sandbox;       /* a reference; NULL: no sandbox */
	struct w_denials *denials;           /* NULL: not requested */
	struct w_execve_watch *execve_watch; /* NULL: programs are not judged */
	struct w_notices *notices;           /* of both; NULL: neither */
	enum w_trigger_reach reach; /* where it may have changed triggers */
	struct timespec since;      /* CLOCK_REALTIME_COARSE */
	struct w_settings_copy *settings; /* NULL: none */
	int scratch_fd; /* the same, to measure its size; -1: not needed */
	int tmp_fd;     /* a private file system for TMPDIR; -1: none */
	struct w_session_walls *own_walls; /* as in struct w_prepared */
	struct w_run_hosts own_hosts;      /* of a run in no session */
	uint64_t tmp_before;               /* bytes on disk when it began */
	uint64_t home_before;              /* and in the layer over HOME */

	struct w_tree tree;
	struct w_source child;  /* readable: our child has ended */
	struct w_source socket; /* readable: the helper has sent an event */
	struct w_source events; /* changed: the group may be empty */
	int events_fd;
	struct w_input input;
	struct w_pty pty;  /* -1 each: pipes are used */
	int write_ends[2]; /* of the pipes, until the command has them; else -1
			    */
	writ_stop_fn on_stop;
	void *stop_ctx;
	writ_background_fn on_background;
	void *background_ctx;
	struct w_stream streams[2];
	struct w_sha256 sums[2];      /* of each stream, for the record */
	struct w_recording recording; /* of both */

	struct w_timer deadline;
	struct w_timer idle;
	struct w_timer force; /* the grace period is over, or killing failed */
	struct w_timer drain; /* streams that are still open are closed */
	struct w_timer sample;
	struct w_timer recheck; /* reads a group again after a failure */

	uint64_t start_ns;
	uint64_t output_ns; /* when output last came */
	uint64_t output_bytes;
	uint64_t grace_left_ms; /* when the timer force fires */
	struct w_child_exit ended;
	bool has_begun; /* its start is recorded, so its end must be */
	bool is_command_ended;
	bool is_tree_gone;
	bool is_drain_over;
	bool waits;       /* for processes that the command leaves behind */
	bool is_cut;      /* the rest of the output is not wanted */
	bool is_ending;   /* cause and limit say why */
	bool hangs_up;    /* SIGHUP is sent as well */
	bool is_given_up; /* the tree would not end */
	unsigned forced;  /* how often SIGKILL was sent */
	unsigned looks;   /* at a group after it was killed */
	writ_outcome cause;
	writ_limit limit;
	writ_limit met;          /* checked when the tree was gone */
	uint64_t default_memory; /* see struct w_prepared */
	unsigned counts; /* what control groups counted: W_COUNTS_ mask */
	unsigned killed;
	unsigned background;
};

/*
 * From a prepared request to a live run. engine/start.c goes through these
 * steps, with the record in between; the steps before them are in prepare.h.
 */

/* The runner's part of what the steps in prepare.h need. */
struct w_prepare_context w_runner_context(struct w_runner *runner);

/* Call before each attempt to start a run. */
writ_status w_runner_reserve(struct w_runner *runner, writ_error *err);

/* Removes the cause of a failed start if that is possible: a file of the
 * sandbox was replaced meanwhile, or best effort can drop a layer. Returns
 * whether to try again. *has_looked_again belongs to this start and is false at
 * first. */
bool w_runner_prepare_retry(struct w_runner *runner,
    const writ_request *request, writ_status status, bool *has_looked_again);

/* Creates a run without a process. It takes the sandbox of prepared. */
writ_status w_run_new(struct w_runner *runner, const writ_request *request,
    struct w_prepared *prepared, struct writ_job **out_job, writ_error *err);

/* Opens its streams. */
writ_status w_run_open(
    struct writ_job *job, const struct w_prepared *prepared, writ_error *err);

/* Starts the command. The run is then in runner->live, and ends by itself. */
writ_status w_run_launch(
    struct writ_job *job, struct w_prepared *prepared, writ_error *err);

void w_run_cancel(struct writ_job *job, int sig);
void w_run_resume(struct writ_job *job, writ_stream stream);

/* Kills a run and frees it, without a callback. */
void w_run_abandon(struct writ_job *job);

/* For run_start.c: the callbacks of a run's sources and timers. */
void w_run_set_callbacks(struct writ_job *job);

/* For run.c: turns an ended run into its result. */
writ_result *w_run_make_result(struct writ_job *job);

/*
 * The result of a live run so far. Borrowed from the job, except for head and
 * tail of its streams: free them with w_run_snapshot_done(). false: no memory.
 */
bool w_run_snapshot(const struct writ_job *job, writ_result *out);
void w_run_snapshot_done(writ_result *look);

/* run_limits.c: the limit that a live run exceeds now, or that an ended one had
 * met; or WRIT_LIMIT_NONE. */
writ_limit w_run_limit_now(struct writ_job *job);
/* The time between two looks; 0: none is needed. */
uint64_t w_run_sample_ms(const struct writ_job *job);
writ_limit w_run_limit_met(struct writ_job *job);

/* Releases everything a job owns. */
void w_run_free(struct writ_job *job);

#endif /* W_RUN_RUN_H */
