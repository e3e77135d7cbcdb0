/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_COUNTING_H
#define W_TEST_COUNTING_H

#include <stdbool.h>
#include <unistd.h>

#include "os/cgroup_find.h"

/* Where groups with this controller can be made; -1: nowhere. */
static inline int
open_groups(const char *controller, bool *out_is_v2)
{
	struct w_cgroup_tables tables;

	if (!w_cgroup_tables_read(&tables))
		return -1;
	const int fd = w_cgroup_find(&tables, controller, out_is_v2);
	w_cgroup_tables_done(&tables);
	return fd;
}

/* Where a group can be created, the kernel must count. */
static inline const char *
counter(const char *controller)
{
	bool is_v2;
	const int fd = open_groups(controller, &is_v2);

	if (fd < 0)
		return "sampling";
	(void)close(fd);
	return "cgroup";
}

#endif /* W_TEST_COUNTING_H */
