/* SPDX-License-Identifier: Apache-2.0 */

/* Lays out a resolved profile and the layers to use as one block of bytes. */

#include "sandbox/plan/plan_builder.h"

#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sandbox/landlock/landlock_plan.h"
#include "sandbox/mounts/mount_plan.h"

enum {
	SANDBOX_PLAN_MAX = 16 * 1024 * 1024,
	ALIGNMENT = 8
};

static const struct {
	enum w_layer layer;
	uint32_t flag;
} namespaces[] = {
    {W_LAYER_USERNS, CLONE_NEWUSER},
    {W_LAYER_MOUNTNS, CLONE_NEWNS},
    {W_LAYER_PIDNS, CLONE_NEWPID},
    {W_LAYER_NETNS, CLONE_NEWNET},
    {W_LAYER_IPCNS, CLONE_NEWIPC},
    {W_LAYER_UTSNS, CLONE_NEWUTS},
    {W_LAYER_CGROUPNS, CLONE_NEWCGROUP},
};

/* The parts while they are collected. */
struct parts {
	struct w_string_table strings;
	struct w_mount_plan mounts;
	struct w_landlock_plan landlock;
	struct w_seccomp_filter filter;
};

static bool
plan_builder_has(
    const struct w_sandbox_plan_options *options, enum w_layer layer)
{
	return (options->layers & W_LAYER_BIT(layer)) != 0;
}

void
w_sandbox_plan_filter(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_seccomp_filter *out_filter)
{
	bool has_view = plan_builder_has(options, W_LAYER_MOUNTNS);
	bool may_network = resolved->network != W_NETWORK_OFF;
	const bool is_container = resolved->walls == W_WALLS_CONTAINER;
	const struct w_seccomp_kind kind = {
	    /* A read-only command may not connect to any socket. In a container
	     * nothing hides them: they come with the network. */
	    .has_unix_paths =
		is_container ? resolved->network == W_NETWORK_HOST
			     : has_view && resolved->walls != W_WALLS_READONLY,
	    .has_internet = may_network,
	    .has_netlink = may_network,
	    .denies_metadata = !has_view,
	    .has_modes = is_container,
	    .has_allowlist = resolved->has_allowlist,
	    .explains = options->explains,
	    .judges = options->judges,
	    .exec_pass = options->exec_pass,
	};

	w_seccomp_build(&kind, out_filter);
}

static writ_status
plan_builder_collect(struct parts *parts,
    const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options, writ_error *err)
{
	bool has_view = plan_builder_has(options, W_LAYER_MOUNTNS);
	struct w_resolved_profile view = *resolved;
	writ_status status = WRIT_OK;

	/* A read-only profile with a mount namespace has the view of a
	 * workspace in which nothing is writable. Without one, the Landlock
	 * rules must carry everything. */
	if (!has_view)
		view.walls = W_WALLS_READONLY;
	else if (view.walls != W_WALLS_STRICT)
		view.walls = W_WALLS_WORKSPACE;
	if (has_view)
		status = w_mount_plan_build(&view, options->shared,
		    options->layer, &parts->strings, &parts->mounts, err);
	if (status == WRIT_OK && plan_builder_has(options, W_LAYER_LANDLOCK))
		status = w_landlock_plan_build(&view, options->landlock_abi,
		    options->scratch, &parts->strings, &parts->landlock, err);
	if (plan_builder_has(options, W_LAYER_SECCOMP))
		w_sandbox_plan_filter(resolved, options, &parts->filter);
	return status;
}

/* If /tmp itself is granted, it is the machine's. */
static bool
has_own_home(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options)
{
	for (size_t i = 0; i < resolved->grants.count; i++) {
		if (strcmp(resolved->grants.items[i].path, "/tmp") == 0)
			return false;
	}
	return resolved->walls == W_WALLS_STRICT &&
	       plan_builder_has(options, W_LAYER_MOUNTNS);
}

static uint32_t
namespace_flags(const struct w_sandbox_plan_options *options)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++) {
		if (plan_builder_has(options, namespaces[i].layer))
			flags |= namespaces[i].flag;
	}
	return flags;
}

/* Only loopback is shared: a run without a network has nobody to reach, and one
 * with the host's stays there. */
static uint32_t
joined_namespaces(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options)
{
	if (options->shared == NULL ||
	    !plan_builder_has(options, W_LAYER_MOUNTNS))
		return 0;
	uint32_t joins = options->shared->joins;
	if (!w_network_has_loopback(resolved->network) ||
	    !plan_builder_has(options, W_LAYER_NETNS))
		joins &= ~(uint32_t)W_JOINS_NETWORK;
	return joins;
}

static uint32_t
plan_builder_append(struct w_buf *buf, const void *bytes, size_t len)
{
	static const char zeros[ALIGNMENT];

	if (buf->len % ALIGNMENT != 0)
		w_buf_add(buf, zeros, ALIGNMENT - buf->len % ALIGNMENT);
	uint32_t at = (uint32_t)buf->len;
	if (len > 0)
		w_buf_add(buf, bytes, len);
	return at;
}

static void
plan_builder_lay_out(struct w_buf *buf, struct parts *parts,
    const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options)
{
	struct w_sandbox_plan head = {
	    .layers = options->layers,
	    .namespaces = namespace_flags(options),
	    .network = (uint32_t)resolved->network,
	    .op_count = (uint32_t)parts->mounts.count,
	    .rule_count = (uint32_t)parts->landlock.count,
	    .filter_count = (uint32_t)parts->filter.count,
	    .has_layer = options->layer != NULL,
	    .notifies = options->explains || options->judges,
	    .exec_pass = options->judges ? options->exec_pass : 0,
	    .is_late = options->is_late,
	    .may_keep = options->may_keep,
	    .has_home = has_own_home(resolved, options),
	    .joins = joined_namespaces(resolved, options),
	    .scope = parts->landlock.scope,
	};

	(void)plan_builder_append(buf, &head, sizeof(head));
	head.ops = plan_builder_append(buf, parts->mounts.ops,
	    parts->mounts.count * sizeof(*parts->mounts.ops));
	head.rules = plan_builder_append(buf, parts->landlock.rules,
	    parts->landlock.count * sizeof(*parts->landlock.rules));
	head.filter = plan_builder_append(buf, parts->filter.code,
	    parts->filter.count * sizeof(*parts->filter.code));
	head.strings = plan_builder_append(
	    buf, parts->strings.text.data, parts->strings.text.len + 1);
	head.size = (uint32_t)buf->len;
	if (!buf->failed)
		memcpy(buf->data, &head, sizeof(head));
}

writ_status
w_sandbox_plan_build(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_sandbox_plan **out_sandbox_plan, writ_error *err)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	struct w_buf buf;

	if (parts == NULL)
		return w_fail_nomem(err, "sandbox");
	w_string_table_init(&parts->strings);
	w_buf_init(&buf, SANDBOX_PLAN_MAX);
	writ_status status =
	    plan_builder_collect(parts, resolved, options, err);
	if (status == WRIT_OK) {
		plan_builder_lay_out(&buf, parts, resolved, options);
		void *bytes =
		    parts->strings.text.failed ? NULL : w_buf_take(&buf, NULL);

		if (bytes == NULL)
			status = w_fail_nomem(err, "sandbox");
		else
			*out_sandbox_plan = bytes;
	}
	w_buf_done(&buf);
	w_string_table_done(&parts->strings);
	w_mount_plan_done(&parts->mounts);
	w_landlock_plan_done(&parts->landlock);
	free(parts);
	return status;
}
