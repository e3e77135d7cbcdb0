/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the conditions of a rule. A shape is the words of a command, with
 * wildcards. */

#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "policy/read/policy_reader.h"

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
	char shown[64];

	if (effect_of(text) != 0)
		return true;
	(void)what;
	(void)w_read_refuse(reader, val, "there is no effect '%.60s'", text);
	(void)snprintf(shown, sizeof(shown), "%.63s", text);
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

static void
read_undo(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	if (yyjson_is_bool(val))
		rule->undo =
		    yyjson_is_true(val) ? W_RULE_CAN_UNDO : W_RULE_CANNOT_UNDO;
	else
		(void)w_read_refuse(reader, val,
		    "undo must be true or false, not %s",
		    w_json_type_words(val));
}

static void
read_called(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	static const char *const nothing[] = {"", NULL};
	struct w_rule *rule = target;

	(void)key;
	rule->called = yyjson_is_false(val) ? nothing
					    : w_read_list(reader, val, "called",
						  w_read_check_glob, false);
}

/* Checks where wildcards stand. */
static bool
read_shape_check_words(struct w_policy_reader *reader, yyjson_val *val,
    const struct w_words *words)
{
	if (words->count == 0)
		return w_read_refuse(reader, val, "the shape is empty");
	for (size_t i = 0; i + 1 < words->count; i++) {
		if (strcmp(words->items[i], "...") == 0) {
			(void)w_read_refuse(reader, val,
			    "'...' must be the last word of a shape");
			w_read_suggest(reader, "'*' is any one word");
			return false;
		}
	}
	if (strcmp(words->items[0], "...") != 0 &&
	    strcmp(words->items[0], "*") != 0)
		return true;
	(void)w_read_refuse(
	    reader, val, "a shape begins with the name of a program");
	w_read_suggest(reader, "{} matches every command");
	return false;
}

static bool
copy_words(struct w_policy_reader *reader, const struct w_words *words,
    struct w_shape *shape)
{
	const char **copies =
	    w_read_alloc(reader, words->count + 1, sizeof(*copies));

	shape->is_open = strcmp(words->items[words->count - 1], "...") == 0;
	shape->count = words->count - shape->is_open;
	for (size_t i = 0; copies != NULL && i < shape->count; i++) {
		const char *word = words->items[i];

		copies[i] = w_read_copy(reader, word, strlen(word));
	}
	shape->words = copies;
	return copies != NULL;
}

static bool
read_shape(
    struct w_policy_reader *reader, yyjson_val *val, struct w_shape *shape)
{
	const char *text = w_read_text(reader, val, "a shape");
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	writ_error err;

	if (text == NULL)
		return false;
	if (w_words_split(text, strlen(text), &words, &err) != WRIT_OK)
		return w_read_refuse_error(reader, val, "a shape", &err);
	shape->text = text;
	return read_shape_check_words(reader, val, &words) &&
	       copy_words(reader, &words, shape);
}

void
w_read_shapes(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	const size_t count = yyjson_is_arr(val) ? yyjson_arr_size(val) : 1;
	struct w_shape *shapes;
	size_t i;
	size_t max;
	yyjson_val *item;

	(void)key;
	if (!yyjson_is_arr(val) && !yyjson_is_str(val)) {
		(void)w_read_refuse(reader, val,
		    "shape must be text or a list of texts, not %s",
		    w_json_type_words(val));
		return;
	}
	if (count == 0) {
		(void)w_read_refuse(reader, val, "shape is an empty list");
		return;
	}
	shapes = w_read_alloc(reader, count, sizeof(*shapes));
	if (shapes == NULL)
		return;
	if (yyjson_is_str(val))
		(void)read_shape(reader, val, shapes);
	yyjson_arr_foreach(val, i, max, item)(void)
	    read_shape(reader, item, &shapes[i]);
	rule->shapes = shapes;
	rule->shape_count = count;
}

#define LIST(name, member, how)                                     \
	{                                                           \
		name, W_READ_LIST, offsetof(struct w_rule, member), \
		    .check = how                                    \
	}

/* The bits of read, write, delete and exec index paths[]. */
static const struct w_read_key match_keys[] = {
    LIST("agent", agents, w_read_check_glob),
    LIST("program", programs, w_read_check_program),
    LIST("called_as", called_as, w_read_check_glob),
    LIST("module", modules, w_read_check_glob),
    {"called", .read = read_called},
    {"inputs", .read = w_read_inputs},
    {"effect", W_READ_BITS, offsetof(struct w_rule, effects),
	.check = check_effect, .bits = effect_of},
    LIST("read", paths[0], w_read_check_path),
    LIST("write", paths[1], w_read_check_path),
    LIST("delete", paths[2], w_read_check_path),
    LIST("exec", paths[3], w_read_check_path),
    LIST("host", hosts, w_read_check_host),
    LIST("variable", variables, w_read_check_variable),
    {"shape", .read = w_read_shapes},
    {"shell", .read = read_is_shell},
    {"sandbox", .read = w_read_walls},
    {"network", W_READ_BITS, offsetof(struct w_rule, networks),
	.check = w_read_check_network, .bits = w_read_network_bit},
    {"time", .read = w_read_time},
    {"undo", .read = read_undo},
    {.name = NULL},
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
