/* SPDX-License-Identifier: Apache-2.0 */

/* Real processes in the view that a mount plan builds: as root, as root in a
 * user namespace, as an ordinary user in one. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sample_workspace.h"

typedef void try_fn(const struct workspace *workspace);

static void
try_in(enum w_walls walls, enum power power, try_fn *try)
{
	struct workspace workspace;
	struct plan plan;

	site_open(&workspace, walls, power);
	plan_make(&plan, &workspace.resolved);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		enter(&plan);
		try(&workspace);
		_exit(0);
	}
	const int code = exit_of(pid);
	plan_free(&plan);
	site_close(&workspace);
	if (code != 0)
		print_message("# walls %d, power %d\n", (int)walls, (int)power);
	assert_int_equal(code, 0);
}

static void
try_everywhere(try_fn *try)
{
	for (int power = 0; power < POWERS; power++) {
		if (!can_have((enum power)power))
			continue;
		try_in(W_WALLS_WORKSPACE, (enum power)power, try);
		try_in(W_WALLS_STRICT, (enum power)power, try);
	}
}

static void
try_outside(const struct workspace *workspace)
{
	CLAIM(access("/usr", W_OK) < 0 && errno != ENOENT);
	CLAIM(access("/", W_OK) < 0 && errno != ENOENT);
	CLAIM(opens(workspace->readable, "stray", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(opens(workspace->readable, "file", O_WRONLY) == EROFS);
	CLAIM(changes_mode("/usr") == EROFS);
	CLAIM(changes_mode("/etc") == EROFS);
	CLAIM(changes_mode("/") == EROFS);
	CLAIM(changes_mode("/dev/null") == EROFS);
	CLAIM(changes_mode("/run") == EROFS);
	CLAIM(changes_mode("/proc") == EROFS);
	CLAIM(changes_mode(workspace->readable) == EROFS);
}

static void
nothing_outside_the_writable_places_changes(void **state)
{
	(void)state;
	try_everywhere(try_outside);
}

static void
try_work(const struct workspace *workspace)
{
	CLAIM(opens(workspace->work, "new", O_WRONLY | O_CREAT | O_EXCL) == 0);
	CLAIM(opens(workspace->work, "plain", O_RDWR) == 0);
	CLAIM(opens(workspace->git, "objects/1", O_WRONLY | O_CREAT) == 0);
	CLAIM(renames(workspace->git, "objects/1", "objects/2") == 0);
	CLAIM(opens(workspace->work, "a/b/file", O_WRONLY | O_CREAT) == 0);
	CLAIM(changes_mode(workspace->work) == 0);
	CLAIM(opens(workspace->readable, "file", O_RDONLY) == 0);
}

static void
the_workspace_is_writable_at_its_own_path(void **state)
{
	(void)state;
	try_everywhere(try_work);
}

static void
guarded_places_are_readable_only(void **state)
{
	(void)state;
	try_everywhere(try_guarded);
}

static void
try_moving(const struct workspace *workspace)
{
	CLAIM(renames(workspace->work, ".git", "git") == EBUSY);
	CLAIM(renames(workspace->work, "a", "z") == EBUSY);
	CLAIM(renames(workspace->work, "a/b", "z") != 0);
	CLAIM(renames(workspace->work, "a/b/hooks", "z") != 0);
	CLAIM(renames(workspace->work, ".git/config", "z") != 0);
}

static void
what_leads_to_a_guarded_place_cannot_be_renamed(void **state)
{
	(void)state;
	try_everywhere(try_moving);
}

static void
hidden_places_hold_nothing_but_what_is_granted_in_them(void **state)
{
	(void)state;
	try_everywhere(try_hidden);
}

static void
try_hidden_directory(const struct workspace *workspace)
{
	errno = 0;
	CLAIM(opendir(workspace->vault) == NULL && errno == EACCES);
	CLAIM(opens(workspace->vault, "key", O_RDONLY) == EACCES);
	CLAIM(changes_mode(workspace->vault) == EROFS);
}

static void
a_hidden_directory_cannot_be_looked_into(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		struct workspace workspace;
		struct plan plan;

		if (!can_have((enum power)power))
			continue;
		site_open(&workspace, W_WALLS_WORKSPACE, (enum power)power);
		/* Without the grant inside it. */
		free(workspace.resolved.grants.items[2].path);
		workspace.resolved.grants.items[2] =
		    workspace.resolved.grants.items[3];
		workspace.resolved.grants.count--;
		plan_make(&plan, &workspace.resolved);
		long pid = fork_with((enum power)power, FRESH);
		if (pid == 0) {
			enter(&plan);
			try_hidden_directory(&workspace);
			_exit(0);
		}
		assert_int_equal(exit_of(pid), 0);
		plan_free(&plan);
		site_close(&workspace);
	}
}

static void
try_tmp(const struct workspace *workspace)
{
	static const char bytes[2 * TMP_SIZE];
	struct stat found;

	/* Only what leads to the workspace is there. */
	CLAIM(opens(workspace->temp.path, "beside/file", O_RDONLY) == ENOENT);
	CLAIM(stat("/tmp", &found) == 0 && (found.st_mode & 07777) == 01777);
	const int fd =
	    open("/tmp/large", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CLAIM(fd >= 0);
	CLAIM(write(fd, bytes, sizeof(bytes)) < (ssize_t)sizeof(bytes));
	CLAIM(access("/dev/shm", W_OK) == 0);
	CLAIM(access("/var/tmp", W_OK) == 0);
	CLAIM(count_entries("/run") == 0);
}

static void
temporary_files_are_private_and_bounded(void **state)
{
	const char *base = getenv("TMPDIR");

	(void)state;
	if (base != NULL && strncmp(base, "/tmp", 4) != 0)
		skip();
	try_everywhere(try_tmp);
	assert_int_not_equal(access("/tmp/large", F_OK), 0);
}

static void
only_the_usual_devices_are_there_and_work(void **state)
{
	(void)state;
	try_everywhere(try_devices);
}

static void
other_processes_and_kernel_settings_are_out_of_reach(void **state)
{
	(void)state;
	try_everywhere(try_proc);
}

static void
try_root(const struct workspace *workspace)
{
	struct stat found;

	(void)workspace;
	CLAIM(access("/sys", F_OK) < 0 && errno == ENOENT);
	CLAIM(access("/home", F_OK) < 0 && errno == ENOENT);
	CLAIM(access("/bin/sh", X_OK) == 0);
	CLAIM(stat("/tmp/home", &found) == 0);
	CLAIM((found.st_mode & 07777) == 0700);
	CLAIM(opens("/tmp/home", "file", O_WRONLY | O_CREAT) == 0);
}

static void
a_strict_root_holds_only_the_grants(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		if (can_have((enum power)power))
			try_in(W_WALLS_STRICT, (enum power)power, try_root);
	}
}

static void
a_socket_of_the_machine_has_no_path_inside(void **state)
{
	const char *base = getenv("TMPDIR");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct workspace workspace;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	if (base != NULL && strncmp(base, "/tmp", 4) != 0)
		skip();
	site_open(&workspace, W_WALLS_WORKSPACE, power);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%.80s/s",
	    workspace.temp.path);
	const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
	    bind(server, (const struct sockaddr *)&address, sizeof(address)),
	    0);
	assert_int_equal(listen(server, 1), 0);
	plan_make(&plan, &workspace.resolved);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		enter(&plan);
		CLAIM(connect(fd, (const struct sockaddr *)&address,
			  sizeof(address)) < 0);
		CLAIM(errno == ENOENT);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	(void)close(server);
	plan_free(&plan);
	site_close(&workspace);
}

static void
try_single_file(const struct workspace *workspace)
{
	CLAIM(opens(workspace->git, "config", O_WRONLY) == 0);
	/* The directory around it is the sandbox's own. */
	CLAIM(opens(workspace->git, "new", O_WRONLY | O_CREAT | O_EXCL) == 0);
	CLAIM(unlink(workspace->config) < 0);
}

static void
a_single_file_can_be_writable(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		struct workspace workspace;
		struct plan plan;

		if (!can_have((enum power)power))
			continue;
		site_open(&workspace, W_WALLS_STRICT, (enum power)power);
		confined_free(&workspace.resolved);
		confined_init(&workspace.resolved, W_WALLS_STRICT);
		confined_add(&workspace.resolved.grants, workspace.config,
		    W_MAY_READ | W_MAY_WRITE);
		plan_make(&plan, &workspace.resolved);
		long pid = fork_with((enum power)power, FRESH);
		if (pid == 0) {
			enter(&plan);
			try_single_file(&workspace);
			_exit(0);
		}
		assert_int_equal(exit_of(pid), 0);
		assert_false(temp_has(&workspace.temp, "work/.git/new"));
		plan_free(&plan);
		site_close(&workspace);
	}
}

/* A workspace in a directory that the sandbox has for itself. */
static void
try_workspace_in(const char *base, enum w_walls walls, enum power power)
{
	struct w_resolved_profile resolved;
	struct plan plan;
	char path[64];

	(void)snprintf(path, sizeof(path), "%s/writ-test-XXXXXX", base);
	if (mkdtemp(path) == NULL)
		return;
	if (power == AS_USER && geteuid() == 0)
		assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	confined_init(&resolved, walls);
	confined_add(&resolved.grants, path, W_MAY_READ | W_MAY_WRITE);
	plan_make(&plan, &resolved);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		enter(&plan);
		CLAIM(opens(path, "new", O_WRONLY | O_CREAT | O_EXCL) == 0);
		CLAIM(opens("/tmp", "a", O_WRONLY | O_CREAT | O_EXCL) == 0);
		CLAIM(opens("/dev/shm", "b", O_WRONLY | O_CREAT) == 0);
		CLAIM(opens("/var/tmp", "c", O_WRONLY | O_CREAT) == 0);
		_exit(0);
	}
	const int code = exit_of(pid);
	const int was_made = opens(path, "new", O_RDONLY);
	char made[80];
	(void)snprintf(made, sizeof(made), "%s/new", path);
	(void)unlink(made);
	(void)rmdir(path);
	plan_free(&plan);
	confined_free(&resolved);
	assert_int_equal(code, 0);
	assert_int_equal(was_made, 0);
}

static void
a_workspace_may_lie_where_the_sandbox_has_its_own(void **state)
{
	static const char *const bases[] = {
	    "/tmp", "/var/tmp", "/dev/shm", "/run"};

	(void)state;
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		for (int power = 0; power < POWERS; power++) {
			if (!can_have((enum power)power))
				continue;
			try_workspace_in(
			    bases[i], W_WALLS_WORKSPACE, (enum power)power);
			try_workspace_in(
			    bases[i], W_WALLS_STRICT, (enum power)power);
		}
	}
}

static void
a_granted_tmp_is_the_real_one(void **state)
{
	struct workspace workspace;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;
	const char *base = getenv("TMPDIR");

	(void)state;
	if (base != NULL && strncmp(base, "/tmp", 4) != 0)
		skip();
	site_open(&workspace, W_WALLS_STRICT, power);
	confined_add(
	    &workspace.resolved.grants, "/tmp", W_MAY_READ | W_MAY_WRITE);
	plan_make(&plan, &workspace.resolved);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		enter(&plan);
		CLAIM(opens(workspace.temp.path, "beside/file", O_RDWR) == 0);
		CLAIM(access("/tmp/home", F_OK) < 0);
		CLAIM(opens("/dev/shm", "b", O_WRONLY | O_CREAT) == 0);
		try_guarded(&workspace);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	plan_free(&plan);
	site_close(&workspace);
}

static void
a_step_that_nobody_knows_is_an_error(void **state)
{
	const struct w_mount_op unknown = {.kind = 1000};
	const struct w_mount_op beyond = {
	    .kind = W_MOUNT_TAKE, .slot = W_MOUNT_SLOTS};
	int kept[W_MOUNT_SLOTS];
	uint32_t failed = 7;

	(void)state;
	assert_int_equal(
	    w_enter_mounts(&unknown, 1, "", 0, kept, &failed), -EINVAL);
	assert_int_equal(failed, 0);
	assert_int_equal(
	    w_enter_mounts(&beyond, 1, "", 0, kept, &failed), -EINVAL);
}

static void
the_loopback_interface_comes_up(void **state)
{
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	long pid = fork_with(power, CLONE_NEWNET);
	if (pid == 0) {
		struct ifreq request = {.ifr_name = "lo"};
		const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

		CLAIM(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
		CLAIM((request.ifr_flags & IFF_UP) == 0);
		CLAIM(w_enter_loopback() == 0);
		CLAIM(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
		CLAIM((request.ifr_flags & IFF_UP) != 0);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_outside_the_writable_places_changes),
	    cmocka_unit_test(the_workspace_is_writable_at_its_own_path),
	    cmocka_unit_test(guarded_places_are_readable_only),
	    cmocka_unit_test(what_leads_to_a_guarded_place_cannot_be_renamed),
	    cmocka_unit_test(
		hidden_places_hold_nothing_but_what_is_granted_in_them),
	    cmocka_unit_test(a_hidden_directory_cannot_be_looked_into),
	    cmocka_unit_test(temporary_files_are_private_and_bounded),
	    cmocka_unit_test(only_the_usual_devices_are_there_and_work),
	    cmocka_unit_test(
		other_processes_and_kernel_settings_are_out_of_reach),
	    cmocka_unit_test(a_strict_root_holds_only_the_grants),
	    cmocka_unit_test(a_socket_of_the_machine_has_no_path_inside),
	    cmocka_unit_test(a_single_file_can_be_writable),
	    cmocka_unit_test(a_workspace_may_lie_where_the_sandbox_has_its_own),
	    cmocka_unit_test(a_granted_tmp_is_the_real_one),
	    cmocka_unit_test(a_step_that_nobody_knows_is_an_error),
	    cmocka_unit_test(the_loopback_interface_comes_up),
	};

	return cmocka_run_group_tests(tests, need_namespaces, NULL);
}
