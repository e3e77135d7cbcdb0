/* SPDX-License-Identifier: Apache-2.0 */

/* Signals, kills and counts the processes of a run, for each kind of
 * containment. */

#include "run/job/process_tree.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/cgroup.h"

/* The longest wait for killed processes. */
enum {
	END_WAIT_MS = 5000
};

bool
w_tree_has_group(const struct w_tree *tree)
{
	return tree->group.fd >= 0;
}

bool
w_tree_is_guaranteed(const struct w_tree *tree)
{
	return tree->by == W_TREE_BY_GROUP || tree->by == W_TREE_BY_INIT ||
	       *tree->group_name != '\0';
}

const char *
w_tree_word(const struct w_tree *tree)
{
	switch (tree->by) {
	case W_TREE_BY_GROUP:
		return "cgroup";
	case W_TREE_BY_INIT:
		return "pidns";
	case W_TREE_BY_SUBREAPER:
		return *tree->group_name != '\0' ? "cgroup" : "keeper";
	case W_TREE_BY_CALLER:
		break;
	}
	return NULL;
}

/* Failure is ignored: a helper that is gone has nothing left to do. */
static void
process_tree_ask(const struct w_tree *tree, char what, int sig)
{
	const char message[2] = {what, (char)sig};

	(void)send(tree->socket, message, sizeof(message),
	    MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void
signal_child(const struct w_tree *tree, int sig)
{
	if (tree->child.pidfd < 0)
		return;
	(void)syscall(SYS_pidfd_send_signal, tree->child.pidfd, sig, NULL, 0);
}

static void
signal_group(const struct w_tree *tree, int sig)
{
	char path[2 * W_GROUP_NAME];

	if (tree->by == W_TREE_BY_GROUP)
		(void)snprintf(path, sizeof(path), "%s/r%u",
		    tree->groups->base_name, tree->group.number);
	else
		(void)snprintf(path, sizeof(path), "%s", tree->group_name);
	w_cgroup_signal(tree->group.fd, path, sig);
}

/* The pids below a subreaper, whose pidfd we hold. A pid could be recycled
 * between the lookup and the signal, and so could its parents'; hence best
 * effort. */
static void
signal_descendants(const struct w_tree *tree, int sig)
{
	struct w_pids pids = {0};

	(void)w_pids_descend(&pids, tree->child.pid);
	for (size_t i = 0; i < pids.count; i++) {
		(void)kill(pids.items[i], sig);
		(void)kill(pids.items[i], SIGCONT);
	}
	w_pids_done(&pids);
}

void
w_tree_signal(struct w_tree *tree, int sig, bool is_end)
{
	switch (tree->by) {
	case W_TREE_BY_CALLER:
		signal_child(tree, sig);
		signal_child(tree, SIGCONT);
		return;
	case W_TREE_BY_GROUP:
		signal_group(tree, sig);
		return;
	case W_TREE_BY_INIT:
		process_tree_ask(tree,
		    is_end ? W_HELPER_REQUEST_END : W_HELPER_REQUEST_SIGNAL,
		    sig);
		return;
	case W_TREE_BY_SUBREAPER:
		/* The request goes first: otherwise the helper would kill the
		 * others when the first one ends. */
		if (is_end)
			process_tree_ask(tree, W_HELPER_REQUEST_END, sig);
		if (w_tree_has_group(tree))
			signal_group(tree, sig);
		else
			signal_descendants(tree, sig);
		return;
	}
}

void
w_tree_kill(struct w_tree *tree)
{
	tree->was_killed = true;
	switch (tree->by) {
	case W_TREE_BY_CALLER:
		signal_child(tree, SIGKILL);
		return;
	case W_TREE_BY_GROUP:
		if (w_cgroup_kill(tree->group.fd) != 0)
			signal_child(tree, SIGKILL);
		return;
	case W_TREE_BY_INIT:
	case W_TREE_BY_SUBREAPER:
		/* The run's processes may have stopped or killed the subreaper;
		 * a group does not need it. */
		process_tree_ask(tree, W_HELPER_REQUEST_KILL, 0);
		signal_child(tree, SIGCONT);
		if (w_tree_has_group(tree))
			(void)w_cgroup_kill(tree->group.fd);
		return;
	}
}

void
w_tree_kill_child(struct w_tree *tree)
{
	/* A subreaper without a group would leave orphans that nobody finds. */
	if (tree->by == W_TREE_BY_SUBREAPER && !w_tree_has_group(tree))
		signal_descendants(tree, SIGKILL);
	signal_child(tree, SIGKILL);
}

bool
w_tree_pids(const struct w_tree *tree, struct w_pids *pids)
{
	if (tree->by == W_TREE_BY_GROUP || w_tree_has_group(tree))
		return w_cgroup_pids(tree->group.fd, pids);
	if (tree->by == W_TREE_BY_CALLER && !w_pids_add(pids, tree->child.pid))
		return false;
	return w_pids_descend(pids, tree->child.pid);
}

int
w_tree_populated(struct w_tree *tree)
{
	/* The subreaper's own group is read at most once. */
	return tree->by == W_TREE_BY_GROUP ? w_group_populated(&tree->group)
					   : w_cgroup_populated(tree->group.fd);
}

static void
await_group(const struct w_tree *tree)
{
	for (int i = 0; i < END_WAIT_MS; i++) {
		/* A removed group is empty, too. */
		if (w_cgroup_populated(tree->group.fd) != 1)
			return;
		(void)usleep(1000);
	}
}

void
w_tree_release_group(struct w_tree *tree)
{
	if (tree->group.fd < 0)
		return;
	if (tree->by == W_TREE_BY_GROUP) {
		w_group_pool_return(tree->groups, &tree->group,
		    tree->was_killed || tree->is_limited);
		return;
	}
	/* Usually the subreaper has removed it. */
	w_close(&tree->group.fd);
	(void)w_cgroup_remove(tree->groups->parent_fd, tree->group_name);
}

void
w_tree_end_now(struct w_tree *tree)
{
	struct pollfd end = {.fd = tree->child.pidfd, .events = POLLIN};

	if (tree->child.pidfd >= 0) {
		w_tree_kill(tree);
		/* The helper exits by itself when all processes are gone. */
		(void)poll(&end, 1, END_WAIT_MS);
		w_child_kill_and_reap(&tree->child);
	}
	if (w_tree_has_group(tree)) {
		tree->was_killed = true;
		(void)w_cgroup_kill(tree->group.fd);
		await_group(tree);
		w_tree_release_group(tree);
	}
	w_limit_group_remove(&tree->limits);
	w_close(&tree->socket);
}
