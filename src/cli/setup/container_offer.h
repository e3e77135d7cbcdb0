/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CONTAINER_OFFER_H
#define W_CLI_CONTAINER_OFFER_H

#include <stdbool.h>

#include <writ/config.h>
#include <writ/doctor.h>

/*
 * Where a container allows no namespaces, `workspace` is refused, and nothing
 * falls back to the weaker `container` by itself. A person can choose it: this
 * offers to write `sandbox: container` into the user's policy.
 */

/* Whether `workspace` cannot be built here and `container` can. */
bool w_cli_container_is_apt(const writ_doctor *doctor);

/* Whether it was offered before, whatever the answer was. */
bool w_cli_container_was_offered(const writ_config *config);

/* Shows the change and asks; with is_yes it only shows. Returns an exit status:
 * 0: written, or there already; 1: not. */
int w_cli_container_offer(const writ_config *config, bool is_yes);

#endif /* W_CLI_CONTAINER_OFFER_H */
