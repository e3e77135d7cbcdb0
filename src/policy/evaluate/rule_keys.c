/* SPDX-License-Identifier: Apache-2.0 */

/* The keys under which a rule is filed: those of its most selective condition
 * in which every alternative has a key. */

#include <string.h>

#include "base/ascii.h"
#include "base/basename.h"
#include "policy/evaluate/rule_index.h"

/* FNV-1a. Fast; a collision only costs time. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

uint64_t
w_rule_key_start(enum w_rule_key kind)
{
	return (HASH_START ^ (uint64_t)kind) * HASH_PRIME;
}

uint64_t
w_rule_key_add(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * HASH_PRIME;
	return hash;
}

uint64_t
w_rule_key_add_folded(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)w_lower(text[i])) * HASH_PRIME;
	return hash;
}

/* Receives the keys; NULL: only check whether there are any. */
struct key_sink {
	w_rule_key_fn emit;
	void *ctx;
};

static void
emit_key(const struct key_sink *key_sink, enum w_rule_key kind, uint64_t hash)
{
	if (key_sink != NULL)
		key_sink->emit(key_sink->ctx, kind, hash);
}

/* ---- the key of one glob; false: it has none ---- */

static bool
name_key(const char *glob, const struct key_sink *key_sink)
{
	const char *name = w_basename(glob);
	size_t len = strlen(name);

	if (len == 0 || !w_glob_is_literal(name, len))
		return false;
	emit_key(key_sink, W_RULE_KEY_NAME,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_NAME), name, len));
	return true;
}

static bool
module_key(const char *glob, const struct key_sink *key_sink)
{
	size_t len = strcspn(glob, "*?[");

	if (glob[len] != '\0') {
		while (len > 0 && glob[len - 1] != '.')
			len--;
		if (len == 0)
			return false;
	}
	emit_key(key_sink, W_RULE_KEY_MODULE,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_MODULE), glob, len));
	return true;
}

static bool
host_key(const char *glob, const struct key_sink *key_sink)
{
	enum w_rule_key kind = W_RULE_KEY_HOST;

	if (strncmp(glob, "*.", 2) == 0) {
		kind = W_RULE_KEY_HOST_TAIL;
		glob++;
	}
	size_t len = strlen(glob);
	if (!w_glob_is_literal(glob, len))
		return false;
	emit_key(key_sink, kind,
	    w_rule_key_add_folded(w_rule_key_start(kind), glob, len));
	return true;
}

/* Yields the literal prefix of a glob; above: each shorter prefix. */
static void
path_keys(const char *glob, enum w_rule_key kind, enum w_rule_key above,
    const struct key_sink *key_sink)
{
	uint64_t hash = w_rule_key_start(kind);
	uint64_t hash_above = w_rule_key_start(above);
	struct w_segment segment;

	while (w_segment_next(&glob, &segment) &&
	       w_glob_is_literal(segment.at, segment.len)) {
		emit_key(key_sink, above, hash_above);
		hash = w_rule_key_add(
		    w_rule_key_add(hash, "/", 1), segment.at, segment.len);
		hash_above = w_rule_key_add(w_rule_key_add(hash_above, "/", 1),
		    segment.at, segment.len);
	}
	emit_key(key_sink, kind, hash);
}

static bool
path_key(const char *glob, const struct key_sink *key_sink)
{
	struct w_segment segment;

	if (glob[0] == '/') {
		path_keys(
		    glob, W_RULE_KEY_PATH, W_RULE_KEY_PATH_ABOVE, key_sink);
		return true;
	}
	if (strncmp(glob, "~/", 2) == 0) {
		path_keys(
		    glob + 2, W_RULE_KEY_HOME, W_RULE_KEY_HOME_ABOVE, key_sink);
		return true;
	}
	if (strncmp(glob, "./", 2) == 0) {
		path_keys(
		    glob + 2, W_RULE_KEY_ROOT, W_RULE_KEY_ROOT_ABOVE, key_sink);
		return true;
	}
	if (strncmp(glob, "**/", 3) != 0)
		return false;
	glob += 3;
	if (!w_segment_next(&glob, &segment) ||
	    !w_glob_is_literal(segment.at, segment.len))
		return false;
	emit_key(key_sink, W_RULE_KEY_ANYWHERE,
	    w_rule_key_add(w_rule_key_start(W_RULE_KEY_ANYWHERE), segment.at,
		segment.len));
	return true;
}

/* ---- dimensions: whether every alternative has a key ---- */

static bool
all_keys(w_globs globs, bool (*key)(const char *, const struct key_sink *),
    const struct key_sink *key_sink)
{
	for (; *globs != NULL; globs++) {
		if (!key(*globs, key_sink))
			return false;
	}
	return true;
}

static bool
shape_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	for (size_t i = 0; i < rule->shape_count; i++) {
		if (rule->shapes[i].count == 0 ||
		    !name_key(rule->shapes[i].words[0], key_sink))
			return false;
	}
	return rule->shape_count > 0;
}

static bool
program_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	return rule->programs != NULL &&
	       all_keys(rule->programs, name_key, key_sink);
}

static bool
called_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	return rule->called_as != NULL &&
	       all_keys(rule->called_as, name_key, key_sink);
}

static bool
module_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	return rule->modules != NULL &&
	       all_keys(rule->modules, module_key, key_sink);
}

static bool
host_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	return rule->hosts != NULL && all_keys(rule->hosts, host_key, key_sink);
}

static bool
all_path_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	bool has_any = false;

	for (unsigned i = 0; i < 4; i++) {
		if (rule->paths[i] == NULL)
			continue;
		has_any = true;
		if (!all_keys(rule->paths[i], path_key, key_sink))
			return false;
	}
	return has_any;
}

unsigned
w_rule_effects(const struct w_rule *rule)
{
	unsigned effects = rule->effects != 0 ? rule->effects : ~0U;
	unsigned of_paths = 0;

	for (unsigned i = 0; i < 4; i++) {
		if (rule->paths[i] != NULL)
			of_paths |= 1U << i;
	}
	if (w_rule_is_broad(rule) && (of_paths & W_EFFECT_WRITE) != 0)
		of_paths |= W_EFFECT_DELETE;
	if (of_paths != 0)
		effects &= of_paths;
	if (rule->hosts != NULL)
		effects &= W_EFFECT_NET | W_EFFECT_PUBLISH;
	return effects;
}

static bool
effect_keys(const struct w_rule *rule, const struct key_sink *key_sink)
{
	unsigned effects = w_rule_effects(rule);

	if (effects == ~0U)
		return false;
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const char letter = (char)('a' + bit);

		if ((effects & (1U << bit)) != 0)
			emit_key(key_sink, W_RULE_KEY_EFFECT,
			    w_rule_key_add(w_rule_key_start(W_RULE_KEY_EFFECT),
				&letter, 1));
	}
	return true;
}

void
w_rule_keys(const struct w_rule *rule, w_rule_key_fn emit, void *ctx)
{
	static bool (*const dimensions[])(const struct w_rule *,
	    const struct key_sink *) = {shape_keys, program_keys, called_keys,
	    module_keys, host_keys, all_path_keys, effect_keys};
	const struct key_sink key_sink = {.emit = emit, .ctx = ctx};

	for (size_t i = 0; rule->kind == W_RULE_PLAIN &&
			   i < sizeof(dimensions) / sizeof(dimensions[0]);
	     i++) {
		if (dimensions[i](rule, NULL)) {
			(void)dimensions[i](rule, &key_sink);
			return;
		}
	}
	emit(ctx, W_RULE_KEY_ALWAYS, w_rule_key_start(W_RULE_KEY_ALWAYS));
}
