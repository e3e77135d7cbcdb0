/* SPDX-License-Identifier: Apache-2.0 */

/* Values in a description: type checks and their error messages. */

#include "command/description/command_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"

writ_status
w_command_refuse(
    struct w_command_builder *builder, yyjson_val *at, const char *fmt, ...)
{
	char what[320];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	builder->fault = (struct w_command_fault){.at = at};
	return w_fail(
	    builder->err, WRIT_E_INVALID, W_COMMAND_STAGE, 0, "%s", what);
}

writ_status
w_command_nomem(struct w_command_builder *builder)
{
	return w_fail_nomem(builder->err, W_COMMAND_STAGE);
}

writ_status
w_command_refuse_type(struct w_command_builder *builder, yyjson_val *val,
    const char *name, const char *wanted)
{
	(void)w_command_refuse(builder, val, "%.64s must be %s, not %s", name,
	    wanted, w_json_type_words(val));
	if (strstr(wanted, "list") != NULL && yyjson_is_null(val))
		w_suggest(builder->err, "write [] for an empty one");
	else if (strstr(wanted, "text") != NULL &&
		 (yyjson_is_num(val) || yyjson_is_bool(val) ||
		     yyjson_is_null(val)))
		w_suggest(builder->err, "put it into quotes");
	return WRIT_E_INVALID;
}

writ_status
w_command_check_text(
    struct w_command_builder *builder, yyjson_val *val, const char *name)
{
	if (!yyjson_is_str(val))
		return w_command_refuse_type(builder, val, name, "text");
	if (!w_json_is_text(val))
		return w_command_refuse(
		    builder, val, "%.64s has a NUL in it", name);
	return WRIT_OK;
}

struct w_command_texts
w_command_texts(yyjson_val *val)
{
	struct w_command_texts texts = {.one = yyjson_is_str(val) ? val : NULL};

	(void)yyjson_arr_iter_init(val, &texts.iter);
	return texts;
}

yyjson_val *
w_command_texts_next(struct w_command_texts *texts)
{
	yyjson_val *next = texts->one;

	if (next == NULL)
		return yyjson_arr_iter_next(&texts->iter);
	texts->one = NULL;
	return next;
}

size_t
w_command_texts_count(yyjson_val *val)
{
	return yyjson_is_str(val) ? 1 : yyjson_arr_size(val);
}

writ_status
w_command_check_texts(
    struct w_command_builder *builder, yyjson_val *val, const char *name)
{
	struct w_command_texts texts = w_command_texts(val);
	yyjson_val *text;

	if (!yyjson_is_str(val) && !yyjson_is_arr(val))
		return w_command_refuse_type(
		    builder, val, name, "a list of texts");
	while ((text = w_command_texts_next(&texts)) != NULL) {
		writ_status status = w_command_check_text(builder, text, name);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_command_read_word(struct w_command_builder *builder, yyjson_val *val,
    const char *name, const char *const *words, unsigned *out_place)
{
	char list[120] = "";
	writ_status status = w_command_check_text(builder, val, name);

	if (status != WRIT_OK)
		return status;
	for (unsigned i = 0; words[i] != NULL; i++) {
		size_t used = strlen(list);

		if (yyjson_equals_str(val, words[i])) {
			*out_place = i;
			return WRIT_OK;
		}
		(void)snprintf(list + used, sizeof(list) - used, "%s%s",
		    i > 0 ? ", " : "", words[i]);
	}
	const char *text = unsafe_yyjson_get_str(val);
	(void)w_command_refuse(
	    builder, val, "%s is '%.64s'; it can be: %s", name, text, list);
	w_match_suggest(w_match_nearest(text, words), builder->err);
	return WRIT_E_INVALID;
}

void
w_command_suggest_key(
    struct w_command_builder *builder, yyjson_val *map, const char *word)
{
	const char **keys = calloc(yyjson_obj_size(map) + 1, sizeof(char *));
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	/* Without memory there is no suggestion. */
	if (keys == NULL || map == NULL) {
		free((void *)keys);
		return;
	}
	yyjson_obj_foreach(map, i, count, key, val)
	{
		keys[i] = yyjson_get_str(key);
	}
	w_match_suggest(w_match_nearest(word, keys), builder->err);
	free((void *)keys);
}

writ_status
w_command_save_texts(struct w_command_builder *builder, yyjson_val *val,
    const char *const **out_list)
{
	struct w_arena *arena = builder->grammar != NULL
				    ? &builder->grammar->arena
				    : &builder->command->arena;
	struct w_command_texts texts = w_command_texts(val);
	size_t used = 0;

	while (*out_list != NULL && (*out_list)[used] != NULL)
		used++;
	const char **list = w_arena_alloc(
	    arena, used + w_command_texts_count(val) + 1, sizeof(char *));
	if (list == NULL)
		return w_command_nomem(builder);
	for (size_t i = 0; i < used; i++)
		list[i] = (*out_list)[i];
	for (yyjson_val *text; (text = w_command_texts_next(&texts)) != NULL;)
		list[used++] = yyjson_get_str(text);
	*out_list = list;
	return WRIT_OK;
}
