/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_MOUNTINFO_H
#define W_OS_MOUNTINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The mounts that this process sees, for many questions: /proc/self/mountinfo
 * is read again only when the kernel says that it has changed.
 */
struct w_mountinfo {
	int fd; /* -1: not open yet */
	bool is_read;
	uint64_t asked_ns; /* when the kernel was asked last */
	struct w_buf text;
};

void w_mountinfo_init(struct w_mountinfo *table);
void w_mountinfo_done(struct w_mountinfo *table);

/* Whether something was mounted on a directory or in it, a millisecond ago at
 * most. What cannot be known is true. */
bool w_mountinfo_has(struct w_mountinfo *table, const char *path);

#endif /* W_OS_MOUNTINFO_H */
