/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/syscall.h>

#include "leftovers.h"
#include "os/beneath.h"
#include "temp.h"

enum {
	EXCHANGE = 2
};

static struct temp temp;

/* root/in, root/in/deep, and a directory outside. */
static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	temp_dir(&temp, "root");
	temp_dir(&temp, "root/in");
	temp_dir(&temp, "root/in/deep");
	temp_file(&temp, "root/file", 0600, "");
	temp_dir(&temp, "outside");
	temp_dir(&temp, "outside/in");
	temp_dir(&temp, "root-too");
	temp_link(&temp, "root", "root-link");
	temp_link(&temp, "in", "root/link-in");
	temp_link(&temp, "../outside", "root/link-out");
	temp_link(&temp, "loop", "root/loop");
	return 0;
}

/* Opens name below root, both in the temporary directory. */
static writ_status
open_in(const char *root, const char *name, int *out_fd, writ_error *err)
{
	char path[512], root_path[512];
	const char *roots[] = {root_path, NULL};
	char *canonical = NULL;

	(void)snprintf(path, sizeof(path), "%s/%s", temp.path, name);
	(void)snprintf(root_path, sizeof(root_path), "%s/%s", temp.path, root);
	writ_status status =
	    w_beneath_open(path, roots, out_fd, &canonical, err);
	if (status == WRIT_OK)
		assert_true(canonical[0] == '/');
	free(canonical);
	return status;
}

static void
expect_same_dir(int fd, const char *name)
{
	struct stat by_fd, by_name;

	assert_int_equal(fstat(fd, &by_fd), 0);
	assert_int_equal(fstatat(temp.fd, name, &by_name, 0), 0);
	assert_int_equal(by_fd.st_ino, by_name.st_ino);
	assert_int_equal(by_fd.st_dev, by_name.st_dev);
}

static void
expect_opened(const char *root, const char *name, const char *real)
{
	int fd = -1;

	assert_int_equal(open_in(root, name, &fd, NULL), WRIT_OK);
	expect_same_dir(fd, real);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	(void)close(fd);
}

static void
expect_refused(const char *root, const char *name, const char *why)
{
	writ_error err = {0};
	int fd = 12345;
	int before = count_fds();

	assert_int_equal(open_in(root, name, &fd, &err), WRIT_E_INVALID);
	assert_int_equal(fd, 12345);
	assert_string_equal(err.stage, "cwd");
	assert_non_null(strstr(err.message, why));
	assert_non_null(strstr(err.message, name));
	assert_int_equal(count_fds(), before);
}

static void
the_root_and_what_is_beneath_it_open(void **state)
{
	(void)state;
	expect_opened("root", "root", "root");
	expect_opened("root", "root/in", "root/in");
	expect_opened("root", "root/in/deep", "root/in/deep");
	expect_opened("root", "root/in/", "root/in");
	expect_opened(".", "root/in", "root/in");
}

static void
dots_that_stay_inside_are_fine(void **state)
{
	(void)state;
	expect_opened("root", "root/in/../in/./deep", "root/in/deep");
	expect_opened("root", "outside/../root/in", "root/in");
}

static void
dots_that_lead_out_are_refused(void **state)
{
	(void)state;
	expect_refused("root", "root/..", "outside the allowed root");
	expect_refused("root", "root/in/../../outside", "outside");
	expect_refused("root/in", "root/in/deep/../..", "outside");
}

static void
links_that_stay_inside_are_followed(void **state)
{
	(void)state;
	expect_opened("root", "root/link-in", "root/in");
	expect_opened("root", "root/link-in/deep", "root/in/deep");
	expect_opened("root", "root-link/in", "root/in");
	expect_opened("root-link", "root/in", "root/in");
}

static void
links_that_lead_out_are_refused(void **state)
{
	(void)state;
	expect_refused("root", "root/link-out", "outside");
	expect_refused("root", "root/link-out/in", "outside");
}

static void
a_neighbour_with_the_same_first_letters_is_outside(void **state)
{
	(void)state;
	expect_refused("root", "root-too", "outside");
	expect_refused("root/in", "root", "outside");
}

static void
what_is_no_directory_is_refused_with_the_reason(void **state)
{
	(void)state;
	expect_refused("root", "root/none", "No such file or directory");
	expect_refused("root", "root/file", "Not a directory");
	expect_refused("root", "root/file/x", "Not a directory");
	expect_refused("root", "root/loop", "Too many levels");
}

static void
any_of_several_roots_will_do(void **state)
{
	char first[512], second[512], path[512];
	const char *roots[] = {first, second, NULL};
	char *canonical = NULL;
	int fd = -1;

	(void)state;
	(void)snprintf(first, sizeof(first), "%s/root-too", temp.path);
	(void)snprintf(second, sizeof(second), "%s/root", temp.path);
	(void)snprintf(path, sizeof(path), "%s/root/link-in", temp.path);
	assert_int_equal(
	    w_beneath_open(path, roots, &fd, &canonical, NULL), WRIT_OK);
	expect_same_dir(fd, "root/in");
	assert_string_equal(canonical, temp_path(&temp, "root/in"));
	free(canonical);
	(void)close(fd);
}

static void
a_root_that_does_not_exist_is_named(void **state)
{
	writ_error err = {0};
	int fd = -1;

	(void)state;
	assert_int_equal(
	    open_in("no-such-root", "root/in", &fd, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "no-such-root"));
}

static void
the_whole_machine_may_be_the_root(void **state)
{
	const char *roots[] = {"/", NULL};
	const char *path = temp_path(&temp, "root/in");
	char *canonical = NULL;
	int fd = -1;

	(void)state;
	assert_int_equal(
	    w_beneath_open(path, roots, &fd, &canonical, NULL), WRIT_OK);
	expect_same_dir(fd, "root/in");
	free(canonical);
	(void)close(fd);
	assert_int_equal(
	    w_beneath_open("/", roots, &fd, &canonical, NULL), WRIT_OK);
	assert_string_equal(canonical, "/");
	free(canonical);
	(void)close(fd);
}

static void
without_roots_every_directory_will_do(void **state)
{
	const char *none[] = {NULL};
	char *canonical = NULL;
	int fd = -1;

	(void)state;
	assert_int_equal(w_beneath_open(temp_path(&temp, "root/link-out"), NULL,
			     &fd, &canonical, NULL),
	    WRIT_OK);
	expect_same_dir(fd, "outside");
	free(canonical);
	(void)close(fd);
	assert_int_equal(w_beneath_open(temp_path(&temp, "root"), none, &fd,
			     &canonical, NULL),
	    WRIT_OK);
	free(canonical);
	(void)close(fd);
}

static void
no_path_means_the_current_directory(void **state)
{
	int saved = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *canonical = NULL;
	int fd = -1;

	(void)state;
	assert_true(saved >= 0);
	assert_int_equal(fchdir(temp.fd), 0);
	writ_status status = w_beneath_open(NULL, NULL, &fd, &canonical, NULL);
	assert_int_equal(fchdir(saved), 0);
	(void)close(saved);
	assert_int_equal(status, WRIT_OK);
	assert_string_equal(canonical, temp.path);
	free(canonical);
	(void)close(fd);
}

/* Swaps a directory and a link that leads out, again and again. */
static pid_t
fork_swapper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (;;)
			(void)syscall(SYS_renameat2, temp.fd, "root/in",
			    temp.fd, "root/link-out", EXCHANGE);
	}
	assert_true(pid > 0);
	return pid;
}

static void
a_swap_in_the_middle_never_leads_out(void **state)
{
	struct stat outside, got;
	int opened = 0;

	(void)state;
	assert_int_equal(fstatat(temp.fd, "outside", &outside, 0), 0);
	pid_t swapper = fork_swapper();
	/* On a busy machine the swapper may pause for long with the link in
	 * place. */
	for (int i = 0; i < 3000 || (opened == 0 && i < 3000000); i++) {
		int fd = -1;

		if (open_in("root", "root/in", &fd, NULL) != WRIT_OK)
			continue;
		opened++;
		assert_int_equal(fstat(fd, &got), 0);
		if (got.st_ino == outside.st_ino)
			(void)kill(swapper, SIGKILL);
		assert_int_not_equal(got.st_ino, outside.st_ino);
		(void)close(fd);
	}
	assert_int_equal(kill(swapper, SIGKILL), 0);
	assert_int_equal(waitpid(swapper, NULL, 0), swapper);
	assert_true(opened > 0);
}

#define IN_TREE(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TREE(the_root_and_what_is_beneath_it_open),
	    IN_TREE(dots_that_stay_inside_are_fine),
	    IN_TREE(dots_that_lead_out_are_refused),
	    IN_TREE(links_that_stay_inside_are_followed),
	    IN_TREE(links_that_lead_out_are_refused),
	    IN_TREE(a_neighbour_with_the_same_first_letters_is_outside),
	    IN_TREE(what_is_no_directory_is_refused_with_the_reason),
	    IN_TREE(any_of_several_roots_will_do),
	    IN_TREE(a_root_that_does_not_exist_is_named),
	    IN_TREE(the_whole_machine_may_be_the_root),
	    IN_TREE(without_roots_every_directory_will_do),
	    IN_TREE(no_path_means_the_current_directory),
	    IN_TREE(a_swap_in_the_middle_never_leads_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
