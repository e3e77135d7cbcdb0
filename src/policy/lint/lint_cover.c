/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Decides from the rules alone whether one matches whatever another matches.
 * Yes is certain; no may also mean unknown.
 */

#include <string.h>

#include "policy/glob.h"
#include "policy/lint/lint.h"

#define ALL_EFFECTS ((W_EFFECT_APPROVAL << 1) - 1)
#define PATH_KEYS   4

static unsigned
path_effects(const struct w_rule *rule)
{
	unsigned effects = 0;

	for (unsigned i = 0; i < PATH_KEYS; i++) {
		if (rule->paths[i] != NULL)
			effects |= 1U << i;
	}
	return effects;
}

unsigned
w_lint_effects(const struct w_rule *rule)
{
	const unsigned paths = path_effects(rule);
	unsigned effects = ALL_EFFECTS;

	if (rule->effects != 0)
		effects &= rule->effects;
	if (paths != 0)
		effects &= paths;
	if (rule->hosts != NULL)
		effects &= W_EFFECT_NET | W_EFFECT_PUBLISH;
	return effects;
}

static bool
lint_cover_is_literal(const char *glob)
{
	return w_glob_is_literal(glob, strlen(glob));
}

/* A glob whose only wildcard is '*' covers another glob when it matches the
 * other's text: its stars also match the other's wildcards. */
static bool
glob_covers(const char *glob, const char *other)
{
	if (strcmp(glob, other) == 0 || strcmp(glob, "*") == 0)
		return true;
	if (!lint_cover_is_literal(other) &&
	    (strpbrk(glob, "?[]") != NULL || strchr(other, '[') != NULL))
		return false;
	return w_glob_text(glob, strlen(glob), other, strlen(other), false);
}

static bool
lint_cover_is_covered(w_globs globs, const char *other,
    bool (*covers)(const char *, const char *))
{
	for (; *globs != NULL; globs++) {
		if (covers(*globs, other))
			return true;
	}
	return false;
}

static bool
lists_cover(
    w_globs globs, w_globs others, bool (*covers)(const char *, const char *))
{
	if (globs == NULL)
		return true;
	if (others == NULL)
		return false;
	for (; *others != NULL; others++) {
		if (!lint_cover_is_covered(globs, *others, covers))
			return false;
	}
	return true;
}

bool
w_lint_globs_cover(w_globs globs, w_globs others)
{
	return lists_cover(globs, others, glob_covers);
}

/* A glob that ends with two stars covers the directory and all below it. */
static bool
path_covers(const char *glob, const char *other)
{
	size_t len = strlen(glob);

	if (strcmp(glob, other) == 0 || strcmp(glob, "/**") == 0)
		return true;
	if (len < 3 || strcmp(glob + len - 3, "/**") != 0)
		return false;
	len -= 3;
	return w_glob_is_literal(glob, len) && strncmp(glob, other, len) == 0 &&
	       (other[len] == '/' || other[len] == '\0');
}

static bool
paths_cover(const struct w_rule *rule, const struct w_rule *other)
{
	const unsigned possible = w_lint_effects(other);

	if (path_effects(rule) == 0)
		return true;
	for (unsigned i = 0; i < PATH_KEYS; i++) {
		if ((possible & 1U << i) == 0)
			continue;
		if (rule->paths[i] == NULL ||
		    !lists_cover(rule->paths[i], other->paths[i], path_covers))
			return false;
	}
	return (possible & ~(unsigned)W_MATCH_PATHS) == 0;
}

/* A shape's first word is its program. */
static bool
programs_cover(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule->programs == NULL)
		return true;
	if (w_lint_globs_cover(rule->programs, other->programs))
		return true;
	for (size_t i = 0; i < other->shape_count; i++) {
		const char *word = other->shapes[i].words[0];

		if (strchr(word, '/') != NULL ||
		    !lint_cover_is_covered(rule->programs, word, glob_covers))
			return false;
	}
	return other->shape_count > 0;
}

static bool
shape_covers(const struct w_shape *shape, const struct w_shape *other)
{
	if (shape->count != other->count || (other->is_open && !shape->is_open))
		return false;
	for (size_t i = 0; i < shape->count; i++) {
		if (strcmp(shape->words[i], other->words[i]) != 0 &&
		    (i == 0 || strcmp(shape->words[i], "*") != 0))
			return false;
	}
	return true;
}

static bool
shapes_cover(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule->shape_count == 0)
		return true;
	for (size_t i = 0; i < other->shape_count; i++) {
		size_t j = 0;

		while (j < rule->shape_count &&
		       !shape_covers(&rule->shapes[j], &other->shapes[i]))
			j++;
		if (j == rule->shape_count)
			return false;
	}
	return other->shape_count > 0;
}

static bool
input_covers(const struct w_rule_input *input, const struct w_rule_input *other)
{
	for (size_t i = 0; i < other->value_count; i++) {
		size_t j = 0;

		while (j < input->value_count &&
		       !yyjson_equals(input->values[j], other->values[i]))
			j++;
		if (j == input->value_count)
			return false;
	}
	return true;
}

static bool
inputs_cover(const struct w_rule *rule, const struct w_rule *other)
{
	for (size_t i = 0; i < rule->input_count; i++) {
		const struct w_rule_input *input = &rule->inputs[i];
		size_t j = 0;

		while (j < other->input_count &&
		       strcmp(input->key, other->inputs[j].key) != 0)
			j++;
		if (j == other->input_count ||
		    !input_covers(input, &other->inputs[j]))
			return false;
	}
	return true;
}

static bool
shell_covers(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule->is_shell == -1)
		return true;
	if (rule->is_shell != other->is_shell)
		return false;
	return rule->shell_text == NULL ||
	       (other->shell_text != NULL &&
		   glob_covers(rule->shell_text, other->shell_text));
}

static bool
circumstances_cover(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule->walls_min > other->walls_min)
		return false;
	if (rule->walls_below != 0 &&
	    (other->walls_below == 0 || other->walls_below > rule->walls_below))
		return false;
	if (rule->networks != 0 &&
	    (other->networks == 0 || (other->networks & ~rule->networks) != 0))
		return false;
	if (rule->undo != 0 && rule->undo != other->undo)
		return false;
	if (rule->until != 0 &&
	    (other->until == 0 || other->until > rule->until))
		return false;
	if (rule->project != NULL &&
	    (other->project == NULL ||
		strcmp(rule->project, other->project) != 0))
		return false;
	return rule->time == NULL ||
	       (other->time != NULL &&
		   memcmp(rule->time, other->time, sizeof(*rule->time)) == 0);
}

static uint64_t
name_bit(const char *name)
{
	uint64_t hash = 5381;

	for (; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return UINT64_C(1) << (hash * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

struct w_lint_brief
w_lint_brief(const struct w_rule *rule)
{
	struct w_lint_brief brief = {.is_any = rule->programs == NULL};

	for (w_globs globs = rule->programs; globs != NULL && *globs != NULL;
	     globs++) {
		brief.names |= name_bit(*globs);
		brief.is_any = brief.is_any || !lint_cover_is_literal(*globs);
	}
	/* Shapes name the program only if `program` does not. */
	for (size_t i = 0; rule->programs == NULL && i < rule->shape_count; i++)
		brief.names |= name_bit(rule->shapes[i].words[0]);
	return brief;
}

bool
w_lint_covers(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule->effects != 0 && (w_lint_effects(other) & ~rule->effects) != 0)
		return false;
	return w_lint_globs_cover(rule->agents, other->agents) &&
	       programs_cover(rule, other) &&
	       w_lint_globs_cover(rule->called_as, other->called_as) &&
	       w_lint_globs_cover(rule->modules, other->modules) &&
	       w_lint_globs_cover(rule->called, other->called) &&
	       w_lint_globs_cover(rule->hosts, other->hosts) &&
	       w_lint_globs_cover(rule->variables, other->variables) &&
	       paths_cover(rule, other) && shapes_cover(rule, other) &&
	       inputs_cover(rule, other) && shell_covers(rule, other) &&
	       circumstances_cover(rule, other);
}
