/* SPDX-License-Identifier: Apache-2.0 */

/* Which policies apply to a request. */

#include "engine/policies/policies.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/hex.h"
#include "engine/config/project_dir.h"
#include "os/resolve.h"

#define STAGE       "policy"
#define POLICY_NAME "policy.yaml"
#define PRESET_WORD "preset:"
#define STANDS_IN   "developer"

/* How many policies are cached. */
#define ALL_MAX 16

void
w_policies_done(struct w_policies *policies)
{
	while (policies->all != NULL) {
		struct w_loaded_policy *one = policies->all;

		policies->all = one->next;
		w_policies_free_one(one);
	}
	free(policies->project);
	policies->project = NULL;
	policies->count = 0;
}

/* ---- the list ---- */

static bool
is_loaded(const struct w_policies *policies, const struct w_loaded_policy *one)
{
	for (size_t i = 0; i < policies->count; i++) {
		if (policies->loaded[i] == one)
			return true;
	}
	return false;
}

/* An engine that works in many projects drops the oldest. */
static void
policies_trim(struct w_policies *policies)
{
	struct w_loaded_policy **link = &policies->all;
	size_t count = 0;

	while (*link != NULL) {
		struct w_loaded_policy *one = *link;

		if (++count <= ALL_MAX || is_loaded(policies, one) ||
		    (policies->keeps_project && one->tier == W_TIER_PROJECT)) {
			link = &one->next;
			continue;
		}
		*link = one->next;
		w_policies_free_one(one);
	}
}

static struct w_loaded_policy *
find_loaded(struct w_policies *policies, enum w_tier tier, const char *file)
{
	struct w_loaded_policy *one = policies->all;

	while (
	    one != NULL && (one->tier != tier || strcmp(one->file, file) != 0))
		one = one->next;
	if (one != NULL)
		return one;
	one = calloc(1, sizeof(*one));
	if (one == NULL)
		return NULL;
	one->tier = tier;
	one->is_memory = strcmp(file, W_POLICY_MEMORY) == 0;
	one->is_preset = strncmp(file, PRESET_WORD, strlen(PRESET_WORD)) == 0;
	one->file = strdup(file);
	if (one->file == NULL) {
		free(one);
		return NULL;
	}
	one->next = policies->all;
	policies->all = one;
	return one;
}

static writ_status
policies_add(struct w_policies *policies, const writ_config *config,
    enum w_tier tier, const char *file, writ_error *err)
{
	struct w_loaded_policy *one = find_loaded(policies, tier, file);
	const char *state_dir =
	    config == NULL ? NULL : w_config_path(config, W_SET_STATE_DIR);

	if (one == NULL)
		return w_fail_nomem(err, STAGE);
	policies->loaded[policies->count++] = one;
	writ_status status =
	    w_policies_refresh_one(one, policies, state_dir, err);
	if (status != WRIT_OK || one->policy != NULL || policies->is_lenient)
		return status;
	if (err != NULL)
		*err = one->fault;
	if (err != NULL && tier == W_TIER_PROJECT)
		(void)snprintf(err->message, sizeof(err->message),
		    "every run here fails until this policy is fixed: %.260s",
		    one->fault.message);
	return one->fault.status;
}

static writ_status
add_preset(struct w_policies *policies, enum w_tier tier, const char *name,
    writ_error *err)
{
	char file[sizeof(PRESET_WORD) + 128];

	(void)snprintf(file, sizeof(file), PRESET_WORD "%.128s", name);
	return policies_add(policies, NULL, tier, file, err);
}

/* *out_found: whether there is one. A file that cannot be inspected counts:
 * reading it says why. */
static writ_status
add_in(struct w_policies *policies, const writ_config *config, enum w_tier tier,
    const char *dir, bool *out_found, writ_error *err)
{
	char file[PATH_MAX];
	struct stat st;
	int len = dir == NULL
		      ? 0
		      : snprintf(file, sizeof(file), "%s/" POLICY_NAME, dir);

	*out_found =
	    len > 0 && (size_t)len < sizeof(file) &&
	    (lstat(file, &st) == 0 || (errno != ENOENT && errno != ENOTDIR));
	return *out_found ? policies_add(policies, config, tier, file, err)
			  : WRIT_OK;
}

/* ---- the tiers ---- */

/* The policy of the project around cwd that was read first; NULL: none. */
static struct w_loaded_policy *
find_kept(const struct w_policies *policies, const char *cwd)
{
	static const char name[] = "/" W_PROJECT_DIR "/" POLICY_NAME;
	struct w_loaded_policy *found = NULL;

	if (!policies->keeps_project || cwd == NULL)
		return NULL;
	char dir[PATH_MAX];
	for (struct w_loaded_policy *one = policies->all; one != NULL;
	     one = one->next) {
		const size_t len = strlen(one->file);

		if (one->tier != W_TIER_PROJECT || one->policy == NULL ||
		    len < sizeof(name) || len >= sizeof(dir))
			continue;
		(void)snprintf(dir, sizeof(dir), "%.*s",
		    (int)(len - (sizeof(name) - 1)), one->file);
		if (w_resolve_is_in(cwd, dir) &&
		    (found == NULL || strlen(found->file) < len))
			found = one;
	}
	return found;
}

static writ_status
project_of(
    const struct w_loaded_policy *kept, char **out_project, writ_error *err)
{
	static const char name[] = "/" W_PROJECT_DIR "/" POLICY_NAME;

	*out_project =
	    strndup(kept->file, strlen(kept->file) - (sizeof(name) - 1));
	return *out_project == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
add_project(struct w_policies *policies, const writ_config *config,
    struct w_loaded_policy *kept, writ_error *err)
{
	if (kept != NULL) {
		policies->loaded[policies->count++] = kept;
		return WRIT_OK;
	}
	char dir[PATH_MAX];
	bool found;

	if (policies->project == NULL)
		return WRIT_OK;
	(void)snprintf(
	    dir, sizeof(dir), "%s/" W_PROJECT_DIR, policies->project);
	return add_in(policies, config, W_TIER_PROJECT, dir, &found, err);
}

static writ_status
policies_add_own(struct w_policies *policies, const writ_config *config,
    bool has_system, struct w_loaded_policy *kept, writ_error *err)
{
	bool found = false;
	writ_status status = add_in(policies, config, W_TIER_USER,
	    w_config_path(config, W_SET_CONFIG_DIR), &found, err);

	policies->is_default = !found && !has_system;
	if (status == WRIT_OK && policies->is_default)
		status = add_preset(policies, W_TIER_USER, STANDS_IN, err);
	return status == WRIT_OK ? add_project(policies, config, kept, err)
				 : status;
}

static bool
policies_is_path(const char *name)
{
	return name[0] == '/';
}

writ_status
w_policies_find(struct w_policies *policies, const writ_config *config,
    const char *cwd, writ_error *err)
{
	const char *chosen = w_config_path(config, W_SET_POLICY);
	bool has_system = false;
	struct w_loaded_policy *kept = find_kept(policies, cwd);

	policies->count = 0;
	policies->is_default = false;
	policies_trim(policies);
	free(policies->project);
	policies->project = NULL;
	writ_status status =
	    kept != NULL
		? project_of(kept, &policies->project, err)
		: w_project_find(cwd, policies->home, &policies->project, err);
	if (status == WRIT_OK)
		status = add_in(policies, config, W_TIER_SYSTEM,
		    w_config_path(config, W_SET_SYSTEM_DIR), &has_system, err);
	if (status != WRIT_OK)
		return status;
	if (policies->text != NULL)
		return policies_add(
		    policies, config, W_TIER_OPTION, W_POLICY_MEMORY, err);
	if (chosen == NULL)
		return policies_add_own(
		    policies, config, has_system, kept, err);
	return policies_is_path(chosen)
		   ? policies_add(policies, config, W_TIER_OPTION, chosen, err)
		   : add_preset(policies, W_TIER_OPTION, chosen, err);
}

void
w_policies_sums(
    const struct w_policies *policies, char out_text[W_POLICIES_SUMS_MAX])
{
	char *at = out_text;

	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];

		if (at != out_text)
			*at++ = ' ';
		w_hex_put(at, one->sum, sizeof(one->sum));
		at += W_SHA256_HEX;
	}
	*at = '\0';
}

writ_status
w_policies_find_one(
    struct w_policies *policies, const char *name, writ_error *err)
{
	policies->count = 0;
	policies->is_default = false;
	if (policies->text != NULL)
		return policies_add(
		    policies, NULL, W_TIER_OPTION, W_POLICY_MEMORY, err);
	return policies_is_path(name)
		   ? policies_add(policies, NULL, W_TIER_OPTION, name, err)
		   : add_preset(policies, W_TIER_OPTION, name, err);
}
