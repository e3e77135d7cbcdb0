/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_LISTING_H
#define W_MODULE_REGISTRY_LISTING_H

#include "base/buf.h"
#include "base/error.h"
#include "module/registry/module_index.h"

/* The module files in a directory, by name, with their current stat data. */
struct w_listing_file {
	size_t name; /* offset in names */
	struct w_stat_data identity;
};

struct w_listing {
	struct w_buf names;
	struct w_listing_file *files;
	size_t count;
	size_t left_out; /* beyond W_REGISTRY_FILES_MAX */
};

writ_status w_listing_read(
    int dir_fd, struct w_listing *out_listing, writ_error *err);
void w_listing_done(struct w_listing *listing);
#define W_AUTO_LISTING __attribute__((cleanup(w_listing_done)))

static inline const char *
w_listing_name(const struct w_listing *listing, size_t place)
{
	return listing->names.data + listing->files[place].name;
}

#endif /* W_MODULE_REGISTRY_LISTING_H */
