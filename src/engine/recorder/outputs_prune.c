/* SPDX-License-Identifier: Apache-2.0 */

/* Prunes recorded outputs. */

#include "engine/recorder/outputs_prune.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "audit/record/key_file.h"
#include "engine/config/config_state.h"

static bool
is_due(const struct w_trail *trail)
{
	const time_t now = time(NULL);
	struct stat st;
	char path[PATH_MAX];

	/* A forked child leaves it to its parent. */
	if (getpid() != trail->who.pid)
		return false;
	(void)snprintf(path, sizeof(path), "%s/%s", trail->dir, W_PRUNE_STAMP);
	return lstat(path, &st) != 0 || st.st_mtime > now ||
	       now - st.st_mtime >= W_OUTPUTS_PRUNE_INTERVAL_S;
}

void
w_outputs_prune_if_due(const struct w_trail *trail, const writ_config *config)
{
	const char *key_file = w_config_path(config, W_SET_AUDIT_KEY);
	struct w_chain_key key = {.len = 0};
	struct w_audit_settings settings = {
	    .state_dir = w_config_path(config, W_SET_STATE_DIR),
	    .output_age_ms = w_config_number(config, W_SET_OUTPUTS_AGE),
	    .output_bytes = w_config_number(config, W_SET_OUTPUTS_SIZE),
	    .segment_max = w_config_number(config, W_SET_AUDIT_SEGMENT),
	    .no_index = true,
	};

	if (!is_due(trail))
		return;
	if (key_file != NULL) {
		if (w_chain_key_read(key_file, &key, NULL) != WRIT_OK)
			return;
		settings.key = key.bytes;
		settings.key_len = key.len;
	}
	(void)w_audit_prune_if_due(&settings, NULL);
	explicit_bzero(&key, sizeof(key));
}
