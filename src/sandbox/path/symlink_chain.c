/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Follows a protected path component by component.
 *
 * A command that may write in a directory can put a link, a pipe or a socket
 * where a protected name is expected. None of that may break later runs or
 * bypass the protection, so every link on the way is pinned, and so is the file
 * at its end. Nothing here is trusted later: mounting checks device and inode
 * again.
 */

#include "sandbox/path/symlink_chain.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"

#define STAGE "sandbox"

enum {
	LINKS_MAX = 40, /* the kernel's limit */
	WAY_LEN_MAX = 2 * PATH_MAX
};

struct symlink_chain_walk {
	struct w_buf at;   /* without links; empty: the root */
	struct w_buf rest; /* the remaining components */
	struct stat st;    /* of the file at `at` */
	struct w_symlink_chain *chain;
	unsigned links;
};

static void
symlink_chain_cut(struct w_buf *at, size_t len)
{
	if (at->len > len) {
		at->len = len;
		at->data[len] = '\0';
	}
}

/* Removes the last component. */
static void
shorten(struct w_buf *at)
{
	const char *slash = strrchr(at->data, '/');

	symlink_chain_cut(at, slash == NULL ? 0 : (size_t)(slash - at->data));
}

static const char *
symlink_chain_path_of(const struct symlink_chain_walk *walk)
{
	return walk->at.len == 0 ? "/" : walk->at.data;
}

static bool
symlink_chain_add(struct symlink_chain_walk *walk)
{
	struct w_real_path real_path = {
	    .path = strdup(symlink_chain_path_of(walk)),
	    .is_dir = S_ISDIR(walk->st.st_mode),
	    .dev = walk->st.st_dev,
	    .ino = walk->st.st_ino,
	};

	return real_path.path != NULL &&
	       w_real_paths_add(&walk->chain->real_paths, &real_path);
}

/* Takes the next component off the rest. Returns its length; 0: none left. */
static size_t
next_part(struct symlink_chain_walk *walk, char part[NAME_MAX + 1])
{
	const char *text = walk->rest.data + strspn(walk->rest.data, "/");
	const size_t len = strcspn(text, "/");

	if (len == 0 || len > NAME_MAX)
		return len;
	memcpy(part, text, len);
	part[len] = '\0';
	const size_t left = strlen(text + len);
	memmove(walk->rest.data, text + len, left + 1);
	walk->rest.len = left;
	return len;
}

/* Continues at the link's target. Returns 0 or an errno. */
static int
symlink_chain_follow(struct symlink_chain_walk *walk)
{
	char target[PATH_MAX];
	W_AUTO_BUF struct w_buf rest;
	const ssize_t len = readlink(walk->at.data, target, sizeof(target) - 1);

	if (len < 0)
		return errno;
	target[len] = '\0';
	w_buf_init(&rest, WAY_LEN_MAX);
	w_buf_add_str(&rest, target);
	w_buf_add_str(&rest, walk->rest.data);
	if (rest.failed)
		return ENAMETOOLONG;
	w_buf_done(&walk->rest);
	walk->rest = rest;
	w_buf_init(&rest, WAY_LEN_MAX);
	shorten(&walk->at);
	if (target[0] == '/')
		symlink_chain_cut(&walk->at, 0);
	return 0;
}

/* The end of the path does not exist. */
static bool
end_absent(struct symlink_chain_walk *walk)
{
	w_buf_add_str(&walk->at, walk->rest.data);
	if (walk->at.failed)
		return false;
	walk->chain->absent = strdup(walk->at.data);
	return walk->chain->absent != NULL;
}

/* A directory that we may not search may be opened by its owner: pin it as it
 * is. */
static int
end_closed(struct symlink_chain_walk *walk)
{
	shorten(&walk->at);
	if (lstat(symlink_chain_path_of(walk), &walk->st) < 0)
		return errno;
	return symlink_chain_add(walk) ? 0 : ENOMEM;
}

/* Takes one component. Returns 0 or an errno; *out_ends: the path ends here. */
static int
symlink_chain_step(
    struct symlink_chain_walk *walk, const char *part, bool *out_ends)
{
	*out_ends = false;
	if (strcmp(part, ".") == 0)
		return 0;
	if (strcmp(part, "..") == 0) {
		shorten(&walk->at);
		return 0;
	}
	w_buf_add_char(&walk->at, '/');
	w_buf_add_str(&walk->at, part);
	if (walk->at.failed)
		return ENAMETOOLONG;
	if (lstat(walk->at.data, &walk->st) < 0) {
		const int error = errno;

		*out_ends = true;
		if (error == ENOENT)
			return end_absent(walk) ? 0 : ENOMEM;
		return error == EACCES ? end_closed(walk) : error;
	}
	if (S_ISLNK(walk->st.st_mode)) {
		if (!symlink_chain_add(walk))
			return ENOMEM;
		*out_ends = ++walk->links > LINKS_MAX;
		return *out_ends ? 0 : symlink_chain_follow(walk);
	}
	/* A file is in the way: .git of a linked work tree. */
	*out_ends = !S_ISDIR(walk->st.st_mode) &&
		    walk->rest.data[strspn(walk->rest.data, "/")] != '\0';
	return *out_ends && !symlink_chain_add(walk) ? ENOMEM : 0;
}

static int
go(struct symlink_chain_walk *walk)
{
	char part[NAME_MAX + 1];
	bool ends = false;

	for (;;) {
		const size_t len = next_part(walk, part);

		if (len == 0)
			break;
		const int error = len > NAME_MAX
				      ? ENAMETOOLONG
				      : symlink_chain_step(walk, part, &ends);
		/* Too long for us is too long for the kernel: it leads nowhere,
		 * and the links to it are pinned. */
		if (error == ENAMETOOLONG)
			return 0;
		if (error != 0 || ends)
			return error;
	}
	if (lstat(symlink_chain_path_of(walk), &walk->st) < 0)
		return errno;
	return symlink_chain_add(walk) ? 0 : ENOMEM;
}

writ_status
w_symlink_chain_follow(
    const char *path, struct w_symlink_chain *out_chain, writ_error *err)
{
	struct w_symlink_chain chain = {.absent = NULL};
	struct symlink_chain_walk walk = {.chain = &chain};

	w_buf_init(&walk.at, WAY_LEN_MAX);
	w_buf_init(&walk.rest, WAY_LEN_MAX);
	w_buf_add_str(&walk.at, "");
	w_buf_add_str(&walk.rest, path);
	const int error =
	    walk.at.failed || walk.rest.failed ? ENOMEM : go(&walk);
	w_buf_done(&walk.at);
	w_buf_done(&walk.rest);
	if (error == 0) {
		*out_chain = chain;
		return WRIT_OK;
	}
	w_symlink_chain_done(&chain);
	return error == ENOMEM
		   ? w_fail_nomem(err, STAGE)
		   : w_fail(err, WRIT_E_INVALID, STAGE, error,
			 "cannot find out where protect path '%s' leads", path);
}

void
w_symlink_chain_done(struct w_symlink_chain *chain)
{
	w_real_paths_done(&chain->real_paths);
	free(chain->absent);
	*chain = (struct w_symlink_chain){.absent = NULL};
}
