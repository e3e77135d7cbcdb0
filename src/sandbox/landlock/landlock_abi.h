/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LANDLOCK_ABI_H
#define W_SANDBOX_LANDLOCK_ABI_H

#include <stdint.h>

/*
 * The kernel's Landlock interface up to ABI 7, written out: system headers are
 * as old as the C library, the kernel may be newer.
 */
enum {
	W_LANDLOCK_ABI_REFER = 2,
	W_LANDLOCK_ABI_TRUNCATE = 3,
	W_LANDLOCK_ABI_NET = 4,
	W_LANDLOCK_ABI_IOCTL_DEV = 5,
	W_LANDLOCK_ABI_SCOPES = 6,
};

#define W_LANDLOCK_CREATE_VERSION      (UINT32_C(1) << 0)
#define W_LANDLOCK_RULE_PATH_BENEATH   1

#define W_LANDLOCK_EXECUTE             (UINT64_C(1) << 0)
#define W_LANDLOCK_WRITE_FILE          (UINT64_C(1) << 1)
#define W_LANDLOCK_READ_FILE           (UINT64_C(1) << 2)
#define W_LANDLOCK_READ_DIR            (UINT64_C(1) << 3)
#define W_LANDLOCK_REMOVE_DIR          (UINT64_C(1) << 4)
#define W_LANDLOCK_REMOVE_FILE         (UINT64_C(1) << 5)
#define W_LANDLOCK_MAKE_CHAR           (UINT64_C(1) << 6)
#define W_LANDLOCK_MAKE_DIR            (UINT64_C(1) << 7)
#define W_LANDLOCK_MAKE_REG            (UINT64_C(1) << 8)
#define W_LANDLOCK_MAKE_SOCK           (UINT64_C(1) << 9)
#define W_LANDLOCK_MAKE_FIFO           (UINT64_C(1) << 10)
#define W_LANDLOCK_MAKE_BLOCK          (UINT64_C(1) << 11)
#define W_LANDLOCK_MAKE_SYM            (UINT64_C(1) << 12)
#define W_LANDLOCK_REFER               (UINT64_C(1) << 13)
#define W_LANDLOCK_TRUNCATE            (UINT64_C(1) << 14)
#define W_LANDLOCK_IOCTL_DEV           (UINT64_C(1) << 15)

#define W_LANDLOCK_BIND_TCP            (UINT64_C(1) << 0)
#define W_LANDLOCK_CONNECT_TCP         (UINT64_C(1) << 1)

#define W_LANDLOCK_SCOPE_ABSTRACT_UNIX (UINT64_C(1) << 0)
#define W_LANDLOCK_SCOPE_SIGNAL        (UINT64_C(1) << 1)

/* An older kernel accepts unknown members if they are 0. */
struct w_landlock_ruleset_attr {
	uint64_t handled_access_fs;
	uint64_t handled_access_net;
	uint64_t scoped;
};

struct w_landlock_path_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

#endif /* W_SANDBOX_LANDLOCK_ABI_H */
