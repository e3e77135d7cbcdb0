/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_JUDGEMENT_H
#define W_POLICY_HOST_JUDGEMENT_H

#include "policy/evaluate/decision.h"
#include "policy/hosts/host_list.h"

/*
 * What the rules say about one connection of a run that was allowed to start.
 * Which program connects is not known for certain, so a rule about programs,
 * words, paths or modules says nothing here; it was judged when the run
 * started.
 */
struct w_host_judgement {
	enum w_host_verdict verdict;
	const struct w_rule *rule;   /* NULL: a default */
	const struct w_grant *grant; /* turned ask into allow; NULL: none */
};

/* A connection. */
struct w_host_connection {
	const char *host;    /* a name or an address */
	const char *manager; /* "@npm": it is one of this manager's hosts; NULL:
				of none */
	uint16_t port;       /* 0: on any port */
};

/*
 * Of facts only agent, network, walls, home, project and the times are looked
 * at. A default never allows a host: one that asks asks, and any other denies;
 * nor does a rule that allows without a word about hosts.
 */
writ_status w_policy_judge_host(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts,
    const struct w_host_connection *connection, struct w_host_judgement *out,
    writ_error *err);

#endif /* W_POLICY_HOST_JUDGEMENT_H */
