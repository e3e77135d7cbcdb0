/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_GRANT_H
#define W_ENGINE_GRANT_H

#include "engine/approval/approval.h"
#include "policy/evaluate/decision.h"

/*
 * A grant for longer than once: a file in STATE/grants, made from a question
 * and its answer, with the same id.
 */
struct w_grant_file {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_json *json; /* owns the texts */
	writ_scope scope;
	struct w_validity validity;
	const char *rule;    /* of a scope that has one */
	const char *project; /* of PROJECT: its root */
	const char *agent;
	const char *session;
	const char *request_hash;
	struct w_actor by;
};

/* Writes the grant of an answer, unless it exists or was revoked. */
writ_status w_grant_write(const struct w_approval_store *store,
    const struct w_approval *item, writ_error *err);

bool w_grant_is_revoked(const struct w_approval_store *store, const char *id);

/* Like w_approval_read(). A revoked one is not found. */
writ_status w_grant_read(const struct w_approval_store *store, const char *id,
    struct w_grant_file *out_file, writ_error *err);
void w_grant_done(struct w_grant_file *file);
#define W_AUTO_GRANT __attribute__((cleanup(w_grant_done)))

/* From a document from elsewhere. */
bool w_grant_parse(struct w_grant_file *file, yyjson_val *root);

/* ---- grant_rule.c ---- */

/* Reads one rule that allows something, in policy syntax on one line. The
 * caller frees the policy, which owns the rule. */
writ_status w_grant_rule_read(const char *text, struct w_policy **out_policy,
    const struct w_rule **out_rule, writ_error *err);

/* ---- grant_fit.c ---- */

/* Whether the rule matches what the question asks; true also if that is
 * unknown. */
bool w_grant_rule_fits(const writ_config *config, const struct w_approval *item,
    const struct w_rule *rule);

#endif /* W_ENGINE_GRANT_H */
