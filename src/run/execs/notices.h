/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_NOTICES_H
#define W_RUN_NOTICES_H

#include "os/loop.h"
#include "run/denials/denials.h"
#include "run/execs/execve_watch.h"

/*
 * The listener of a run's filter. A filter chain can have only one, so whoever
 * wants to see calls shares it: the report of denials, and the judge of the
 * programs that a run starts.
 *
 * Nothing here blocks: a notification is only fetched when one is there, and
 * each gets its answer before the next. A process that was killed meanwhile
 * needs none. When this process dies, the kernel answers ENOSYS: nobody hangs.
 */
struct w_notices;

/* Both are borrowed; NULL: nobody wants to see that. */
writ_status w_notices_new(struct w_loop *loop, struct w_denials *denials,
    struct w_execve_watch *execve_watch, struct w_notices **out_notices,
    writ_error *err);

/* Listens to the filter; takes the descriptor. false: the loop failed, and the
 * suspended calls fail with ENOSYS. */
bool w_notices_listen(struct w_notices *notices, int *fd);

/* Stops listening: the processes are gone. NULL is allowed. */
void w_notices_stop(struct w_notices *notices);
void w_notices_free(struct w_notices *notices);

#endif /* W_RUN_NOTICES_H */
