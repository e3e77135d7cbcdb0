/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PLACE_H
#define W_SANDBOX_PLACE_H

#include "sandbox/confine.h"
#include "sandbox/glance.h"

/* Where relative paths and "~" lead. */
struct w_place_base {
	const char *cwd;
	const char *home;
};

/*
 * The absolute spelling of a profile's path, with "." and "~" replaced and
 * without empty or "." components; yours. Refuses the empty path, "..",
 * "~name" and a newline. what is the list's name, for messages.
 */
writ_status w_place_spell(const char *text, const struct w_place_base *base,
    const char *what, char **out_path, writ_error *err);

/* What becomes of a path that is a symbolic link. */
enum w_place_link {
	W_PLACE_LINK_REFUSE,
	W_PLACE_LINK_SKIP,
	W_PLACE_LINK_FOLLOW,
};

struct w_place_query {
	const char *what;       /* the list's name, for messages */
	enum w_place_link link; /* for the last component */
	bool is_optional;       /* missing or out of reach: not found */
	bool skips_unreadable;  /* what we cannot read: not found */
	bool takes_any_kind;    /* also pipes, sockets and devices */
};

/*
 * Looks an absolute path up. Symbolic links before the last component are
 * followed; the answer has none, and is the file that was seen, also when the
 * tree changes meanwhile. *out_found is false, and *out_place untouched, for
 * what the query says to leave out.
 */
writ_status w_place_find(const char *path, const struct w_place_query *query,
    struct w_place *out_place, bool *out_found, writ_error *err);

/* What a path beneath a writable root turned out to be. */
enum w_place_kind {
	W_PLACE_ABSENT,
	W_PLACE_FOUND,
	W_PLACE_LINKED, /* the way to it has to be followed: place_way.h */
};

/*
 * Looks up a path beneath a canonical root in order to protect it. One that
 * is, or leads through, a symbolic link, or that cannot be looked at, is
 * W_PLACE_LINKED, with its path alone. Where a file stands in the way (.git of
 * a linked work tree), that file is the answer. A pipe or socket is a file.
 */
writ_status w_place_beneath(const char *root, const char *relative,
    struct w_glance *glance, struct w_place *out_place,
    enum w_place_kind *out_kind, writ_error *err);

/* Whether a canonical path is parent, or lies beneath it. */
bool w_place_covers(const char *parent, const char *path);

void w_place_done(struct w_place *place);

/* Takes the place over, also when it fails: false, no memory. */
bool w_places_add(struct w_places *places, struct w_place *place);
/* Sorts by path and joins equal paths, with the rights of both. */
void w_places_sort(struct w_places *places);
/* The deepest place of the list that covers the path, or NULL. */
const struct w_place *w_places_over(
    const struct w_places *places, const char *path);
void w_places_done(struct w_places *places);

#endif /* W_SANDBOX_PLACE_H */
