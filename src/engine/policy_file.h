/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICY_FILE_H
#define W_ENGINE_POLICY_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* How a file was when it was read: what changes with its bytes or its rights.
 */
struct w_file_mark {
	char *path;
	bool exists;
	bool is_fresh; /* it may have changed again without a trace */
	dev_t dev;
	ino_t ino;
	off_t size;
	int64_t changed_ns;
};

struct w_file_marks {
	struct w_file_mark *items;
	size_t count;
};

void w_file_marks_done(struct w_file_marks *marks);

/* Notes a file as it is now. false: no memory. */
bool w_file_marks_add(struct w_file_marks *marks, const char *path);

/* Whether all of them still are as they were. */
bool w_file_marks_same(const struct w_file_marks *marks);

/*
 * Reads a policy. The file must be in the hands of root or of this user, and so
 * must every directory above it: whoever can change one of them decides what
 * may run. WRIT_E_NOTFOUND: there is none.
 *
 * is_vouched: somebody who can see the owners has read the same text. In a user
 * namespace that has no name for root, files that may be root's then pass.
 */
writ_status w_policy_file_read(
    const char *path, bool is_vouched, struct w_buf *text, writ_error *err);

#endif /* W_ENGINE_POLICY_FILE_H */
