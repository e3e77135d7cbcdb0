/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where the sessions of applies are.
 */

#include "cli/manifest/apply_session.h"

#include <stdlib.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"

#define STAGE        "session"
#define PATH_MAX_LEN 8192

writ_status
w_cli_sessions_dir(const writ_config *config, char **out_dir, writ_error *err)
{
	const char *state = writ_config_get(config, "state_dir");
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX_LEN);
	w_buf_add_fmt(&path, "%s/sessions", state);
	char *dir = w_buf_take(&path, NULL);
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	*out_dir = dir;
	return WRIT_OK;
}

const char *
w_cli_session_named(const char *option)
{
	const char *dir = getenv(W_SESSION_VARIABLE);

	if (option != NULL)
		return option;
	return dir != NULL && dir[0] != '\0' ? dir : NULL;
}
