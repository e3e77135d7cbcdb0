/* SPDX-License-Identifier: Apache-2.0 */

/* Opens a trail for reading, and closes it. */

#include "audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/index/index.h"
#include "base/auto.h"
#include "base/error.h"
#include "log/log_files.h"

static writ_status
check_directory(int fd, const char *dir, writ_error *err)
{
	char why[W_LOG_WHY_MAX];
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot look at '%s'", dir);
	if (!w_log_file_is_ours(&st, S_IFDIR, why)) {
		(void)w_fail(
		    err, WRIT_E_INVALID, "audit", 0, "'%s' %s", dir, why);
		w_suggest(err,
		    "read it as the user it belongs to; only that user may be "
		    "able to write it");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_audit_find_dir(writ_audit *audit, writ_error *err)
{
	if (audit->dir_fd >= 0)
		return WRIT_OK;
	W_AUTO_FD int fd =
	    open(audit->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return WRIT_OK;
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot open the directory '%s'", audit->dir);
	writ_status status = check_directory(fd, audit->dir, err);
	if (status == WRIT_OK)
		audit->dir_fd = w_take_fd(&fd);
	return status;
}

void
w_audit_set_note(writ_audit *audit, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(audit->note, sizeof(audit->note), fmt, args);
	va_end(args);
}

static char *
join(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	char *path;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	return asprintf(&path, "%.*s/%s", (int)len, dir, name) < 0 ? NULL
								   : path;
}

static bool
copy_settings(writ_audit *audit, const struct w_audit_settings *settings)
{
	audit->dir = join(settings->state_dir, "audit");
	audit->output_dir = join(settings->state_dir, "outputs");
	audit->output_age_ms = settings->output_age_ms != 0
				   ? settings->output_age_ms
				   : W_AUDIT_OUTPUT_AGE_MS;
	audit->output_bytes = settings->output_bytes != 0
				  ? settings->output_bytes
				  : W_AUDIT_OUTPUT_BYTES;
	audit->segment_max = settings->segment_max;
	audit->no_index = settings->no_index;
	if (settings->key != NULL) {
		audit->key = malloc(settings->key_len + 1);
		if (audit->key == NULL)
			return false;
		memcpy(audit->key, settings->key, settings->key_len);
		audit->key_len = settings->key_len;
	}
	return audit->dir != NULL && audit->output_dir != NULL;
}

writ_status
w_audit_new(const struct w_audit_settings *settings, writ_audit **out_audit,
    writ_error *err)
{
	writ_audit *audit = calloc(1, sizeof(*audit));

	if (audit == NULL)
		return w_fail_nomem(err, "audit");
	audit->dir_fd = -1;
	writ_status status = copy_settings(audit, settings)
				 ? w_audit_find_dir(audit, err)
				 : w_fail_nomem(err, "audit");
	if (status != WRIT_OK) {
		writ_audit_free(audit);
		return status;
	}
	*out_audit = audit;
	return WRIT_OK;
}

void
writ_audit_free(writ_audit *audit)
{
	if (audit == NULL)
		return;
	w_index_free(audit->index);
	if (audit->key != NULL)
		explicit_bzero(audit->key, audit->key_len);
	free(audit->key);
	w_close(&audit->dir_fd);
	free(audit->output_dir);
	free(audit->dir);
	free(audit);
}

const char *
writ_audit_note(const writ_audit *audit)
{
	return audit->note[0] == '\0' ? NULL : audit->note;
}
