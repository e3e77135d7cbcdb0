/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the conditions of a rule: one reader for each key. */

#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "policy/read/policy_reader.h"

static void
read_agents(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->agents =
	    w_read_list(reader, val, "agent", w_read_check_glob, false);
}

static void
read_programs(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->programs =
	    w_read_list(reader, val, "program", w_read_check_program, false);
}

static void
read_called_as(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->called_as =
	    w_read_list(reader, val, "called_as", w_read_check_glob, false);
}

static void
read_modules(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->modules =
	    w_read_list(reader, val, "module", w_read_check_glob, false);
}

static unsigned
effect_of(const char *word)
{
	if (strcmp(word, "unknown") == 0)
		return W_EFFECT_UNKNOWN;
	if (strcmp(word, "more") == 0)
		return W_EFFECT_MORE;
	if (strcmp(word, "approval") == 0)
		return W_EFFECT_APPROVAL;
	return w_effect_named(word, strlen(word));
}

static bool
check_effect(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *text)
{
	static const char *const words[] = {
#define X(name, bit, word) word,
	    W_EFFECT_MAP(X)
#undef X
		"unknown",
	    "more", "approval", NULL};
	char shown[64] = "";

	if (effect_of(text) != 0)
		return true;
	(void)what;
	(void)w_read_refuse(reader, val, "there is no effect '%.60s'", text);
	strncat(shown, text, sizeof(shown) - 1);
	const char *nearest = w_match_nearest(shown, words);
	if (nearest != NULL)
		w_read_suggest_word(reader, nearest);
	else
		w_read_suggest(reader,
		    "there are read, write, delete, exec, code, net, publish, "
		    "priv, irreversible, unknown, more and approval");
	return false;
}

static void
read_effects(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	w_globs words = w_read_list(reader, val, "effect", check_effect, false);

	(void)key;
	for (; words != NULL && *words != NULL; words++)
		rule->effects |= effect_of(*words);
}

/* The bits of read, write, delete and exec index paths[]. */
static void
read_match_read_paths(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct w_rule *rule = target;
	const char *name = w_read_word(key);
	const unsigned bit = w_effect_named(name, strlen(name));

	rule->paths[__builtin_ctz(bit)] =
	    w_read_list(reader, val, name, w_read_check_path, false);
}

static void
read_hosts(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->hosts =
	    w_read_list(reader, val, "host", w_read_check_host, false);
}

static void
read_variables(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->variables =
	    w_read_list(reader, val, "variable", w_read_check_variable, false);
}

static void
read_is_shell(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	if (yyjson_is_bool(val)) {
		rule->is_shell = yyjson_is_true(val);
		return;
	}
	/* An empty string is allowed here. */
	if (!w_json_is_text(val)) {
		(void)w_read_refuse(reader, val,
		    "shell must be true, false or a glob, not %s",
		    w_json_type_words(val));
		return;
	}
	const char *text = yyjson_get_str(val);
	if (!w_read_check_glob(reader, val, "shell", text))
		return;
	rule->is_shell = 1;
	rule->shell_text = text;
}

static const struct w_read_key match_keys[] = {
    {"agent", read_agents},
    {"program", read_programs},
    {"called_as", read_called_as},
    {"module", read_modules},
    {"inputs", w_read_inputs},
    {"effect", read_effects},
    {"read", read_match_read_paths},
    {"write", read_match_read_paths},
    {"delete", read_match_read_paths},
    {"exec", read_match_read_paths},
    {"host", read_hosts},
    {"variable", read_variables},
    {"shape", w_read_shapes},
    {"shell", read_is_shell},
    {"sandbox", w_read_walls},
    {"network", w_read_networks},
    {"time", w_read_time},
    {NULL, NULL},
};

void
w_read_match(
    struct w_policy_reader *reader, struct w_rule *rule, yyjson_val *val)
{
	if (yyjson_is_obj(val)) {
		(void)w_read_map(reader, val, "a match", match_keys, rule);
		return;
	}
	(void)w_read_refuse(reader, val,
	    "what a rule matches is a shape or a map, not %s",
	    w_json_type_words(val));
	if (yyjson_is_arr(val))
		w_read_suggest(reader, "several shapes are { shape: [...] }");
	else if (yyjson_is_null(val))
		w_read_suggest(reader, "{} matches every command");
}
