/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EXEC_RESOURCE_H
#define W_MANIFEST_EXEC_RESOURCE_H

#include <writ/run.h>

#include "manifest/apply/property_fill.h"

/*
 * One step of an exec resource:
 *
 *   fill in    exec_fill.c      the deferred properties
 *   decide     exec_decide.c    subscribe, creates, removes, refreshonly,
 *                               onlyif, unless: the cheapest first
 *   run        exec_run.c       tries, exit codes, the desired state
 *   report     exec_status.c    the state as JSON
 *
 * Functions that may fail return false; then the step has the error, is out of
 * memory, or was interrupted.
 */
struct w_exec_step {
	struct w_resource_step *step;
	const struct w_exec_resource *exec;

	/* Filled in. */
	struct w_filled_command command;
	struct w_filled_command refresh; /* neither argv nor shell: none */
	struct w_filled_text cwd;
	struct w_filled_text input;
	const char *const *env; /* with PATH */
	const char *const *env_shown;
	const char *const *creates; /* NULL-ended; NULL: none */
	const char *const *creates_shown;
	const char *const *removes;
	const char *const *removes_shown;
	struct w_filled_command *onlyif; /* as many as the resource has */
	struct w_filled_command *unless;
	const char *const *secrets; /* for the request */

	/* Decided. */
	bool is_wanted;   /* it runs, or would */
	bool is_refresh;  /* a subscribed resource changed */
	const char *owed; /* since when a refresh is owed that no change of this
			   * session explains; NULL: none */
	bool creates_satisfied;
	bool onlyif_satisfied;
	bool unless_satisfied;

	/* The outcome. */
	bool has_run;
	bool has_exited; /* by itself, with any code */
	bool is_allowed; /* exit code is one of returns */
	int exit_code;   /* -1: none */
	int signal;      /* 0: none */
	const char *outcome;
	unsigned tries;
	const char *out[2]; /* tail of a failed one's output; NULL: none */
	size_t out_len[2];
};

/* The whole step; completes the event except for its times. */
void w_exec_apply(struct w_resource_step *step);

bool w_exec_fill(struct w_exec_step *x);
bool w_exec_decide(struct w_exec_step *x);
bool w_exec_run(struct w_exec_step *x);

/* Sets status and properties of the event. */
void w_exec_report(struct w_exec_step *x);

/* Builds a request for one of its commands, with the common settings. */
void w_exec_request(const struct w_exec_step *x,
    const struct w_filled_command *command, writ_request *out_request);

/* ---- guards ---- */

/* Whether all, or any, of the paths exist. */
bool w_guard_has_all(
    struct w_exec_step *x, const char *const *paths, bool *out_holds);
bool w_guard_has_any(
    struct w_exec_step *x, const char *const *paths, bool *out_holds);

/* The result of a guard's command. */
enum w_guard_answer {
	W_GUARD_NO,
	W_GUARD_YES,
	W_GUARD_UNKNOWN, /* noop, and no sandbox is available here */
};
bool w_guard_run(struct w_exec_step *x, const char *kind,
    const struct w_filled_command *command, enum w_guard_answer *out_answer);

/* How a run ended that did not exit: "timed out after 1s". */
const char *w_exec_ending(
    struct w_resource_step *step, const writ_result *result);

/* The default environment of commands. NULL-ended. */
extern const char *const w_exec_plain_env[];

/* Makes a request read-only, but with the same view of the system. */
void w_exec_confine(writ_request *request);

#endif /* W_MANIFEST_EXEC_RESOURCE_H */
