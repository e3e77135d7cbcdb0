/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROFILE_RESOLVER_H
#define W_SANDBOX_PROFILE_RESOLVER_H

#include "sandbox/path/real_path.h"

/* The state of resolving one profile. */
struct w_profile_resolver {
	const struct w_profile *profile;
	const struct w_profile_context *context;
	struct w_resolved_profile *resolved;
	struct w_real_path_base base;
	char *home;      /* canonical */
	char *state_dir; /* canonical, or NULL */
	char *spill_dir; /* likewise; NULL too if it needs no hiding */
	struct w_real_paths roots; /* with a restriction: what was writable
				      before it */
	struct w_existence_cache cache;
};

/* The steps, in this order; each fills one sorted list of the resolved
 * profile. */
writ_status w_profile_collect_hidden(
    struct w_profile_resolver *resolver, writ_error *err);
writ_status w_profile_collect_grants(
    struct w_profile_resolver *resolver, writ_error *err);
/* Also fails for what must never be writable. */
writ_status w_profile_collect_guarded(
    struct w_profile_resolver *resolver, writ_error *err);

/* Protects a path beneath a canonical directory: one that exists becomes
 * guarded, a missing one absent. */
writ_status w_profile_guard_beneath(struct w_profile_resolver *resolver,
    const char *root, const char *relative, writ_error *err);
/* linked_worktree.c: after the guarded paths. Makes the part of a repository
 * writable that belongs to a linked work tree. */
writ_status w_profile_open_worktrees(
    struct w_profile_resolver *resolver, writ_error *err);

/* The first runs between the grants and the guarded paths, the second after
 * both. See restriction.h. */
writ_status w_profile_restrict_write(
    struct w_profile_resolver *resolver, writ_error *err);
void w_profile_restrict_guarded(struct w_profile_resolver *resolver);
bool w_profile_is_restricted(const struct w_profile_resolver *resolver);

/* Whether any grant around the path is writable; rights are not merged yet. */
bool w_resolved_profile_is_writable(
    const struct w_resolved_profile *resolved, const char *path);

/* Needs the final lists above. */
writ_status w_profile_collect_sockets(
    struct w_profile_resolver *resolver, writ_error *err);

writ_status w_profile_refuse_hidden(const struct w_profile_resolver *resolver,
    const char *what, const char *path, const char *hidden, writ_error *err);

#endif /* W_SANDBOX_PROFILE_RESOLVER_H */
