/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the view of a sandbox consists of, path by path.
 *
 * The longest match decides how a path looks; of several places at one path
 * the strictest. A hidden directory with a grant in it is an empty one that
 * holds the grant.
 */

#include "sandbox/mount_places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STAGE "sandbox"

static const char RESOLVER[] = "/etc/resolv.conf";

/* Own places of every sandbox. What a profile grants at that very path stays
 * the machine's, but for the two that show other processes and devices. */
struct own_place {
	const char *path;
	bool is_per_run;
	bool is_always;
};

static const struct own_place own_places[] = {
    {"/dev", false, true},
    {"/dev/shm", true, true},
    {"/proc", false, true},
    {"/run", false, false},
    {"/tmp", true, false},
    {"/var/run", false, false},
    {"/var/tmp", true, false},
};

static struct w_mount_place *
add(struct w_mount_places *places, const char *path, enum w_look look)
{
	if (places->count == places->cap) {
		const size_t cap = places->cap == 0 ? 32 : places->cap * 2;
		struct w_mount_place *items =
		    reallocarray(places->items, cap, sizeof(*items));

		if (items == NULL)
			return NULL;
		places->items = items;
		places->cap = cap;
	}
	struct w_mount_place *place = &places->items[places->count++];
	*place = (struct w_mount_place){
	    .path = path,
	    .look = look,
	    .is_dir = true,
	};
	return place;
}

static bool
add_all(struct w_mount_places *places, const struct w_places *from,
    enum w_look look, bool is_grant)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct w_place *item = &from->items[i];
		const bool is_writable =
		    is_grant && (item->may & W_MAY_WRITE) != 0;
		struct w_mount_place *place =
		    add(places, item->path, is_writable ? W_LOOK_WRITE : look);

		if (place == NULL)
			return false;
		place->is_dir = item->is_dir;
		place->is_grant = is_grant;
		place->is_code =
		    is_grant && !is_writable && (item->may & W_MAY_MAP) != 0;
		place->dev = item->dev;
		place->ino = item->ino;
	}
	return true;
}

static bool
contains(const char *dir, const char *path)
{
	const size_t len = strcmp(dir, "/") == 0 ? 0 : strlen(dir);

	return strncmp(dir, path, len) == 0 && path[len] == '/' &&
	       path[len + 1] != '\0';
}

static bool
has_grant_at(const struct w_places *grants, const char *path)
{
	for (size_t i = 0; i < grants->count; i++) {
		if (strcmp(grants->items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* Whether it lies in what the machine has, not in a directory of ours. */
static bool
is_machines(const struct w_mount_places *places,
    const struct w_confine *confine, const char *path)
{
	bool is_granted = !places->has_own_root;

	for (size_t i = 0; i < confine->grants.count; i++)
		is_granted |= contains(confine->grants.items[i].path, path);
	return is_granted;
}

/*
 * Where an own place has to be: "" for nowhere. In a root of our own it is
 * made, if programs look for it. In the machine's it must be there, and it is
 * what counts where a link leads. Failing to look is not the same as there
 * being nothing: -1.
 */
static int
locate(const struct w_mount_places *places, const struct w_confine *confine,
    const char *path, char out_real[PATH_MAX])
{
	const bool is_made = strcmp(path, "/dev/shm") == 0 ||
			     !is_machines(places, confine, path);
	struct stat found = {0};

	out_real[0] = '\0';
	if (is_made) {
		if (strcmp(path, "/var/run") != 0)
			(void)snprintf(out_real, PATH_MAX, "%s", path);
		return 0;
	}
	if (lstat(path, &found) < 0)
		return errno == ENOENT ? 0 : -1;
	if (places->has_own_root && !S_ISDIR(found.st_mode))
		return 0;
	if (realpath(path, out_real) == NULL || stat(out_real, &found) < 0) {
		out_real[0] = '\0';
		return errno == ENOENT ? 0 : -1;
	}
	if (!S_ISDIR(found.st_mode))
		out_real[0] = '\0';
	return 0;
}

static writ_status
add_own_place(struct w_mount_places *places, const struct w_confine *confine,
    const struct own_place *own, writ_error *err)
{
	char real[PATH_MAX];

	if (locate(places, confine, own->path, real) < 0)
		return w_fail(err, WRIT_E_SANDBOX, STAGE, errno,
		    "cannot find out where '%s' is", own->path);
	if (real[0] == '\0' ||
	    (!own->is_always && has_grant_at(&confine->grants, real)))
		return WRIT_OK;
	char *path = strdup(real);
	struct w_mount_place *place =
	    path == NULL ? NULL : add(places, path, W_LOOK_EMPTY);
	if (place == NULL) {
		free(path);
		return w_fail_nomem(err, STAGE);
	}
	place->own = path;
	place->is_per_run = own->is_per_run;
	if (strcmp(own->path, "/tmp") != 0)
		return WRIT_OK;
	places->tmp = strdup(real);
	return places->tmp != NULL ? WRIT_OK : w_fail_nomem(err, STAGE);
}

static writ_status
add_own(struct w_mount_places *places, const struct w_confine *confine,
    writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < sizeof(own_places) / sizeof(own_places[0]) &&
			   status == WRIT_OK;
	     i++)
		status = add_own_place(places, confine, &own_places[i], err);
	return status;
}

static bool
add_root(struct w_mount_places *places)
{
	return add(places, "/",
		   places->has_own_root ? W_LOOK_EMPTY : W_LOOK_READ) != NULL;
}

/* The file with the name servers is often a link into /run. */
static bool
add_resolver(struct w_mount_places *places, const struct w_confine *confine)
{
	struct stat found;

	if (confine->network != W_NETWORK_HOST)
		return true;
	char *path = realpath(RESOLVER, NULL);
	if (path == NULL)
		return errno != ENOMEM;
	if (strcmp(path, RESOLVER) == 0 || stat(path, &found) < 0 ||
	    !S_ISREG(found.st_mode) ||
	    (!places->has_own_root && !contains("/run", path))) {
		free(path);
		return true;
	}
	struct w_mount_place *place = add(places, path, W_LOOK_READ);
	if (place == NULL) {
		free(path);
		return false;
	}
	place->own = path;
	place->is_dir = false;
	place->is_grant = true;
	place->dev = found.st_dev;
	place->ino = found.st_ino;
	return true;
}

/* Their owners come and go. */
static bool
add_sockets(struct w_mount_places *places, const struct w_confine *confine)
{
	const size_t first = places->count;

	if (!add_all(places, &confine->sockets, W_LOOK_HIDDEN, false))
		return false;
	for (size_t i = first; i < places->count; i++)
		places->items[i].may_go = true;
	return true;
}

static bool
add_profile(struct w_mount_places *places, const struct w_confine *confine)
{
	return add_all(places, &confine->grants, W_LOOK_READ, true) &&
	       add_all(places, &confine->guarded, W_LOOK_READ, false) &&
	       add_all(places, &confine->hidden, W_LOOK_HIDDEN, false) &&
	       add_sockets(places, confine) && add_resolver(places, confine);
}

static int
compare(const void *left, const void *right)
{
	const struct w_mount_place *a = left;
	const struct w_mount_place *b = right;
	const int order = strcmp(a->path, b->path);

	if (order != 0)
		return order;
	/* A guarded place before the grant that it restricts. */
	if (a->look == W_LOOK_WRITE || b->look == W_LOOK_WRITE) {
		if (a->look == W_LOOK_READ && !a->is_grant)
			return -1;
		if (b->look == W_LOOK_READ && !b->is_grant)
			return 1;
	}
	return (int)a->look - (int)b->look;
}

/* What is both guarded and granted stays a grant, but a readable one. */
static void
merge(struct w_mount_place *kept, const struct w_mount_place *other)
{
	if (kept->look == W_LOOK_READ || kept->look == W_LOOK_WRITE) {
		kept->is_grant |= other->is_grant;
		kept->is_code |= other->is_code;
	}
}

static void
sort_out(struct w_mount_places *places)
{
	size_t count = 0;

	qsort(places->items, places->count, sizeof(places->items[0]), compare);
	for (size_t i = 0; i < places->count; i++) {
		struct w_mount_place *place = &places->items[i];

		if (count > 0 &&
		    strcmp(places->items[count - 1].path, place->path) == 0) {
			merge(&places->items[count - 1], place);
			free(place->own);
			continue;
		}
		places->items[count++] = *place;
	}
	places->count = count;
}

static bool
holds_grant(const struct w_mount_places *places, const char *dir)
{
	for (size_t i = 0; i < places->count; i++) {
		if (places->items[i].is_grant &&
		    contains(dir, places->items[i].path))
			return true;
	}
	return false;
}

static size_t
find_within(const struct w_mount_places *places, size_t index)
{
	size_t within = 0;

	for (size_t i = 1; i < index; i++) {
		const char *path = places->items[i].path;

		if (!places->items[i].is_void &&
		    contains(path, places->items[index].path) &&
		    strlen(path) >= strlen(places->items[within].path))
			within = i;
	}
	return within;
}

static bool
is_void(const struct w_mount_place *place, const struct w_mount_place *in)
{
	const enum w_look around = in->look;

	switch (place->look) {
	case W_LOOK_EMPTY:
		return false;
	case W_LOOK_HIDDEN:
		return around == W_LOOK_HIDDEN || around == W_LOOK_EMPTY;
	case W_LOOK_WRITE:
	case W_LOOK_READ:
		if (around == W_LOOK_EMPTY || around == W_LOOK_HIDDEN)
			return !place->is_grant;
		return place->look == around && place->is_code == in->is_code;
	}
	return false;
}

static void
relate(struct w_mount_places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		struct w_mount_place *place = &places->items[i];

		if (place->look == W_LOOK_HIDDEN && place->is_dir &&
		    holds_grant(places, place->path))
			place->look = W_LOOK_EMPTY;
		place->within = find_within(places, i);
		struct w_mount_place *around = &places->items[place->within];
		place->is_void = i == 0 || is_void(place, around);
		if (place->is_grant && !place->is_void &&
		    around->look == W_LOOK_EMPTY)
			around->has_grants = true;
	}
}

const struct w_mount_place *
w_mount_places_tmp(const struct w_mount_places *places)
{
	for (size_t i = 0; places->tmp != NULL && i < places->count; i++) {
		if (strcmp(places->items[i].path, places->tmp) == 0)
			return &places->items[i];
	}
	return NULL;
}

/* In a directory of ours, what shares /tmp can be a link to it: that costs a
 * run nothing. */
static void
link_shares(struct w_mount_places *places)
{
	const struct w_mount_place *tmp = w_mount_places_tmp(places);

	for (size_t i = 0; tmp != NULL && i < places->count; i++) {
		struct w_mount_place *place = &places->items[i];

		place->is_link =
		    place->is_per_run && place != tmp && !place->has_grants &&
		    places->items[place->within].look == W_LOOK_EMPTY;
	}
}

writ_status
w_mount_places_build(const struct w_confine *confine,
    struct w_mount_places *out_places, writ_error *err)
{
	struct w_mount_places places = {
	    .has_own_root = confine->walls == W_WALLS_STRICT &&
			    !has_grant_at(&confine->grants, "/"),
	};

	writ_status status = add_own(&places, confine, err);
	if (status == WRIT_OK &&
	    (!add_root(&places) || !add_profile(&places, confine)))
		status = w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		w_mount_places_done(&places);
		return status;
	}
	sort_out(&places);
	relate(&places);
	link_shares(&places);
	*out_places = places;
	return WRIT_OK;
}

void
w_mount_places_done(struct w_mount_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].own);
	free(places->items);
	free(places->tmp);
	*places = (struct w_mount_places){0};
}
