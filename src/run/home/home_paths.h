/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOME_PATHS_H
#define W_RUN_HOME_PATHS_H

#include <limits.h>
#include <stdbool.h>

struct w_session_walls;

/*
 * Paths in HOME as the runs of a session see them. home_grants.c puts together
 * what they see; both go by the same rules.
 */

/* Whether the runs have this path from the session's layer, or from HOME
 * through it. path is absolute and normalised. */
bool w_dotdirs_has(const struct w_session_walls *walls, const char *path);

/* Whether they may write to it: it lies in a directory of the layer. */
bool w_dotdirs_is_writable(
    const struct w_session_walls *walls, const char *path);

/* Whether a run of this session, or of an earlier one that left its caches,
 * wrote the file at this path. */
bool w_dotdirs_is_written(
    const struct w_session_walls *walls, const char *path);

/*
 * Opens a path with O_PATH, a link at its end as itself. Where a link is on the
 * way, path becomes the path behind it, and the result is -ELOOP: perhaps it
 * leads out of HOME. *out_has_written is set if such a link was written by a
 * run.
 */
int w_dotdirs_open(const struct w_session_walls *walls, char path[PATH_MAX],
    bool *out_has_written);

#endif /* W_RUN_HOME_PATHS_H */
