/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Remembered directories and variables.
 *
 * What is remembered is what a run was started with, once it had started: a
 * directory that could not be entered is not kept. It gives no rights: the
 * next run is judged like one that says it all itself.
 */

#include "mcp/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"

enum {
	NAMES_MAX = 64,
	NAME_MAX_LEN = 64,
	ENV_MAX = 64 * 1024, /* bytes of variables under a name */
	PATH_MAX_LEN = 4095,
};

struct place {
	char name[NAME_MAX_LEN + 1];
	char *cwd;
	struct w_words env; /* NAME=VALUE */
	uint64_t used;      /* when, by counting */
};

struct w_places {
	struct place items[NAMES_MAX];
	size_t count;
	uint64_t uses;
};

static struct place *
find(struct w_places *places, const char *name)
{
	for (size_t i = 0; places != NULL && i < places->count; i++) {
		if (strcmp(places->items[i].name, name) == 0)
			return &places->items[i];
	}
	return NULL;
}

static writ_status
check_name(const char *name, writ_error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";
	const size_t len = strspn(name, letters);

	if (len > 0 && len <= NAME_MAX_LEN && name[len] == '\0')
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "session", 0,
	    "'%.64s' cannot be the name of a session", name);
	w_suggest(err, "1 to 64 of the characters A-Z a-z 0-9 _ . -");
	return WRIT_E_INVALID;
}

/* ---- where ---- */

static writ_status
set_cwd(const char *base, const char *cwd, writ_draft *draft, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX_LEN);
	if (cwd == NULL || cwd[0] != '/')
		w_buf_add_str(&path, base);
	if (cwd != NULL && cwd[0] != '/')
		w_buf_add_char(&path, '/');
	if (cwd != NULL)
		w_buf_add_str(&path, cwd);
	if (path.failed)
		return w_fail(err, WRIT_E_INVALID, "cwd", 0,
		    "the path of the working directory is too long");
	return writ_draft_set(draft, "cwd", path.data, err);
}

/* ---- with what ---- */

static size_t
name_len(const char *variable)
{
	return strcspn(variable, "=") + 1;
}

static bool
has_variable(const char *const *env, const char *variable)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strncmp(env[i], variable, name_len(variable)) == 0)
			return true;
	}
	return false;
}

static writ_status
add_env(const struct place *place, writ_draft *draft, writ_error *err)
{
	for (size_t i = 0; i < place->env.count; i++) {
		const char *variable = place->env.items[i];
		writ_status status;

		if (has_variable(writ_draft_request(draft)->env, variable))
			continue;
		status = writ_draft_set(draft, "env", variable, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
check_size(const char *name, const writ_request *request, writ_error *err)
{
	size_t sum = 0;

	for (size_t i = 0; request->env != NULL && request->env[i] != NULL; i++)
		sum += strlen(request->env[i]) + 1;
	if (sum <= ENV_MAX)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "session", 0,
	    "the variables of session '%s' are more than 64 KiB", name);
}

writ_status
w_place_apply(struct w_mcp *server, const char *name, const char *cwd,
    writ_draft *draft, writ_error *err)
{
	writ_status status;

	if (name == NULL)
		return set_cwd(server->cwd, cwd, draft, err);
	status = check_name(name, err);
	if (status != WRIT_OK)
		return status;
	const struct place *place = find(server->places, name);
	status =
	    set_cwd(place == NULL ? server->cwd : place->cwd, cwd, draft, err);
	if (status == WRIT_OK && place != NULL)
		status = add_env(place, draft, err);
	return status == WRIT_OK
		   ? check_size(name, writ_draft_request(draft), err)
		   : status;
}

/* ---- remembering ---- */

static void
place_done(struct place *place)
{
	free(place->cwd);
	w_words_done(&place->env);
	*place = (struct place){0};
}

static struct place *
make_room(struct w_places *places)
{
	struct place *oldest = &places->items[0];

	if (places->count < NAMES_MAX)
		return &places->items[places->count++];
	for (size_t i = 1; i < places->count; i++) {
		if (places->items[i].used < oldest->used)
			oldest = &places->items[i];
	}
	place_done(oldest);
	return oldest;
}

static bool
copy_env(struct w_words *words, const char *const *env)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (!w_words_add(words, env[i], strlen(env[i])))
			return false;
	}
	return true;
}

/* Without memory for it, what was remembered before stays. */
void
w_place_keep(
    struct w_mcp *server, const char *name, const writ_request *request)
{
	W_AUTO_WORDS struct w_words env = {0};

	if (server->places == NULL)
		server->places = calloc(1, sizeof(*server->places));
	/* Links and ".." go, so that what is remembered does not grow. */
	char *cwd = realpath(request->cwd, NULL);
	if (cwd == NULL)
		cwd = strdup(request->cwd);
	if (server->places == NULL || cwd == NULL ||
	    !copy_env(&env, request->env)) {
		free(cwd);
		return;
	}
	struct place *place = find(server->places, name);
	if (place == NULL)
		place = make_room(server->places);
	place_done(place);
	(void)strncpy(place->name, name, NAME_MAX_LEN);
	place->cwd = cwd;
	place->env = env;
	place->used = ++server->places->uses;
	env = (struct w_words){0};
}

void
w_places_free(struct w_mcp *server)
{
	for (size_t i = 0; server->places != NULL && i < server->places->count;
	     i++)
		place_done(&server->places->items[i]);
	free(server->places);
	server->places = NULL;
}
