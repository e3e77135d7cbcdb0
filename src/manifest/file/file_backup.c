/* SPDX-License-Identifier: Apache-2.0 */

/* backup: the file that is replaced or removed is kept under another name. */

#include <string.h>

#include "manifest/file/file_step.h"

writ_status
w_managed_backup(struct w_resource_step *step, const writ_file_request *request,
    const writ_file_result *plan, writ_error *err)
{
	writ_file_request copy = WRIT_FILE_REQUEST_INIT;
	bool is_changed;

	/* Other attributes lose nothing, and a link has no content. */
	if (strcmp(plan->before.ensure, "present") != 0 || plan->what == NULL ||
	    strcmp(plan->what, "updated attributes") == 0)
		return WRIT_OK;
	w_managed_set(step, &copy);
	copy.path = w_resource_step_text(
	    step, "%s%s", request->path, step->resource->as.file->backup.text);
	copy.source = request->path;
	copy.owner = plan->before.owner;
	copy.group = plan->before.group;
	copy.mode = WRIT_FILE_MODE(plan->before.mode & 0777);
	copy.hide_content = request->hide_content;
	return w_managed_change(step, &copy, &is_changed, err);
}
