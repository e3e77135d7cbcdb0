/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICIES_FILE_H
#define W_ENGINE_POLICIES_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* How a file was when it was read: what changes with its bytes or its rights.
 */
struct w_fingerprint {
	char *path;
	bool exists;
	bool is_fresh; /* it may have changed again without a trace */
	dev_t dev;
	ino_t ino;
	off_t size;
	int64_t changed_ns;
};

struct w_fingerprints {
	struct w_fingerprint *items;
	size_t count;
};

void w_fingerprints_done(struct w_fingerprints *marks);

/* Notes a file as it is now. false: no memory. */
bool w_fingerprints_add(struct w_fingerprints *marks, const char *path);

/* Whether all of them still are as they were. */
bool w_fingerprints_same(const struct w_fingerprints *marks);

/*
 * Reads a policy. The file must be in the hands of root or of this user, and so
 * must every directory above it: whoever can change one of them decides what
 * may run. WRIT_E_NOTFOUND: there is none.
 *
 * is_vouched: somebody who can see the owners has read the same text. In a user
 * namespace that has no name for root, files that may be root's then pass.
 */
writ_status w_policies_file_read(
    const char *path, bool is_vouched, struct w_buf *text, writ_error *err);

#endif /* W_ENGINE_POLICIES_FILE_H */
