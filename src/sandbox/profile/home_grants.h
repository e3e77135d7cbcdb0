/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_HOME_GRANTS_H
#define W_SANDBOX_HOME_GRANTS_H

#include "sandbox/profile/profile_resolver.h"

/* Whether a directory of HOME with this name is in a session's layer: one with
 * a dot, and that of Go. */
bool w_profile_is_layered(const char *name);

/*
 * Grants HOME as the runs of a session have it: its directories with a dot from
 * the layer, its other directories from the machine. After all other lists but
 * the sockets; before rights are merged.
 */
writ_status w_profile_lay_home(
    struct w_profile_resolver *resolver, writ_error *err);

/* What is hidden in the layer has another device and inode there. What is not
 * there is dropped. */
void w_profile_identify_home(
    const struct w_profile_resolver *resolver, struct w_real_paths *list);

#endif /* W_SANDBOX_HOME_GRANTS_H */
