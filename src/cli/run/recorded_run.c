/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs of other processes, read from the audit trail.
 */

#include "cli/run/recorded_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/error.h"
#include "cli/options/options.h"

enum {
	EXIT_UNKNOWN = 125,
	EXIT_BY_SIGNAL = 128
};

void
w_recorded_run_done(struct w_recorded_run *recorded)
{
	free(recorded->recording);
	free(recorded->begin_json);
	free(recorded->end_json);
	*recorded = (struct w_recorded_run){.pid = 0};
}

writ_status
w_recorded_runs_open(
    const char *state_dir, writ_audit **out_audit, writ_error *err)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;

	options.state_dir = state_dir;
	return writ_audit_open(&options, out_audit, err);
}

void
w_recorded_runs_close(writ_audit **audit)
{
	writ_audit_free(*audit);
	*audit = NULL;
}

writ_status
w_recorded_run_unnamed(const struct w_cli_command *command, writ_error *err)
{
	return w_usage_fail(command, err,
	    "say which RUN: an id, the beginning of one, or '-' for the "
	    "newest");
}

struct copying {
	struct w_recorded_run recorded;
	bool is_short_of_memory;
};

static char *
recorded_run_copy_text(struct copying *copying, const char *text)
{
	char *copy = text == NULL ? NULL : strdup(text);

	if (text != NULL && copy == NULL)
		copying->is_short_of_memory = true;
	return copy;
}

static bool
copy_run(void *ctx, const writ_audit_run *run)
{
	struct copying *copying = ctx;
	struct w_recorded_run *recorded = &copying->recorded;

	recorded->state = run->state;
	recorded->exit_code = run->exit_code;
	recorded->signal = run->signal;
	recorded->pid = run->pid;
	recorded->is_served =
	    run->door != NULL && strcmp(run->door, "mcp") == 0;
	recorded->duration_ms = run->duration_ms;
	recorded->out_bytes[0] = run->out_bytes[0];
	recorded->out_bytes[1] = run->out_bytes[1];
	(void)snprintf(recorded->id, sizeof(recorded->id), "%s", run->run_id);
	(void)snprintf(recorded->outcome, sizeof(recorded->outcome), "%s",
	    run->outcome == NULL ? "" : run->outcome);
	recorded->recording = recorded_run_copy_text(copying, run->recording);
	recorded->begin_json = recorded_run_copy_text(copying, run->begin_json);
	recorded->end_json = recorded_run_copy_text(copying, run->end_json);
	return false;
}

writ_status
w_recorded_run_find(writ_audit *audit, const char *word,
    struct w_recorded_run *recorded, writ_error *err)
{
	struct copying copying = {.is_short_of_memory = false};
	writ_status status =
	    writ_audit_find(audit, word, copy_run, &copying, err);

	if (status == WRIT_OK && copying.is_short_of_memory)
		status = w_fail_nomem(err, "runs");
	if (status != WRIT_OK) {
		w_recorded_run_done(&copying.recorded);
		return status;
	}
	w_recorded_run_done(recorded);
	*recorded = copying.recorded;
	return WRIT_OK;
}

bool
w_recorded_run_is_over(const struct w_recorded_run *recorded)
{
	return recorded->state == WRIT_RUN_ENDED ||
	       recorded->state == WRIT_RUN_REFUSED ||
	       recorded->state == WRIT_RUN_LOST;
}

static bool
find_outcome(const char *word, writ_outcome *out_outcome)
{
	static const char *const words[] = {
#define X(name, outcome_word) [WRIT_##name] = (outcome_word),
	    WRIT_OUTCOME_MAP(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) == 0) {
			*out_outcome = (writ_outcome)i;
			return true;
		}
	}
	return false;
}

/* The outcome of a run that did not start is its error code. */
static int
exit_of_error(const char *word)
{
	static const struct {
		const char *word;
		int exit_status;
	} rows[] = {
#define X(name, value, status_word, exit_code, text) {status_word, exit_code},
	    WRIT_STATUS_MAP(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].exit_status;
	}
	return EXIT_UNKNOWN;
}

int
w_recorded_run_exit(const struct w_recorded_run *recorded)
{
	writ_result result = {
	    .exit_code = recorded->exit_code,
	    .signal = recorded->signal,
	    .status_known = recorded->exit_code >= 0 || recorded->signal != 0,
	};

	if (recorded->state != WRIT_RUN_ENDED &&
	    recorded->state != WRIT_RUN_REFUSED)
		return EXIT_UNKNOWN;
	if (!find_outcome(recorded->outcome, &result.outcome))
		return exit_of_error(recorded->outcome);
	/* A command that handles SIGTERM and exits was cancelled all the same.
	 */
	if (result.outcome == WRIT_CANCELLED && recorded->signal == 0)
		return EXIT_BY_SIGNAL + SIGTERM;
	return writ_result_exit(&result);
}

static void
add_ended(struct w_buf *buf, const struct w_recorded_run *recorded)
{
	char took[W_DURATION_TEXT_MAX];
	writ_outcome outcome = WRIT_EXITED;

	w_duration_format(recorded->duration_ms, took);
	if (!find_outcome(recorded->outcome, &outcome)) {
		w_buf_add_fmt(buf, "did not start: %s", recorded->outcome);
		return;
	}
	if (outcome == WRIT_EXITED)
		w_buf_add_fmt(buf, "exited with %d", recorded->exit_code);
	else
		w_buf_add_str(buf, recorded->outcome);
	const char *signal_name = sigabbrev_np(recorded->signal);
	if (signal_name != NULL)
		w_buf_add_fmt(buf, " by SIG%s", signal_name);
	else if (recorded->signal != 0)
		w_buf_add_fmt(buf, " by signal %d", recorded->signal);
	w_buf_add_fmt(buf, " after %s", took);
}

void
w_recorded_run_add_end(struct w_buf *buf, const struct w_recorded_run *recorded)
{
	switch (recorded->state) {
	case WRIT_RUN_ENDED:
		add_ended(buf, recorded);
		break;
	case WRIT_RUN_REFUSED:
		w_buf_add_fmt(buf, "was refused: %s", recorded->outcome);
		break;
	case WRIT_RUN_LOST:
		w_buf_add_str(buf, "was lost: the process that ran it is gone "
				   "and left no record of its end");
		break;
	case WRIT_RUN_RUNNING:
		w_buf_add_str(buf, "is running");
		break;
	case WRIT_RUN_UNKNOWN:
		w_buf_add_str(buf, "may be running: it is in another pid "
				   "namespace");
		break;
	}
}
