/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_UPSTREAM_PROXY_H
#define W_RUN_UPSTREAM_PROXY_H

#include "base/error.h"
#include "run/relay/relay_protocol.h"

/* Takes what the environment says of a proxy into a start: https_proxy or
 * HTTPS_PROXY, no_proxy or NO_PROXY. Fails with WRIT_E_INVALID if it is not one
 * that is spoken to by HTTP. Pass getenv(), or what stands for it. */
writ_status w_upstream_proxy_read(char *(*get)(const char *name),
    struct w_relay_start *start, writ_error *err);

#endif /* W_RUN_UPSTREAM_PROXY_H */
