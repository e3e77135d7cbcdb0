/* SPDX-License-Identifier: Apache-2.0 */

/* Reads settings of a policy or agent besides rules: roots and
 * environment. */

#include <string.h>

#include "data/json_words.h"
#include "policy/read/policy_reader.h"

struct roots_reader {
	w_globs paths;
	const char *message;
};

static const struct w_read_key roots_keys[] = {
    {"paths", W_READ_LIST, offsetof(struct roots_reader, paths), "roots",
	.check = w_read_check_root},
    {"message", W_READ_MESSAGE,
	.offset = offsetof(struct roots_reader, message)},
    {.name = NULL},
};

void
w_read_roots(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	static const char *const here[] = {".", NULL};
	struct roots_reader roots = {.paths = NULL};

	(void)target;
	w_read_short(reader, key, val, roots_keys, &roots);
	if (yyjson_is_obj(val) && yyjson_obj_get(val, "paths") == NULL)
		roots.paths = here;
	struct w_rule *rule =
	    w_read_special(reader, W_RULE_ROOTS, W_DENY, key, val);
	if (rule != NULL && roots.message != NULL)
		rule->message = roots.message;
	reader->terms->roots = roots.paths;
}

const char *const w_read_judge_words[] = {"request", "exec", NULL};

const char *const w_read_undo_words[] = {"off", "auto", "on", "trial", NULL};

static const char *const mode_words[] = {
    "minimal", "clean", "isolated", "inherit", NULL};

/* "NAME=value"; NULL: a fault was reported. */
static const char *
read_variable(struct w_policy_reader *reader, yyjson_val *name, yyjson_val *val)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	struct w_buf *buf = &reader->scratch;
	const char *text = w_read_word(name);

	if (!w_json_is_text(name) || text[0] == '\0' ||
	    (text[0] >= '0' && text[0] <= '9') ||
	    text[strspn(text, letters)] != '\0') {
		(void)w_read_refuse(reader, name,
		    "'%.64s' is not the name of a variable", text);
		return NULL;
	}
	if (!w_json_is_text(val)) {
		(void)w_read_refuse(reader, val,
		    "the variable '%.64s' must be text, not %s", text,
		    yyjson_is_str(val) ? "text with a NUL in it"
				       : w_json_type_words(val));
		if (!yyjson_is_ctn(val) && !yyjson_is_str(val))
			w_read_suggest(reader, "put it in quotes");
		return NULL;
	}
	buf->len = 0;
	w_buf_add_fmt(buf, "%s=%s", text, yyjson_get_str(val));
	reader->is_out_of_memory = reader->is_out_of_memory || buf->failed;
	return w_read_copy(reader, buf->data, buf->len);
}

/* A map from names to texts; NULL: a fault was reported. */
static const char *const *
read_variables(struct w_policy_reader *reader, yyjson_val *key, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *item;

	if (!yyjson_is_obj(val)) {
		(void)w_read_refuse(reader, val,
		    "%s must be a map from names to texts, not %s",
		    w_read_word(key), w_json_type_words(val));
		return NULL;
	}
	const char **variables =
	    w_read_alloc(reader, yyjson_obj_size(val) + 1, sizeof(*variables));
	if (variables == NULL)
		return NULL;
	yyjson_obj_foreach(val, i, count, name, item) variables[i] =
	    read_variable(reader, name, item);
	return variables;
}

static void
read_set(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_policy_environment *environment = target;

	environment->set = read_variables(reader, key, val);
}

static void
read_standard(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_policy_environment *environment = target;

	environment->standard = read_variables(reader, key, val);
}

#define MEMBER(member) offsetof(struct w_policy_environment, member)

static const struct w_read_key environment_keys[] = {
    {"mode", W_READ_WORD, MEMBER(mode), "environment", .words = mode_words},
    {"pass", W_READ_ANY_LIST, MEMBER(pass), .check = w_read_check_variable},
    {"drop", W_READ_ANY_LIST, MEMBER(drop), .check = w_read_check_variable},
    {"set", .read = read_set},
    {"default", .read = read_standard},
    {.name = NULL},
};

void
w_read_environment(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct w_policy_environment environment = {.mode = NULL};

	(void)target;
	if (yyjson_is_str(val))
		w_read_short(reader, key, val, environment_keys, &environment);
	else
		(void)w_read_map(
		    reader, val, "environment", environment_keys, &environment);
	reader->terms->environment = environment;
}
