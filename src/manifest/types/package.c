/* SPDX-License-Identifier: Apache-2.0 */

/* The package resource: what has to be done, whatever the package manager. */

#include "manifest/types/package.h"

#include <string.h>
#include <unistd.h>

/* A package takes as long as it takes, but not for ever. */
#define TIMEOUT_MS UINT64_C(3600000)

void
w_package_command(
    const struct w_typed_step *x, struct w_typed_command *out_command)
{
	*out_command = (struct w_typed_command){
	    .timeout_ms = w_typed_time(x, W_PACKAGE_TIMEOUT, TIMEOUT_MS)};
}

static bool
is_ensure(const struct w_typed_step *x, const char *word)
{
	return strcmp(x->resource->ensure, word) == 0;
}

/* The named one; else that of the system. */
static const struct w_package_provider *
find_provider(struct w_typed_step *x)
{
	static const struct w_package_provider *const all[] = {
	    &w_package_apt, &w_package_pip, &w_package_npm};
	const char *named = x->resource->provider;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(named, all[i]->name) == 0)
			return all[i];
	}
	if (access("/usr/bin/apt-get", X_OK) == 0)
		return &w_package_apt;
	w_resource_step_fail(x->step,
	    "no suitable provider found: there is no apt-get here (name one: "
	    "provider: pip or provider: npm)");
	return NULL;
}

/* ---- what is wanted ---- */

static bool
package_remove(struct w_typed_step *x,
    const struct w_package_provider *provider,
    const struct w_package_state *state)
{
	const bool is_purge = w_typed_truth(x, W_PACKAGE_PURGE, false);

	if (!state->is_installed && !state->is_broken &&
	    !(is_purge && state->has_config))
		return true;
	w_typed_reason(x, "it is installed: version %s",
	    state->version == NULL ? "unknown" : state->version);
	return w_typed_plan(x, is_purge ? "purged" : "uninstalled")
		   ? provider->remove(x)
		   : true;
}

/* Noop's words for another version. */
static bool
plan_version(struct w_typed_step *x, const struct w_package_provider *provider,
    const struct w_package_state *state, const char *version, bool *out_now)
{
	int order = -1;

	if (!state->is_installed) {
		w_typed_reason(x, "it is not installed");
		*out_now = w_typed_plan(x, "installed version %s", version);
		return true;
	}
	if (provider->compare != NULL &&
	    !provider->compare(x, state->version, version, &order))
		return false;
	w_typed_reason(x, "version mismatch: state=%s requested=%s",
	    state->version, version);
	*out_now = w_typed_plan(
	    x, "%s to %s", order < 0 ? "upgraded" : "downgraded", version);
	return true;
}

static bool
package_install_version(struct w_typed_step *x,
    const struct w_package_provider *provider,
    const struct w_package_state *state)
{
	const char *version = x->resource->ensure;
	bool is_now = false;

	if (state->is_installed && state->version != NULL &&
	    strcmp(state->version, version) == 0)
		return true;
	return plan_version(x, provider, state, version, &is_now) &&
	       (!is_now || provider->install(x, version, false));
}

static bool
package_install(struct w_typed_step *x,
    const struct w_package_provider *provider,
    const struct w_package_state *state)
{
	const bool is_latest = is_ensure(x, "latest");
	const char *newest = NULL;

	if (!state->is_installed) {
		w_typed_reason(x, state->is_broken
				      ? "its installation is incomplete"
				      : "it is not installed");
		return w_typed_plan(
			   x, is_latest ? "installed latest" : "installed")
			   ? provider->install(x, NULL, is_latest)
			   : true;
	}
	if (!is_latest)
		return true;
	if (!provider->newest(x, state, &newest))
		return false;
	if (newest == NULL || state->version == NULL ||
	    strcmp(newest, state->version) == 0)
		return true;
	w_typed_reason(x, "version mismatch: state=%s requested=%s",
	    state->version, newest);
	return w_typed_plan(x, "upgraded to latest")
		   ? provider->install(x, newest, true)
		   : true;
}

/* A hold is looked at after an installation, which keeps it. */
static bool
package_hold(struct w_typed_step *x, const struct w_package_provider *provider,
    const struct w_package_state *state)
{
	const bool is_held =
	    w_typed_truth(x, W_PACKAGE_HOLD, is_ensure(x, "held"));

	if (provider->hold == NULL || is_held == state->is_held ||
	    (!is_ensure(x, "held") && w_typed_text(x, W_PACKAGE_HOLD) == NULL))
		return true;
	w_typed_reason(x, is_held ? "it is not held" : "it is held");
	return w_typed_plan(x, is_held ? "held it" : "released its hold")
		   ? provider->hold(x, is_held)
		   : true;
}

/* ---- the whole ---- */

static bool
is_reached(const struct w_typed_step *x, const struct w_package_state *state)
{
	if (is_ensure(x, "absent"))
		return !state->is_installed;
	if (!state->is_installed)
		return false;
	return !w_package_is_version(x->resource->ensure) ||
	       (state->version != NULL &&
		   strcmp(state->version, x->resource->ensure) == 0);
}

static bool
package_look(struct w_typed_step *x, const struct w_package_provider *provider,
    struct w_package_state *state)
{
	*state = (struct w_package_state){.is_installed = false};
	return provider->look(x, state);
}

static bool
package_change(struct w_typed_step *x,
    const struct w_package_provider *provider, struct w_package_state *state)
{
	bool ok;

	if (is_ensure(x, "absent"))
		ok = package_remove(x, provider, state);
	else if (w_package_is_version(x->resource->ensure))
		ok = package_install_version(x, provider, state);
	else
		ok = package_install(x, provider, state);
	if (!ok || is_ensure(x, "absent"))
		return ok;
	return package_hold(x, provider, state);
}

/* A package manager that another one got in the way of may end well and have
 * done nothing: what it says is not what counts. */
static bool
package_install_again(struct w_typed_step *x,
    const struct w_package_provider *provider, struct w_package_state *state)
{
	const char *version = w_package_is_version(x->resource->ensure)
				  ? x->resource->ensure
				  : NULL;

	if (is_ensure(x, "absent") || state->is_installed ||
	    x->step->is_interrupted)
		return true;
	w_resource_step_warn(x->step,
	    "%s ended well, but '%s' was not installed: tried again",
	    provider->name, x->resource->name.text);
	if (!provider->install(x, version, is_ensure(x, "latest")))
		return false;
	w_typed_cache_forget(x->step->cache);
	return package_look(x, provider, state);
}

static bool
package_verify(struct w_typed_step *x,
    const struct w_package_provider *provider, struct w_package_state *state)
{
	if (!x->is_changed || x->is_noop)
		return true;
	w_typed_cache_forget(x->step->cache);
	if (!package_look(x, provider, state))
		return false;
	if (!is_reached(x, state) && !package_install_again(x, provider, state))
		return false;
	if (is_reached(x, state))
		return true;
	w_resource_step_fail(x->step,
	    "failed to reach desired state: %s: version mismatch: state=%s "
	    "requested=%s",
	    x->resource->ensure,
	    state->is_installed && state->version != NULL ? state->version
							  : "absent",
	    x->resource->ensure);
	return false;
}

static const char *
final_state(const struct w_typed_step *x, const struct w_package_state *state)
{
	if (x->is_noop)
		return state->is_installed && state->version != NULL
			   ? state->version
			   : "absent";
	return x->resource->ensure;
}

void
w_typed_package_apply(struct w_resource_step *step)
{
	static const char *const more[] = {"LC_ALL=C",
	    "DEBIAN_FRONTEND=noninteractive", "APT_LISTCHANGES_FRONTEND=none",
	    "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1",
	    "NPM_CONFIG_UPDATE_NOTIFIER=false", NULL};
	const struct w_package_provider *provider = NULL;
	struct w_package_state state = {.is_installed = false};
	struct w_typed_step x;
	const char *version;

	bool ok = w_typed_begin(&x, step, more, W_PACKAGE_ENVIRONMENT);
	if (ok) {
		provider = find_provider(&x);
		ok = provider != NULL;
	}
	if (ok) {
		step->event.provider = provider->name;
		ok = package_look(&x, provider, &state) &&
		     package_change(&x, provider, &state);
		ok = ok && package_verify(&x, provider, &state);
	}
	version = state.is_installed ? state.version : NULL;
	w_typed_note(&x, "version", version == NULL ? "absent" : version);
	if (provider == &w_package_apt)
		w_typed_note_truth(&x, "held", state.is_held);
	w_typed_end(
	    &x, ok ? w_resource_step_text(step, "%s", final_state(&x, &state))
		   : "");
}
