/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SESSION_VIEW_H
#define W_RUN_SESSION_VIEW_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/launch/session_walls.h"

/*
 * Paths as the runs of a session see them: what lies in /tmp, /var/tmp and
 * /dev/shm is the session's, and HOME is seen through its layer, except for the
 * places of the machine that a run gets there.
 *
 * What lies in the session was made by its runs: hostile. It is opened beneath
 * the session's tmpfs or its layer, so no link leads out of it.
 */
struct w_session_view {
	const struct w_session_walls *walls; /* borrowed; NULL: no session */
	const char *base;        /* canonical, of the machine; NULL: none */
	const char *const *read; /* more places of the machine; NULL: none */
	const char *const *write;
};

/* Whether a path, absolute and normalised, is the session's. */
bool w_session_view_has(const struct w_session_view *view, const char *path);

struct w_session_file {
	int fd; /* O_PATH; -1: the path leads to the machine's file */
	char path[PATH_MAX]; /* without links, but for those of the machine */
	bool is_written; /* a run made the file, or a link that leads to it */
};

/*
 * Opens what a path of the session leads to. A link at its end is followed,
 * also to a path of the machine, which is then not opened; one before its end
 * only in HOME. 0, or an errno: ENOENT, ELOOP, ...
 */
int w_session_view_open(const struct w_session_view *view, const char *path,
    struct w_session_file *out_file);

#endif /* W_RUN_SESSION_VIEW_H */
