/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The hosts of a package manager in place of "@npm" and its like: what is
 * judged, shown and remembered are the hosts that the person's configuration
 * names today. A manager for which nothing names a host stays as it is.
 */

#include <string.h>

#include "engine/decide/access_set.h"

#define STAGE "policy"

static bool
is_manager(const struct w_touch *touch)
{
	return touch->effect == W_EFFECT_NET && touch->kind == W_TOUCH_HOST &&
	       touch->target != NULL && touch->len > 1 &&
	       touch->target[0] == '@';
}

/* The hosts that a touch stands for; none: it stays. */
static writ_status
find_hosts(const struct w_access_input *input, const struct w_touch *touch,
    struct w_manager_hosts *out, writ_error *err)
{
	char name[16];

	*out = (struct w_manager_hosts){.items = NULL};
	if (!is_manager(touch) || input->managers == NULL ||
	    touch->len >= sizeof(name))
		return WRIT_OK;
	memcpy(name, touch->target, touch->len);
	name[touch->len] = '\0';
	const struct w_managers_scope scope = {.home = input->home,
	    .roots = input->roots,
	    .env = input->person_env};
	return w_managers_find(input->managers, &scope, name, out, err);
}

/* The port is the connection's matter: rules are about hosts. */
static bool
put_host(struct w_access_set *access_set, struct w_touch *touch,
    const struct w_manager_host *host)
{
	char text[W_HOST_PATTERN_MAX + 1];

	if (w_host_pattern_host(host->host, text, NULL) != WRIT_OK)
		return false;
	touch->manager = touch->target;
	touch->manager_len = touch->len;
	touch->target = w_arena_text(&access_set->arena, text, strlen(text));
	touch->len = strlen(text);
	touch->why = w_arena_text(
	    &access_set->arena, host->origin, strlen(host->origin));
	return touch->target != NULL && touch->why != NULL;
}

writ_status
w_access_expand_managers(struct w_access_set *access_set,
    const struct w_access_input *input, const struct w_analysis **analysis,
    writ_error *err)
{
	const struct w_analysis *was = *analysis;
	size_t more = 0;

	for (size_t i = 0; i < was->touch_count; i++)
		more += is_manager(&was->touches[i]);
	if (more == 0)
		return WRIT_OK;
	struct w_analysis *now =
	    w_arena_alloc(&access_set->arena, 1, sizeof(*now));
	struct w_touch *touches = w_arena_alloc(&access_set->arena,
	    was->touch_count + more * W_MANAGER_HOSTS_MAX, sizeof(*touches));
	size_t count = 0;
	if (now == NULL || touches == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < was->touch_count; i++) {
		struct w_manager_hosts hosts;
		writ_status status =
		    find_hosts(input, &was->touches[i], &hosts, err);

		if (status != WRIT_OK)
			return status;
		if (hosts.count == 0)
			touches[count++] = was->touches[i];
		for (size_t j = 0; j < hosts.count; j++) {
			touches[count] = was->touches[i];
			if (!put_host(
				access_set, &touches[count++], &hosts.items[j]))
				return w_fail_nomem(err, STAGE);
		}
	}
	*now = *was;
	now->touches = touches;
	now->touch_count = count;
	*analysis = now;
	return WRIT_OK;
}
