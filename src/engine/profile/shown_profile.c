/* SPDX-License-Identifier: Apache-2.0 */

/* The public view of sandbox profiles. */

#include "engine/profile/shown_profile.h"

#include <stdio.h>
#include <stdlib.h>

#include <writ/run.h>

#include "policy/hosts/host_list.h"
#include "sandbox/plan/wall_layers.h"
#include "sandbox/probe/host_info.h"

static const char *const walls_words[] = {
#define X(name, word) [W_WALLS_##name] = (word),
    W_WALLS_MAP(X)
#undef X
};

static const char *const network_words[] = {
#define X(name, word) [W_NETWORK_##name] = (word),
    W_NETWORK_MAP(X)
#undef X
};

static writ_status
name_dirs(struct w_config_profile_dirs *dirs, const writ_config *config,
    writ_error *err)
{
	static const char *const keys[W_PROFILE_DIRS] = {
	    "config_dir", "system_dir"};

	for (size_t i = 0; i < W_PROFILE_DIRS; i++) {
		const char *dir = writ_config_get(config, keys[i]);

		if (asprintf(&dirs->owned[i], "%s/profiles", dir) < 0) {
			dirs->owned[i] = NULL;
			return w_fail_nomem(err, "profile");
		}
		dirs->paths[i] = dirs->owned[i];
	}
	return WRIT_OK;
}

writ_status
w_config_profile_dirs_init(struct w_config_profile_dirs *dirs,
    const writ_config *config, writ_error *err)
{
	writ_config *own = NULL;
	writ_status status = WRIT_OK;

	*dirs = (struct w_config_profile_dirs){0};
	if (config == NULL)
		status = writ_config_new(&own, err);
	if (status == WRIT_OK)
		status = name_dirs(dirs, config == NULL ? own : config, err);
	writ_config_free(own);
	if (status != WRIT_OK)
		w_config_profile_dirs_done(dirs);
	return status;
}

void
w_config_profile_dirs_done(struct w_config_profile_dirs *dirs)
{
	for (size_t i = 0; i < W_PROFILE_DIRS; i++)
		free(dirs->owned[i]);
	*dirs = (struct w_config_profile_dirs){0};
}

static const char *const *
list_of(const struct w_words *words)
{
	static const char *const nothing[] = {NULL};

	return words->items == NULL ? nothing
				    : (const char *const *)words->items;
}

static void
list_layers(struct w_shown_profile *shown)
{
	uint32_t mask = w_walls_layers(shown->inner.walls, shown->inner.network,
	    w_thread_can_make_namespaces());
	size_t count = 0;

	for (unsigned layer = 0; layer < W_LAYER_COUNT; layer++) {
		if ((mask & W_LAYER_BIT(layer)) != 0)
			shown->layers[count++] =
			    w_layer_word((enum w_layer)layer);
	}
	shown->layers[count] = NULL;
}

static void
shown_profile_show(struct w_shown_profile *shown)
{
	const struct w_profile *inner = &shown->inner;
	const struct w_profile_limits *limits = &inner->limits;

	list_layers(shown);
	shown->profile = (writ_profile){
	    .name = inner->name,
	    .origin = inner->origin,
	    .description = inner->description == NULL ? "" : inner->description,
	    .walls = walls_words[inner->walls],
	    .network = network_words[inner->network],
	    .layers = shown->layers,
	    .lacks = inner->walls == W_WALLS_CONTAINER
			 ? w_walls_lacks(inner->walls)
			 : NULL,
	    .read = list_of(&inner->read),
	    .write = list_of(&inner->write),
	    .execute = list_of(&inner->execute),
	    .hide = list_of(&inner->hide),
	    .protect = list_of(&inner->protect),
	    .timeout_ms = limits->timeout_ms,
	    .idle_timeout_ms = limits->idle_timeout_ms,
	    .max_output = limits->max_output,
	    .cpu_ms = limits->cpu_ms,
	    .memory = limits->memory,
	    .processes = limits->processes,
	    .open_files = limits->open_files,
	    .file_size = limits->file_size,
	    .tmp_size = limits->tmp_size,
	    .tmp = limits->tmp_on == WRIT_TMP_DISK     ? "disk"
		   : limits->tmp_on == WRIT_TMP_MEMORY ? "memory"
						       : NULL,
	    .hosts = list_of(&inner->hosts),
	};
}

/* The layer that reads profiles knows nothing of hosts. */
static writ_status
check_hosts(const struct w_profile *profile, writ_error *err)
{
	for (size_t i = 0; i < profile->hosts.count; i++) {
		writ_error cause = {.status = WRIT_OK};
		writ_status status =
		    w_host_pattern_check(profile->hosts.items[i], &cause);

		if (status == WRIT_OK)
			continue;
		(void)w_fail(err, status, "profile", 0, "%s: %s",
		    profile->origin, cause.message);
		if (cause.suggestion[0] != '\0')
			w_suggest(err, "%s", cause.suggestion);
		return status;
	}
	return WRIT_OK;
}

writ_status
writ_profile_find(const writ_config *config, const char *name,
    writ_profile **out_profile, writ_error *err)
{
	struct w_config_profile_dirs dirs;
	struct w_shown_profile *shown = calloc(1, sizeof(*shown));

	if (shown == NULL)
		return w_fail_nomem(err, "profile");
	writ_status status = w_config_profile_dirs_init(&dirs, config, err);
	if (status == WRIT_OK) {
		status = w_profile_find(name, dirs.paths, &shown->inner, err);
		w_config_profile_dirs_done(&dirs);
	}
	if (status == WRIT_OK) {
		status = check_hosts(&shown->inner, err);
		if (status != WRIT_OK)
			w_profile_done(&shown->inner);
	}
	if (status != WRIT_OK) {
		free(shown);
		return status;
	}
	shown_profile_show(shown);
	*out_profile = &shown->profile;
	return WRIT_OK;
}

void
writ_profile_free(writ_profile *profile)
{
	struct w_shown_profile *shown = (struct w_shown_profile *)profile;

	if (shown == NULL)
		return;
	w_profile_done(&shown->inner);
	free(shown);
}
