/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_NAME_H
#define W_POLICY_HOST_NAME_H

#include <stddef.h>

#include "base/error.h"

/* Longest name of the DNS as text, without the dot at the end. */
#define W_HOST_NAME_MAX 253

/*
 * Writes a name in the one form in which names are compared: lower case, as
 * ASCII (a label in other characters becomes its "xn--" form), without a dot at
 * the end. out has room for W_HOST_NAME_MAX + 1.
 *
 * WRIT_E_INVALID: it is no name; the message begins with the cause, and the
 * error's column is the place in text. Labels may have an underscore, as some
 * names in use have.
 */
writ_status w_host_name_read(
    const char *text, size_t len, char *out, writ_error *err);

#endif /* W_POLICY_HOST_NAME_H */
