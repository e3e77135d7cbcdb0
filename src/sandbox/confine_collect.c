/* SPDX-License-Identifier: Apache-2.0 */

/* The paths of a profile and of a request, list by list, as places. */

#include "sandbox/confine_collect.h"

#include <string.h>

#include "base/auto.h"
#include "sandbox/place_way.h"

#define STAGE     "sandbox"
#define ROOT_HOME "/root"

/* One list of paths and what its entries mean. */
struct list {
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
w_confine_refuse_hidden(const struct w_confine_work *work, const char *what,
    const char *path, const char *hidden, writ_error *err)
{
	writ_status status;

	if (strcmp(path, work->context->cwd) == 0) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the working directory '%s' lies in '%s', which is hidden",
		    path, hidden);
		w_suggest(err, "run it from another directory");
		return status;
	}
	status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s path '%s' lies in '%s', which is hidden", what, path, hidden);
	w_suggest(err, "hiding wins: copy what is needed to another place");
	return status;
}

static writ_status
add_hidden(struct w_confine_work *work, const char *path,
    const struct w_place_query *query, writ_error *err)
{
	struct w_place place;
	bool is_found;
	writ_status status = w_place_find(path, query, &place, &is_found, err);

	if (status != WRIT_OK || !is_found)
		return status;
	if (!w_places_add(&work->confine->hidden, &place))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
add_hidden_list(
    struct w_confine_work *work, const struct list *list, writ_error *err)
{
	for (size_t i = 0; list->paths != NULL && list->paths[i] != NULL; i++) {
		bool is_builtin = i < list->builtins;
		const struct w_place_query query = {
		    .what = list->what,
		    .link =
			is_builtin ? W_PLACE_LINK_FOLLOW : W_PLACE_LINK_REFUSE,
		    .is_optional = is_builtin || list->is_optional,
		    .skips_unreadable = is_builtin && !work->confine->is_root,
		    .takes_any_kind = true,
		};
		W_AUTO_FREE char *path = NULL;
		writ_status status = w_place_spell(
		    list->paths[i], &work->base, list->what, &path, err);

		if (status == WRIT_OK && query.is_optional &&
		    !w_glance_may_exist(&work->glance, path))
			continue;
		if (status == WRIT_OK)
			status = add_hidden(work, path, &query, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Root's own home too, when HOME says something else: in a sandbox root still
 * owns what lies there. */
static writ_status
hide_root_home(struct w_confine_work *work, writ_error *err)
{
	const struct w_place_base base = work->base;
	const struct list list = {
	    .what = "hide",
	    .paths = paths_of(&work->profile->hide),
	    .builtins = work->profile->builtins.hide,
	    .is_optional = true,
	};

	if (!work->confine->is_root || list.paths == NULL ||
	    strcmp(work->home, ROOT_HOME) == 0)
		return WRIT_OK;
	work->base.home = ROOT_HOME;
	writ_status status = add_hidden_list(work, &list, err);
	work->base = base;
	return status;
}

writ_status
w_confine_collect_hidden(struct w_confine_work *work, writ_error *err)
{
	const struct w_place_query state = {
	    .what = "state",
	    .link = W_PLACE_LINK_FOLLOW,
	    .is_optional = true,
	};
	const struct list of_profile = {
	    .what = "hide",
	    .paths = paths_of(&work->profile->hide),
	    .builtins = work->profile->builtins.hide,
	    .is_optional = true,
	};
	const struct list of_request = {
	    .what = "hide", .paths = work->context->hide};
	writ_status status = WRIT_OK;

	if (work->state_dir != NULL)
		status = add_hidden(work, work->state_dir, &state, err);
	if (status == WRIT_OK && work->spill_dir != NULL)
		status = add_hidden(work, work->spill_dir, &state, err);
	if (status == WRIT_OK)
		status = add_hidden_list(work, &of_profile, err);
	if (status == WRIT_OK)
		status = hide_root_home(work, err);
	if (status == WRIT_OK)
		status = add_hidden_list(work, &of_request, err);
	w_places_sort(&work->confine->hidden);
	return status;
}

/* Every sandbox has a /proc of its own, and nothing of another one in it. */
static bool
is_in_proc(const struct w_place *place)
{
	return w_place_covers("/proc", place->path) &&
	       strcmp(place->path, "/proc") != 0;
}

static writ_status
refuse_proc(struct w_place *place, const char *what, writ_error *err)
{
	writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s path '%s' lies in '/proc', of which every sandbox has its own",
	    what, place->path);

	w_suggest(err, "take it out: what the kernel says there about the "
		       "command's own processes can be read anyway");
	w_place_done(place);
	return status;
}

static writ_status
add_grant(struct w_confine_work *work, const char *path,
    const struct list *list, bool is_builtin, writ_error *err)
{
	/* The view recreates links such as /bin -> usr/bin. */
	bool is_lenient = is_builtin && (list->may & W_MAY_WRITE) == 0;
	const struct w_place_query query = {
	    .what = list->what,
	    .link = is_lenient ? W_PLACE_LINK_SKIP : W_PLACE_LINK_REFUSE,
	    .is_optional = is_lenient,
	};
	struct w_place place;
	bool is_found;
	writ_status status = w_place_find(path, &query, &place, &is_found, err);

	if (status != WRIT_OK || !is_found)
		return status;
	if (is_in_proc(&place))
		return refuse_proc(&place, list->what, err);
	const struct w_place *over =
	    w_places_over(&work->confine->hidden, place.path);
	if (over != NULL) {
		if (!is_lenient)
			status = w_confine_refuse_hidden(
			    work, list->what, place.path, over->path, err);
		w_place_done(&place);
		return status;
	}
	place.may = list->may;
	if (!w_places_add(&work->confine->grants, &place))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
add_grant_list(
    struct w_confine_work *work, const struct list *list, writ_error *err)
{
	for (size_t i = 0; list->paths != NULL && list->paths[i] != NULL; i++) {
		W_AUTO_FREE char *path = NULL;
		writ_status status = w_place_spell(
		    list->paths[i], &work->base, list->what, &path, err);

		if (status == WRIT_OK)
			status = add_grant(
			    work, path, list, i < list->builtins, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_confine_collect_grants(struct w_confine_work *work, writ_error *err)
{
	const struct w_profile *profile = work->profile;
	const struct w_confine_context *context = work->context;
	unsigned run = profile->execute.count == 0 ? W_MAY_EXECUTE : 0;
	unsigned read = W_MAY_READ | run;
	unsigned write = W_MAY_READ | W_MAY_WRITE | run;
	const struct list lists[] = {
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
		writ_status status = add_grant_list(work, &lists[i], err);
		if (status != WRIT_OK)
			return status;
	}
	w_places_sort(&work->confine->grants);
	return WRIT_OK;
}

static writ_status
refuse_writable(const struct w_confine_work *work, const char *path,
    const char *why, writ_error *err)
{
	bool is_cwd = strcmp(path, work->context->cwd) == 0;
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
check_writable(const struct w_confine_work *work, const struct w_place *place,
    writ_error *err)
{
	static const char *const kernel_dirs[] = {"/proc", "/sys", "/dev"};
	const char *path = place->path;

	if (strcmp(path, "/") == 0)
		return refuse_writable(
		    work, path, "it is the whole machine", err);
	if (strcmp(path, work->home) == 0)
		return refuse_writable(
		    work, path, "it is the home directory", err);
	if (w_place_covers(path, work->home))
		return refuse_writable(
		    work, path, "it holds the home directory", err);
	if (work->state_dir != NULL && w_place_covers(path, work->state_dir))
		return refuse_writable(
		    work, path, "it holds the state directory of writ", err);
	for (size_t i = 0; i < 3; i++) {
		if (w_place_covers(kernel_dirs[i], path))
			return refuse_writable(
			    work, path, "it belongs to the kernel", err);
	}
	return WRIT_OK;
}

/* Whether what is guarded there makes a difference. */
static bool
matters(const struct w_confine_work *work, const char *path)
{
	return (w_confine_is_narrowed(work) ||
		   w_confine_is_writable(work->confine, path)) &&
	       w_places_over(&work->confine->hidden, path) == NULL;
}

/* A link to the very directory that is to be written in: what is protected
 * would be all of it. */
static writ_status
check_not_around(const struct w_confine_work *work, const char *path,
    const struct w_place *place, writ_error *err)
{
	const struct w_places *lists[] = {&work->confine->grants, &work->roots};

	for (size_t i = 0; i < 2 && place->is_dir; i++) {
		for (size_t k = 0; k < lists[i]->count; k++) {
			const struct w_place *grant = &lists[i]->items[k];

			if (((grant->may & W_MAY_WRITE) == 0 &&
				lists[i] == &work->confine->grants) ||
			    !w_place_covers(place->path, grant->path))
				continue;
			writ_status status =
			    w_fail(err, WRIT_E_INVALID, STAGE, 0,
				"the protected path '%s' is a link to '%s', "
				"where the command is to write",
				path, place->path);
			w_suggest(err, "remove the link");
			return status;
		}
	}
	return WRIT_OK;
}

/* Several names may be links to the same place. */
static bool
has_word(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

/* Holds fast each link on the way to a protected path, and its end. */
static writ_status
guard_way(struct w_confine_work *work, const char *path, writ_error *err)
{
	struct w_confine *confine = work->confine;
	struct w_way way;
	writ_status status = w_way_find(path, &way, err);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < way.places.count && status == WRIT_OK; i++) {
		struct w_place *place = &way.places.items[i];

		if (!matters(work, place->path))
			continue;
		status = check_not_around(work, path, place, err);
		if (status == WRIT_OK &&
		    !w_places_add(&confine->guarded, place))
			status = w_fail_nomem(err, STAGE);
	}
	if (status == WRIT_OK && way.absent != NULL &&
	    matters(work, way.absent) &&
	    !has_word(&confine->absent, way.absent) &&
	    !w_words_add(&confine->absent, way.absent, strlen(way.absent)))
		status = w_fail_nomem(err, STAGE);
	w_way_done(&way);
	return status;
}

/* A protected path that is there becomes guarded, another one absent. */
static writ_status
guard_beneath(struct w_confine_work *work, const char *root,
    const char *relative, writ_error *err)
{
	struct w_confine *confine = work->confine;
	struct w_place place;
	enum w_place_kind kind;
	writ_status status =
	    w_place_beneath(root, relative, &work->glance, &place, &kind, err);
	bool is_added;

	if (status != WRIT_OK)
		return status;
	if (w_places_over(&confine->hidden, place.path) != NULL) {
		w_place_done(&place);
		return WRIT_OK;
	}
	if (kind == W_PLACE_LINKED) {
		status = guard_way(work, place.path, err);
		w_place_done(&place);
		return status;
	}
	if (kind == W_PLACE_ABSENT) {
		is_added = w_words_add(
		    &confine->absent, place.path, strlen(place.path));
		w_place_done(&place);
	} else {
		is_added = w_places_add(&confine->guarded, &place);
	}
	return is_added ? WRIT_OK : w_fail_nomem(err, STAGE);
}

static writ_status
guard_absolute(struct w_confine_work *work, const char *text, writ_error *err)
{
	W_AUTO_FREE char *path = NULL;
	writ_status status =
	    w_place_spell(text, &work->base, "protect", &path, err);

	return status == WRIT_OK ? guard_way(work, path, err) : status;
}

static writ_status
guard_root(
    struct w_confine_work *work, const struct w_place *root, writ_error *err)
{
	if (!root->is_dir)
		return WRIT_OK;

	const struct w_words *protect = &work->profile->protect;

	for (size_t i = 0; i < protect->count; i++) {
		const char *text = protect->items[i];

		if (text[0] == '/' || text[0] == '~')
			continue;
		writ_status status = guard_beneath(work, root->path, text, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* A place in what was writable before is looked after there. */
static writ_status
guard_grant(
    struct w_confine_work *work, const struct w_place *grant, writ_error *err)
{
	if ((grant->may & W_MAY_WRITE) == 0)
		return WRIT_OK;
	writ_status status = check_writable(work, grant, err);
	if (status != WRIT_OK ||
	    w_places_over(&work->roots, grant->path) != NULL)
		return status;
	return guard_root(work, grant, err);
}

/* What is in it needs no guard when nothing in it can be written. */
static writ_status
guard_narrowed(
    struct w_confine_work *work, const struct w_place *root, writ_error *err)
{
	const struct w_places *grants = &work->confine->grants;

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_place *grant = &grants->items[i];

		if ((grant->may & W_MAY_WRITE) != 0 &&
		    (w_place_covers(root->path, grant->path) ||
			w_place_covers(grant->path, root->path)))
			return guard_root(work, root, err);
	}
	return WRIT_OK;
}

writ_status
w_confine_collect_guarded(struct w_confine_work *work, writ_error *err)
{
	const struct w_places *grants = &work->confine->grants;
	const struct w_words *protect = &work->profile->protect;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < grants->count; i++)
		status = guard_grant(work, &grants->items[i], err);
	for (size_t i = 0; status == WRIT_OK && i < work->roots.count; i++)
		status = guard_narrowed(work, &work->roots.items[i], err);
	for (size_t i = 0; status == WRIT_OK && i < protect->count; i++) {
		const char *text = protect->items[i];

		if (text[0] == '/' || text[0] == '~')
			status = guard_absolute(work, text, err);
	}
	w_places_sort(&work->confine->guarded);
	return status;
}
