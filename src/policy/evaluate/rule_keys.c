/* SPDX-License-Identifier: Apache-2.0 */

/* What a rule is filed under: the first of its dimensions, the most telling
 * ones first, in which every alternative has a key. */

#include <string.h>

#include "policy/evaluate/rule_index.h"

/* Small and quick; nobody gains anything by collisions but work. */
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
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c - 'A' + 'a');
		hash = (hash ^ c) * HASH_PRIME;
	}
	return hash;
}

/* Who takes keys; NULL: only whether there are any is asked. */
struct taker {
	w_rule_key_fn take;
	void *ctx;
};

static void
rule_keys_give(const struct taker *taker, enum w_rule_key kind, uint64_t hash)
{
	if (taker != NULL)
		taker->take(taker->ctx, kind, hash);
}

/* ---- the key of one glob; false: it has none ---- */

static bool
name_key(const char *glob, const struct taker *taker)
{
	const char *slash = strrchr(glob, '/');
	const char *name = slash == NULL ? glob : slash + 1;
	size_t len = strlen(name);

	if (len == 0 || !w_glob_is_literal(name, len))
		return false;
	rule_keys_give(taker, W_RULE_KEY_NAME,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_NAME), name, len));
	return true;
}

static bool
module_key(const char *glob, const struct taker *taker)
{
	size_t len = strcspn(glob, "*?[");

	if (glob[len] != '\0') {
		while (len > 0 && glob[len - 1] != '.')
			len--;
		if (len == 0)
			return false;
	}
	rule_keys_give(taker, W_RULE_KEY_MODULE,
	    w_rule_key_add_folded(
		w_rule_key_start(W_RULE_KEY_MODULE), glob, len));
	return true;
}

static bool
host_key(const char *glob, const struct taker *taker)
{
	enum w_rule_key kind = W_RULE_KEY_HOST;

	if (strncmp(glob, "*.", 2) == 0) {
		kind = W_RULE_KEY_HOST_TAIL;
		glob++;
	}
	size_t len = strlen(glob);
	if (!w_glob_is_literal(glob, len))
		return false;
	rule_keys_give(taker, kind,
	    w_rule_key_add_folded(w_rule_key_start(kind), glob, len));
	return true;
}

/* Segments up to the first that is no literal one; above: each beginning that
 * is shorter. */
static void
path_keys(const char *glob, enum w_rule_key kind, enum w_rule_key above,
    const struct taker *taker)
{
	uint64_t hash = w_rule_key_start(kind);
	uint64_t hash_above = w_rule_key_start(above);
	struct w_segment segment;

	while (w_segment_next(&glob, &segment) &&
	       w_glob_is_literal(segment.at, segment.len)) {
		rule_keys_give(taker, above, hash_above);
		hash = w_rule_key_add(
		    w_rule_key_add(hash, "/", 1), segment.at, segment.len);
		hash_above = w_rule_key_add(w_rule_key_add(hash_above, "/", 1),
		    segment.at, segment.len);
	}
	rule_keys_give(taker, kind, hash);
}

static bool
path_key(const char *glob, const struct taker *taker)
{
	struct w_segment segment;

	if (glob[0] == '/') {
		path_keys(glob, W_RULE_KEY_PATH, W_RULE_KEY_PATH_ABOVE, taker);
		return true;
	}
	if (strncmp(glob, "~/", 2) == 0) {
		path_keys(
		    glob + 2, W_RULE_KEY_HOME, W_RULE_KEY_HOME_ABOVE, taker);
		return true;
	}
	if (strncmp(glob, "./", 2) == 0) {
		path_keys(
		    glob + 2, W_RULE_KEY_ROOT, W_RULE_KEY_ROOT_ABOVE, taker);
		return true;
	}
	if (strncmp(glob, "**/", 3) != 0)
		return false;
	glob += 3;
	if (!w_segment_next(&glob, &segment) ||
	    !w_glob_is_literal(segment.at, segment.len))
		return false;
	rule_keys_give(taker, W_RULE_KEY_ANYWHERE,
	    w_rule_key_add(w_rule_key_start(W_RULE_KEY_ANYWHERE), segment.at,
		segment.len));
	return true;
}

/* ---- dimensions: whether every alternative has a key ---- */

static bool
all_keys(w_globs globs, bool (*key)(const char *, const struct taker *),
    const struct taker *taker)
{
	for (; *globs != NULL; globs++) {
		if (!key(*globs, taker))
			return false;
	}
	return true;
}

static bool
shape_keys(const struct w_rule *rule, const struct taker *taker)
{
	for (size_t i = 0; i < rule->shape_count; i++) {
		if (rule->shapes[i].count == 0 ||
		    !name_key(rule->shapes[i].words[0], taker))
			return false;
	}
	return rule->shape_count > 0;
}

static bool
program_keys(const struct w_rule *rule, const struct taker *taker)
{
	return rule->programs != NULL &&
	       all_keys(rule->programs, name_key, taker);
}

static bool
called_keys(const struct w_rule *rule, const struct taker *taker)
{
	return rule->called_as != NULL &&
	       all_keys(rule->called_as, name_key, taker);
}

static bool
module_keys(const struct w_rule *rule, const struct taker *taker)
{
	return rule->modules != NULL &&
	       all_keys(rule->modules, module_key, taker);
}

static bool
host_keys(const struct w_rule *rule, const struct taker *taker)
{
	return rule->hosts != NULL && all_keys(rule->hosts, host_key, taker);
}

static bool
all_path_keys(const struct w_rule *rule, const struct taker *taker)
{
	bool has_any = false;

	for (unsigned i = 0; i < 4; i++) {
		if (rule->paths[i] == NULL)
			continue;
		has_any = true;
		if (!all_keys(rule->paths[i], path_key, taker))
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
effect_keys(const struct w_rule *rule, const struct taker *taker)
{
	unsigned effects = w_rule_effects(rule);

	if (effects == ~0U)
		return false;
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const char letter = (char)('a' + bit);

		if ((effects & (1U << bit)) != 0)
			rule_keys_give(taker, W_RULE_KEY_EFFECT,
			    w_rule_key_add(w_rule_key_start(W_RULE_KEY_EFFECT),
				&letter, 1));
	}
	return true;
}

void
w_rule_keys(const struct w_rule *rule, w_rule_key_fn take, void *ctx)
{
	static bool (*const dimensions[])(const struct w_rule *,
	    const struct taker *) = {shape_keys, program_keys, called_keys,
	    module_keys, host_keys, all_path_keys, effect_keys};
	const struct taker taker = {.take = take, .ctx = ctx};

	for (size_t i = 0; rule->kind == W_RULE_PLAIN &&
			   i < sizeof(dimensions) / sizeof(dimensions[0]);
	     i++) {
		if (dimensions[i](rule, NULL)) {
			(void)dimensions[i](rule, &taker);
			return;
		}
	}
	take(ctx, W_RULE_KEY_ALWAYS, w_rule_key_start(W_RULE_KEY_ALWAYS));
}
