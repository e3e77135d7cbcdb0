/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_TREE_OPEN_H
#define W_UNDO_TREE_OPEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/words.h"

/*
 * Directories beneath an open one. No link is followed and no mount is entered,
 * so nobody who can write in the tree leads us out of it.
 */

/* The directory at a relative path, as O_PATH. A descriptor, or a negative
 * errno. */
int w_undo_open_beneath(int root_fd, const char *path);

/* The same for the directory that contains path; *out_name points into path. */
int w_undo_open_parent(int root_fd, const char *path, const char **out_name);

/* A directory to list. A command may have taken away the owner's rights to one;
 * they are there until it is closed. */
struct w_undo_listing {
	int fd;      /* or a negative errno */
	mode_t mode; /* to put back; 0: none */
};

void w_undo_listing_open(
    struct w_undo_listing *listing, int dir_fd, const char *name);
void w_undo_listing_close(struct w_undo_listing *listing);
#define W_AUTO_UNDO_LISTING __attribute__((cleanup(w_undo_listing_close)))

/* Gives the owner all rights to a directory that is open, perhaps as O_PATH.
 * true: that changed *out_mode. */
bool w_undo_loosen(int fd, mode_t *out_mode);

/* Takes them away again. */
void w_undo_tighten(int fd, mode_t mode);

/* The names in it, sorted. 0, or an errno. */
int w_undo_list_names(int fd, struct w_words *out_names);

#endif /* W_UNDO_TREE_OPEN_H */
