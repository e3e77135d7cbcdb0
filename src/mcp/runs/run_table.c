/* SPDX-License-Identifier: Apache-2.0 */

/* The lists of runs: which run is in which, who may see it, when it is
 * freed. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/approval/approver.h"
#include "mcp/runs/run_table_state.h"

static void
unlink_run(struct w_mcp_run *run)
{
	struct w_mcp_run_list *list = run->list;

	if (list == NULL)
		return;
	*(run->prev == NULL ? &list->first : &run->prev->next) = run->next;
	*(run->next == NULL ? &list->last : &run->next->prev) = run->prev;
	list->count--;
	run->list = NULL;
	run->next = NULL;
	run->prev = NULL;
}

void
w_mcp_run_move(struct w_mcp_run *run, struct w_mcp_run_list *list)
{
	unlink_run(run);
	run->prev = list->last;
	*(list->last == NULL ? &list->first : &list->last->next) = run;
	list->last = run;
	list->count++;
	run->list = list;
}

void
w_mcp_run_detach(struct w_mcp_run *run)
{
	if (run->rpc_request == NULL)
		return;
	/* Who is asked is asked by this request. */
	w_approver_leave(run->host_wait);
	run->host_wait = NULL;
	run->rpc_request->on_cancel = NULL;
	run->rpc_request->state = NULL;
	run->rpc_request = NULL;
}

void
w_mcp_run_release_request(struct w_mcp_run *run)
{
	if (run->ctx != NULL && run->start->free != NULL)
		run->start->free(run->ctx);
	run->ctx = NULL;
	run->request = NULL;
	run->workdir = NULL;
}

void
w_mcp_run_free(struct w_mcp_run *run)
{
	struct w_mcp_timers *timers = &run->server->timers;

	unlink_run(run);
	w_mcp_timer_stop(timers, &run->yield);
	w_mcp_timer_stop(timers, &run->tick);
	w_mcp_timer_stop(timers, &run->settle);
	w_mcp_timer_stop(timers, &run->force);
	w_mcp_run_detach(run);
	if (run->approval_wait != NULL)
		w_approver_withdraw(run->approval_wait);
	while (run->readers != NULL) {
		run->readers->rpc_request->on_cancel = NULL;
		w_mcp_run_reader_free(run->readers);
	}
	w_mcp_run_release_request(run);
	writ_result_free(run->result);
	w_mcp_run_forget(run);
	free(run->new_cwd);
	free(run->label);
	free(run);
}

static struct w_mcp_run *
run_table_find_in(const struct w_mcp_run_list *list,
    const struct w_connection *connection, const char *id)
{
	for (struct w_mcp_run *run = list->last; run != NULL; run = run->prev) {
		if (run->connection == connection && strcmp(run->id, id) == 0)
			return run;
	}
	return NULL;
}

struct w_mcp_run *
w_mcp_run_find(struct w_connection *connection, const char *id)
{
	const struct w_mcp_runs *runs = connection->server->runs;

	if (runs == NULL || id[0] == '\0')
		return NULL;
	struct w_mcp_run *run =
	    run_table_find_in(&runs->running, connection, id);
	return run != NULL ? run
			   : run_table_find_in(&runs->ended, connection, id);
}

/* Both lists are oldest first, one by start and one by end. Ids sort by start
 * only to the millisecond. */
static int
compare_starts(const void *a, const void *b)
{
	const struct w_mcp_run *const *left = a;
	const struct w_mcp_run *const *right = b;

	if ((*left)->begun_ns != (*right)->begun_ns)
		return (*left)->begun_ns < (*right)->begun_ns ? 1 : -1;
	return strcmp((*right)->id, (*left)->id);
}

static size_t
run_table_collect(const struct w_mcp_run_list *list,
    const struct w_connection *connection, struct w_mcp_run **found,
    size_t count)
{
	for (struct w_mcp_run *run = list->first; run != NULL;
	     run = run->next) {
		if (run->connection == connection)
			found[count++] = run;
	}
	return count;
}

void
w_mcp_runs_each(
    struct w_connection *connection, w_mcp_run_each_fn each, void *ctx)
{
	const struct w_mcp_runs *runs = connection->server->runs;

	if (runs == NULL)
		return;
	struct w_mcp_run **found =
	    calloc(runs->running.count + runs->ended.count + 1,
		sizeof(struct w_mcp_run *));
	if (found == NULL)
		return;
	size_t count = run_table_collect(&runs->running, connection, found, 0);
	count = run_table_collect(&runs->ended, connection, found, count);
	qsort(found, count, sizeof(*found), compare_starts);
	for (size_t i = 0; i < count; i++)
		each(ctx, found[i]);
	free(found);
}

void
w_mcp_run_kill(struct w_mcp_run *run)
{
	writ_job_cancel(run->job, SIGKILL);
	/* A second cancel skips the grace of one that is already ending. */
	writ_job_cancel(run->job, SIGKILL);
}

static void
drop_from(struct w_mcp_run_list *list, const struct w_connection *connection)
{
	struct w_mcp_run *next;

	for (struct w_mcp_run *run = list->first; run != NULL; run = next) {
		next = run->next;
		if (run->connection != connection)
			continue;
		run->connection = NULL;
		if (run->job == NULL) {
			run->server->runs->weight -= run->weight;
			w_mcp_run_free(run);
			continue;
		}
		w_mcp_run_detach(run);
		w_mcp_run_kill(run);
	}
}

void
w_mcp_runs_drop(struct w_connection *connection)
{
	struct w_mcp_runs *runs = connection->server->runs;

	if (runs == NULL)
		return;
	drop_from(&runs->waiting, connection);
	drop_from(&runs->asked, connection);
	drop_from(&runs->running, connection);
	drop_from(&runs->ended, connection);
}

static void
free_list(struct w_mcp_run_list *list)
{
	while (list->first != NULL)
		w_mcp_run_free(list->first);
}

void
w_mcp_runs_free(struct w_mcp *server)
{
	struct w_mcp_runs *runs = server->runs;

	if (runs == NULL)
		return;
	free_list(&runs->waiting);
	free_list(&runs->asked);
	free_list(&runs->running);
	free_list(&runs->ended);
	free(runs);
	server->runs = NULL;
}
