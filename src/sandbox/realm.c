/* SPDX-License-Identifier: Apache-2.0 */

/* A confinement and the layers to use, laid out as one block of bytes. */

#include "sandbox/realm.h"

#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sandbox/landlock.h"
#include "sandbox/mount_plan.h"

enum {
	REALM_MAX = 16 * 1024 * 1024,
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

/* The parts while they are being collected. */
struct parts {
	struct w_table strings;
	struct w_mount_plan mounts;
	struct w_landlock_plan landlock;
	struct w_seccomp_filter filter;
};

static bool
has(const struct w_realm_terms *terms, enum w_layer layer)
{
	return (terms->layers & W_LAYER_BIT(layer)) != 0;
}

static void
parts_done(struct parts *parts)
{
	w_table_done(&parts->strings);
	w_mount_plan_done(&parts->mounts);
	w_landlock_plan_done(&parts->landlock);
	free(parts);
}

/* A read-only profile with a mount namespace has the view of a workspace in
 * which nothing is writable. Without one, the rules must carry everything. */
static enum w_walls
walls_to_build(const struct w_confine *confine, bool has_view)
{
	if (!has_view)
		return W_WALLS_READONLY;
	return confine->walls == W_WALLS_STRICT ? W_WALLS_STRICT
						: W_WALLS_WORKSPACE;
}

void
w_realm_filter(const struct w_confine *confine,
    const struct w_realm_terms *terms, struct w_seccomp_filter *out_filter)
{
	bool has_view = has(terms, W_LAYER_MOUNTNS);
	bool may_network = confine->network != W_NETWORK_OFF;
	const struct w_seccomp_kind kind = {
	    /* A read-only command has nobody to talk to. */
	    .has_unix_paths = has_view && confine->walls != W_WALLS_READONLY,
	    .has_internet = may_network,
	    .has_netlink = may_network,
	    .denies_metadata = !has_view,
	    .is_fenced = confine->is_fenced,
	    .explains = terms->explains,
	};

	w_seccomp_build(&kind, out_filter);
}

static writ_status
collect(struct parts *parts, const struct w_confine *confine,
    const struct w_realm_terms *terms, writ_error *err)
{
	bool has_view = has(terms, W_LAYER_MOUNTNS);
	struct w_confine view = *confine;
	writ_status status = WRIT_OK;

	view.walls = walls_to_build(confine, has_view);
	if (has_view)
		status = w_mount_plan_build(
		    &view, &parts->strings, &parts->mounts, err);
	if (status == WRIT_OK && has(terms, W_LAYER_LANDLOCK))
		status = w_landlock_plan_build(&view, terms->landlock_abi,
		    terms->scratch, &parts->strings, &parts->landlock, err);
	if (has(terms, W_LAYER_SECCOMP))
		w_realm_filter(confine, terms, &parts->filter);
	return status;
}

/* Where /tmp itself is granted, it is the machine's. */
static bool
has_own_home(const struct w_confine *confine, const struct w_realm_terms *terms)
{
	for (size_t i = 0; i < confine->grants.count; i++) {
		if (strcmp(confine->grants.items[i].path, "/tmp") == 0)
			return false;
	}
	return confine->walls == W_WALLS_STRICT && has(terms, W_LAYER_MOUNTNS);
}

static uint32_t
namespace_flags(const struct w_realm_terms *terms)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++) {
		if (has(terms, namespaces[i].layer))
			flags |= namespaces[i].flag;
	}
	return flags;
}

static uint32_t
append(struct w_buf *buf, const void *bytes, size_t len)
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
lay_out(struct w_buf *buf, struct parts *parts, const struct w_confine *confine,
    const struct w_realm_terms *terms)
{
	struct w_realm head = {
	    .layers = terms->layers,
	    .namespaces = namespace_flags(terms),
	    .network = (uint32_t)confine->network,
	    .op_count = (uint32_t)parts->mounts.count,
	    .rule_count = (uint32_t)parts->landlock.count,
	    .filter_count = (uint32_t)parts->filter.count,
	    .explains = terms->explains,
	    .is_late = terms->is_late,
	    .may_keep = terms->may_keep,
	    .has_home = has_own_home(confine, terms),
	    .scope = parts->landlock.scope,
	};

	(void)append(buf, &head, sizeof(head));
	head.ops = append(buf, parts->mounts.ops,
	    parts->mounts.count * sizeof(*parts->mounts.ops));
	head.rules = append(buf, parts->landlock.rules,
	    parts->landlock.count * sizeof(*parts->landlock.rules));
	head.filter = append(buf, parts->filter.code,
	    parts->filter.count * sizeof(*parts->filter.code));
	head.strings =
	    append(buf, parts->strings.text.data, parts->strings.text.len + 1);
	head.size = (uint32_t)buf->len;
	if (!buf->failed)
		memcpy(buf->data, &head, sizeof(head));
}

writ_status
w_realm_build(const struct w_confine *confine,
    const struct w_realm_terms *terms, struct w_realm **out_realm,
    writ_error *err)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	struct w_buf buf;

	if (parts == NULL)
		return w_fail_nomem(err, "sandbox");
	w_table_init(&parts->strings);
	w_buf_init(&buf, REALM_MAX);
	writ_status status = collect(parts, confine, terms, err);
	if (status == WRIT_OK) {
		lay_out(&buf, parts, confine, terms);
		void *bytes =
		    parts->strings.text.failed ? NULL : w_buf_take(&buf, NULL);

		if (bytes == NULL)
			status = w_fail_nomem(err, "sandbox");
		else
			*out_realm = bytes;
	}
	w_buf_done(&buf);
	parts_done(parts);
	return status;
}
