/* SPDX-License-Identifier: Apache-2.0 */

/* The keys of a command: rules that might match it are filed under them. */

#include <string.h>

#include "base/basename.h"
#include "policy/evaluate/rule_index.h"

struct command_keys_walk {
	const struct w_evaluation *evaluation;
	unsigned kinds;
	w_rule_key_fn emit;
	void *ctx;
};

static bool
wants(const struct command_keys_walk *walk, enum w_rule_key kind)
{
	return (walk->kinds & (1U << kind)) != 0;
}

/* ---- names ---- */

static void
emit_name(const struct command_keys_walk *walk, const char *path)
{
	if (path == NULL)
		return;
	const char *name = w_basename(path);
	walk->emit(walk->ctx, W_RULE_KEY_NAME,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_NAME), name, strlen(name)));
}

static void
emit_names(const struct command_keys_walk *walk)
{
	const struct w_policy_program *program =
	    &walk->evaluation->command->program;
	const char *const *name = program->names;

	for (; name != NULL && *name != NULL; name++)
		emit_name(walk, *name);
	emit_name(walk, program->called_as);
	emit_name(walk, program->spelled);
	emit_name(walk, program->path);
}

static void
emit_module(const struct command_keys_walk *walk, const char *id)
{
	uint64_t hash = w_rule_key_start(W_RULE_KEY_MODULE);

	if (id == NULL)
		return;
	while (*id != '\0') {
		size_t len = strcspn(id, ".");

		len += id[len] == '.';
		hash = w_rule_key_add_folded(hash, id, len);
		walk->emit(walk->ctx, W_RULE_KEY_MODULE, hash);
		id += len;
	}
}

static void
emit_host(const struct command_keys_walk *walk, const char *host, size_t len)
{
	if (len > 1 && host[len - 1] == '.')
		len--;
	walk->emit(walk->ctx, W_RULE_KEY_HOST,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_HOST), host, len));
	for (size_t i = 0; i < len; i++) {
		if (host[i] == '.')
			walk->emit(walk->ctx, W_RULE_KEY_HOST_TAIL,
			    w_rule_key_add_folded(
				w_rule_key_start(W_RULE_KEY_HOST_TAIL),
				host + i, len - i));
	}
}

/* ---- paths ---- */

/* Yields every prefix of a path. For a directory whose contents are touched,
 * also the key of rules for something below it. */
static void
emit_prefixes(const struct command_keys_walk *walk, const char *path,
    enum w_rule_key kind, enum w_rule_key above, bool is_whole)
{
	uint64_t hash = w_rule_key_start(kind);
	uint64_t hash_above = w_rule_key_start(above);
	struct w_segment segment;

	if (!wants(walk, kind))
		return;
	walk->emit(walk->ctx, kind, hash);
	while (w_segment_next(&path, &segment)) {
		hash = w_rule_key_add(
		    w_rule_key_add(hash, "/", 1), segment.at, segment.len);
		walk->emit(walk->ctx, kind, hash);
		if (is_whole)
			hash_above =
			    w_rule_key_add(w_rule_key_add(hash_above, "/", 1),
				segment.at, segment.len);
	}
	if (is_whole)
		walk->emit(walk->ctx, above, hash_above);
}

/* Whether path is a parent directory of base. */
static bool
is_above(const char *path, const char *base)
{
	const char *rest;

	return w_path_is_in(base, path, &rest) &&
	       rest[strspn(rest, "/")] != '\0';
}

/* false: all rules have to be tested. */
static bool
emit_path(const struct command_keys_walk *walk, const char *path, bool is_whole)
{
	const char *const *root = walk->evaluation->tier->roots;
	const char *home = walk->evaluation->facts->home;
	const char *at = path;
	const char *rest;
	struct w_segment segment;

	if (is_whole && path[strspn(path, "/")] == '\0')
		return false;
	emit_prefixes(
	    walk, path, W_RULE_KEY_PATH, W_RULE_KEY_PATH_ABOVE, is_whole);
	while (
	    wants(walk, W_RULE_KEY_ANYWHERE) && w_segment_next(&at, &segment))
		walk->emit(walk->ctx, W_RULE_KEY_ANYWHERE,
		    w_rule_key_add(w_rule_key_start(W_RULE_KEY_ANYWHERE),
			segment.at, segment.len));
	if (home != NULL && is_whole && is_above(path, home))
		return false;
	if (home != NULL && w_path_is_in(path, home, &rest))
		emit_prefixes(walk, rest, W_RULE_KEY_HOME,
		    W_RULE_KEY_HOME_ABOVE, is_whole);
	for (; root != NULL && *root != NULL; root++) {
		if (is_whole && is_above(path, *root))
			return false;
		if (w_path_is_in(path, *root, &rest))
			emit_prefixes(walk, rest, W_RULE_KEY_ROOT,
			    W_RULE_KEY_ROOT_ABOVE, is_whole);
	}
	return true;
}

/* ---- items ---- */

static bool
emit_item(
    const struct command_keys_walk *walk, const struct w_evaluation_item *item)
{
	const struct w_analysis *analysis = walk->evaluation->command->analysis;
	const struct w_policy_path *path = item->path;

	if (item->touch < analysis->touch_count &&
	    analysis->touches[item->touch].kind == W_TOUCH_HOST &&
	    analysis->touches[item->touch].target != NULL) {
		const struct w_touch *touch = &analysis->touches[item->touch];

		emit_host(walk, touch->target, touch->len);
		if (touch->manager != NULL)
			emit_host(walk, touch->manager, touch->manager_len);
	}
	if (path == NULL)
		return true;
	if (path->is_elusive)
		return false;
	bool is_whole =
	    path->is_directory &&
	    (item->effect & (W_EFFECT_WRITE | W_EFFECT_DELETE)) != 0;
	if (!emit_path(walk, path->spelled, is_whole))
		return false;
	return path->resolved == NULL ||
	       strcmp(path->resolved, path->spelled) == 0 ||
	       emit_path(walk, path->resolved, is_whole);
}

static void
emit_effects(const struct command_keys_walk *walk)
{
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const char letter = (char)('a' + bit);

		if ((walk->evaluation->effects & (1U << bit)) != 0)
			walk->emit(walk->ctx, W_RULE_KEY_EFFECT,
			    w_rule_key_add(w_rule_key_start(W_RULE_KEY_EFFECT),
				&letter, 1));
	}
}

bool
w_evaluation_keys(const struct w_evaluation *evaluation, unsigned kinds,
    w_rule_key_fn emit, void *ctx)
{
	const struct command_keys_walk walk = {
	    .evaluation = evaluation, .kinds = kinds, .emit = emit, .ctx = ctx};

	emit(ctx, W_RULE_KEY_ALWAYS, w_rule_key_start(W_RULE_KEY_ALWAYS));
	emit_effects(&walk);
	if (wants(&walk, W_RULE_KEY_NAME))
		emit_names(&walk);
	if (wants(&walk, W_RULE_KEY_MODULE)) {
		emit_module(&walk, evaluation->command->analysis->id);
		emit_module(&walk, w_evaluation_module(evaluation, true));
	}
	for (size_t i = 0; i < evaluation->count; i++) {
		if (!emit_item(&walk, &evaluation->items[i]))
			return false;
	}
	return true;
}
