/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "os/file.h"
#include "temp.h"

static void
links_are_removed_and_not_followed(void **state)
{
	const struct temp *temp = *state;

	temp_dir(temp, "outside");
	temp_file(temp, "outside/f", 0600, "");
	temp_dir(temp, "tree");
	temp_dir(temp, "tree/sub");
	temp_link(temp, "../../outside", "tree/sub/link");
	temp_link(temp, "outside", "link");
	assert_int_equal(w_file_remove_tree_at(temp->fd, "tree"), 0);
	assert_false(temp_has(temp, "tree"));
	assert_int_equal(w_file_remove_tree_at(temp->fd, "link"), ENOTDIR);
	assert_true(temp_has(temp, "outside/f"));
	assert_int_equal(w_file_remove_tree_at(temp->fd, "none"), ENOENT);
}

/* Mounts inside the directory, even of the same file system. In a child with
 * its own mount namespace; 77: not available here. */
static int
remove_mounted(const struct temp *temp)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(temp_path(temp, "outside"), temp_path(temp, "tree/mnt"), NULL,
		MS_BIND, NULL) < 0)
		return 77;
	if (w_file_remove_tree_at(temp->fd, "tree") == 0 ||
	    !temp_has(temp, "outside/f") || temp_has(temp, "tree/f"))
		return 1;
	/* Nor if it is a mount point itself. */
	int fd = open(temp_path(temp, "tree"), O_RDONLY | O_CLOEXEC);
	if (w_file_remove_tree_at(fd, "mnt") == 0)
		return 2;
	return temp_has(temp, "outside/f") ? 0 : 3;
}

static void
mounts_are_not_entered(void **state)
{
	const struct temp *temp = *state;
	int status;

	temp_dir(temp, "outside");
	temp_file(temp, "outside/f", 0600, "");
	temp_dir(temp, "tree");
	temp_dir(temp, "tree/mnt");
	temp_file(temp, "tree/f", 0600, "");
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(remove_mounted(temp));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

static void
deep_and_wide_trees_go(void **state)
{
	const struct temp *temp = *state;
	int fd = dup(temp->fd);

	for (int i = 0; i < 300; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "f%d", i);
		temp_dir(temp, "x");
		assert_int_equal(
		    renameat(temp->fd, "x", fd, i == 0 ? "tree" : "deep"), 0);
		int next = openat(fd, i == 0 ? "tree" : "deep",
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		(void)close(fd);
		fd = next;
		assert_int_equal(symlinkat("nowhere", fd, name), 0);
	}
	(void)close(fd);
	assert_int_equal(w_file_remove_tree_at(temp->fd, "tree"), 0);
	assert_false(temp_has(temp, "tree"));
}

#define TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEMP(links_are_removed_and_not_followed),
	    TEMP(mounts_are_not_entered),
	    TEMP(deep_and_wide_trees_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
