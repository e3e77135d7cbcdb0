/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELD_START_H
#define W_RUN_HELD_START_H

#include "run/held/held_charter.h"
#include "run/launch/launch.h"

/*
 * Gives the walls of a session to a holder of their own: a process that is
 * nobody's child and outlives this one. charter has name, agent, dir, idle_ms
 * and lifetime_ms; the rest is filled in.
 *
 * The directory must be locked, and the name free. Fails with WRIT_E_SYSTEM;
 * then nothing is left. Afterwards what lies on disk is the holder's.
 */
writ_status w_held_start(struct w_launcher *launcher, int dir_fd,
    struct w_session_walls *walls, struct w_held_charter *charter,
    writ_error *err);

#endif /* W_RUN_HELD_START_H */
