/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_NAMED_WRITES_H
#define W_POLICY_NAMED_WRITES_H

#include "policy/evaluate/decision.h"

/*
 * The files that a policy allows to be written by name: what is told of all
 * others when a run has changed them is not told of these.
 *
 * A rule names a file if one of its globs for `write` is wanted: "./.envrc",
 * not one for all files. It must be the system's, the user's or an option's,
 * and match one of the commands. A file that any rule asks about or denies is
 * not among them, whoever wrote that rule.
 */

/* In out_named are what w_policy_is_named_write() needs; empty: there are
 * none. */
writ_status w_policy_named_writes(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, bool (*is_wanted)(const char *glob),
    struct w_words *out_named, writ_error *err);

/* path: absolute, and without links. */
bool w_policy_is_named_write(const struct w_words *named, const char *path);

#endif /* W_POLICY_NAMED_WRITES_H */
