/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>

#include "launching.h"

/* The shell, a child, one in its own session, and one it waits for. */
#define FAMILY                                        \
	"sleep 300 & setsid sleep 300 & echo ready; " \
	"while :; do sleep 300; done"

enum {
	MEMBERS = 4
};

static const struct {
	writ_hold hold;
	const char *word;
	bool is_guaranteed;
} holds[] = {
    {WRIT_HOLD_CGROUP, "cgroup", true},
    {WRIT_HOLD_PIDNS, "pidns", true},
    {WRIT_HOLD_KEEPER, "keeper", false},
};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static struct w_launcher launcher;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	fds_before = count_fds();
	return w_launcher_init(&launcher, NULL) == WRIT_OK ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	w_launcher_done(&launcher);
	bool is_clean = settle_marked(mark_of_test(), 0) == 0 && !has_child() &&
			count_fds() == fds_before;
	return is_clean ? 0 : -1;
}

static size_t
count_tree(const struct w_tree *tree)
{
	struct w_pids pids = {0};

	bool ok = w_tree_pids(tree, &pids);
	size_t count = pids.count;
	w_pids_done(&pids);
	return ok ? count : 0;
}

/* Starts these processes with a kind of containment; false: not available. */
static bool
start(writ_hold hold, struct w_tree *tree)
{
	int fd;
	writ_status status = launch_shell(&launcher, FAMILY, hold, tree, &fd);

	if (status == WRIT_E_SANDBOX)
		return false;
	assert_int_equal(status, WRIT_OK);
	await_line(fd);
	(void)close(fd);
	for (int i = 0; i < 1000 && count_tree(tree) < MEMBERS; i++)
		(void)usleep(10000);
	return true;
}

static void
await_end(const struct w_tree *tree)
{
	struct pollfd end = {.fd = tree->child.pidfd, .events = POLLIN};

	assert_int_equal(poll(&end, 1, 30000), 1);
}

static void
each_hold_has_its_word_and_its_worth(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		assert_string_equal(w_tree_word(&tree), holds[i].word);
		assert_int_equal(
		    w_tree_is_guaranteed(&tree), holds[i].is_guaranteed);
		w_tree_end_now(&tree);
	}
	const struct w_tree by_caller = {.by = W_TREE_BY_CALLER};
	assert_null(w_tree_word(&by_caller));
	assert_false(w_tree_is_guaranteed(&by_caller));
	const struct w_tree with_group = {
	    .by = W_TREE_BY_SUBREAPER, .group_name = "writ.run.1"};
	assert_string_equal(w_tree_word(&with_group), "cgroup");
	assert_true(w_tree_is_guaranteed(&with_group));
}

static void
every_process_of_the_tree_is_listed(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		size_t count = count_tree(&tree);
		w_tree_end_now(&tree);
		assert_int_equal(count, MEMBERS);
	}
}

static void
ending_at_once_leaves_nobody(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		w_tree_end_now(&tree);
		assert_int_equal(tree.child.pidfd, -1);
		assert_int_equal(tree.socket, -1);
		assert_int_equal(tree.group.fd, -1);
		assert_int_equal(settle_marked(mark_of_test(), 0), 0);
		w_tree_end_now(&tree);
	}
}

static void
a_kill_ends_every_process(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		w_tree_kill(&tree);
		await_end(&tree);
		assert_int_equal(settle_marked(mark_of_test(), 0), 0);
		w_tree_end_now(&tree);
	}
}

static void
an_asked_for_end_reaches_every_process(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		w_tree_signal(&tree, SIGTERM, true);
		await_end(&tree);
		assert_int_equal(settle_marked(mark_of_test(), 0), 0);
		w_tree_end_now(&tree);
	}
}

static void
a_stopped_tree_is_woken_to_end(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		struct w_tree tree;

		if (!start(holds[i].hold, &tree))
			continue;
		w_tree_signal(&tree, SIGSTOP, false);
		w_tree_signal(&tree, SIGTERM, true);
		await_end(&tree);
		assert_int_equal(settle_marked(mark_of_test(), 0), 0);
		w_tree_end_now(&tree);
	}
}

static void
killing_the_init_takes_its_namespace_along(void **state)
{
	struct w_tree tree;

	(void)state;
	if (!start(WRIT_HOLD_PIDNS, &tree)) {
		(void)fprintf(stderr, "no pid namespaces here\n");
		skip();
	}
	w_tree_kill_child(&tree);
	await_end(&tree);
	assert_int_equal(settle_marked(mark_of_test(), 0), 0);
	w_tree_end_now(&tree);
}

static void
left_to_the_caller_only_the_command_is_ended(void **state)
{
	struct w_pids pids = {0};
	struct w_tree tree;
	int fd;

	(void)state;
	assert_int_equal(
	    launch_shell(&launcher, "sleep 300 & echo ready; exec sleep 300",
		WRIT_HOLD_CALLER, &tree, &fd),
	    WRIT_OK);
	await_line(fd);
	(void)close(fd);
	assert_true(w_tree_pids(&tree, &pids));
	assert_int_equal(pids.count, 2);
	assert_int_equal(pids.items[0], tree.child.pid);
	w_tree_signal(&tree, SIGTERM, true);
	await_end(&tree);
	assert_int_equal(kill(pids.items[1], 0), 0);
	(void)kill(pids.items[1], SIGKILL);
	w_pids_done(&pids);
	w_tree_end_now(&tree);
}

static void
an_empty_tree_may_be_ended(void **state)
{
	struct w_tree tree = W_TREE_NONE;

	(void)state;
	w_tree_end_now(&tree);
	w_tree_kill_child(&tree);
}

#define LAUNCHING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    LAUNCHING(each_hold_has_its_word_and_its_worth),
	    LAUNCHING(every_process_of_the_tree_is_listed),
	    LAUNCHING(ending_at_once_leaves_nobody),
	    LAUNCHING(a_kill_ends_every_process),
	    LAUNCHING(an_asked_for_end_reaches_every_process),
	    LAUNCHING(a_stopped_tree_is_woken_to_end),
	    LAUNCHING(killing_the_init_takes_its_namespace_along),
	    LAUNCHING(left_to_the_caller_only_the_command_is_ended),
	    LAUNCHING(an_empty_tree_may_be_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
