/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves the paths of a profile and of a request, list by list. */

#include "sandbox/profile/profile_resolver.h"

#include <string.h>

#include "base/auto.h"
#include "sandbox/path/symlink_chain.h"

#define STAGE     "sandbox"
#define ROOT_HOME "/root"

/* One list of paths and how to treat its entries. */
struct profile_resolver_list {
	const char *what;
	const char *const *paths; /* NULL-ended, may be NULL */
	size_t builtins;          /* how many of them are built in */
	unsigned may;
	bool is_optional;
};

static const char *const *
paths_of(const struct w_words *words)
{
	return (const char *const *)words->items;
}

writ_status
w_profile_refuse_hidden(const struct w_profile_resolver *resolver,
    const char *what, const char *path, const char *hidden, writ_error *err)
{
	writ_status status;

	if (strcmp(path, resolver->context->cwd) == 0) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the working directory '%s' is in '%s', which is hidden",
		    path, hidden);
		w_suggest(err, "run it from another directory");
		return status;
	}
	status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s path '%s' is in '%s', which is hidden", what, path, hidden);
	w_suggest(err, "hiding wins: copy what is needed to another place");
	return status;
}

static writ_status
add_hidden(struct w_profile_resolver *resolver, const char *path,
    const struct w_real_path_query *query, writ_error *err)
{
	struct w_real_path real_path;
	bool is_found;
	writ_status status =
	    w_real_path_find(path, query, &real_path, &is_found, err);

	if (status != WRIT_OK || !is_found)
		return status;
	if (!w_real_paths_add(&resolver->resolved->hidden, &real_path))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
add_hidden_list(struct w_profile_resolver *resolver,
    const struct profile_resolver_list *list, writ_error *err)
{
	for (size_t i = 0; list->paths != NULL && list->paths[i] != NULL; i++) {
		bool is_builtin = i < list->builtins;
		const struct w_real_path_query query = {
		    .what = list->what,
		    .link = is_builtin ? W_REAL_PATH_LINK_FOLLOW
				       : W_REAL_PATH_LINK_REFUSE,
		    .is_optional = is_builtin || list->is_optional,
		    .skips_unreadable =
			is_builtin && !resolver->resolved->is_root,
		    .takes_any_kind = true,
		};
		W_AUTO_FREE char *path = NULL;
		writ_status status = w_real_path_expand(
		    list->paths[i], &resolver->base, list->what, &path, err);

		if (status == WRIT_OK && query.is_optional &&
		    !w_existence_cache_may_exist(&resolver->cache, path))
			continue;
		if (status == WRIT_OK)
			status = add_hidden(resolver, path, &query, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Hides root's own home too if HOME differs: in a sandbox root still owns what
 * lies there. */
static writ_status
hide_root_home(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_path_base base = resolver->base;
	const struct profile_resolver_list list = {
	    .what = "hide",
	    .paths = paths_of(&resolver->profile->hide),
	    .builtins = resolver->profile->builtins.hide,
	    .is_optional = true,
	};

	if (!resolver->resolved->is_root || list.paths == NULL ||
	    strcmp(resolver->home, ROOT_HOME) == 0)
		return WRIT_OK;
	resolver->base.home = ROOT_HOME;
	writ_status status = add_hidden_list(resolver, &list, err);
	resolver->base = base;
	return status;
}

writ_status
w_profile_collect_hidden(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_path_query state = {
	    .what = "state",
	    .link = W_REAL_PATH_LINK_FOLLOW,
	    .is_optional = true,
	};
	const struct profile_resolver_list of_profile = {
	    .what = "hide",
	    .paths = paths_of(&resolver->profile->hide),
	    .builtins = resolver->profile->builtins.hide,
	    .is_optional = true,
	};
	const struct profile_resolver_list of_request = {
	    .what = "hide", .paths = resolver->context->hide};
	const struct w_restriction *restriction =
	    resolver->context->restriction;
	const struct profile_resolver_list of_restriction = {
	    .what = "hide",
	    .paths = restriction == NULL ? NULL : restriction->hide,
	    .is_optional = true,
	};
	writ_status status = WRIT_OK;

	if (resolver->state_dir != NULL)
		status = add_hidden(resolver, resolver->state_dir, &state, err);
	if (status == WRIT_OK && resolver->spill_dir != NULL)
		status = add_hidden(resolver, resolver->spill_dir, &state, err);
	if (status == WRIT_OK)
		status = add_hidden_list(resolver, &of_profile, err);
	if (status == WRIT_OK)
		status = hide_root_home(resolver, err);
	if (status == WRIT_OK)
		status = add_hidden_list(resolver, &of_request, err);
	if (status == WRIT_OK && of_restriction.paths != NULL)
		status = add_hidden_list(resolver, &of_restriction, err);
	w_real_paths_sort(&resolver->resolved->hidden);
	return status;
}

static writ_status
refuse_proc(struct w_real_path *real_path, const char *what, writ_error *err)
{
	writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s path '%s' is in '/proc', of which every sandbox has its "
	    "own",
	    what, real_path->path);

	w_suggest(err, "take it out: what the kernel says there about the "
		       "command's own processes can be read anyway");
	w_real_path_done(real_path);
	return status;
}

static writ_status
profile_resolver_add_grant(struct w_profile_resolver *resolver,
    const char *path, const struct profile_resolver_list *list, bool is_builtin,
    writ_error *err)
{
	/* The view recreates links such as /bin -> usr/bin. */
	bool is_lenient = is_builtin && (list->may & W_MAY_WRITE) == 0;
	const struct w_real_path_query query = {
	    .what = list->what,
	    .link =
		is_lenient ? W_REAL_PATH_LINK_SKIP : W_REAL_PATH_LINK_REFUSE,
	    .is_optional = is_lenient,
	};
	struct w_real_path real_path;
	bool is_found;
	writ_status status =
	    w_real_path_find(path, &query, &real_path, &is_found, err);

	if (status != WRIT_OK || !is_found)
		return status;
	/* Every sandbox has its own /proc: a grant inside it does nothing. */
	if (w_real_path_covers("/proc", real_path.path) &&
	    strcmp(real_path.path, "/proc") != 0)
		return refuse_proc(&real_path, list->what, err);
	const struct w_real_path *over =
	    w_real_paths_covering(&resolver->resolved->hidden, real_path.path);
	if (over != NULL) {
		if (!is_lenient)
			status = w_profile_refuse_hidden(resolver, list->what,
			    real_path.path, over->path, err);
		w_real_path_done(&real_path);
		return status;
	}
	real_path.may = list->may;
	if (!w_real_paths_add(&resolver->resolved->grants, &real_path))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
add_grant_list(struct w_profile_resolver *resolver,
    const struct profile_resolver_list *list, writ_error *err)
{
	for (size_t i = 0; list->paths != NULL && list->paths[i] != NULL; i++) {
		W_AUTO_FREE char *path = NULL;
		writ_status status = w_real_path_expand(
		    list->paths[i], &resolver->base, list->what, &path, err);

		if (status == WRIT_OK)
			status = profile_resolver_add_grant(
			    resolver, path, list, i < list->builtins, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_profile_collect_grants(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_profile *profile = resolver->profile;
	const struct w_profile_context *context = resolver->context;
	unsigned run = profile->execute.count == 0 ? W_MAY_EXECUTE : 0;
	unsigned read = W_MAY_READ | run;
	unsigned write = W_MAY_READ | W_MAY_WRITE | run;
	const struct profile_resolver_list lists[] = {
	    {"read", paths_of(&profile->read), profile->builtins.read, read,
		false},
	    {"read", context->read, 0, read, false},
	    {"write", paths_of(&profile->write), profile->builtins.write, write,
		false},
	    {"write", context->write, 0, write, false},
	    {"execute", paths_of(&profile->execute), 0,
		W_MAY_READ | W_MAY_EXECUTE, false},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		writ_status status = add_grant_list(resolver, &lists[i], err);
		if (status != WRIT_OK)
			return status;
	}
	w_real_paths_sort(&resolver->resolved->grants);
	return WRIT_OK;
}

static writ_status
refuse_writable(const struct w_profile_resolver *resolver, const char *path,
    const char *why, writ_error *err)
{
	bool is_cwd = strcmp(path, resolver->context->cwd) == 0;
	writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s'%s' cannot be writable: %s",
	    is_cwd ? "the working directory " : "", path, why);

	if (is_cwd)
		w_suggest(err, "run it from a project's directory, or use the "
			       "profile 'readonly'");
	else
		w_suggest(err, "name the directory that is really needed");
	return status;
}

static writ_status
check_writable(const struct w_profile_resolver *resolver,
    const struct w_real_path *real_path, writ_error *err)
{
	static const char *const kernel_dirs[] = {"/proc", "/sys", "/dev"};
	const char *path = real_path->path;

	if (strcmp(path, "/") == 0)
		return refuse_writable(
		    resolver, path, "it is the whole machine", err);
	if (strcmp(path, resolver->home) == 0)
		return refuse_writable(
		    resolver, path, "it is the home directory", err);
	if (w_real_path_covers(path, resolver->home))
		return refuse_writable(
		    resolver, path, "it holds the home directory", err);
	if (resolver->state_dir != NULL &&
	    w_real_path_covers(path, resolver->state_dir))
		return refuse_writable(resolver, path,
		    "it holds the state directory of writ", err);
	for (size_t i = 0; i < 3; i++) {
		if (w_real_path_covers(kernel_dirs[i], path))
			return refuse_writable(
			    resolver, path, "it belongs to the kernel", err);
	}
	return WRIT_OK;
}

/* Whether guarding the path makes a difference. */
static bool
matters(const struct w_profile_resolver *resolver, const char *path)
{
	return (w_profile_is_restricted(resolver) ||
		   w_resolved_profile_is_writable(resolver->resolved, path)) &&
	       w_real_paths_covering(&resolver->resolved->hidden, path) == NULL;
}

/* A link to the writable directory itself: protecting it would protect
 * everything. */
static writ_status
check_not_around(const struct w_profile_resolver *resolver, const char *path,
    const struct w_real_path *real_path, writ_error *err)
{
	const struct w_real_paths *lists[] = {
	    &resolver->resolved->grants, &resolver->roots};

	for (size_t i = 0; i < 2 && real_path->is_dir; i++) {
		for (size_t k = 0; k < lists[i]->count; k++) {
			const struct w_real_path *grant = &lists[i]->items[k];

			if (((grant->may & W_MAY_WRITE) == 0 &&
				lists[i] == &resolver->resolved->grants) ||
			    !w_real_path_covers(real_path->path, grant->path))
				continue;
			writ_status status =
			    w_fail(err, WRIT_E_INVALID, STAGE, 0,
				"the protected path '%s' is a link to '%s', "
				"where the command is to write",
				path, real_path->path);
			w_suggest(err, "remove the link");
			return status;
		}
	}
	return WRIT_OK;
}

/* Several names may be links to the same file. */
static bool
profile_resolver_has_word(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

/* Guards each link on the way to a protected path, and its end. */
static writ_status
guard_chain(
    struct w_profile_resolver *resolver, const char *path, writ_error *err)
{
	struct w_resolved_profile *resolved = resolver->resolved;
	struct w_symlink_chain chain;
	writ_status status = w_symlink_chain_follow(path, &chain, err);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < chain.real_paths.count && status == WRIT_OK;
	     i++) {
		struct w_real_path *real_path = &chain.real_paths.items[i];

		if (!matters(resolver, real_path->path))
			continue;
		status = check_not_around(resolver, path, real_path, err);
		if (status == WRIT_OK &&
		    !w_real_paths_add(&resolved->guarded, real_path))
			status = w_fail_nomem(err, STAGE);
	}
	if (status == WRIT_OK && chain.absent != NULL &&
	    matters(resolver, chain.absent) &&
	    !profile_resolver_has_word(&resolved->absent, chain.absent) &&
	    !w_words_add(&resolved->absent, chain.absent, strlen(chain.absent)))
		status = w_fail_nomem(err, STAGE);
	w_symlink_chain_done(&chain);
	return status;
}

writ_status
w_profile_guard_beneath(struct w_profile_resolver *resolver, const char *root,
    const char *relative, writ_error *err)
{
	struct w_resolved_profile *resolved = resolver->resolved;
	struct w_real_path real_path;
	enum w_real_path_kind kind;
	writ_status status = w_real_path_find_beneath(
	    root, relative, &resolver->cache, &real_path, &kind, err);
	bool is_added;

	if (status != WRIT_OK)
		return status;
	if (w_real_paths_covering(&resolved->hidden, real_path.path) != NULL) {
		w_real_path_done(&real_path);
		return WRIT_OK;
	}
	if (kind == W_REAL_PATH_LINKED) {
		status = guard_chain(resolver, real_path.path, err);
		w_real_path_done(&real_path);
		return status;
	}
	if (kind == W_REAL_PATH_ABSENT) {
		is_added = w_words_add(
		    &resolved->absent, real_path.path, strlen(real_path.path));
		w_real_path_done(&real_path);
	} else {
		is_added = w_real_paths_add(&resolved->guarded, &real_path);
	}
	return is_added ? WRIT_OK : w_fail_nomem(err, STAGE);
}

static writ_status
guard_root(struct w_profile_resolver *resolver, const struct w_real_path *root,
    writ_error *err)
{
	if (!root->is_dir)
		return WRIT_OK;

	const struct w_words *protect = &resolver->profile->protect;

	for (size_t i = 0; i < protect->count; i++) {
		const char *text = protect->items[i];

		if (text[0] == '/' || text[0] == '~')
			continue;
		writ_status status =
		    w_profile_guard_beneath(resolver, root->path, text, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* A path inside a formerly writable root is protected from there. */
static writ_status
guard_grant(struct w_profile_resolver *resolver,
    const struct w_real_path *grant, writ_error *err)
{
	if ((grant->may & W_MAY_WRITE) == 0)
		return WRIT_OK;
	writ_status status = check_writable(resolver, grant, err);
	if (status != WRIT_OK ||
	    w_real_paths_covering(&resolver->roots, grant->path) != NULL)
		return status;
	return guard_root(resolver, grant, err);
}

/* Needs no guards inside if nothing in it is writable. */
static writ_status
guard_restricted(struct w_profile_resolver *resolver,
    const struct w_real_path *root, writ_error *err)
{
	const struct w_real_paths *grants = &resolver->resolved->grants;

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_real_path *grant = &grants->items[i];

		if ((grant->may & W_MAY_WRITE) != 0 &&
		    (w_real_path_covers(root->path, grant->path) ||
			w_real_path_covers(grant->path, root->path)))
			return guard_root(resolver, root, err);
	}
	return WRIT_OK;
}

writ_status
w_profile_collect_guarded(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_paths *grants = &resolver->resolved->grants;
	const struct w_words *protect = &resolver->profile->protect;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < grants->count; i++)
		status = guard_grant(resolver, &grants->items[i], err);
	for (size_t i = 0; status == WRIT_OK && i < resolver->roots.count; i++)
		status =
		    guard_restricted(resolver, &resolver->roots.items[i], err);
	for (size_t i = 0; status == WRIT_OK && i < protect->count; i++) {
		const char *text = protect->items[i];
		W_AUTO_FREE char *path = NULL;

		if (text[0] != '/' && text[0] != '~')
			continue;
		status = w_real_path_expand(
		    text, &resolver->base, "protect", &path, err);
		if (status == WRIT_OK)
			status = guard_chain(resolver, path, err);
	}
	w_real_paths_sort(&resolver->resolved->guarded);
	return status;
}
