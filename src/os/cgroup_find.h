/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CGROUP_FIND_H
#define W_OS_CGROUP_FIND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where a controller of control groups can be used by this process: in a
 * hierarchy of version 1 of its own, or in that of version 2.
 */

enum {
	W_CGROUP_PATH_MAX = 1024
};

/* A mounted hierarchy: the part of it below root is visible at point. */
struct w_cgroup_mount {
	char point[W_CGROUP_PATH_MAX];
	char root[W_CGROUP_PATH_MAX];
};

/* Finds the mount of a controller in the text of /proc/self/mountinfo; with
 * NULL that of version 2. The first one counts. */
bool w_cgroup_mount_parse(const char *mountinfo, const char *controller,
    struct w_cgroup_mount *out_mount);

/* Finds our group in the text of /proc/self/cgroup, likewise: an absolute
 * path. false: it is not there, or lies outside our namespace. */
bool w_cgroup_path_parse(
    const char *text, const char *controller, char out_path[W_CGROUP_PATH_MAX]);

/*
 * Opens the directory in which groups with this controller can be made: our
 * own group of version 1; else, of version 2, the nearest group from our own
 * upwards that hands the controller to its children. Where our own group could
 * do so and just does not, it is told to. -1 with errno: there is none.
 */
int w_cgroup_find(const char *controller, bool *out_is_v2);

#endif /* W_OS_CGROUP_FIND_H */
