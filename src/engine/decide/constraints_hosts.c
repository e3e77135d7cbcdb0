/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which hosts a run needs, and which it gets. A command whose description says
 * where it connects reaches these hosts and no others, if a policy speaks of
 * hosts at all; else it needs the whole network.
 */

#include <string.h>

#include "command/analysis/address.h"
#include "engine/decide/constraints.h"
#include "policy/hosts/host_touch.h"

#define STAGE "policy"

/* A touch that needs another machine: NULL for one where it is not known
 * which. */
static bool
leaves(const struct w_touch *touch, const char **out_host)
{
	const bool is_named =
	    touch->kind == W_TOUCH_HOST && touch->target != NULL;

	/* The machine's loopback is meant where the request names it. */
	if (touch->effect != W_EFFECT_NET || touch->is_possible ||
	    (is_named && touch->why != w_access_asked_host &&
		w_address_is_loopback(touch->target, touch->len)))
		return false;
	*out_host = is_named ? touch->target : NULL;
	return true;
}

enum w_network
w_constraints_needed(const struct w_constraints *constraints,
    const struct w_policy_command *commands, size_t count)
{
	enum w_network needed = W_NETWORK_OFF;

	for (size_t i = 0; i < count; i++) {
		const struct w_analysis *analysis = commands[i].analysis;

		for (size_t j = 0;
		     j < analysis->touch_count && !commands[i].is_remote; j++) {
			const char *host = NULL;

			if (!leaves(&analysis->touches[j], &host))
				continue;
			if (host == NULL || !constraints->knows_hosts)
				return W_NETWORK_HOST;
			needed = W_NETWORK_HOSTS;
		}
	}
	return needed;
}

static void
constraints_hosts_add(
    struct w_constraints_list *list, const struct w_touch *touch)
{
	char text[W_HOST_PATTERN_MAX + 1];

	if (touch->len >= sizeof(text))
		return;
	memcpy(text, touch->target, touch->len);
	text[touch->len] = '\0';
	/* What is no host (a placeholder, a local name with a blank) is not
	 * reached either. */
	if (strlen(text) == touch->len &&
	    w_host_pattern_check(text, NULL) == WRIT_OK)
		w_constraints_list_copy(list, text);
}

/* Whether `network: {hosts: ...}` of a policy names the host: its pattern,
 * which may have a port, is what applies. */
static bool
is_of_policy(
    const struct w_constraints *constraints, const struct w_touch *touch)
{
	struct w_touch itself = *touch;

	/* The policy names the manager, and which hosts these are stands in
	 * the configuration of the person. */
	itself.manager = NULL;
	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy_hosts *hosts =
		    constraints->tiers[i].policy->hosts;

		for (; hosts != NULL; hosts = hosts->next) {
			if (w_host_list_has_touch(&hosts->list, &itself))
				return true;
		}
	}
	return false;
}

static void
add_needed(struct w_constraints_list *list, const struct w_policy_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];
		const struct w_analysis *analysis = command->analysis;

		for (size_t j = 0;
		     j < analysis->touch_count && !command->is_remote; j++) {
			const struct w_touch *touch = &analysis->touches[j];
			const char *host = NULL;

			/* The request says itself how it is reached. */
			if (leaves(touch, &host) && host != NULL &&
			    touch->why != w_access_asked_host &&
			    !is_of_policy(list->constraints, touch))
				constraints_hosts_add(list, touch);
		}
	}
}

writ_status
w_constraints_hosts(struct w_constraints *constraints,
    const struct w_policy_facts *facts, const writ_request *asked,
    const char *const **out_hosts, writ_error *err)
{
	struct w_constraints_list list = {.constraints = constraints};

	w_constraints_list_add_all(&list, asked->hosts);
	if (constraints->network == W_NETWORK_HOSTS)
		w_constraints_list_add_all(&list, constraints->profile_hosts);
	add_needed(&list, facts);
	*out_hosts = w_constraints_list_end(&list);
	return *out_hosts == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}
