/* SPDX-License-Identifier: Apache-2.0 */

/* Effects as a description writes them: "code", "write .", "read {file}",
 * "write {output|a.out}", "may net". */

#include <string.h>

#include "base/match.h"
#include "command/description/command_builder.h"

static writ_status
command_effect_refuse_word(struct w_command_builder *builder, yyjson_val *val,
    const char *text, size_t len)
{
	char word[32] = "";

	(void)w_command_refuse(builder, val, "there is no effect '%.*s'",
	    (int)(len < 64 ? len : 64), text);
	if (len < sizeof(word)) {
		memcpy(word, text, len);
		w_match_suggest(
		    w_match_nearest(word, w_effect_words), builder->err);
	}
	return WRIT_E_INVALID;
}

/* The parameter that a target names; NULL: failed. */
static const struct w_param *
find_target(struct w_command_builder *builder, yyjson_val *val, const char *key,
    size_t len)
{
	const struct w_param *param =
	    w_grammar_find(builder->grammar, key, len);
	char word[64] = "";

	if (param == NULL) {
		if (len < sizeof(word))
			memcpy(word, key, len);
		(void)w_command_refuse(builder, val,
		    "nothing has the key '%.*s'", (int)(len < 64 ? len : 64),
		    key);
		w_match_suggest(
		    w_grammar_nearest(builder->grammar, word), builder->err);
		return NULL;
	}
	if (param->kind == W_PARAM_SEQUENCE || param->values == NULL) {
		(void)w_command_refuse(builder, val,
		    "'%.64s' has no value that this could be about",
		    param->key);
		return NULL;
	}
	return param;
}

static writ_status
refuse_target(
    struct w_command_builder *builder, yyjson_val *val, const char *text)
{
	(void)w_command_refuse(
	    builder, val, "the target '%.64s' is not understood", text);
	w_suggest(builder->err,
	    "a path, '{KEY}', '{KEY:dir}' or '{KEY|PATH}', and nothing else");
	return WRIT_E_INVALID;
}

/* "{KEY}", "{KEY:dir}", "{KEY|TEXT}". */
static writ_status
read_param_target(struct w_command_builder *builder, yyjson_val *val,
    const char *text, const struct w_param *of, struct w_effect *effect)
{
	size_t len = strlen(text);
	const char *key = text + 1;
	size_t key_len = strcspn(key, ":|}");
	size_t end = strcspn(key, "|}");

	effect->is_directory = strncmp(key + key_len, ":dir", 4) == 0;
	if (text[len - 1] != '}' || strcspn(key, "{}") != len - 2 ||
	    key_len + (effect->is_directory ? 4 : 0) != end)
		return refuse_target(builder, val, text);
	/* It belongs to another level's grammar; the effect stays. */
	if (of != NULL && of->is_global &&
	    w_grammar_find(builder->grammar, key, key_len) == NULL)
		return WRIT_OK;
	const struct w_param *param = find_target(builder, val, key, key_len);
	if (param == NULL)
		return WRIT_E_INVALID;
	effect->kind = W_TARGET_PARAM;
	effect->param = (size_t)(param - builder->grammar->params);
	if (key[end] != '|')
		return WRIT_OK;
	effect->text = w_arena_text(
	    &builder->grammar->arena, key + end + 1, len - 2 - end - 1);
	return effect->text != NULL ? WRIT_OK : w_command_nomem(builder);
}

static writ_status
read_effect(struct w_command_builder *builder, yyjson_val *val,
    const struct w_param *of, struct w_effect *effect)
{
	static const char may[] = "may ";
	const char *text = yyjson_get_str(val);

	effect->is_possible = strncmp(text, may, strlen(may)) == 0;
	if (effect->is_possible)
		text += strlen(may);
	size_t len = strcspn(text, " ");
	effect->bit = w_effect_named(text, len);
	if (effect->bit == 0)
		return command_effect_refuse_word(builder, val, text, len);
	if (effect->is_possible &&
	    (effect->bit & (W_EFFECT_NET | W_EFFECT_PUBLISH)) == 0)
		return w_command_refuse(
		    builder, val, "only 'net' and 'publish' can follow 'may'");
	if (text[len] == '\0')
		return WRIT_OK;
	text += len + 1;
	if (*text == '\0' || *text == ' ')
		return w_command_refuse(
		    builder, val, "behind the blank a target is missing");
	if (strchr(text, '{') != NULL && *text != '{')
		return refuse_target(builder, val, text);
	if (*text == '{')
		return read_param_target(builder, val, text, of, effect);
	effect->kind = W_TARGET_TEXT;
	effect->text = text;
	return WRIT_OK;
}

writ_status
w_command_effects(struct w_command_builder *builder, yyjson_val *list,
    const struct w_param *of, const struct w_effect **out_effects,
    size_t *out_count)
{
	struct w_command_texts texts = w_command_texts(list);
	writ_status status = w_command_check_texts(builder, list, "effects");
	size_t count = w_command_texts_count(list);
	yyjson_val *text;

	if (status != WRIT_OK)
		return status;
	struct w_effect *effects =
	    w_arena_alloc(&builder->grammar->arena, count, sizeof(*effects));
	if (effects == NULL)
		return w_command_nomem(builder);
	*out_effects = effects;
	*out_count = count;
	while (
	    status == WRIT_OK && (text = w_command_texts_next(&texts)) != NULL)
		status = read_effect(builder, text, of, effects++);
	return status;
}

writ_status
w_command_places(struct w_command_builder *builder, yyjson_val *list,
    const struct w_param *of, const size_t **out_places, size_t *out_count)
{
	struct w_command_texts texts = w_command_texts(list);
	writ_status status = w_command_check_texts(builder, list, "a key");
	size_t count = 0;
	yyjson_val *key;

	if (status != WRIT_OK)
		return status;
	size_t *places = w_arena_alloc(&builder->grammar->arena,
	    w_command_texts_count(list) + 1, sizeof(*places));
	if (places == NULL)
		return w_command_nomem(builder);
	while ((key = w_command_texts_next(&texts)) != NULL) {
		const struct w_param *param = w_grammar_find(
		    builder->grammar, yyjson_get_str(key), yyjson_get_len(key));

		if (param != NULL) {
			places[count++] =
			    (size_t)(param - builder->grammar->params);
			continue;
		}
		if (of != NULL && of->is_global)
			continue;
		(void)w_command_refuse(builder, key,
		    "nothing has the key '%.64s'", yyjson_get_str(key));
		w_match_suggest(
		    w_grammar_nearest(builder->grammar, yyjson_get_str(key)),
		    builder->err);
		return WRIT_E_INVALID;
	}
	*out_places = places;
	*out_count = count;
	return WRIT_OK;
}
