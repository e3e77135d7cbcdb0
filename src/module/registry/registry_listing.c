/* SPDX-License-Identifier: Apache-2.0 */

/* Lists the module files in a directory, sorted by name. */

#include "module/registry/registry_listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/grow.h"
#include "command/description/command.h"
#include "module/registry/registry.h"

#define STAGE "modules"

/* Names beyond these are only counted. */
#define NAMES_MAX       200000
#define NAMES_BYTES_MAX ((size_t)64 * 1024 * 1024)

static bool
registry_listing_ends_with(const char *name, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len > end_len && strcmp(name + len - end_len, end) == 0;
}

/* Hidden files are drafts. */
static bool
registry_listing_is_wanted(const char *name)
{
	size_t len = strlen(name);

	return name[0] != '.' &&
	       (registry_listing_ends_with(name, len, ".binding.yaml") ||
		   registry_listing_ends_with(name, len, ".binding.json") ||
		   registry_listing_ends_with(name, len, W_COMMAND_SUFFIX));
}

static writ_status
registry_listing_add_name(
    struct w_listing *listing, size_t *cap, const char *name, writ_error *err)
{
	if (listing->count == NAMES_MAX) {
		listing->left_out++;
		return WRIT_OK;
	}
	if (!w_grow(&listing->files, listing->count, cap))
		return w_fail_nomem(err, STAGE);
	listing->files[listing->count++] =
	    (struct w_listing_file){.name = listing->names.len};
	w_buf_add(&listing->names, name, strlen(name) + 1);
	return listing->names.failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
read_names(DIR *stream, struct w_listing *listing, writ_error *err)
{
	size_t cap = 0;

	for (;;) {
		errno = 0;
		const struct dirent *entry = readdir(stream);

		if (entry == NULL && errno != 0)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot list the directory");
		if (entry == NULL)
			return WRIT_OK;
		if (!registry_listing_is_wanted(entry->d_name))
			continue;
		writ_status status = registry_listing_add_name(
		    listing, &cap, entry->d_name, err);
		if (status != WRIT_OK)
			return status;
	}
}

static int
registry_listing_compare_names(const void *a, const void *b, void *names)
{
	const struct w_listing_file *left = a;
	const struct w_listing_file *right = b;

	return strcmp((const char *)names + left->name,
	    (const char *)names + right->name);
}

/* A file that has disappeared is left out; one whose stat fails stays, and
 * reading it will report why. */
static void
identify(int dir_fd, struct w_listing *listing)
{
	size_t kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		struct w_listing_file *file = &listing->files[i];
		struct stat st = {0};

		if (fstatat(dir_fd, w_listing_name(listing, i), &st,
			AT_SYMLINK_NOFOLLOW) < 0 &&
		    errno == ENOENT)
			continue;
		w_stat_data_set(&st, &file->identity);
		listing->files[kept++] = *file;
	}
	listing->count = kept;
}

static DIR *
open_stream(int dir_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (stream != NULL)
		(void)w_take_fd(&fd);
	return stream;
}

writ_status
w_listing_read(int dir_fd, struct w_listing *out_listing, writ_error *err)
{
	W_AUTO_LISTING struct w_listing listing = {0};

	w_buf_init(&listing.names, NAMES_BYTES_MAX);
	DIR *stream = open_stream(dir_fd);
	if (stream == NULL && errno == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (stream == NULL)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot list the directory");
	writ_status status = read_names(stream, &listing, err);
	(void)closedir(stream);
	if (status != WRIT_OK)
		return status;
	if (listing.count > 0)
		qsort_r(listing.files, listing.count, sizeof(*listing.files),
		    registry_listing_compare_names, listing.names.data);
	if (listing.count > W_REGISTRY_FILES_MAX) {
		listing.left_out += listing.count - W_REGISTRY_FILES_MAX;
		listing.count = W_REGISTRY_FILES_MAX;
	}
	identify(dir_fd, &listing);
	*out_listing = listing;
	listing = (struct w_listing){0};
	w_buf_init(&listing.names, 0);
	return WRIT_OK;
}

void
w_listing_done(struct w_listing *listing)
{
	w_buf_done(&listing->names);
	free(listing->files);
	listing->files = NULL;
}
