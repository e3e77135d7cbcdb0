/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FACT_FILES_H
#define W_FACT_FILES_H

#include "manifest/facts/facts.h"

/*
 * The facts that an administrator or a user has written down for this machine:
 * facts.json, facts.yaml and facts.d/ in the configuration of the machine, then
 * in that of the user; later ones win.
 *
 * A file must belong to root or to the user, and nobody else may be able to
 * write it. It is data: nothing is run.
 */
writ_status w_fact_files_find(
    void *ctx, struct w_facts_scope *facts, writ_error *err);

#endif /* W_FACT_FILES_H */
