/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where writ keeps things: for each place an option, else a variable, else a
 * default by the XDG rules. Every value is an absolute path. Nothing is
 * created or looked at here.
 */

#include <writ/config.h>

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/match.h"

#define PASSWD_ROOM 16384 /* one line of the user database */

enum place {
	CONFIG_DIR,
	SYSTEM_DIR,
	STATE_DIR,
	CACHE_DIR,
	SPILL_DIR,
	PLACE_COUNT,
};

/* How each place is found when nobody says. */
static const struct rule {
	const char *key;
	const char *env;
	const char *xdg;    /* then this variable, with /writ after it */
	const char *home;   /* then this beneath the home directory */
	const char *system; /* before both: this itself */
	bool root_only;     /* whether that is for root only */
	const char *help;
} rules[] = {
    [CONFIG_DIR] = {"config_dir", "WRIT_CONFIG_DIR", "XDG_CONFIG_HOME",
	".config/writ", NULL, false, "the user's configuration"},
    [SYSTEM_DIR] = {"system_dir", "WRIT_SYSTEM_DIR", NULL, NULL, "/etc/writ",
	false, "the configuration of the machine"},
    [STATE_DIR] = {"state_dir", "WRIT_STATE_DIR", "XDG_STATE_HOME",
	".local/state/writ", "/var/lib/writ", true,
	"what must outlive a run: records, outputs"},
    [CACHE_DIR] = {"cache_dir", "WRIT_CACHE_DIR", "XDG_CACHE_HOME",
	".cache/writ", NULL, false, "what can be made again"},
    [SPILL_DIR] = {"spill_dir", "WRIT_SPILL_DIR", NULL, NULL, NULL, false,
	"output beyond the limit; outputs in state_dir by default"},
};

_Static_assert(sizeof(rules) / sizeof(rules[0]) == PLACE_COUNT, "a row each");

static const char *const keys[] = {
    "config_dir", "system_dir", "state_dir", "cache_dir", "spill_dir", NULL};

static const char by_option[] = "option";
static const char by_environment[] = "environment";
static const char by_default[] = "default";

struct writ_config {
	writ_setting settings[PLACE_COUNT];
	char *values[PLACE_COUNT]; /* what settings[].value points to */
};

/* The value of a variable; NULL when unset or empty, which mean the same. */
static const char *
variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

/* Other programs' variables: what is not absolute is to be ignored. */
static const char *
absolute_variable(const char *name)
{
	const char *value = variable(name);

	return value == NULL || value[0] != '/' ? NULL : value;
}

static writ_status
check_path(const char *name, const char *path, writ_error *err)
{
	if (path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s must be an absolute path, got '%s'", name, path);
	if (strlen(path) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s is longer than the %d bytes of a path", name,
		    PATH_MAX - 1);
	return WRIT_OK;
}

/* Yours; NULL without memory. */
static char *
join(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	char *path;

	while (len > 0 && dir[len - 1] == '/')
		len--;
	if (asprintf(&path, "%.*s/%s", (int)len, dir, name) < 0)
		return NULL;
	return path;
}

static writ_status
hand_out(char *made, char **out_path, writ_error *err)
{
	if (made == NULL)
		return w_fail_nomem(err, "config");
	*out_path = made;
	return WRIT_OK;
}

static writ_status
fail_homeless(const struct rule *rule, int sys_errno, writ_error *err)
{
	(void)w_fail(err, sys_errno == 0 ? WRIT_E_INVALID : WRIT_E_SYSTEM,
	    "config", sys_errno,
	    "cannot place %s: user %lu has no home directory", rule->key,
	    (unsigned long)geteuid());
	w_suggest(err, "set %s or HOME", rule->env);
	return sys_errno == 0 ? WRIT_E_INVALID : WRIT_E_SYSTEM;
}

/* The home directory of the user database, for when HOME does not say. */
static writ_status
join_passwd_home(
    const struct rule *rule, char *room, char **out_path, writ_error *err)
{
	struct passwd entry;
	struct passwd *found = NULL;
	int failed = getpwuid_r(geteuid(), &entry, room, PASSWD_ROOM, &found);

	/* ENOENT and ESRCH are how some databases say that nobody is there. */
	if (failed != 0 && failed != ENOENT && failed != ESRCH)
		return fail_homeless(rule, failed, err);
	if (found == NULL || found->pw_dir == NULL || found->pw_dir[0] != '/')
		return fail_homeless(rule, 0, err);
	return hand_out(join(found->pw_dir, rule->home), out_path, err);
}

static writ_status
find_home(const struct rule *rule, char **out_path, writ_error *err)
{
	const char *home = absolute_variable("HOME");

	if (home != NULL)
		return hand_out(join(home, rule->home), out_path, err);
	char *room = malloc(PASSWD_ROOM);
	if (room == NULL)
		return w_fail_nomem(err, "config");
	writ_status status = join_passwd_home(rule, room, out_path, err);
	free(room);
	return status;
}

static writ_status
find_default(const struct rule *rule, char **out_path, writ_error *err)
{
	const char *xdg =
	    rule->xdg == NULL ? NULL : absolute_variable(rule->xdg);

	if (rule->system != NULL && (!rule->root_only || geteuid() == 0))
		return hand_out(strdup(rule->system), out_path, err);
	if (xdg != NULL)
		return hand_out(join(xdg, "writ"), out_path, err);
	return find_home(rule, out_path, err);
}

static void
put(writ_config *config, enum place place, char *value, const char *origin)
{
	free(config->values[place]);
	config->values[place] = value;
	config->settings[place].value = value;
	config->settings[place].origin = origin;
}

static writ_status
find_value(const writ_config *config, enum place place, const char *given,
    char **out_value, writ_error *err)
{
	const struct rule *rule = &rules[place];

	if (given != NULL) {
		writ_status status = check_path(rule->env, given, err);

		return status != WRIT_OK
			   ? status
			   : hand_out(strdup(given), out_value, err);
	}
	if (place == SPILL_DIR)
		return hand_out(
		    join(config->values[STATE_DIR], "outputs"), out_value, err);
	return find_default(rule, out_value, err);
}

static writ_status
find_place(writ_config *config, enum place place, writ_error *err)
{
	const struct rule *rule = &rules[place];
	const char *given = variable(rule->env);
	char *value = NULL;
	writ_status status = find_value(config, place, given, &value, err);

	if (status != WRIT_OK)
		return status;
	config->settings[place] =
	    (writ_setting){rule->key, rule->env, NULL, NULL, rule->help};
	put(config, place, value, given != NULL ? by_environment : by_default);
	return WRIT_OK;
}

static enum place
place_of(const char *key)
{
	size_t place = 0;

	while (place < PLACE_COUNT && strcmp(rules[place].key, key) != 0)
		place++;
	return (enum place)place;
}

/* The spill directory goes where the state goes, unless it was set itself. */
static writ_status
move_state(writ_config *config, char *state, writ_error *err)
{
	if (config->settings[SPILL_DIR].origin == by_default) {
		char *spill = join(state, "outputs");

		if (spill == NULL) {
			free(state);
			return w_fail_nomem(err, "config");
		}
		put(config, SPILL_DIR, spill, by_default);
	}
	put(config, STATE_DIR, state, by_option);
	return WRIT_OK;
}

writ_status
writ_config_new(writ_config **out_config, writ_error *err)
{
	writ_config *config = calloc(1, sizeof(*config));

	if (config == NULL)
		return w_fail_nomem(err, "config");
	for (size_t place = 0; place < PLACE_COUNT; place++) {
		writ_status status = find_place(config, (enum place)place, err);

		if (status != WRIT_OK) {
			writ_config_free(config);
			return status;
		}
	}
	*out_config = config;
	return WRIT_OK;
}

void
writ_config_free(writ_config *config)
{
	if (config == NULL)
		return;
	for (size_t place = 0; place < PLACE_COUNT; place++)
		free(config->values[place]);
	free(config);
}

writ_status
writ_config_set(
    writ_config *config, const char *key, const char *value, writ_error *err)
{
	enum place place = place_of(key);

	if (place == PLACE_COUNT) {
		const char *nearest = w_match_nearest(key, keys);

		(void)w_fail(err, WRIT_E_INVALID, "config", 0,
		    "unknown setting '%s'", key);
		if (nearest != NULL)
			w_suggest(err, "did you mean '%s'?", nearest);
		return WRIT_E_INVALID;
	}
	writ_status status = check_path(key, value, err);
	if (status != WRIT_OK)
		return status;
	char *value_copy = strdup(value);
	if (value_copy == NULL)
		return w_fail_nomem(err, "config");
	if (place == STATE_DIR)
		return move_state(config, value_copy, err);
	put(config, place, value_copy, by_option);
	return WRIT_OK;
}

const char *
writ_config_get(const writ_config *config, const char *key)
{
	enum place place = place_of(key);

	return place == PLACE_COUNT ? NULL : config->settings[place].value;
}

const writ_setting *
writ_config_all(const writ_config *config, size_t *out_count)
{
	*out_count = PLACE_COUNT;
	return config->settings;
}
