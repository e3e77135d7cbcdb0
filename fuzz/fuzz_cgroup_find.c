/* SPDX-License-Identifier: Apache-2.0 */

/* The kernel's lists of mounts and groups: what is found is a path that lies
 * in the text, for any text at all. */

#include "os/cgroup_find.h"

#include "check.h"

static void
check_path(const char *path)
{
	CHECK(path[0] == '/');
	CHECK(strnlen(path, W_CGROUP_PATH_MAX) < W_CGROUP_PATH_MAX);
}

static void
check_both(const char *text, const char *controller)
{
	struct w_cgroup_mount mount;
	char path[W_CGROUP_PATH_MAX];

	if (w_cgroup_mount_parse(text, controller, &mount)) {
		check_path(mount.point);
		check_path(mount.root);
		CHECK(strstr(text, "cgroup") != NULL);
	}
	if (w_cgroup_path_parse(text, controller, path)) {
		check_path(path);
		CHECK(strstr(text, path) != NULL);
		CHECK(strncmp(path, "/..", 3) != 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);

	check_both(text, "memory");
	check_both(text, "pids");
	check_both(text, NULL);
	free(text);
	return 0;
}
