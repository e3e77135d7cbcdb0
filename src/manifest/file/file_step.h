/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FILE_STEP_H
#define W_MANIFEST_FILE_STEP_H

#include "manifest/apply/resource_step.h"
#include "manifest/file/file_resource.h"

/*
 * The step of a file resource:
 *
 *   fill in    file_resource.c   content, source, template
 *   look       file_resource.c   what would be done, if one of the next two is
 *                                wanted
 *   validate   file_validate.c   a command looks at the new content
 *   backup     file_backup.c     the old file is copied
 *   change     file_resource.c
 *   tree       managed_tree.c    of a directory: what is beneath
 *
 * Each file that it changes, also a copy, is a change of writ_file(): judged,
 * recorded, and complete or not there.
 */
void w_managed_apply(struct w_resource_step *step);

/* Sets what all requests of a step have in common. */
void w_managed_set(struct w_resource_step *step, writ_file_request *request);

/* The request changes what others subscribe to: before it changes anything,
 * their refresh is owed. A copy is not that. */
void w_managed_promises(
    struct w_resource_step *step, writ_file_request *request);

/* Applies a request of the step. Adds its run to the event. */
writ_status w_managed_change(struct w_resource_step *step,
    const writ_file_request *request, bool *out_changed, writ_error *err);

/* Writes the new content beside the file, has the command look at it, and
 * removes it. If it is a copy of a source, the request copies what was
 * looked at instead. */
writ_status w_managed_validate(
    struct w_resource_step *step, writ_file_request *request, writ_error *err);
/* Removes what a validation left, because it is copied by the request. */
void w_managed_validate_done(struct w_resource_step *step);

/* Copies the file that would be replaced or removed. */
writ_status w_managed_backup(struct w_resource_step *step,
    const writ_file_request *request, const writ_file_result *plan,
    writ_error *err);

/* What was done beneath a directory, or would be. */
struct w_managed_tree_result {
	size_t written; /* made or changed */
	size_t removed;
};

/* Brings what is beneath the directory into its state. false: the step has
 * failed. */
bool w_managed_tree_apply(struct w_resource_step *step, const char *source,
    struct w_managed_tree_result *out_result);

#endif /* W_MANIFEST_FILE_STEP_H */
