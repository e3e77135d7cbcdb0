/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_TOUCH_H
#define W_POLICY_HOST_TOUCH_H

#include "command/analysis/analysis.h"
#include "policy/hosts/host_list.h"

/* Whether a touch is about a host that a list allows, on any port. touch may be
 * NULL. */
bool w_host_list_has_touch(
    const struct w_host_list *list, const struct w_touch *touch);

#endif /* W_POLICY_HOST_TOUCH_H */
