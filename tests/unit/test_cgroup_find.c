/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "os/cgroup.h"
#include "os/cgroup_find.h"

static const char mixed[] =
    "22 1 0:20 / / rw - ext4 /dev/vda rw\n"
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 /top /sys/fs/cgroup/my\\040mem rw shared:9 master:3 - "
    "cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";

static const char groups[] = "9:name=systemd:/user.slice\n"
			     "4:memory:/top/own group\n"
			     "2:cpu,cpuacct:/\n"
			     "0::/init.scope\n";

static void
a_controller_has_its_mount(void **state)
{
	struct w_cgroup_mount mount;

	(void)state;
	assert_true(w_cgroup_mount_parse(mixed, "memory", &mount));
	assert_string_equal(mount.point, "/sys/fs/cgroup/my mem");
	assert_string_equal(mount.root, "/top");
	assert_true(w_cgroup_mount_parse(mixed, "cpuacct", &mount));
	assert_string_equal(mount.point, "/sys/fs/cgroup/cpu");
	assert_true(w_cgroup_mount_parse(mixed, NULL, &mount));
	assert_string_equal(mount.point, "/sys/fs/cgroup/unified");
	assert_string_equal(mount.root, "/");
}

static void
what_only_looks_like_a_controller_is_none(void **state)
{
	static const char *const near[] = {
	    "pids", "mem", "memory,", "acct", "rw,memory", "cgroup"};
	struct w_cgroup_mount mount;

	(void)state;
	for (size_t i = 0; i < sizeof(near) / sizeof(*near); i++)
		assert_false(w_cgroup_mount_parse(mixed, near[i], &mount));
}

static void
broken_lines_are_passed_over(void **state)
{
	static const char *const broken[] = {
	    "",
	    "\n\n",
	    "35 31 0:32 / /m rw - cgroup cgroup",
	    "35 31 0:32 / /m rw cgroup cgroup rw,memory",
	    "35 31 0:32 relative /m rw - cgroup cgroup rw,memory",
	    "35 31 0:32 / m rw - cgroup cgroup rw,memory",
	    "35 31 0:32 / /m\\000 rw - cgroup cgroup rw,memory",
	    "35 31 0:32\n/ /m rw - cgroup cgroup rw,memory",
	};
	struct w_cgroup_mount mount;
	char two[512];

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		assert_false(w_cgroup_mount_parse(broken[i], "memory", &mount));
		(void)snprintf(two, sizeof(two), "%s\n%s", broken[i],
		    "1 2 0:3 / /good rw - cgroup x rw,memory");
		assert_true(w_cgroup_mount_parse(two, "memory", &mount));
		assert_string_equal(mount.point, "/good");
	}
}

static void
a_path_that_is_too_long_is_none(void **state)
{
	static char line[2 * W_CGROUP_PATH_MAX];
	struct w_cgroup_mount mount;
	char path[W_CGROUP_PATH_MAX];

	(void)state;
	(void)snprintf(line, sizeof(line),
	    "1 2 0:3 / /%0*d rw - cgroup x rw,memory", W_CGROUP_PATH_MAX, 0);
	assert_false(w_cgroup_mount_parse(line, "memory", &mount));
	(void)snprintf(
	    line, sizeof(line), "4:memory:/%0*d\n", W_CGROUP_PATH_MAX, 0);
	assert_false(w_cgroup_path_parse(line, "memory", path));
}

static void
our_own_group_is_found_in_each_hierarchy(void **state)
{
	char path[W_CGROUP_PATH_MAX];

	(void)state;
	assert_true(w_cgroup_path_parse(groups, "memory", path));
	assert_string_equal(path, "/top/own group");
	assert_true(w_cgroup_path_parse(groups, "cpuacct", path));
	assert_string_equal(path, "/");
	assert_true(w_cgroup_path_parse(groups, NULL, path));
	assert_string_equal(path, "/init.scope");
	assert_false(w_cgroup_path_parse(groups, "pids", path));
	assert_false(w_cgroup_path_parse("", NULL, path));
	assert_false(w_cgroup_path_parse("0::", NULL, path));
	assert_false(w_cgroup_path_parse("4:memory\n/x", "memory", path));
}

static void
a_group_outside_our_namespace_is_not_ours(void **state)
{
	char path[W_CGROUP_PATH_MAX];

	(void)state;
	assert_false(w_cgroup_path_parse("0::/../other\n", NULL, path));
}

/* Wherever it is, a group created there has the controller's files. */
static void
what_is_found_can_be_used(void **state)
{
	static const char *const files[2][2] = {
	    {"memory.limit_in_bytes", "pids.max"},
	    {"memory.max", "pids.max"},
	};
	static const char *const controllers[] = {"memory", "pids"};
	char name[32];
	bool is_v2;

	(void)state;
	(void)snprintf(name, sizeof(name), "writ-test.%d", (int)getpid());
	for (int i = 0; i < 2; i++) {
		int fd = open_groups(controllers[i], &is_v2);

		if (fd < 0)
			continue;
		int group = w_cgroup_make_any(fd, name);
		assert_true(group >= 0);
		assert_int_equal(faccessat(group, files[is_v2][i], W_OK, 0), 0);
		(void)close(group);
		assert_int_equal(w_cgroup_remove(fd, name), 0);
		(void)close(fd);
	}
	assert_int_equal(open_groups("no-such-controller", &is_v2), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_controller_has_its_mount),
	    cmocka_unit_test(what_only_looks_like_a_controller_is_none),
	    cmocka_unit_test(broken_lines_are_passed_over),
	    cmocka_unit_test(a_path_that_is_too_long_is_none),
	    cmocka_unit_test(our_own_group_is_found_in_each_hierarchy),
	    cmocka_unit_test(a_group_outside_our_namespace_is_not_ours),
	    cmocka_unit_test(what_is_found_can_be_used),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
