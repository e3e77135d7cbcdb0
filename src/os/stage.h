/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_STAGE_H
#define W_OS_STAGE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A file or directory that gets its name when it is ready: content, owner and
 * mode are its own before anybody can come upon it, and whoever opens the name
 * finds the old or the new one, whole.
 *
 * Until then it has a name that nobody can guess. A file can be without any, so
 * that a crash leaves nothing behind.
 */
struct w_stage {
	int dir_fd; /* borrowed */
	int fd;     /* -1: none */
	char temp[32];
	bool has_temp; /* that name exists */
	bool is_dir;
};

/* An empty file of ours that is 0600, open to be read and written; nameless
 * where that can be, if asked for, which needs /proc. 0, or an errno. */
int w_stage_file(struct w_stage *stage, int dir_fd, bool is_nameless);

/* An empty directory of ours, 0700. */
int w_stage_dir(struct w_stage *stage, int dir_fd);

/* Gives it away; (uid_t)-1 and (gid_t)-1 leave that as it is. */
int w_stage_chown(struct w_stage *stage, uid_t uid, gid_t gid, mode_t mode);

struct w_stage_end {
	bool may_replace; /* else EEXIST when something has the name */
	bool is_lasting;  /* a crash after this leaves the new one: synced */
};

/* name has no '/'. A link of that name is replaced, not followed. 0, or an
 * errno; *out_is_named tells whether the name leads to the new one all the
 * same. */
int w_stage_publish(struct w_stage *stage, const char *name,
    const struct w_stage_end *how, bool *out_is_named);

/* Takes away what has not got its name, and closes it. */
void w_stage_drop(struct w_stage *stage);

#endif /* W_OS_STAGE_H */
