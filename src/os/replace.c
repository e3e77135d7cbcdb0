/* SPDX-License-Identifier: Apache-2.0 */

/* Writes a small file atomically. */

#include "os/replace.h"

#include <errno.h>

#include "os/file.h"
#include "os/stage.h"

int
w_replace_file(int dir_fd, const char *name, const void *bytes, size_t len,
    const struct w_replace *how)
{
	const struct w_stage_end end = {
	    .may_replace = how->may_replace, .is_lasting = how->is_lasting};
	struct w_stage stage;
	bool is_named;

	if (len > w_file_size_limit())
		return EFBIG;
	int error = w_stage_file(&stage, dir_fd, false);
	if (error != 0)
		return error;
	error = w_file_write_all(stage.fd, bytes, len);
	if (error == 0)
		error = w_stage_chown(&stage, (uid_t)-1, (gid_t)-1, how->mode);
	if (error == 0)
		error = w_stage_publish(&stage, name, &end, &is_named);
	w_stage_drop(&stage);
	return error;
}
