/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_WATCH_H
#define WRIT_WATCH_H

#include <stddef.h>

#include <writ/config.h>

WRIT_BEGIN_DECLS

/*
 * Watches the files of policies and modules for changes, including files that
 * do not exist yet. For long-running programs.
 *
 *     writ_watch_new(NULL, NULL, NULL, &watch, &err);
 *     poll writ_watch_fd(watch) with what else you wait for
 *     if (writ_watch_take(watch) & WRIT_CHANGED_MODULES)
 *         make the modules again
 *
 * An engine reads its policies again by itself. A file that is replaced, as
 * editors do, counts as changed, and so does its directory when it is made.
 *
 * Threads: a watch belongs to one thread at a time.
 */
typedef struct writ_watch writ_watch;

#define WRIT_CHANGED_POLICY  1U
#define WRIT_CHANGED_MODULES 2U

/* config may be NULL; cwd: in which project, NULL: the current directory;
 * dirs: more module directories, NULL-ended or NULL. Free *out_watch with
 * writ_watch_free(). */
WRIT_API writ_status writ_watch_new(const writ_config *config, const char *cwd,
    const char *const *dirs, writ_watch **out_watch, writ_error *err);
WRIT_API void writ_watch_free(writ_watch *watch);

/* A descriptor that polls readable when something may have changed. */
WRIT_API int writ_watch_fd(const writ_watch *watch);

/* What changed since the last call; 0: nothing relevant. Does not block. */
WRIT_API unsigned writ_watch_take(writ_watch *watch);

WRIT_END_DECLS

#endif /* WRIT_WATCH_H */
