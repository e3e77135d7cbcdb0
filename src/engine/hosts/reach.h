/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_REACH_H
#define W_ENGINE_REACH_H

#include "engine/decide/decider.h"
#include "policy/hosts/host_list.h"

/*
 * For whom a run or a session connects: the policies, the agent and the project
 * of the run that was allowed to have hosts. The policies are those of its
 * start, and stay so for its connections; what people remember is looked up
 * anew.
 */
struct w_reach {
	struct w_policy_tier tiers[W_LOADED_POLICIES_MAX];
	struct w_policy *held[W_LOADED_POLICIES_MAX]; /* NULL: a preset */
	size_t count; /* 0: nothing is taken yet, and rules allow no host */
	char *agent;  /* NULL: the default agent */
	char *project;
	char *home;
	char *session;
	char *request; /* as questions show it, an object; NULL: nobody is asked
			*/
	unsigned walls;
};

/* Takes the scope of the decider's current request. */
writ_status w_reach_take(struct w_reach *scope, struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err);
void w_reach_done(struct w_reach *scope);

/* What stands for the host in questions and answers: the hash that an approval
 * for a session is found by. */
void w_reach_hash(const char *host, char out_hash[W_SHA256_HEX + 1]);

/* What the rules say about a host, and why: the reason of the rule, or its
 * place; rule has room for size bytes, and is empty for a default. port 0: on
 * any port. What cannot be judged is denied. */
enum w_host_verdict w_reach_judge(const struct w_reach *scope,
    struct w_decider *decider, const char *host, uint16_t port, char *rule,
    size_t size);

/*
 * Adds patterns of a run to a list of allowed hosts. "@npm" and its like become
 * the hosts that the person's configuration names; base is the project, whose
 * files name none.
 */
writ_status w_reach_add(struct w_host_list *list, struct w_decider *decider,
    const char *const *patterns, const char *origin, writ_error *err);

#endif /* W_ENGINE_REACH_H */
