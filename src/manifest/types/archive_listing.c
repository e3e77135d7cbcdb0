/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks the list of an archive's members before anything is extracted.
 *
 * Blanks within names are escaped in tar's list, so that its columns and the
 * arrow of a link cannot be forged. A member must not lie behind a link of the
 * archive, because then ".." is not where it seems to be.
 */

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "manifest/types/archive.h"
#include "schema/hash_table.h"

#define STAGE      "archive"
#define TAR_FIELDS 5
#define ZIP_FIELDS 8
#define PATH_LEN   4096

struct archive_listing {
	enum w_archive_kind kind;
	unsigned strip;
	struct w_hash_table links; /* names of symbolic links */
	struct w_arena arena;
	size_t line;
};

struct archive_member {
	char type; /* as ls prints it; 'h': another name for a member */
	const char *name;
	size_t name_len;
	const char *target; /* of a link; NULL: none */
	size_t target_len;
};

enum w_archive_kind
w_archive_kind_of(const char *name)
{
	static const char *const ends[] = {".tar", ".tar.gz", ".tgz", ".tar.xz",
	    ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".tzst"};
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t end = strlen(ends[i]);

		if (len > end && strcmp(name + len - end, ends[i]) == 0)
			return W_ARCHIVE_TAR;
	}
	return len > 4 && strcmp(name + len - 4, ".zip") == 0 ? W_ARCHIVE_ZIP
							      : W_ARCHIVE_NONE;
}

/* ---- a line ---- */

static writ_status
refuse(const struct archive_member *member, const char *why, writ_error *err)
{
	const int len = member->name_len > 200 ? 200 : (int)member->name_len;

	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "it has '%.*s', %s: nothing was extracted", len, member->name, why);
}

static const char *
find_text(const char *text, size_t len, const char *what)
{
	return memmem(text, len, what, strlen(what));
}

/* false: a line that cannot be understood. */
static bool
split_line(const struct archive_listing *listing, const char *line, size_t len,
    struct archive_member *out)
{
	const bool is_tar = listing->kind == W_ARCHIVE_TAR;
	const char *end = line + len;
	const char *at = line;

	for (int i = 0; i < (is_tar ? TAR_FIELDS : ZIP_FIELDS); i++) {
		while (at < end && *at != ' ')
			at++;
		/* Only one blank comes before a name, which may begin with
		 * one. */
		while (at < end && *at == ' ' &&
		       (i + 1 < (is_tar ? TAR_FIELDS : ZIP_FIELDS) ||
			   at[-1] != ' '))
			at++;
	}
	if (at >= end)
		return false;
	*out = (struct archive_member){
	    .type = line[0], .name = at, .name_len = (size_t)(end - at)};
	if (!is_tar || (line[0] != 'l' && line[0] != 'h'))
		return true;
	const char *arrow = line[0] == 'l' ? " -> " : " link to ";
	const char *found = find_text(at, out->name_len, arrow);
	if (found == NULL)
		return false;
	out->name_len = (size_t)(found - at);
	out->target = found + strlen(arrow);
	out->target_len = (size_t)(end - out->target);
	return true;
}

/* ---- paths ---- */

/* The next component, and what lies behind it; false: none. */
static bool
next_part(
    const char **at, const char *end, const char **out_part, size_t *out_len)
{
	for (;;) {
		while (*at < end && **at == '/')
			(*at)++;
		const char *part = *at;
		while (*at < end && **at != '/')
			(*at)++;
		const size_t len = (size_t)(*at - part);
		if (len == 0)
			return false;
		if (len == 1 && part[0] == '.')
			continue;
		*out_part = part;
		*out_len = len;
		return true;
	}
}

static bool
is_up(const char *part, size_t len)
{
	return len == 2 && part[0] == '.' && part[1] == '.';
}

/* Checks a name within the archive; *out_key is its normal form and *out_depth
 * how deep it lies. */
static writ_status
check_path(const struct archive_listing *listing,
    const struct archive_member *member, const char *path, size_t path_len,
    char out_key[PATH_LEN], int *out_depth, writ_error *err)
{
	const char *at = path;
	const char *part;
	size_t len;
	size_t used = 0;
	int depth = 0;

	if (path_len > 0 && path[0] == '/')
		return refuse(member, "whose path is absolute", err);
	while (next_part(&at, path + path_len, &part, &len)) {
		if (is_up(part, len))
			return refuse(member, "which has '..' in it", err);
		if (used > 0 &&
		    w_hash_table_get(&listing->links, out_key, used) != NULL)
			return refuse(member, "which lies behind a link", err);
		if (used + len + 2 > PATH_LEN)
			return refuse(member, "whose path is too long", err);
		if (used > 0)
			out_key[used++] = '/';
		memcpy(out_key + used, part, len);
		used += len;
		depth++;
	}
	out_key[used] = '\0';
	*out_depth = depth;
	return WRIT_OK;
}

/* A link may lead anywhere in the directory that it is extracted to. */
static writ_status
check_link(const struct archive_listing *listing,
    const struct archive_member *member, int depth, writ_error *err)
{
	const char *at = member->target;
	const char *end = at + member->target_len;
	int room = depth - 1 - (int)listing->strip;
	const char *part;
	size_t len;

	if (member->target_len > 0 && member->target[0] == '/')
		return refuse(member, "a link to an absolute path", err);
	while (next_part(&at, end, &part, &len)) {
		room += is_up(part, len) ? -1 : 1;
		if (room < 0)
			return refuse(
			    member, "a link that leads out of it", err);
	}
	return WRIT_OK;
}

/* A target through another link could lead out, too: the path of a link that
 * goes up again after it went down is refused. */
static bool
goes_up_late(const struct archive_member *member)
{
	const char *at = member->target;
	const char *end = at + member->target_len;
	bool has_gone_down = false;
	const char *part;
	size_t len;

	while (next_part(&at, end, &part, &len)) {
		if (is_up(part, len) && has_gone_down)
			return true;
		has_gone_down |= !is_up(part, len);
	}
	return false;
}

static writ_status
check_member(struct archive_listing *listing,
    const struct archive_member *member, writ_error *err)
{
	static bool yes = true;
	char key[PATH_LEN];
	char other[PATH_LEN];
	int depth = 0;
	writ_status status;

	if (strchr(listing->kind == W_ARCHIVE_TAR ? "-dlh" : "-d",
		member->type) == NULL)
		return refuse(member,
		    member->type == 'l'
			? "a link, which is not extracted from a zip file"
			: "which is a device or another special file",
		    err);
	status = check_path(
	    listing, member, member->name, member->name_len, key, &depth, err);
	if (status == WRIT_OK && member->type == 'h')
		return check_path(listing, member, member->target,
		    member->target_len, other, &depth, err);
	if (status != WRIT_OK || member->type != 'l')
		return status;
	status = check_link(listing, member, depth, err);
	if (status == WRIT_OK && goes_up_late(member))
		status = refuse(member, "a link with '..' in the middle", err);
	if (status != WRIT_OK)
		return status;
	const char *kept = w_arena_text(&listing->arena, key, strlen(key));
	if (kept == NULL ||
	    !w_hash_table_put(&listing->links, kept, strlen(kept), &yes))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

/* ---- the list ---- */

/* What unzip prints around the list: two lines before it and one after. */
static bool
is_frame(
    const struct archive_listing *listing, const char *next, const char *end)
{
	return listing->kind == W_ARCHIVE_ZIP &&
	       (listing->line <= 2 || next >= end);
}

writ_status
w_archive_check(enum w_archive_kind kind, unsigned strip, const char *text,
    size_t len, writ_error *err)
{
	struct archive_listing listing = {.kind = kind, .strip = strip};
	const char *end = text + len;
	writ_status status = WRIT_OK;

	for (const char *at = text; status == WRIT_OK && at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const char *next = stop == NULL ? end : stop + 1;
		const size_t line_len =
		    (size_t)((stop == NULL ? end : stop) - at);
		struct archive_member member;

		listing.line++;
		if (is_frame(&listing, next, end))
			status = WRIT_OK;
		else if (!split_line(&listing, at, line_len, &member))
			status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "line %zu of its list cannot be understood: "
			    "nothing was extracted",
			    listing.line);
		else
			status = check_member(&listing, &member, err);
		at = next;
	}
	w_hash_table_done(&listing.links);
	w_arena_done(&listing.arena);
	return status;
}
