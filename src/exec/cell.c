/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine's side of cells.
 *
 * The first run of a ward goes straight: our child is born into the new
 * namespaces, executes the helper and builds the sandbox itself. A command
 * line that runs one command pays for nothing else. From the second run on a
 * spawner keeps what the runs have in common and copies itself.
 */

#include "exec/cell.h"

#include <linux/sched.h>
#include <string.h>

#include "base/auto.h"
#include "exec/order.h"
#include "exec/realm_spawner.h"
#include "exec/report.h"
#include "exec/ward.h"
#include "os/file.h"

/* What a start needs besides the launch. All but the tree's are ours. */
struct start {
	struct w_launcher *launcher;
	const struct w_launch *launch;
	struct w_ward *ward;
	struct w_attempt *attempt;
	int limit_procs[W_LIMIT_HIERARCHIES];
	size_t limit_count;
	int order;
	int report;
	int report_out;
	int socket;
	int socket_out;
};

static writ_status
open_all(
    struct start *start, const struct w_limit_group *limits, writ_error *err)
{
	int error = w_fd_pipe(&start->report, &start->report_out, 0);

	if (error == 0)
		error = w_fd_pair(&start->socket, &start->socket_out);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot make a pipe for the helper");
	return w_order_write(start->launch, limits, &start->order, err);
}

static void
close_all(struct start *start)
{
	w_close(&start->order);
	w_close(&start->report);
	w_close(&start->report_out);
	w_close(&start->socket);
	w_close(&start->socket_out);
}

/* Handed to the helper by number, 3 being the first. */
static void
fill_pass(struct w_child_plan *plan, const struct start *start)
{
	const struct w_launch *launch = start->launch;

	plan->pass[0] = start->socket_out;
	plan->pass[3] = start->order;
	plan->pass[4] = start->limit_count > 0 ? start->limit_procs[0] : -1;
	plan->pass[5] = start->report_out;
	plan->pass[6] = start->limit_count > 1 ? start->limit_procs[1] : -1;
	for (int i = 0; i < 3; i++)
		plan->stdio[i] = launch->stdio[i];
}

static void
start_straight(struct start *start, struct w_tree *tree)
{
	struct w_child_plan plan = {0};
	const struct w_realm_role as = {
	    .role = W_ROLE_CELL,
	    .namespaces = start->ward->realm->namespaces,
	    .plan = &plan,
	};
	struct w_attempt *attempt = start->attempt;

	fill_pass(&plan, start);
	attempt->error = w_realm_spawn(
	    start->launcher, start->ward->realm, &as, &tree->child);
	attempt->is_step = plan.failed_errno != 0;
	attempt->step = plan.failed_step;
}

/* true: the spawner took care of it, well or not. What fails while it is
 * being started would fail straight as well, and is told from there; one that
 * does not answer is given up, and the run goes straight. */
static bool
start_by_spawner(struct start *start, struct w_tree *tree)
{
	struct w_ward *ward = start->ward;
	struct w_attempt *attempt = start->attempt;
	const struct w_launch *launch = start->launch;
	const int fds[W_CALL_FDS_MAX] = {
	    launch->stdio[0],
	    launch->stdio[1],
	    launch->stdio[2],
	    start->socket_out,
	    start->order,
	    start->report_out,
	    start->limit_procs[0],
	    start->limit_procs[1],
	};
	const struct w_spawn_call call = {
	    .fd_count = (uint32_t)(W_CALL_FDS + start->limit_count)};
	struct w_spawn_answer answer = {0};

	if (ward->spawner_socket < 0)
		w_spawner_open(start->launcher, ward, attempt);
	if (ward->spawner_socket < 0)
		return false;
	*attempt = (struct w_attempt){0};
	attempt->error =
	    w_spawner_call(ward, &call, fds, &answer, &tree->child.pidfd);
	if (attempt->error == EPIPE)
		return false;
	tree->child.pid = answer.pid;
	if (answer.pid <= 0)
		attempt->error = answer.pid < 0 ? -answer.pid : EPROTO;
	return true;
}

static void
await(struct start *start, struct w_tree *tree)
{
	struct w_attempt *attempt = start->attempt;
	struct w_report report = {0};

	w_close(&start->report_out);
	w_close(&start->socket_out);
	tree->socket = w_take_fd(&start->socket);
	attempt->error = w_report_await(start->report, &report);
	attempt->is_step = true;
	attempt->step = report.step;
	attempt->detail = report.detail;
	if (attempt->error != 0)
		w_tree_end_now(tree);
}

writ_status
w_cell_start(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ward *ward = launch->ward;
	struct start start = {
	    .launcher = launcher,
	    .launch = launch,
	    .ward = ward,
	    .attempt = out_attempt,
	    .order = -1,
	    .report = -1,
	    .report_out = -1,
	    .socket = -1,
	    .socket_out = -1,
	};

	start.limit_count =
	    w_limit_group_procs(&tree->limits, start.limit_procs);
	tree->by = (ward->realm->namespaces & CLONE_NEWPID) != 0
		       ? W_TREE_BY_INIT
		       : W_TREE_BY_KEEPER;
	writ_status status = open_all(&start, &tree->limits, err);
	if (status == WRIT_OK &&
	    (ward->runs++ == 0 || !start_by_spawner(&start, tree)))
		start_straight(&start, tree);
	if (status == WRIT_OK && out_attempt->error == 0)
		await(&start, tree);
	close_all(&start);
	return status;
}

writ_status
w_cell_open_spawner(
    struct w_launcher *launcher, struct w_ward *ward, writ_error *err)
{
	char name[] = "the sandbox";
	char *const argv[] = {name, NULL};
	const struct w_launch launch = {.argv = argv, .ward = ward};
	struct w_attempt attempt;

	writ_status status = w_launcher_need_helper(launcher, err);
	if (status != WRIT_OK)
		return status;
	w_spawner_open(launcher, ward, &attempt);
	if (attempt.error == 0)
		return WRIT_OK;
	launcher->failed_layer = w_explain_layer(&launch, &attempt);
	return w_explain_start(&launch, &attempt, err);
}

int
w_cell_ask_nest(struct w_ward *ward, const char *digits, int *out_rules)
{
	struct w_spawn_call call = {.wants_nest = 1};
	struct w_spawn_answer answer = {0};

	memcpy(call.nest, digits, sizeof(call.nest));
	int error = w_spawner_call(ward, &call, NULL, &answer, out_rules);
	if (error == 0 && answer.pid <= 0)
		error = answer.pid < 0 ? -answer.pid : EPROTO;
	return error;
}
