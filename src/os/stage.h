/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_STAGE_H
#define W_OS_STAGE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A file or directory that gets its name when it is complete: contents, owner
 * and mode are set before anybody can find it, and the name always leads to the
 * complete old or new one.
 *
 * Until then it has an unguessable name. A file can be without any, so that a
 * crash leaves nothing behind.
 */
struct w_stage {
	int dir_fd; /* borrowed */
	int fd;     /* -1: none */
	char temp[32];
	bool has_temp; /* that name exists */
	bool is_dir;
};

/* An empty file of ours, 0600, open for reading and writing; is_nameless:
 * without a name where possible, which needs /proc. 0, or an errno. */
int w_stage_file(struct w_stage *stage, int dir_fd, bool is_nameless);

/* An empty directory of ours, 0700. */
int w_stage_dir(struct w_stage *stage, int dir_fd);

/* Sets owner and mode; (uid_t)-1 and (gid_t)-1: unchanged. */
int w_stage_chown(struct w_stage *stage, uid_t uid, gid_t gid, mode_t mode);

struct w_stage_end {
	bool may_replace; /* else EEXIST if the name exists */
	bool is_lasting;  /* synced: the new one survives a crash */
};

/* name has no '/'. A link of that name is replaced, not followed. 0, or an
 * errno; *out_is_named: even then the name leads to the new one. */
int w_stage_publish(struct w_stage *stage, const char *name,
    const struct w_stage_end *how, bool *out_is_named);

/* Deletes it unless it was published, and closes it. */
void w_stage_drop(struct w_stage *stage);

#endif /* W_OS_STAGE_H */
