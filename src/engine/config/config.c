/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The settings: for each an option, else a variable, else a default. Paths are
 * absolute. Nothing is created or inspected here.
 */

#include <writ/config.h>

#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "engine/config/config_state.h"

static const char by_option[] = "option";
static const char by_environment[] = "environment";
static const char by_default[] = "default";

/* The number for a normalized value. */
static uint64_t
config_number_of(const struct w_setting_rule *rule, const char *value)
{
	uint64_t number = 0;

	if (rule->kind == W_SETTING_DURATION)
		(void)w_duration_parse(value, &number, NULL);
	else if (rule->kind == W_SETTING_SIZE)
		(void)w_size_parse(value, &number, NULL);
	else if (rule->kind == W_SETTING_WORD)
		while (strcmp(rule->words[number], value) != 0)
			number++;
	return number;
}

static void
config_put(
    writ_config *config, enum w_setting_id id, char *value, const char *origin)
{
	const struct w_setting_rule *rule = &w_setting_rules[id];

	free(config->values[id]);
	config->values[id] = value;
	config->settings[id] = (writ_setting){
	    rule->place.key, rule->place.env, value, origin, rule->help};
	config->numbers[id] = config_number_of(rule, value);
}

static writ_status
find_default(const writ_config *config, enum w_setting_id id, char **out_value,
    writ_error *err)
{
	const struct w_setting_rule *rule = &w_setting_rules[id];
	const char *state = config->values[W_SET_STATE_DIR];
	char *value;

	if (rule->kind == W_SETTING_PATH && id != W_SET_SPILL_DIR)
		return w_config_place_default(&rule->place, out_value, err);
	if (id == W_SET_SPILL_DIR && state[0] != '\0')
		value = w_config_join(state, "outputs");
	else
		value = strdup(id == W_SET_SPILL_DIR ? "" : rule->standard);
	if (value == NULL)
		return w_fail_nomem(err, "config");
	*out_value = value;
	return WRIT_OK;
}

static writ_status
find_setting(
    writ_config *config, enum w_setting_id id, bool is_lenient, writ_error *err)
{
	const struct w_setting_rule *rule = &w_setting_rules[id];
	const char *given = w_config_variable(rule->place.env);
	char *value = NULL;
	writ_status status =
	    given != NULL
		? w_setting_normalize(rule, rule->place.env, given, &value, err)
		: find_default(config, id, &value, err);

	if (status != WRIT_OK && is_lenient && given == NULL &&
	    status != WRIT_E_NOMEM) {
		value = strdup("");
		status = value == NULL ? w_fail_nomem(err, "config") : WRIT_OK;
	}
	if (status == WRIT_OK)
		config_put(config, id, value,
		    given != NULL ? by_environment : by_default);
	return status;
}

static writ_status
new_config(bool is_lenient, writ_config **out_config, writ_error *err)
{
	writ_config *config = calloc(1, sizeof(*config));

	if (config == NULL)
		return w_fail_nomem(err, "config");
	for (size_t id = 0; id < W_SETTING_COUNT; id++) {
		writ_status status = find_setting(
		    config, (enum w_setting_id)id, is_lenient, err);

		if (status != WRIT_OK) {
			writ_config_free(config);
			return status;
		}
	}
	*out_config = config;
	return WRIT_OK;
}

writ_status
writ_config_new(writ_config **out_config, writ_error *err)
{
	return new_config(false, out_config, err);
}

writ_status
w_config_new_lenient(writ_config **out_config, writ_error *err)
{
	return new_config(true, out_config, err);
}

writ_status
w_config_need(const writ_config *config, enum w_setting_id id, writ_error *err)
{
	char *value = NULL;

	if (config->values[id][0] != '\0')
		return WRIT_OK;
	writ_status status =
	    w_config_place_default(&w_setting_rules[id].place, &value, err);
	free(value);
	/* There is a home by now: too late for these settings. */
	return status != WRIT_OK
		   ? status
		   : w_fail(err, WRIT_E_INVALID, "config", 0, "%s has no place",
			 w_setting_rules[id].place.key);
}

writ_status
w_config_copy(
    const writ_config *config, writ_config **out_copy, writ_error *err)
{
	writ_config *copy = calloc(1, sizeof(*copy));

	if (copy == NULL)
		return w_fail_nomem(err, "config");
	for (size_t id = 0; id < W_SETTING_COUNT; id++) {
		char *value = strdup(config->values[id]);

		if (value == NULL) {
			writ_config_free(copy);
			return w_fail_nomem(err, "config");
		}
		config_put(copy, (enum w_setting_id)id, value,
		    config->settings[id].origin);
	}
	*out_copy = copy;
	return WRIT_OK;
}

void
writ_config_free(writ_config *config)
{
	if (config == NULL)
		return;
	for (size_t id = 0; id < W_SETTING_COUNT; id++)
		free(config->values[id]);
	free(config);
}

static enum w_setting_id
find_id(const char *key)
{
	size_t id = 0;

	while (id < W_SETTING_COUNT &&
	       strcmp(w_setting_rules[id].place.key, key) != 0)
		id++;
	return (enum w_setting_id)id;
}

static writ_status
config_fail_unknown(const char *key, writ_error *err)
{
	const char *keys[W_SETTING_COUNT + 1] = {NULL};

	for (size_t id = 0; id < W_SETTING_COUNT; id++)
		keys[id] = w_setting_rules[id].place.key;
	const char *nearest = w_match_nearest(key, keys);
	(void)w_fail(
	    err, WRIT_E_INVALID, "config", 0, "unknown setting '%s'", key);
	w_match_suggest(nearest, err);
	return WRIT_E_INVALID;
}

/* The spill directory follows the state directory, unless it was set itself. */
static writ_status
move_state(writ_config *config, char *state, writ_error *err)
{
	if (config->settings[W_SET_SPILL_DIR].origin == by_default) {
		char *spill = w_config_join(state, "outputs");

		if (spill == NULL) {
			free(state);
			return w_fail_nomem(err, "config");
		}
		config_put(config, W_SET_SPILL_DIR, spill, by_default);
	}
	config_put(config, W_SET_STATE_DIR, state, by_option);
	return WRIT_OK;
}

writ_status
writ_config_set(
    writ_config *config, const char *key, const char *value, writ_error *err)
{
	enum w_setting_id id = find_id(key);
	char *normal = NULL;

	if (id == W_SETTING_COUNT)
		return config_fail_unknown(key, err);
	writ_status status =
	    w_setting_normalize(&w_setting_rules[id], key, value, &normal, err);
	if (status != WRIT_OK)
		return status;
	if (id == W_SET_STATE_DIR)
		return move_state(config, normal, err);
	config_put(config, id, normal, by_option);
	return WRIT_OK;
}

const char *
writ_config_get(const writ_config *config, const char *key)
{
	enum w_setting_id id = find_id(key);

	return id == W_SETTING_COUNT ? NULL : config->settings[id].value;
}

const char *
w_config_path(const writ_config *config, enum w_setting_id id)
{
	const char *value = config->values[id];

	return value[0] == '\0' || strcmp(value, W_SETTING_NONE) == 0 ? NULL
								      : value;
}

uint64_t
w_config_number(const writ_config *config, enum w_setting_id id)
{
	return config->numbers[id];
}

const writ_setting *
writ_config_all(const writ_config *config, size_t *out_count)
{
	*out_count = W_SETTING_COUNT;
	return config->settings;
}
