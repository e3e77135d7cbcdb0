/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICIES_FILE_H
#define W_ENGINE_POLICIES_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* The state of a file when it was read: changes with its content or
 * permissions. */
struct w_fingerprint {
	char *path;
	bool exists;
	bool is_fresh; /* it may have changed again within the same timestamp */
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

/* Adds the current state of a file. false: out of memory. */
bool w_fingerprints_add(struct w_fingerprints *marks, const char *path);

/* Whether all of them are unchanged. */
bool w_fingerprints_same(const struct w_fingerprints *marks);

/*
 * Reads a policy. Root or this user must own the file and every directory above
 * it, and others must not be able to write them: whoever can change one of them
 * decides what may run. WRIT_E_NOTFOUND: missing.
 *
 * is_vouched: a process that can see the owners has read the same text. Then
 * files that may be root's are accepted in a user namespace without root.
 */
writ_status w_policies_file_read(
    const char *path, bool is_vouched, struct w_buf *text, writ_error *err);

#endif /* W_ENGINE_POLICIES_FILE_H */
