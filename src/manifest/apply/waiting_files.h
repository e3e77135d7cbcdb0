/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_WAITING_FILES_H
#define W_MANIFEST_WAITING_FILES_H

#include "manifest/apply/resource_step.h"

/*
 * Files one after the other reach the disk together: two waits for the disk
 * each are 8 ms, and a hundred files need no more than one.
 *
 * Invariants
 *  1. A file has its event only when it has its name, and is on the disk.
 *     Events have the order of the manifest.
 *  2. Whatever could see that a file is not there yet waits for it: a command,
 *     a template that reads files, a requirement, the same path.
 *  3. A file that cannot be named is applied once more, alone.
 */
#define W_WAITING_FILES_MAX 256

struct w_waiting_file; /* a step that waits */

struct w_waiting_files {
	writ_file_batch *batch; /* NULL: not yet */
	struct w_waiting_file *items;
	size_t count;
	bool is_off; /* no memory for it */
};

/* Whether it can be applied while others wait. */
bool w_waiting_files_suit(const struct w_waiting_files *waiting,
    const struct w_resource_step *step, const struct w_resource *resource);

/* What it is to be done with; NULL: at once. */
writ_file_batch *w_waiting_files_batch(struct w_waiting_files *waiting,
    const struct w_resource_step *step, const struct w_resource *resource);

/* The step waits; the next one can begin. */
writ_status w_waiting_files_add(struct w_waiting_files *waiting,
    struct w_resource_step *step, uint64_t begun_ns, writ_error *err);

/* Completes and records all that wait. */
writ_status w_waiting_files_flush(struct w_waiting_files *waiting,
    struct w_resource_step *step, bool *out_stop, writ_error *err);
/* Likewise, and then the step at hand, which is complete. */
writ_status w_waiting_files_flush_before(struct w_waiting_files *waiting,
    struct w_resource_step *step, uint64_t begun_ns, bool *out_stop,
    writ_error *err);

size_t w_waiting_files_count(const struct w_waiting_files *waiting);
void w_waiting_files_done(struct w_waiting_files *waiting);

#endif /* W_MANIFEST_WAITING_FILES_H */
