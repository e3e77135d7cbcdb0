/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SETTINGS_FILE_H
#define W_CLI_SETTINGS_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * A file of settings of another program, below a directory of the user or of a
 * project. A symbolic link on the way is followed as long as it stays below
 * that directory; one that leads out of it is refused.
 */
struct w_client_settings_file {
	char path[PATH_MAX];  /* as it is named in messages */
	int base_fd;          /* the directory; -1: it does not exist */
	char below[PATH_MAX]; /* from there, without links */
	bool is_there;
	bool is_private; /* a new file is for the user only */
	struct timespec changed;
	ino_t inode;
	mode_t mode;
	uid_t owner;
	gid_t group;
	struct w_buf text;
};

void w_client_settings_file_init(struct w_client_settings_file *file);
void w_client_settings_file_done(struct w_client_settings_file *file);

/* Reads base/below. A file that is not there is an empty text. */
writ_status w_client_settings_file_read(struct w_client_settings_file *file,
    const char *base, const char *below, writ_error *err);

/* Replaces the file atomically: readers see the old or the new one. Keeps mode
 * and owner. Fails if somebody has changed it since it was read. */
writ_status w_client_settings_file_write(struct w_client_settings_file *file,
    const struct w_buf *text, writ_error *err);

/* Removes it; the same check. */
writ_status w_client_settings_file_remove(
    struct w_client_settings_file *file, writ_error *err);

#endif /* W_CLI_SETTINGS_FILE_H */
