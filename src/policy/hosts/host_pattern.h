/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_PATTERN_H
#define W_POLICY_HOST_PATTERN_H

#include "policy/hosts/host_list.h"
#include "policy/hosts/host_name.h"

/*
 * Reads a pattern into kind, network, port and, in name, the name without "*."
 * or "@"; name has room for W_HOST_NAME_MAX + 1 and is empty for a network. All
 * else of *rule is untouched. Fails as w_host_list_add().
 */
writ_status w_host_pattern_read(
    const char *text, struct w_host_rule *rule, char *name, writ_error *err);

/* Whether a rule is about this name or address, on this port. name is in the
 * form of host_name.h; NULL: the connection has none. address may be NULL. */
bool w_host_rule_has(const struct w_host_rule *rule, const char *name,
    size_t name_len, const struct w_host_address *address, uint16_t port);

#endif /* W_POLICY_HOST_PATTERN_H */
