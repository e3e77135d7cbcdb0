/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CGROUP_FIND_H
#define W_OS_CGROUP_FIND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds where this process can use a cgroup controller: in a version 1
 * hierarchy, or in that of version 2.
 */

enum {
	W_CGROUP_PATH_MAX = 1024
};

/* A mounted hierarchy: the part below root is visible at point. */
struct w_cgroup_mount {
	char point[W_CGROUP_PATH_MAX];
	char root[W_CGROUP_PATH_MAX];
};

/* Finds the mount of a controller in the text of /proc/self/mountinfo; NULL:
 * that of version 2. The first match is used. */
bool w_cgroup_mount_parse(const char *mountinfo, const char *controller,
    struct w_cgroup_mount *out_mount);

/* Finds our group in the text of /proc/self/cgroup, in the same way: an
 * absolute path. false: not there, or outside our namespace. */
bool w_cgroup_path_parse(
    const char *text, const char *controller, char out_path[W_CGROUP_PATH_MAX]);

/* What the kernel says about the control groups of this process. */
struct w_cgroup_tables {
	char *mounts; /* the text of /proc/self/mountinfo */
	char *own;    /* that of /proc/self/cgroup */
};

/* false with errno: they cannot be read. */
bool w_cgroup_tables_read(struct w_cgroup_tables *out_tables);
void w_cgroup_tables_done(struct w_cgroup_tables *tables);

/*
 * Opens the directory in which groups with this controller can be created: our
 * own group of version 1; else, in version 2, the nearest group from our own
 * upwards that enables the controller for its children. If our own group could
 * do so and does not, it is enabled there. -1 with errno: none.
 */
int w_cgroup_find(const struct w_cgroup_tables *tables, const char *controller,
    bool *out_is_v2);

#endif /* W_OS_CGROUP_FIND_H */
