/* SPDX-License-Identifier: Apache-2.0 */

/* Judges connections by the policies of the run that makes them. */

#include "engine/hosts/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "policy/evaluate/host_judgement.h"

#define STAGE    "hosts"
#define MS_PER_S 1000

static bool
reach_copy(char **slot, const char *text)
{
	*slot = text == NULL ? NULL : strdup(text);
	return text == NULL || *slot != NULL;
}

writ_status
w_reach_take(struct w_reach *scope, struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err)
{
	const struct w_constraints *constraints = &decider->constraints;
	struct w_reach taken = {.walls = decider->facts.walls};
	char session[64];

	if (!reach_copy(&taken.agent, decider->has_decision
					  ? decider->decision.agent
					  : decider->facts.agent) ||
	    !reach_copy(&taken.project, constraints->base) ||
	    !reach_copy(&taken.home, decider->home) ||
	    !reach_copy(&taken.session, w_decider_session(decider, session))) {
		w_reach_done(&taken);
		return w_fail_nomem(err, STAGE);
	}
	/* Without a record nobody is asked. */
	writ_status status = decider->redactor == NULL
				 ? WRIT_OK
				 : w_decider_request_json(
				       decider, prepared, &taken.request, err);
	if (status != WRIT_OK) {
		w_reach_done(&taken);
		return status;
	}
	for (size_t i = 0; i < constraints->count; i++) {
		taken.tiers[i] = constraints->tiers[i];
		taken.tiers[i].roots = NULL;
		/* One more owner: the file may be read again meanwhile. A
		 * built-in preset has none. */
		taken.held[i] = decider->policies.loaded[i]->read;
		w_policy_hold(taken.held[i]);
	}
	taken.count = constraints->count;
	w_reach_done(scope);
	*scope = taken;
	return WRIT_OK;
}

void
w_reach_done(struct w_reach *scope)
{
	for (size_t i = 0; i < scope->count; i++)
		w_policy_free(scope->held[i]);
	free(scope->agent);
	free(scope->project);
	free(scope->home);
	free(scope->session);
	free(scope->request);
	*scope = (struct w_reach){.count = 0};
}

void
w_reach_hash(const char *host, char out_hash[W_SHA256_HEX + 1])
{
	static const char what[] = "a connection to";
	uint8_t hash[W_SHA256_SIZE];
	struct w_sha256 sum;

	w_sha256_init(&sum);
	w_sha256_add(&sum, what, sizeof(what));
	w_sha256_add(&sum, host, strlen(host));
	w_sha256_end(&sum, hash);
	for (size_t i = 0; i < sizeof(hash); i++)
		(void)snprintf(out_hash + 2 * i, 3, "%02x", hash[i]);
}

static void
reach_explain(const struct w_rule *rule, char *text, size_t size)
{
	text[0] = '\0';
	if (rule != NULL && rule->because != NULL)
		(void)snprintf(text, size, "%s", rule->because);
	else if (rule != NULL)
		(void)snprintf(text, size, "%s:%u:%u", rule->location.file,
		    rule->location.line, rule->location.column);
}

/* ---- package managers ---- */

static writ_status
add_manager(struct w_host_list *list, struct w_decider *decider,
    const char *home, const char *name, writ_error *err)
{
	const char *const roots[] = {decider->base, NULL};
	const struct w_managers_scope scope = {
	    .home = home, .roots = roots, .env = (const char *const *)environ};
	struct w_manager_hosts hosts;
	char origin[512];
	writ_status status =
	    w_managers_find(&decider->managers, &scope, name, &hosts, err);

	for (size_t i = 0; i < hosts.count && status == WRIT_OK; i++) {
		(void)snprintf(origin, sizeof(origin), "%s: %s", name,
		    hosts.items[i].origin);
		status = w_host_list_add(
		    list, hosts.items[i].host, W_HOST_ALLOW, origin, err);
	}
	return status;
}

/* ---- one connection ---- */

/* By the rules, then by what people remember. */
static writ_status
judge_with_grants(const struct w_reach *scope, struct w_decider *decider,
    const struct w_host_connection *connection, struct w_host_judgement *out,
    writ_error *err)
{
	const time_t now = time(NULL);
	const char *state_dir = w_config_path(decider->config, W_SET_STATE_DIR);
	char hash[W_SHA256_HEX + 1] = "";
	const struct w_grant_query query = {
	    .agent =
		scope->agent != NULL ? scope->agent : W_POLICY_DEFAULT_AGENT,
	    .session = scope->session,
	    .request_hash = hash,
	    .project = scope->project,
	    .now_ms = (uint64_t)now * MS_PER_S,
	};
	struct w_policy_set set = {
	    .tiers = scope->tiers, .count = scope->count};
	struct w_policy_facts facts = {.agent = scope->agent,
	    .home = scope->home,
	    .walls = scope->walls,
	    .network = W_POLICY_NETWORK_HOSTS,
	    .now = now,
	    .project = scope->project};
	const char *trouble = NULL;

	w_decider_add_time(&facts);
	writ_status status =
	    w_policy_judge_host(&set, &facts, connection, out, err);
	if (status != WRIT_OK || out->verdict != W_HOST_ASK ||
	    state_dir == NULL)
		return status;
	w_reach_hash(connection->host, hash);
	status = w_grants_find(&decider->grants, state_dir, &query, &set.grants,
	    &set.grant_count, &trouble, err);
	return status == WRIT_OK && set.grant_count > 0
		   ? w_policy_judge_host(&set, &facts, connection, out, err)
		   : status;
}

/* Whether the person's configuration names the host for a manager. */
static bool
is_of_manager(struct w_decider *decider, const char *home, const char *name,
    const struct w_host_connection *connection)
{
	struct w_host_list list = {.rules = NULL};
	const bool is_one =
	    add_manager(&list, decider, home, name, NULL) == WRIT_OK &&
	    (connection->port == 0 ? w_host_list_names(&list, connection->host)
				   : w_host_list_match(&list, connection->host,
					 connection->port)
					     .verdict == W_HOST_ALLOW);

	w_host_list_done(&list);
	return is_one;
}

/* Rules may name the manager whose host it is. */
static void
judge_as_managers(const struct w_reach *scope, struct w_decider *decider,
    struct w_host_connection connection, struct w_host_judgement *out)
{
	static const char *const managers[] = {
	    "@npm", "@pip", "@cargo", "@go", "@apt", NULL};

	for (size_t i = 0; managers[i] != NULL && out->verdict == W_HOST_ASK;
	     i++) {
		struct w_host_judgement judgement;
		writ_error err;

		if (!is_of_manager(
			decider, scope->home, managers[i], &connection))
			continue;
		connection.manager = managers[i];
		if (judge_with_grants(scope, decider, &connection, &judgement,
			&err) == WRIT_OK)
			*out = judgement;
	}
}

enum w_host_verdict
w_reach_judge(const struct w_reach *scope, struct w_decider *decider,
    const char *host, uint16_t port, char *rule, size_t size)
{
	const struct w_host_connection connection = {
	    .host = host, .port = port};
	struct w_host_judgement judgement;
	writ_error err;

	rule[0] = '\0';
	if (judge_with_grants(scope, decider, &connection, &judgement, &err) !=
	    WRIT_OK)
		return W_HOST_DENY;
	judge_as_managers(scope, decider, connection, &judgement);
	reach_explain(judgement.rule, rule, size);
	return judgement.verdict;
}

/* ---- the list of a run ---- */

writ_status
w_reach_add(struct w_host_list *list, struct w_decider *decider,
    const char *const *patterns, const char *origin, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (; patterns != NULL && *patterns != NULL && status == WRIT_OK;
	     patterns++) {
		status =
		    w_host_list_add(list, *patterns, W_HOST_ALLOW, origin, err);
		if (status == WRIT_OK && (*patterns)[0] == '@')
			status = add_manager(
			    list, decider, decider->home, *patterns, err);
	}
	return status;
}
