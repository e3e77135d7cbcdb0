/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_HOSTS_H
#define W_ENGINE_HOSTS_H

#include "engine/engine_state.h"
#include "policy/hosts/host_list.h"
#include "run/run_session.h"

/*
 * The hosts of a session, or of a run that is in none: the list, the line to
 * the relay, and what was refused.
 */
struct w_engine_hosts;

/* The ports that are listened at where there is no netfilter: those of these
 * patterns, and 80 and 443. Fails with WRIT_E_INVALID: one is no pattern. */
writ_status w_engine_hosts_ports(const char *const *patterns,
    struct w_host_ports *out_ports, writ_error *err);

/* Opens these hosts, NULL-ended, for a session that was made for hosts. Starts
 * the relay if there is none. Fails as w_relay_start(), or with
 * WRIT_E_INVALID. */
writ_status w_engine_hosts_open(writ_engine *engine,
    struct writ_session *session, const char *const *patterns,
    const char *origin, writ_error *err);

/* The same for a run that was granted these hosts, before it is launched. */
writ_status w_engine_hosts_open_run(writ_engine *engine, struct writ_job *job,
    const struct w_prepared *prepared, const char *const *patterns,
    writ_error *err);

/* A run that was granted hosts is going to be in this session (NULL: in none):
 * its network becomes one for hosts, if it is none. Fails with WRIT_E_INVALID
 * if it cannot, since another process keeps it, or as w_session_walls_make().
 */
writ_status w_engine_hosts_prepare(writ_engine *engine,
    struct writ_session *session, const struct w_host_ports *ports,
    writ_error *err);

#endif /* W_ENGINE_HOSTS_H */
