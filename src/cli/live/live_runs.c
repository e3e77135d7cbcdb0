/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is known of the runs that are watched.
 */

#include "cli/live/live_runs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "data/json.h"

#define RECORD_MAX  ((size_t)32 << 20)
#define RECORD_DEEP 32
#define GROWTH      16

/* ---- one run ---- */

void
w_live_run_free(struct w_live_run *run)
{
	if (run == NULL)
		return;
	free(run->agent);
	free(run->door);
	free(run->command);
	free(run->program);
	free(run->cwd);
	free(run->sandbox);
	free(run->network);
	free(run->outcome);
	free(run->reason);
	free(run->denials);
	free(run->recording);
	free(run);
}

static bool
live_runs_copy_text(char **to, const char *text)
{
	*to = text == NULL ? NULL : strdup(text);
	return text == NULL || *to != NULL;
}

static bool
copy_texts(struct w_live_run *run, const writ_audit_run *from)
{
	return live_runs_copy_text(&run->agent, from->agent) &&
	       live_runs_copy_text(&run->door, from->door) &&
	       live_runs_copy_text(&run->command, from->command) &&
	       live_runs_copy_text(&run->program, from->program) &&
	       live_runs_copy_text(&run->cwd, from->cwd) &&
	       live_runs_copy_text(&run->sandbox, from->sandbox) &&
	       live_runs_copy_text(&run->outcome, from->outcome) &&
	       live_runs_copy_text(&run->recording, from->recording);
}

static struct w_json *
read_record(const char *record)
{
	const struct w_json_limits limits = {RECORD_MAX, RECORD_DEEP};
	struct w_json *json = NULL;

	if (record == NULL || w_json_read(record, strlen(record), &limits,
				  &json, NULL) != WRIT_OK)
		return NULL;
	return json;
}

static bool
copy_begin(struct w_live_run *run, const char *record)
{
	struct w_json *json = read_record(record);

	if (json == NULL)
		return true;
	yyjson_val *root = w_json_root(json);
	const bool is_done =
	    live_runs_copy_text(&run->network,
		yyjson_get_str(yyjson_ptr_get(root, "/sandbox/network"))) &&
	    live_runs_copy_text(&run->reason,
		yyjson_get_str(yyjson_ptr_get(root, "/error/message")));
	w_json_free(json);
	return is_done;
}

static bool
copy_end(struct w_live_run *run, const char *record)
{
	struct w_json *json = read_record(record);
	bool is_done = true;

	if (json == NULL)
		return true;
	yyjson_val *denials = yyjson_obj_get(w_json_root(json), "denials");
	run->denial_count = yyjson_arr_size(denials);
	if (run->denial_count > 0) {
		run->denials = yyjson_val_write(denials, 0, NULL);
		is_done = run->denials != NULL;
	}
	w_json_free(json);
	return is_done;
}

struct w_live_run *
w_live_run_copy(const writ_audit_run *run)
{
	struct w_live_run *copy = calloc(1, sizeof(*copy));

	if (copy == NULL)
		return NULL;
	(void)snprintf(copy->id, sizeof(copy->id), "%s", run->run_id);
	copy->state = run->state;
	copy->begin_us = run->begin_us;
	copy->end_us = run->end_us;
	copy->duration_ms = run->duration_ms;
	copy->pid = run->pid;
	copy->exit_code = run->exit_code;
	copy->signal = run->signal;
	if (copy_texts(copy, run) && copy_begin(copy, run->begin_json) &&
	    copy_end(copy, run->end_json))
		return copy;
	w_live_run_free(copy);
	return NULL;
}

bool
w_live_run_is_over(const struct w_live_run *run)
{
	return run->state == WRIT_RUN_ENDED || run->state == WRIT_RUN_REFUSED ||
	       run->state == WRIT_RUN_LOST;
}

void
w_live_run_add_state(struct w_buf *buf, const struct w_live_run *run)
{
	const char *signal_name = sigabbrev_np(run->signal);

	if (run->state != WRIT_RUN_ENDED && run->state != WRIT_RUN_REFUSED)
		w_buf_add_str(buf, writ_run_state_word(run->state));
	else if (run->outcome == NULL || strcmp(run->outcome, "exited") == 0)
		w_buf_add_fmt(buf, "exit %d", run->exit_code);
	else if (strcmp(run->outcome, "approval_required") == 0)
		w_buf_add_str(buf, "asked");
	else if (strcmp(run->outcome, "approval_refused") == 0)
		w_buf_add_str(buf, "refused");
	else if (strcmp(run->outcome, "signaled") == 0 && signal_name != NULL)
		w_buf_add_fmt(buf, "SIG%s", signal_name);
	else
		(void)w_printable_add(buf, run->outcome, 0);
}

static void
add_denial(struct w_buf *buf, yyjson_val *denial)
{
	const char *what = yyjson_get_str(yyjson_obj_get(denial, "what"));
	const char *path = yyjson_get_str(yyjson_obj_get(denial, "path"));
	const char *host = yyjson_get_str(yyjson_obj_get(denial, "host"));
	const char *wall = yyjson_get_str(yyjson_obj_get(denial, "wall"));
	const char *certainty =
	    yyjson_get_str(yyjson_obj_get(denial, "certainty"));

	w_buf_add_str(buf, "refused: ");
	(void)w_printable_add(buf, what == NULL ? "?" : what, 0);
	if (path != NULL || host != NULL) {
		w_buf_add_char(buf, ' ');
		(void)w_printable_add(buf, path != NULL ? path : host, 0);
	}
	if (wall != NULL) {
		w_buf_add_str(buf, " (");
		(void)w_printable_add(buf, wall, 0);
		if (certainty != NULL && strcmp(certainty, "guessed") == 0)
			w_buf_add_str(buf, ", guessed");
		w_buf_add_char(buf, ')');
	}
	w_buf_add_char(buf, '\n');
}

void
w_live_run_add_denials(struct w_buf *buf, const struct w_live_run *run)
{
	struct w_json *json = read_record(run->denials);
	size_t i;
	size_t count;
	yyjson_val *denial;

	if (run->reason != NULL) {
		w_buf_add_str(buf, "refused: ");
		(void)w_printable_add(buf, run->reason, 0);
		w_buf_add_char(buf, '\n');
	}
	if (json == NULL)
		return;
	yyjson_arr_foreach(w_json_root(json), i, count, denial)
	{
		add_denial(buf, denial);
	}
	w_json_free(json);
}

/* ---- all runs ---- */

void
w_live_runs_done(struct w_live_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		w_live_run_free(runs->running[i]);
	for (size_t i = 0; i < runs->ended_count; i++)
		w_live_run_free(runs->ended[i]);
	free(runs->running);
	*runs = (struct w_live_runs){.running = NULL};
}

static size_t
find_running(const struct w_live_runs *runs, const char *id)
{
	size_t i = 0;

	while (i < runs->count && strcmp(runs->running[i]->id, id) != 0)
		i++;
	return i;
}

struct w_live_run *
w_live_runs_find(const struct w_live_runs *runs, const char *id)
{
	const size_t at = find_running(runs, id);

	if (at < runs->count)
		return runs->running[at];
	for (size_t i = 0; i < runs->ended_count; i++) {
		if (strcmp(runs->ended[i]->id, id) == 0)
			return runs->ended[i];
	}
	return NULL;
}

static uint64_t
over_us(const struct w_live_run *run)
{
	return run->end_us != 0 ? run->end_us : run->begin_us;
}

/* Each has its place by the time of its end. */
static void
put_ended(struct w_live_runs *runs, struct w_live_run *run)
{
	size_t at = 0;

	for (size_t i = 0; i < runs->ended_count; i++) {
		if (strcmp(runs->ended[i]->id, run->id) != 0)
			continue;
		w_live_run_free(runs->ended[i]);
		runs->ended[i] = run;
		return;
	}
	if (runs->ended_count == W_LIVE_ENDED_MAX)
		w_live_run_free(runs->ended[--runs->ended_count]);
	while (
	    at < runs->ended_count && over_us(runs->ended[at]) > over_us(run))
		at++;
	memmove(runs->ended + at + 1, runs->ended + at,
	    (runs->ended_count++ - at) * sizeof(struct w_live_run *));
	runs->ended[at] = run;
}

static bool
live_runs_grow(struct w_live_runs *runs)
{
	if (runs->count < runs->cap)
		return true;
	struct w_live_run **grown =
	    reallocarray(runs->running, runs->cap + GROWTH, sizeof(*grown));
	if (grown == NULL)
		return false;
	runs->running = grown;
	runs->cap += GROWTH;
	return true;
}

bool
w_live_runs_put(struct w_live_runs *runs, struct w_live_run *run)
{
	const size_t at = find_running(runs, run->id);
	const bool is_known = at < runs->count;

	if (is_known)
		w_live_run_free(runs->running[at]);
	if (w_live_run_is_over(run)) {
		if (is_known)
			memmove(runs->running + at, runs->running + at + 1,
			    (--runs->count - at) * sizeof(struct w_live_run *));
		put_ended(runs, run);
	} else if (is_known) {
		runs->running[at] = run;
	} else if (live_runs_grow(runs)) {
		runs->running[runs->count++] = run;
	} else {
		w_live_run_free(run);
		return false;
	}
	return true;
}
