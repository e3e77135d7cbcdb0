/* SPDX-License-Identifier: Apache-2.0 */

/* What a session wrote to HOME, also of one that has ended. */

#include <errno.h>

#include <writ/session.h>

#include "base/auto.h"
#include "base/error.h"
#include "run/home/home_store.h"
#include "run/home/home_written.h"

#define STAGE "session"

struct session_written {
	writ_session_written_fn tell;
	void *ctx;
};

static void
session_written_pass(void *ctx, const struct w_home_written *row)
{
	const struct session_written *self = ctx;
	const writ_session_file file = {.size = sizeof(file),
	    .path = row->path,
	    .files = row->files,
	    .bytes = row->bytes,
	    .is_deleted = row->is_deleted};

	self->tell(self->ctx, &file);
}

writ_status
writ_session_written(const writ_config *config, const char *name,
    writ_session_written_fn tell, void *ctx, bool *out_is_cut, writ_error *err)
{
	struct session_written self = {.tell = tell, .ctx = ctx};
	writ_config *own = NULL;
	writ_status status =
	    config == NULL ? writ_config_new(&own, err) : WRIT_OK;

	if (status != WRIT_OK)
		return status;
	const char *dir =
	    writ_config_get(config != NULL ? config : own, "state_dir");
	W_AUTO_FD int fd =
	    dir == NULL ? -ENOENT : w_dotdirs_kept_find(dir, name);
	writ_config_free(own);
	if (fd < 0)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "nothing is kept of a session '%.64s'", name);
	const bool is_cut = !w_dotdirs_written(fd, session_written_pass, &self);
	if (out_is_cut != NULL)
		*out_is_cut = is_cut;
	return WRIT_OK;
}
