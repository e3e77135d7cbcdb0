/* SPDX-License-Identifier: Apache-2.0 */

/* Prunes what is too old or too much. */

#include "audit/prune/prune.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "audit/prune/prune_outputs.h"
#include "audit/prune/prune_records.h"
#include "base/auto.h"
#include "base/error.h"

writ_status
writ_audit_prune(writ_audit *audit, const writ_audit_prune_options *options,
    writ_audit_pruned *out_pruned, writ_error *err)
{
	writ_audit_prune_options given = WRIT_AUDIT_PRUNE_OPTIONS_INIT;
	writ_audit_pruned pruned = {0};

	if (options != NULL)
		memcpy(&given, options,
		    options->size < sizeof(given) ? options->size
						  : sizeof(given));
	const struct w_prune_bound bound = {
	    .age_ms = given.output_age_ms != 0 ? given.output_age_ms
					       : audit->output_age_ms,
	    .bytes = given.output_bytes != 0 ? given.output_bytes
					     : audit->output_bytes,
	    .is_dry = given.dry_run,
	};
	writ_status status = w_audit_find_dir(audit, err);
	if (status == WRIT_OK)
		status = w_prune_outputs(audit, &bound, &pruned, err);
	if (status == WRIT_OK && given.record_age_ms != 0)
		status = w_prune_records(
		    audit, given.record_age_ms, given.dry_run, &pruned, err);
	if (status == WRIT_OK && out_pruned != NULL)
		*out_pruned = pruned;
	return status;
}

/* Claims the hour: of processes that come at the same time only one gets true,
 * since it holds the stamp's lock and sets a new time. */
static bool
is_due(const writ_audit *audit)
{
	struct stat st;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	time_t now = time(NULL);

	if (audit->dir_fd < 0)
		return false;
	if (fstatat(audit->dir_fd, W_PRUNE_STAMP, &st, AT_SYMLINK_NOFOLLOW) ==
		0 &&
	    now - st.st_mtime < W_PRUNE_INTERVAL_S && st.st_mtime <= now)
		return false;
	W_AUTO_FD int fd = openat(audit->dir_fd, W_PRUNE_STAMP,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0 || fcntl(fd, F_OFD_SETLK, &lock) != 0)
		return false;
	bool is_new = fstat(fd, &st) == 0 && st.st_size == 0;
	if (!is_new && now - st.st_mtime < W_PRUNE_INTERVAL_S &&
	    st.st_mtime <= now)
		return false;
	/* The size tells a stamp that was just created from a valid one. */
	return pwrite(fd, "\n", 1, 0) == 1 && futimens(fd, NULL) == 0;
}

writ_status
w_audit_prune_if_due(const struct w_audit_settings *settings, writ_error *err)
{
	writ_audit *audit;

	writ_status status = w_audit_new(settings, &audit, err);
	if (status != WRIT_OK)
		return status;
	if (is_due(audit))
		status = writ_audit_prune(audit, NULL, NULL, err);
	writ_audit_free(audit);
	return status;
}
