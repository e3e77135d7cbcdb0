/* SPDX-License-Identifier: Apache-2.0 */

/* Under which keys rules might be filed that matter for a command. */

#include <string.h>

#include "policy/rule_index.h"

struct walk {
	const struct w_trial *trial;
	unsigned kinds;
	w_key_fn take;
	void *ctx;
};

static bool
wants(const struct walk *walk, enum w_key kind)
{
	return (walk->kinds & (1U << kind)) != 0;
}

/* ---- names ---- */

static void
take_name(const struct walk *walk, const char *path)
{
	if (path == NULL)
		return;
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	walk->take(walk->ctx, W_KEY_NAME,
	    w_key_add_folded(w_key_start(W_KEY_NAME), name, strlen(name)));
}

static void
take_names(const struct walk *walk)
{
	const struct w_case_program *program = &walk->trial->command->program;
	const char *const *name = program->names;

	for (; name != NULL && *name != NULL; name++)
		take_name(walk, *name);
	take_name(walk, program->called_as);
	take_name(walk, program->spelled);
	take_name(walk, program->path);
}

static void
take_module(const struct walk *walk, const char *id)
{
	uint64_t hash = w_key_start(W_KEY_MODULE);

	if (id == NULL)
		return;
	while (*id != '\0') {
		size_t len = strcspn(id, ".");

		len += id[len] == '.';
		hash = w_key_add_folded(hash, id, len);
		walk->take(walk->ctx, W_KEY_MODULE, hash);
		id += len;
	}
}

static void
take_host(const struct walk *walk, const char *host, size_t len)
{
	if (len > 1 && host[len - 1] == '.')
		len--;
	walk->take(walk->ctx, W_KEY_HOST,
	    w_key_add_folded(w_key_start(W_KEY_HOST), host, len));
	for (size_t i = 0; i < len; i++) {
		if (host[i] == '.')
			walk->take(walk->ctx, W_KEY_HOST_TAIL,
			    w_key_add_folded(w_key_start(W_KEY_HOST_TAIL),
				host + i, len - i));
	}
}

/* ---- paths ---- */

/* Every beginning of a path; of a directory whose contents are touched, rules
 * that are about something in it too. */
static void
take_beginnings(const struct walk *walk, const char *path, enum w_key kind,
    enum w_key above, bool is_whole)
{
	uint64_t hash = w_key_start(kind);
	uint64_t hash_above = w_key_start(above);
	struct w_segment segment;

	if (!wants(walk, kind))
		return;
	walk->take(walk->ctx, kind, hash);
	while (w_segment_next(&path, &segment)) {
		hash =
		    w_key_add(w_key_add(hash, "/", 1), segment.at, segment.len);
		walk->take(walk->ctx, kind, hash);
		if (is_whole)
			hash_above = w_key_add(w_key_add(hash_above, "/", 1),
			    segment.at, segment.len);
	}
	if (is_whole)
		walk->take(walk->ctx, above, hash_above);
}

static void
take_segments(const struct walk *walk, const char *path)
{
	struct w_segment segment;

	while (w_segment_next(&path, &segment))
		walk->take(walk->ctx, W_KEY_ANYWHERE,
		    w_key_add(
			w_key_start(W_KEY_ANYWHERE), segment.at, segment.len));
}

/* Of a directory that lies above the base, all that is about the base. */
static bool
is_above(const char *path, const char *base)
{
	const char *rest;

	return w_path_is_in(base, path, &rest) &&
	       rest[strspn(rest, "/")] != '\0';
}

/* false: all rules matter. */
static bool
take_path(const struct walk *walk, const char *path, bool is_whole)
{
	const char *const *root = walk->trial->seat->roots;
	const char *home = walk->trial->c->home;
	const char *rest;

	if (is_whole && path[strspn(path, "/")] == '\0')
		return false;
	take_beginnings(walk, path, W_KEY_PATH, W_KEY_PATH_ABOVE, is_whole);
	if (wants(walk, W_KEY_ANYWHERE))
		take_segments(walk, path);
	if (home != NULL && is_whole && is_above(path, home))
		return false;
	if (home != NULL && w_path_is_in(path, home, &rest))
		take_beginnings(
		    walk, rest, W_KEY_HOME, W_KEY_HOME_ABOVE, is_whole);
	for (; root != NULL && *root != NULL; root++) {
		if (is_whole && is_above(path, *root))
			return false;
		if (w_path_is_in(path, *root, &rest))
			take_beginnings(
			    walk, rest, W_KEY_ROOT, W_KEY_ROOT_ABOVE, is_whole);
	}
	return true;
}

/* ---- items ---- */

static bool
take_item(const struct walk *walk, const struct w_item *item)
{
	const struct w_meaning *meaning = walk->trial->command->meaning;
	const struct w_case_path *path = item->path;

	if (item->touch < meaning->touch_count &&
	    meaning->touches[item->touch].kind == W_TOUCH_HOST &&
	    meaning->touches[item->touch].target != NULL)
		take_host(walk, meaning->touches[item->touch].target,
		    meaning->touches[item->touch].len);
	if (path == NULL)
		return true;
	if (path->is_elusive)
		return false;
	bool is_whole =
	    path->is_directory &&
	    (item->effect & (W_EFFECT_WRITE | W_EFFECT_DELETE)) != 0;
	if (!take_path(walk, path->spelled, is_whole))
		return false;
	return path->resolved == NULL ||
	       strcmp(path->resolved, path->spelled) == 0 ||
	       take_path(walk, path->resolved, is_whole);
}

static void
take_effects(const struct walk *walk)
{
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const char letter = (char)('a' + bit);

		if ((walk->trial->effects & (1U << bit)) != 0)
			walk->take(walk->ctx, W_KEY_EFFECT,
			    w_key_add(w_key_start(W_KEY_EFFECT), &letter, 1));
	}
}

bool
w_trial_keys(
    const struct w_trial *trial, unsigned kinds, w_key_fn take, void *ctx)
{
	const struct walk walk = {
	    .trial = trial, .kinds = kinds, .take = take, .ctx = ctx};

	take(ctx, W_KEY_ALWAYS, w_key_start(W_KEY_ALWAYS));
	take_effects(&walk);
	if (wants(&walk, W_KEY_NAME))
		take_names(&walk);
	if (wants(&walk, W_KEY_MODULE)) {
		take_module(&walk, trial->command->meaning->id);
		take_module(&walk, w_trial_module(trial, true));
	}
	for (size_t i = 0; i < trial->count; i++) {
		if (!take_item(&walk, &trial->items[i]))
			return false;
	}
	return true;
}
