/* SPDX-License-Identifier: Apache-2.0 */

/* Under which keys rules might be filed that matter for a command. */

#include <string.h>

#include "policy/evaluate/rule_index.h"

struct evaluation_keys_walk {
	const struct w_evaluation *evaluation;
	unsigned kinds;
	w_rule_key_fn take;
	void *ctx;
};

static bool
wants(const struct evaluation_keys_walk *walk, enum w_rule_key kind)
{
	return (walk->kinds & (1U << kind)) != 0;
}

/* ---- names ---- */

static void
evaluation_keys_take_name(
    const struct evaluation_keys_walk *walk, const char *path)
{
	if (path == NULL)
		return;
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	walk->take(walk->ctx, W_RULE_KEY_NAME,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_NAME), name, strlen(name)));
}

static void
evaluation_keys_take_names(const struct evaluation_keys_walk *walk)
{
	const struct w_policy_program *program =
	    &walk->evaluation->command->program;
	const char *const *name = program->names;

	for (; name != NULL && *name != NULL; name++)
		evaluation_keys_take_name(walk, *name);
	evaluation_keys_take_name(walk, program->called_as);
	evaluation_keys_take_name(walk, program->spelled);
	evaluation_keys_take_name(walk, program->path);
}

static void
take_module(const struct evaluation_keys_walk *walk, const char *id)
{
	uint64_t hash = w_rule_key_start(W_RULE_KEY_MODULE);

	if (id == NULL)
		return;
	while (*id != '\0') {
		size_t len = strcspn(id, ".");

		len += id[len] == '.';
		hash = w_rule_key_add_folded(hash, id, len);
		walk->take(walk->ctx, W_RULE_KEY_MODULE, hash);
		id += len;
	}
}

static void
take_host(const struct evaluation_keys_walk *walk, const char *host, size_t len)
{
	if (len > 1 && host[len - 1] == '.')
		len--;
	walk->take(walk->ctx, W_RULE_KEY_HOST,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_HOST), host, len));
	for (size_t i = 0; i < len; i++) {
		if (host[i] == '.')
			walk->take(walk->ctx, W_RULE_KEY_HOST_TAIL,
			    w_rule_key_add_folded(
				w_rule_key_start(W_RULE_KEY_HOST_TAIL),
				host + i, len - i));
	}
}

/* ---- paths ---- */

/* Every beginning of a path; of a directory whose contents are touched, rules
 * that are about something in it too. */
static void
take_beginnings(const struct evaluation_keys_walk *walk, const char *path,
    enum w_rule_key kind, enum w_rule_key above, bool is_whole)
{
	uint64_t hash = w_rule_key_start(kind);
	uint64_t hash_above = w_rule_key_start(above);
	struct w_segment segment;

	if (!wants(walk, kind))
		return;
	walk->take(walk->ctx, kind, hash);
	while (w_segment_next(&path, &segment)) {
		hash = w_rule_key_add(
		    w_rule_key_add(hash, "/", 1), segment.at, segment.len);
		walk->take(walk->ctx, kind, hash);
		if (is_whole)
			hash_above =
			    w_rule_key_add(w_rule_key_add(hash_above, "/", 1),
				segment.at, segment.len);
	}
	if (is_whole)
		walk->take(walk->ctx, above, hash_above);
}

static void
take_segments(const struct evaluation_keys_walk *walk, const char *path)
{
	struct w_segment segment;

	while (w_segment_next(&path, &segment))
		walk->take(walk->ctx, W_RULE_KEY_ANYWHERE,
		    w_rule_key_add(w_rule_key_start(W_RULE_KEY_ANYWHERE),
			segment.at, segment.len));
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
take_path(
    const struct evaluation_keys_walk *walk, const char *path, bool is_whole)
{
	const char *const *root = walk->evaluation->tier->roots;
	const char *home = walk->evaluation->facts->home;
	const char *rest;

	if (is_whole && path[strspn(path, "/")] == '\0')
		return false;
	take_beginnings(
	    walk, path, W_RULE_KEY_PATH, W_RULE_KEY_PATH_ABOVE, is_whole);
	if (wants(walk, W_RULE_KEY_ANYWHERE))
		take_segments(walk, path);
	if (home != NULL && is_whole && is_above(path, home))
		return false;
	if (home != NULL && w_path_is_in(path, home, &rest))
		take_beginnings(walk, rest, W_RULE_KEY_HOME,
		    W_RULE_KEY_HOME_ABOVE, is_whole);
	for (; root != NULL && *root != NULL; root++) {
		if (is_whole && is_above(path, *root))
			return false;
		if (w_path_is_in(path, *root, &rest))
			take_beginnings(walk, rest, W_RULE_KEY_ROOT,
			    W_RULE_KEY_ROOT_ABOVE, is_whole);
	}
	return true;
}

/* ---- items ---- */

static bool
take_item(const struct evaluation_keys_walk *walk,
    const struct w_evaluation_item *item)
{
	const struct w_analysis *analysis = walk->evaluation->command->analysis;
	const struct w_policy_path *path = item->path;

	if (item->touch < analysis->touch_count &&
	    analysis->touches[item->touch].kind == W_TOUCH_HOST &&
	    analysis->touches[item->touch].target != NULL)
		take_host(walk, analysis->touches[item->touch].target,
		    analysis->touches[item->touch].len);
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
take_effects(const struct evaluation_keys_walk *walk)
{
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const char letter = (char)('a' + bit);

		if ((walk->evaluation->effects & (1U << bit)) != 0)
			walk->take(walk->ctx, W_RULE_KEY_EFFECT,
			    w_rule_key_add(w_rule_key_start(W_RULE_KEY_EFFECT),
				&letter, 1));
	}
}

bool
w_evaluation_keys(const struct w_evaluation *evaluation, unsigned kinds,
    w_rule_key_fn take, void *ctx)
{
	const struct evaluation_keys_walk walk = {
	    .evaluation = evaluation, .kinds = kinds, .take = take, .ctx = ctx};

	take(ctx, W_RULE_KEY_ALWAYS, w_rule_key_start(W_RULE_KEY_ALWAYS));
	take_effects(&walk);
	if (wants(&walk, W_RULE_KEY_NAME))
		evaluation_keys_take_names(&walk);
	if (wants(&walk, W_RULE_KEY_MODULE)) {
		take_module(&walk, evaluation->command->analysis->id);
		take_module(&walk, w_evaluation_module(evaluation, true));
	}
	for (size_t i = 0; i < evaluation->count; i++) {
		if (!take_item(&walk, &evaluation->items[i]))
			return false;
	}
	return true;
}
