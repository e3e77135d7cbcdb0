/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_HOSTS_H
#define W_ENGINE_HOSTS_H

#include "engine/engine_state.h"
#include "policy/hosts/host_list.h"
#include "run/run_session.h"

/*
 * The hosts of a session: its list, the line to its relay, and what was
 * refused.
 */
struct w_engine_hosts;

/* Reads patterns into a list, NULL-ended: each is allowed. Fails with
 * WRIT_E_INVALID. */
writ_status w_engine_hosts_read(const char *const *patterns, const char *origin,
    struct w_host_list *out_list, writ_error *err);

/* The ports that are listened at where there is no netfilter: those of a list,
 * and 80 and 443. Fails with WRIT_E_LIMIT: there are too many. */
writ_status w_engine_hosts_ports(const struct w_host_list *list,
    struct w_host_ports *out_ports, writ_error *err);

/*
 * Opens the line to the relay of a session, which is its hosts' from now on.
 * Takes the list, also on failure. Starts the relay if there is none. Fails as
 * w_relay_start().
 */
writ_status w_engine_hosts_open(writ_engine *engine,
    struct writ_session *session, struct w_host_list *list, writ_error *err);

#endif /* W_ENGINE_HOSTS_H */
