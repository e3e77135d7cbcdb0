/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lists the profiles. An invalid file is listed as well, with its problem:
 * somebody wants to use it.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/grow.h"
#include "base/size.h"
#include "engine/profile/shown_profile.h"

#define ENTRIES_MAX 1024
#define SUFFIX      ".yaml"
#define NAME_BYTES                   \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789._-"
#define SUFFIX_LEN (sizeof(SUFFIX) - 1)

/* The list owns the texts of its entries. */
struct writ_profile_list {
	writ_profile_entry *entries;
	size_t count;
	size_t cap;
	struct w_words texts;
};

static const char *const built_in[] = {
#define X(name, word) word,
    W_WALLS_MAP(X)
#undef X
	NULL,
};

/* A copy owned by the list; NULL: out of memory. */
static const char *
profile_list_keep(writ_profile_list *list, const char *text)
{
	if (!w_words_add(&list->texts, text, strlen(text)))
		return NULL;
	return list->texts.items[list->texts.count - 1];
}

static writ_status
profile_list_add(
    writ_profile_list *list, const writ_profile_entry *entry, writ_error *err)
{
	const writ_profile_entry copy = {
	    .name = profile_list_keep(list, entry->name),
	    .origin = profile_list_keep(list, entry->origin),
	    .description = profile_list_keep(list, entry->description),
	    .problem = entry->problem == NULL
			   ? NULL
			   : profile_list_keep(list, entry->problem),
	};

	if (copy.name == NULL || copy.origin == NULL ||
	    copy.description == NULL ||
	    (entry->problem != NULL && copy.problem == NULL))
		return w_fail_nomem(err, "profile");
	if (!w_grow(&list->entries, list->count, &list->cap))
		return w_fail_nomem(err, "profile");
	list->entries[list->count++] = copy;
	return WRIT_OK;
}

static writ_status
add_built_in(writ_profile_list *list, writ_error *err)
{
	for (unsigned i = 0; built_in[i] != NULL; i++) {
		struct w_profile profile;
		writ_status status =
		    w_profile_builtin((enum w_walls)i, &profile, err);

		if (status != WRIT_OK)
			return status;
		status = profile_list_add(list,
		    &(writ_profile_entry){profile.name, profile.origin,
			profile.description, NULL},
		    err);
		w_profile_done(&profile);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_bad(writ_profile_list *list, const char *name, const char *file,
    const char *problem, writ_error *err)
{
	const writ_profile_entry entry = {name, file, "", problem};

	return profile_list_add(list, &entry, err);
}

static writ_status
add_unreadable(writ_profile_list *list, const char *name, const char *file,
    const writ_error *inner, writ_error *err)
{
	char text[sizeof(inner->message) + 48];

	if (inner->status == WRIT_E_NOMEM)
		return w_fail_nomem(err, "profile");
	if (inner->line > 0)
		(void)snprintf(text, sizeof(text), "%u:%u: %s", inner->line,
		    inner->column, inner->message);
	else
		(void)snprintf(text, sizeof(text), "%s", inner->message);
	return add_bad(list, name, file, text, err);
}

static writ_status
profile_list_add_file(writ_profile_list *list, const char *const *dirs,
    const char *file, const char *name, writ_error *err)
{
	struct w_profile profile;
	writ_error inner;

	for (size_t i = 0; i < list->count; i++) {
		char text[sizeof(inner.message)];

		if (strcmp(list->entries[i].name, name) != 0)
			continue;
		(void)snprintf(text, sizeof(text),
		    "the name is that of another profile: %s",
		    list->entries[i].origin);
		return add_bad(list, name, file, text, err);
	}
	if (w_profile_find(name, dirs, &profile, &inner) != WRIT_OK)
		return add_unreadable(list, name, file, &inner, err);
	const char *says = profile.description;
	writ_status status = profile_list_add(list,
	    &(writ_profile_entry){name, file, says == NULL ? "" : says, NULL},
	    err);
	w_profile_done(&profile);
	return status;
}

static int
is_profile(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	/* Others cannot be named, and might contain terminal escapes. */
	return len > SUFFIX_LEN && entry->d_name[0] != '.' &&
	       strspn(entry->d_name, NAME_BYTES) == len &&
	       strcmp(entry->d_name + len - SUFFIX_LEN, SUFFIX) == 0;
}

static writ_status
add_named(writ_profile_list *list, const char *const *dirs, const char *dir,
    const char *file_name, writ_error *err)
{
	W_AUTO_FREE char *file = NULL;
	W_AUTO_FREE char *name =
	    strndup(file_name, strlen(file_name) - SUFFIX_LEN);

	if (name == NULL || asprintf(&file, "%s/%s", dir, file_name) < 0)
		return w_fail_nomem(err, "profile");
	if (list->count >= ENTRIES_MAX)
		return w_fail(err, WRIT_E_INVALID, "profile", 0,
		    "there are more than %d profiles, the last of them '%s'",
		    ENTRIES_MAX, file);
	return profile_list_add_file(list, dirs, file, name, err);
}

static writ_status
profile_list_add_dir(writ_profile_list *list, const char *const *dirs,
    const char *dir, writ_error *err)
{
	struct dirent **found = NULL;
	int count = scandir(dir, &found, is_profile, alphasort);
	writ_status status = WRIT_OK;

	if (count < 0 && (errno == ENOENT || errno == ENOTDIR))
		return WRIT_OK;
	if (count < 0)
		return w_fail(err,
		    errno == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM, "profile",
		    errno, "cannot list '%s'", dir);
	for (int i = 0; i < count; i++) {
		if (status == WRIT_OK)
			status =
			    add_named(list, dirs, dir, found[i]->d_name, err);
		free(found[i]);
	}
	free(found);
	return status;
}

static writ_status
profile_list_add_all(
    writ_profile_list *list, const writ_config *config, writ_error *err)
{
	struct w_config_profile_dirs dirs;
	writ_status status = w_config_profile_dirs_init(&dirs, config, err);

	if (status != WRIT_OK)
		return status;
	status = add_built_in(list, err);
	for (size_t i = 0; status == WRIT_OK && i < W_PROFILE_DIRS; i++)
		status =
		    profile_list_add_dir(list, dirs.paths, dirs.paths[i], err);
	w_config_profile_dirs_done(&dirs);
	return status;
}

writ_status
writ_profile_list_new(
    const writ_config *config, writ_profile_list **out_list, writ_error *err)
{
	writ_profile_list *list = calloc(1, sizeof(*list));

	if (list == NULL)
		return w_fail_nomem(err, "profile");
	writ_status status = profile_list_add_all(list, config, err);
	if (status != WRIT_OK) {
		writ_profile_list_free(list);
		return status;
	}
	*out_list = list;
	return WRIT_OK;
}

void
writ_profile_list_free(writ_profile_list *list)
{
	if (list == NULL)
		return;
	w_words_done(&list->texts);
	free(list->entries);
	free(list);
}

const writ_profile_entry *
writ_profile_list_all(const writ_profile_list *list, size_t *out_count)
{
	*out_count = list->count;
	return list->entries;
}
