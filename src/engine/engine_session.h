/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ENGINE_SESSION_H
#define W_ENGINE_ENGINE_SESSION_H

#include "run/run_session.h"

/* Puts a session into the list of its engine's. */
void w_engine_link_session(
    struct writ_session *session, struct w_runner *runner);

#endif /* W_ENGINE_ENGINE_SESSION_H */
