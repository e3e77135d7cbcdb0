/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Chooses the Landlock rights and rules from a resolved profile and the
 * kernel's ABI.
 *
 * An older ABI handles less; the plan never claims more than it handles. Where
 * the rules are the only wall around files, an ABI that leaves a way to destroy
 * a file is refused.
 */

#include "sandbox/landlock/landlock_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/syscall.h"
#include "sandbox/landlock/landlock_rules.h"
#include "sandbox/path/real_path.h"

static const char stage[] = "landlock";

static const uint64_t of_device = W_LANDLOCK_READ_FILE | W_LANDLOCK_WRITE_FILE |
				  W_LANDLOCK_TRUNCATE | W_LANDLOCK_IOCTL_DEV;

static const char *const device_nodes[] = {"/dev/null", "/dev/zero",
    "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

/* Made by the mounts, private to this sandbox. */
static const char *const private_dirs[] = {"/tmp", "/var/tmp", "/dev/shm"};

int
w_landlock_abi(int *out_errno)
{
	long abi = w_sys3(
	    __NR_landlock_create_ruleset, 0, 0, W_LANDLOCK_CREATE_VERSION);

	if (out_errno != NULL)
		*out_errno = abi < 0 ? (int)-abi : 0;
	return abi < 0 ? 0 : (int)abi;
}

static struct w_landlock_scope
scope_of(const struct w_resolved_profile *resolved, int abi)
{
	struct w_landlock_scope scope = {
	    .fs = W_LANDLOCK_EXECUTE | W_LANDLOCK_READ | W_LANDLOCK_WRITE |
		  W_LANDLOCK_MAKE_CHAR | W_LANDLOCK_MAKE_BLOCK |
		  W_LANDLOCK_IOCTL_DEV,
	};

	if (abi < W_LANDLOCK_ABI_REFER)
		scope.fs &= ~W_LANDLOCK_REFER;
	if (abi < W_LANDLOCK_ABI_TRUNCATE)
		scope.fs &= ~W_LANDLOCK_TRUNCATE;
	if (abi < W_LANDLOCK_ABI_IOCTL_DEV)
		scope.fs &= ~W_LANDLOCK_IOCTL_DEV;
	/* Landlock filters by port only and cannot tell loopback from other
	 * hosts. */
	if (abi >= W_LANDLOCK_ABI_NET && resolved->network == W_NETWORK_OFF)
		scope.net = W_LANDLOCK_BIND_TCP | W_LANDLOCK_CONNECT_TCP;
	if (abi >= W_LANDLOCK_ABI_SCOPES)
		scope.scoped =
		    W_LANDLOCK_SCOPE_ABSTRACT_UNIX | W_LANDLOCK_SCOPE_SIGNAL;
	return scope;
}

/* In a closed directory only programs can be read, and what the command may
 * write anyway. */
static uint64_t
access_of(
    const struct w_resolved_profile *resolved, const struct w_real_path *grant)
{
	const unsigned may = grant->may;
	uint64_t access = 0;

	if ((may & (W_MAY_WRITE | W_MAY_EXECUTE)) == 0 &&
	    w_real_paths_covering(&resolved->closed, grant->path) != NULL)
		return may == 0 ? 0 : W_LANDLOCK_READ_DIR;
	if ((may & (W_MAY_READ | W_MAY_WRITE)) != 0)
		access |= W_LANDLOCK_READ;
	if ((may & W_MAY_WRITE) != 0)
		access |= W_LANDLOCK_WRITE;
	if ((may & W_MAY_EXECUTE) != 0)
		access |= W_LANDLOCK_EXECUTE;
	return access;
}

/* Private directories are executable unless the profile has an execute list. */
static uint64_t
access_of_private(const struct w_resolved_profile *resolved)
{
	uint64_t access = W_LANDLOCK_READ | W_LANDLOCK_WRITE;

	for (size_t i = 0; i < resolved->grants.count; i++) {
		if ((resolved->grants.items[i].may & W_MAY_EXECUTE) == 0)
			return access;
	}
	return access | W_LANDLOCK_EXECUTE;
}

static writ_status
add_private_dirs(struct w_landlock_builder *builder, writ_error *err)
{
	uint64_t access = access_of_private(builder->resolved);

	for (size_t i = 0; i < sizeof(private_dirs) / sizeof(*private_dirs);
	     i++) {
		writ_status status = w_landlock_rule_add(builder,
		    private_dirs[i], W_LANDLOCK_DIR, access, true, err);
		if (status != WRIT_OK)
			return status;
	}
	/* The terminals of this sandbox: its /dev/pts has no others. */
	return w_landlock_rule_add(builder, "/dev/pts", W_LANDLOCK_DIR,
	    of_device | W_LANDLOCK_READ_DIR, true, err);
}

/* The kernel's own files come with the view; of the machine's root a profile
 * may grant only parts. */
static writ_status
add_view(struct w_landlock_builder *builder, writ_error *err)
{
	static const char *const own[] = {"/proc", "/dev", "/run"};
	const bool is_strict = builder->resolved->walls == W_WALLS_STRICT;
	uint64_t access =
	    access_of_private(builder->resolved) & ~W_LANDLOCK_WRITE;
	writ_status status = WRIT_OK;

	if (is_strict && !builder->resolved->has_allowlist)
		return w_landlock_rule_add(
		    builder, "/", W_LANDLOCK_DIR, access, false, err);
	if (is_strict)
		status = w_landlock_rule_add(builder, "/", W_LANDLOCK_DIR,
		    W_LANDLOCK_READ_DIR, false, err);
	/* Only a root of our own has a /run that nothing else grants. */
	for (size_t i = 0; status == WRIT_OK && i < (is_strict ? 3 : 2); i++)
		status = w_landlock_rule_add(builder, own[i], W_LANDLOCK_DIR,
		    W_LANDLOCK_READ, true, err);
	return status;
}

/* Below a hidden path the mounts may have left nothing to grant. */
static bool
landlock_plan_is_hidden(
    const struct w_resolved_profile *resolved, const char *path)
{
	for (size_t i = 0; i < resolved->hidden.count; i++) {
		const char *hidden = resolved->hidden.items[i].path;
		size_t len = strlen(hidden);
		if (strncmp(path, hidden, len) == 0 &&
		    (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

static writ_status
add_grants_of_view(struct w_landlock_builder *builder, writ_error *err)
{
	const struct w_resolved_profile *resolved = builder->resolved;

	for (size_t i = 0; i < resolved->grants.count; i++) {
		const struct w_real_path *grant = &resolved->grants.items[i];
		writ_status status;

		/* It has the rights of what is around it. */
		if (grant->is_placed)
			continue;
		status = w_landlock_grant_add(builder, grant,
		    access_of(resolved, grant),
		    landlock_plan_is_hidden(resolved, grant->path), err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_grants_alone(struct w_landlock_builder *builder, writ_error *err)
{
	const struct w_resolved_profile *resolved = builder->resolved;

	for (size_t i = 0; i < resolved->grants.count; i++) {
		const struct w_real_path *grant = &resolved->grants.items[i];
		writ_status status = w_landlock_grant_add(
		    builder, grant, access_of(resolved, grant), false, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
check_abi(const struct w_resolved_profile *resolved, int abi, writ_error *err)
{
	if (abi < 1) {
		(void)w_fail(err, WRIT_E_SANDBOX, stage, 0,
		    "this kernel offers no Landlock");
		w_suggest(err,
		    "boot with 'landlock' in the lsm= list of a kernel "
		    "from 5.13 that has it built in");
		return WRIT_E_SANDBOX;
	}
	if (resolved->walls <= W_WALLS_READONLY &&
	    abi < W_LANDLOCK_ABI_TRUNCATE) {
		(void)w_fail(err, WRIT_E_SANDBOX, stage, 0,
		    "Landlock ABI %d of this kernel lets a command empty "
		    "files that it may only read",
		    abi);
		w_suggest(err,
		    "use Linux 6.2 or later, or the profile 'workspace', "
		    "which has read-only mounts");
		return WRIT_E_SANDBOX;
	}
	return WRIT_OK;
}

static writ_status
landlock_plan_build(
    struct w_landlock_builder *builder, const char *scratch, writ_error *err)
{
	const struct w_resolved_profile *resolved = builder->resolved;
	bool has_view = builder->has_view;

	writ_status status =
	    has_view ? add_view(builder, err) : add_grants_alone(builder, err);
	if (status == WRIT_OK && has_view)
		status = add_grants_of_view(builder, err);
	if (status == WRIT_OK && has_view && scratch == NULL)
		status = add_private_dirs(builder, err);
	for (size_t i = 0; status == WRIT_OK &&
			   i < sizeof(device_nodes) / sizeof(*device_nodes);
	     i++)
		status = w_landlock_rule_add(builder, device_nodes[i],
		    W_LANDLOCK_FILE, of_device, true, err);
	if (status != WRIT_OK || scratch == NULL)
		return status;
	/* In a view of its own, the run's directory may have another path. */
	return w_landlock_rule_add(builder, scratch, W_LANDLOCK_DIR,
	    access_of_private(resolved), has_view, err);
}

writ_status
w_landlock_plan_build(const struct w_resolved_profile *resolved, int abi,
    const char *scratch, struct w_string_table *strings,
    struct w_landlock_plan *out_plan, writ_error *err)
{
	struct w_landlock_plan plan = {.scope = scope_of(resolved, abi)};
	struct w_landlock_builder builder = {
	    resolved, strings, &plan, resolved->walls > W_WALLS_READONLY};

	writ_status status = check_abi(resolved, abi, err);
	if (status == WRIT_OK)
		status = landlock_plan_build(&builder, scratch, err);
	if (status != WRIT_OK) {
		w_landlock_plan_done(&plan);
		return status;
	}
	plan.has_network = plan.scope.net != 0;
	plan.has_scopes = plan.scope.scoped != 0;
	*out_plan = plan;
	return WRIT_OK;
}

void
w_landlock_plan_done(struct w_landlock_plan *plan)
{
	free(plan->rules);
	*plan = (struct w_landlock_plan){0};
}
