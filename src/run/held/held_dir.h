/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELD_DIR_H
#define W_RUN_HELD_DIR_H

#include <stdbool.h>

#include "base/error.h"
#include "base/words.h"

/*
 * The sockets of held sessions: STATE_DIR/held/NAME. The directory has mode
 * 0700, and no sandbox shows it.
 *
 * A socket at which nobody listens is left of a holder that was killed. It is
 * removed under the lock of the directory, which a starter has from before the
 * socket is there until its holder listens.
 */

/* Opens it; made if is_wanted, else WRIT_E_NOTFOUND. Fails if another user
 * could reach into it. *out_fd is yours. */
writ_status w_held_dir_open(
    const char *state_dir, bool is_wanted, int *out_fd, writ_error *err);

/* Locks it, for as long as *out_fd is open. Waits for two seconds. */
writ_status w_held_dir_lock(int dir_fd, int *out_fd, writ_error *err);

/* Removes the sockets at which nobody listens, or that one (NULL: all), unless
 * somebody starts a session in this moment. */
void w_held_dir_clean(int dir_fd, const char *name);

/* The names of all sockets, sorted. */
writ_status w_held_dir_list(
    int dir_fd, struct w_words *out_names, writ_error *err);

/* A socket that is bound there, and does not listen yet; or a negative errno.
 * EADDRINUSE: there is one. */
int w_held_dir_bind(int dir_fd, const char *name);

/* A connection; or a negative errno. ENOENT and ECONNREFUSED: nobody listens.
 * EAGAIN: somebody does, but accepts nobody. */
int w_held_dir_connect(int dir_fd, const char *name);

#endif /* W_RUN_HELD_DIR_H */
