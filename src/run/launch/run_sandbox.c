/* SPDX-License-Identifier: Apache-2.0 */

/* Finds, builds and caches sandboxes; see run_sandbox.h. */

#include "run/launch/run_sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/loop.h"
#include "run/launch/fork_server.h"
#include "run/launch/run_layer.h"
#include "run/resolve/request_check.h"
#include "sandbox/landlock/landlock_plan.h"
#include "sandbox/plan/wall_layers.h"
#include "sandbox/probe/host_info.h"
#include "sandbox/probe/remedy.h"

enum {
	SANDBOX_CACHE_MAX = 16,
	SANDBOX_FRESH_MS = 1000,
	KEY_MAX = 1024 * 1024
};

static void
sandbox_free(struct w_run_sandbox *sandbox)
{
	w_fork_server_stop(sandbox);
	w_session_walls_release(sandbox->walls);
	w_undo_layer_drop(sandbox->layer);
	w_resolved_profile_done(&sandbox->resolved);
	free(sandbox->sandbox_plan);
	free(sandbox->cwd);
	free(sandbox->key);
	free(sandbox);
}

void
w_run_sandbox_release(struct w_run_sandbox *sandbox)
{
	if (sandbox != NULL && --sandbox->refs == 0)
		sandbox_free(sandbox);
}

static void
run_sandbox_drop(
    struct w_run_sandbox_cache *sandbox_cache, struct w_run_sandbox **slot)
{
	struct w_run_sandbox *sandbox = *slot;

	*slot = sandbox->next;
	sandbox_cache->count--;
	w_run_sandbox_release(sandbox);
}

void
w_run_sandbox_cache_done(struct w_run_sandbox_cache *sandbox_cache)
{
	while (sandbox_cache->first != NULL)
		run_sandbox_drop(sandbox_cache, &sandbox_cache->first);
	w_name_index_done(&sandbox_cache->name_index);
}

void
w_run_sandbox_forget(struct w_run_sandbox_cache *sandbox_cache,
    const struct w_session_walls *walls)
{
	struct w_run_sandbox **slot = &sandbox_cache->first;

	while (*slot != NULL) {
		if ((*slot)->walls == walls)
			run_sandbox_drop(sandbox_cache, slot);
		else
			slot = &(*slot)->next;
	}
}

static void
run_sandbox_add_list(struct w_buf *key, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		w_buf_add(key, *list, strlen(*list) + 1);
	w_buf_add_char(key, '\0');
}

/* An empty list is not the same as no list. */
static void
add_restriction(struct w_buf *key, const struct w_restriction *restriction)
{
	if (restriction == NULL ||
	    (!restriction->has_write && !restriction->has_execute &&
		restriction->hide == NULL))
		return;
	run_sandbox_add_list(key, restriction->hide);
	w_buf_add_char(key, !restriction->has_write    ? '-'
			    : restriction->writes_home ? 'h'
						       : 'w');
	run_sandbox_add_list(
	    key, restriction->has_write ? restriction->write : NULL);
	w_buf_add_char(key, restriction->has_execute ? 'x' : '-');
	run_sandbox_add_list(
	    key, restriction->has_execute ? restriction->execute : NULL);
	run_sandbox_add_list(
	    key, restriction->has_execute ? restriction->helpers : NULL);
	const char *const settings[] = {
	    restriction->settings_copy == NULL ? NULL : restriction->settings,
	    restriction->settings_copy, NULL};
	run_sandbox_add_list(key, settings);
	run_sandbox_add_list(key, restriction->roots);
}

/* The cache key: everything that a sandbox depends on. */
static void
write_key(struct w_buf *key, const writ_request *request,
    const struct w_run_sandbox_context *context)
{
	const uint64_t numbers[] = {(uint64_t)request->network,
	    request->tmp_size, context->missing, request->explain_denials,
	    context->is_late, context->may_keep, request->best_effort,
	    geteuid(), context->exec_pass,
	    context->walls == NULL ? 0 : context->walls->id};

	w_buf_add(key, request->sandbox, strlen(request->sandbox) + 1);
	w_buf_add(key, context->cwd, strlen(context->cwd) + 1);
	w_buf_add(key, context->home, strlen(context->home) + 1);
	w_buf_add_str(key, context->scratch != NULL ? context->scratch : "");
	w_buf_add_char(key, '\0');
	run_sandbox_add_list(key, request->read);
	run_sandbox_add_list(key, request->write);
	run_sandbox_add_list(key, request->hide);
	add_restriction(key, context->restriction);
	w_buf_add(key, numbers, sizeof(numbers));
}

static const enum w_network networks[] = {
    [WRIT_NETWORK_DEFAULT] = W_NETWORK_OFF,
    [WRIT_NETWORK_OFF] = W_NETWORK_OFF,
    [WRIT_NETWORK_LOOPBACK] = W_NETWORK_LOOPBACK,
    [WRIT_NETWORK_HOSTS] = W_NETWORK_HOSTS,
    [WRIT_NETWORK_HOST] = W_NETWORK_HOST,
};

static writ_status
resolve(struct w_run_sandbox *sandbox, const writ_request *request,
    const struct w_run_sandbox_context *context, writ_error *err)
{
	const struct w_session_walls *walls = context->walls;
	const struct w_home_view home_view = {
	    .home =
		walls == NULL || walls->home_fd < 0 ? NULL : walls->home_path,
	    .fd = walls == NULL ? -1 : walls->home_fd,
	    .is_whole = walls != NULL && walls->home_kind == W_HOME_OVERLAY,
	    .mounts = walls == NULL ? NULL : walls->mounts,
	};
	struct w_profile profile = {0};
	const struct w_profile_context terms = {
	    .cwd = context->cwd,
	    .home = context->home,
	    .state_dir = context->state_dir,
	    .spill_dir = context->spill_dir,
	    .read = request->read,
	    .write = request->write,
	    .hide = request->hide,
	    .has_network = request->network != WRIT_NETWORK_DEFAULT,
	    .network = networks[request->network],
	    .tmp_size = request->tmp_size,
	    .restriction = context->restriction,
	    .name_index = context->name_index,
	    .home_view =
		home_view.home == NULL ||
			(context->missing & W_LAYER_BIT(W_LAYER_MOUNTNS)) != 0
		    ? NULL
		    : &home_view,
	};

	writ_status status = w_profile_find(
	    request->sandbox, context->profile_dirs, &profile, err);
	if (status != WRIT_OK)
		return status;
	status = w_run_check_walls(request, profile.walls, err);
	if (status == WRIT_OK)
		status = w_profile_resolve(
		    &profile, &terms, &sandbox->resolved, err);
	sandbox->limits = profile.limits;
	w_profile_done(&profile);
	return status;
}

static void
choose_layers(struct w_run_sandbox *sandbox, uint32_t missing)
{
	const uint32_t network = W_LAYER_BIT(W_LAYER_NETNS);

	sandbox->layers = w_walls_layers(sandbox->resolved.walls,
	    sandbox->resolved.network, w_thread_can_make_namespaces());
	sandbox->missing = sandbox->layers & missing;
	sandbox->layers &= ~missing;
	/* Without a network namespace, loopback would be the host's. */
	if (w_network_has_loopback(sandbox->resolved.network) &&
	    (sandbox->missing & network) != 0)
		sandbox->resolved.network = W_NETWORK_OFF;
}

static writ_status
run_sandbox_lay_out(struct w_run_sandbox *sandbox, int abi, const char *scratch,
    struct w_sandbox_plan **out_sandbox_plan, writ_error *err)
{
	struct w_mount_layer layer;
	const struct w_sandbox_plan_options terms = {
	    .layers = sandbox->layers,
	    .landlock_abi = abi,
	    .explains = sandbox->explains,
	    .judges = sandbox->exec_pass != 0,
	    .exec_pass = sandbox->exec_pass,
	    .is_late = sandbox->is_late,
	    .may_keep = sandbox->may_keep,
	    .scratch = scratch,
	    .shared = sandbox->walls == NULL ? NULL : &sandbox->walls->shared,
	    .layer = w_run_layer_mount(sandbox, &layer) ? &layer : NULL,
	};

	return w_sandbox_plan_build(
	    &sandbox->resolved, &terms, out_sandbox_plan, err);
}

static writ_status
run_sandbox_build(struct w_run_sandbox *sandbox, const writ_request *request,
    const struct w_run_sandbox_context *context, writ_error *err)
{
	const uint32_t landlock = W_LAYER_BIT(W_LAYER_LANDLOCK);
	const char *root, *lack;
	int abi_error = 0;

	writ_status status = resolve(sandbox, request, context, err);
	if (status != WRIT_OK || !w_walls_hold(sandbox->resolved.walls))
		return status;
	int abi = w_landlock_abi(&abi_error);
	bool does_without = abi == 0 && request->best_effort;
	choose_layers(
	    sandbox, context->missing | (does_without ? landlock : 0));
	if (abi == 0 && (sandbox->layers & landlock) != 0)
		return w_probe_explain(W_LAYER_LANDLOCK, abi_error, err);
	sandbox->is_late = context->is_late;
	sandbox->may_keep = context->may_keep;
	sandbox->explains = request->explain_denials;
	sandbox->cwd = strdup(context->cwd);
	if (sandbox->cwd == NULL)
		return w_fail_nomem(err, "sandbox");
	sandbox->exec_pass = context->exec_pass;
	sandbox->walls = w_session_walls_hold(context->walls);
	status = w_run_layer_look(sandbox, context, &root, &lack, err);
	if (status == WRIT_OK && root != NULL)
		status = w_run_layer_make(sandbox, context, root, err);
	if (status != WRIT_OK)
		return status;
	return run_sandbox_lay_out(
	    sandbox, abi, context->scratch, &sandbox->sandbox_plan, err);
}

static struct w_run_sandbox *
new_sandbox(const struct w_buf *key)
{
	struct w_run_sandbox *sandbox = calloc(1, sizeof(*sandbox));

	if (sandbox == NULL)
		return NULL;
	sandbox->refs = 1;
	sandbox->spawner.pidfd = -1;
	sandbox->fork_server_socket = -1;
	sandbox->ready = W_READY_INIT_NONE;
	sandbox->resolved_ns = w_now_ns();
	sandbox->key = key->failed ? NULL : malloc(key->len);
	if (sandbox->key == NULL) {
		sandbox_free(sandbox);
		return NULL;
	}
	memcpy(sandbox->key, key->data, key->len);
	sandbox->key_len = key->len;
	return sandbox;
}

static writ_status
run_sandbox_make(const struct w_buf *key, const writ_request *request,
    const struct w_run_sandbox_context *context,
    struct w_run_sandbox **out_sandbox, writ_error *err)
{
	struct w_run_sandbox *sandbox = new_sandbox(key);

	if (sandbox == NULL)
		return w_fail_nomem(err, "sandbox");
	writ_status status = run_sandbox_build(sandbox, request, context, err);
	if (status != WRIT_OK) {
		sandbox_free(sandbox);
		return status;
	}
	*out_sandbox = sandbox;
	return WRIT_OK;
}

static struct w_run_sandbox **
run_sandbox_look_up(
    struct w_run_sandbox_cache *sandbox_cache, const struct w_buf *key)
{
	struct w_run_sandbox **slot = &sandbox_cache->first;

	for (; *slot != NULL; slot = &(*slot)->next) {
		if ((*slot)->key_len == key->len &&
		    memcmp((*slot)->key, key->data, key->len) == 0)
			break;
	}
	return slot;
}

static bool
run_sandbox_is_same(
    const struct w_run_sandbox *a, const struct w_run_sandbox *b)
{
	if (a->missing != b->missing ||
	    memcmp(&a->limits, &b->limits, sizeof(a->limits)) != 0)
		return false;
	if (a->sandbox_plan == NULL || b->sandbox_plan == NULL)
		return a->sandbox_plan == b->sandbox_plan;
	return a->sandbox_plan->size == b->sandbox_plan->size &&
	       memcmp(a->sandbox_plan, b->sandbox_plan,
		   a->sandbox_plan->size) == 0;
}

static void
run_sandbox_put_first(
    struct w_run_sandbox_cache *sandbox_cache, struct w_run_sandbox *sandbox)
{
	struct w_run_sandbox **last = &sandbox_cache->first;

	sandbox->next = sandbox_cache->first;
	sandbox_cache->first = sandbox;
	if (++sandbox_cache->count <= SANDBOX_CACHE_MAX)
		return;
	while ((*last)->next != NULL)
		last = &(*last)->next;
	run_sandbox_drop(sandbox_cache, last);
}

/* Keeps the cached sandbox if nothing has changed. */
static void
replace(struct w_run_sandbox_cache *sandbox_cache, struct w_run_sandbox **slot,
    struct w_run_sandbox *fresh)
{
	struct w_run_sandbox *old = *slot;

	if (old != NULL && run_sandbox_is_same(old, fresh)) {
		/* It was built from the old paths: a file replaced since then
		 * would be unmasked. */
		w_fork_server_drop_ready(old);
		old->resolved_ns = fresh->resolved_ns;
		w_run_sandbox_release(fresh);
		return;
	}
	if (old != NULL)
		run_sandbox_drop(sandbox_cache, slot);
	run_sandbox_put_first(sandbox_cache, fresh);
}

static bool
is_fresh(const struct w_run_sandbox *sandbox)
{
	return sandbox != NULL && w_now_ns() - sandbox->resolved_ns <=
				      SANDBOX_FRESH_MS * W_NS_PER_MS;
}

static writ_status
run_sandbox_find(struct w_run_sandbox_cache *sandbox_cache,
    const struct w_buf *key, const writ_request *request,
    const struct w_run_sandbox_context *context, struct w_run_found *out_found,
    writ_error *err)
{
	struct w_run_sandbox **slot = run_sandbox_look_up(sandbox_cache, key);
	struct w_run_sandbox *made = NULL;
	const char *root = NULL, *lack = NULL;
	writ_status status = WRIT_OK;

	if (is_fresh(*slot)) {
		status = w_run_layer_look(*slot, context, &root, &lack, err);
		/* A layer is for one run, and so is its sandbox. */
		if (status == WRIT_OK && root != NULL)
			status =
			    run_sandbox_make(key, request, context, &made, err);
	} else {
		status = run_sandbox_make(key, request, context, &made, err);
		if (status == WRIT_OK && made->layer == NULL)
			status =
			    w_run_layer_look(made, context, &root, &lack, err);
	}
	if (status != WRIT_OK) {
		w_run_sandbox_release(made);
		return status;
	}
	out_found->layer_lack = lack;
	if (made != NULL && made->layer != NULL) {
		out_found->sandbox = made;
		return WRIT_OK;
	}
	if (made != NULL) {
		replace(sandbox_cache, slot, made);
		slot = run_sandbox_look_up(sandbox_cache, key);
	}
	(*slot)->refs++;
	out_found->sandbox = *slot;
	return WRIT_OK;
}

static writ_status
make_bare(const struct w_buf *key, bool is_late, bool may_keep,
    struct w_run_sandbox **out_sandbox, writ_error *err)
{
	struct w_run_sandbox *sandbox = new_sandbox(key);

	if (sandbox == NULL)
		return w_fail_nomem(err, "sandbox");
	sandbox->layers = W_LAYER_BIT(W_LAYER_PIDNS);
	if (geteuid() != 0)
		sandbox->layers |= W_LAYER_BIT(W_LAYER_USERNS);
	sandbox->is_late = is_late;
	sandbox->may_keep = may_keep;
	writ_status status =
	    run_sandbox_lay_out(sandbox, 0, NULL, &sandbox->sandbox_plan, err);
	if (status != WRIT_OK)
		sandbox_free(sandbox);
	else
		*out_sandbox = sandbox;
	return status;
}

writ_status
w_run_sandbox_bare(struct w_run_sandbox_cache *sandbox_cache, bool is_late,
    bool may_keep, struct w_run_sandbox **out_sandbox, writ_error *err)
{
	const char name[] = {'b', is_late ? 'l' : 'e', may_keep ? 'k' : 'd'};
	struct w_buf key;
	writ_status status = WRIT_OK;

	w_buf_init(&key, KEY_MAX);
	w_buf_add(&key, name, sizeof(name));
	struct w_run_sandbox **slot = run_sandbox_look_up(sandbox_cache, &key);
	if (*slot == NULL) {
		struct w_run_sandbox *fresh = NULL;

		status = make_bare(&key, is_late, may_keep, &fresh, err);
		if (status == WRIT_OK)
			run_sandbox_put_first(sandbox_cache, fresh);
		slot = run_sandbox_look_up(sandbox_cache, &key);
	}
	w_buf_done(&key);
	if (status == WRIT_OK) {
		(*slot)->refs++;
		*out_sandbox = *slot;
	}
	return status;
}

writ_status
w_run_sandbox_find(struct w_run_sandbox_cache *sandbox_cache,
    const writ_request *request, const struct w_run_sandbox_context *context,
    struct w_run_found *out_found, writ_error *err)
{
	struct w_buf key;

	*out_found = (struct w_run_found){.sandbox = NULL};
	if (!w_run_wants_sandbox(request))
		return WRIT_OK;
	w_buf_init(&key, KEY_MAX);
	write_key(&key, request, context);
	writ_status status = key.failed ? w_fail_nomem(err, "sandbox")
					: run_sandbox_find(sandbox_cache, &key,
					      request, context, out_found, err);
	w_buf_done(&key);
	return status;
}
