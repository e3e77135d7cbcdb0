/* SPDX-License-Identifier: Apache-2.0 */

/* What an untrusted caller asks for beyond the usual sandbox. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "engine/decide/constraints.h"

#define STAGE "policy"

static const char *const network_words[] = {
#define X(name, text) [W_NETWORK_##name] = text,
    W_NETWORK_MAP(X)
#undef X
};

static void
constraints_excess_add_sandbox(struct w_constraints_list *list)
{
	const struct w_constraints *constraints = list->constraints;
	char text[256];

	/* A custom profile may hide or forbid what no other does: only itself
	 * is as strong. */
	const bool is_custom = constraints->has_usual_network;
	if (constraints->walls >= constraints->usual_walls &&
	    (!is_custom ||
		strcmp(constraints->profile, constraints->usual_profile) == 0))
		return;
	(void)snprintf(text, sizeof(text),
	    "the sandbox '%.64s' instead of '%.64s'", constraints->profile,
	    constraints->usual_profile);
	w_constraints_list_copy(list, text);
}

static void
add_network(struct w_constraints_list *list, const struct w_policy_facts *facts)
{
	const enum w_network needs = w_constraints_needed(
	    list->constraints, facts->commands, facts->count);
	const enum w_network given = (enum w_network)facts->network;
	char text[64];

	/* Without a sandbox nothing enforces the network: that is asked
	 * about separately. Loopback reaches nobody else. */
	if (list->constraints->walls <= W_WALLS_ENV ||
	    given <= W_NETWORK_LOOPBACK ||
	    given <= w_constraints_usual_network(list->constraints, needs))
		return;
	(void)snprintf(text, sizeof(text), "the network '%s'%s",
	    network_words[given],
	    list->constraints->walls == W_WALLS_CONTAINER
		? ", with every local socket"
		: "");
	w_constraints_list_copy(list, text);
}

static void
constraints_excess_add_path(struct w_constraints_list *list, const char *path)
{
	char text[PATH_MAX + 64];

	if (w_constraints_is_in_roots(list->constraints, path))
		return;
	(void)snprintf(
	    text, sizeof(text), "a place to write outside: '%s'", path);
	w_constraints_list_copy(list, text);
}

/* Paths of the request were looked up as touches of the first command. */
static void
add_write(struct w_constraints_list *list, const writ_request *asked,
    const struct w_policy_command *first)
{
	for (size_t i = 0; i < first->analysis->touch_count; i++) {
		const char *target = first->analysis->touches[i].target;
		const char *const *path = asked->write;

		for (; path != NULL && *path != NULL; path++) {
			if (*path == target)
				constraints_excess_add_path(
				    list, first->paths[i].resolved == NULL
					      ? target
					      : first->paths[i].resolved);
		}
	}
}

static void
add_profile_write(struct w_constraints_list *list)
{
	const struct w_constraints *constraints = list->constraints;
	const char *const *path = constraints->profile_write;

	if (strcmp(constraints->profile, constraints->usual_profile) == 0)
		return;
	for (; path != NULL && *path != NULL; path++)
		constraints_excess_add_path(list, *path);
}

writ_status
w_constraints_excess(struct w_constraints *constraints,
    const writ_request *asked, const struct w_policy_facts *facts,
    const char *const **out_more, writ_error *err)
{
	struct w_constraints_list list = {.constraints = constraints};

	*out_more = NULL;
	if (asked->caller == WRIT_CALLER_TRUSTED || facts->count == 0)
		return WRIT_OK;
	constraints_excess_add_sandbox(&list);
	add_network(&list, facts);
	add_write(&list, asked, &facts->commands[0]);
	add_profile_write(&list);
	if (asked->best_effort)
		w_constraints_list_add(
		    &list, "a run without the layers that are missing here");
	if (list.count == 0 && !list.has_failed)
		return WRIT_OK;
	*out_more = w_constraints_list_end(&list);
	return *out_more == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}
