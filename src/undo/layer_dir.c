/* SPDX-License-Identifier: Apache-2.0 */

/* Makes the directories of a layer; says where there can be none. */

#include "undo/layer_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "undo/change_set.h"
#include "undo/change_store.h"

#define STAGE "undo"

enum {
	MOUNTS_MAX = 16 * 1024 * 1024
};

/* File systems that an overlay cannot write on, or on which other machines
 * write. */
static bool
can_be_upper(const char *path)
{
	static const unsigned long cannot[] = {0x794c7630UL /* overlay */,
	    NFS_SUPER_MAGIC, 0xff534d42UL /* cifs */, 0xfe534d42UL /* smb2 */,
	    FUSE_SUPER_MAGIC, V9FS_MAGIC, MSDOS_SUPER_MAGIC,
	    0x2011bab0UL /* exfat */, 0x5346544eUL /* ntfs */};
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return false;
	/* Without attributes there is no opaque directory: tmpfs before 6.6. */
	if (getxattr(path, "user.overlay.opaque", NULL, 0) < 0 &&
	    errno == EOPNOTSUPP)
		return false;
	for (size_t i = 0; i < sizeof(cannot) / sizeof(*cannot); i++) {
		if ((unsigned long)fs.f_type == cannot[i])
			return false;
	}
	return true;
}

/* The state directory may not have been made yet: then it will lie where the
 * directory above it does. */
static int
look_at_place(const char *path, struct statx *out)
{
	char dir[PATH_MAX];
	char *slash;

	(void)snprintf(dir, sizeof(dir), "%s", path);
	while (statx(AT_FDCWD, dir, AT_NO_AUTOMOUNT, STATX_MNT_ID, out) < 0) {
		slash = strrchr(dir, '/');
		if (errno != ENOENT || slash == NULL || slash == dir)
			return -1;
		*slash = '\0';
	}
	return 0;
}

/* A rename goes from one to the other only on the same mount. */
static bool
is_same_mount(const char *a, const char *b)
{
	struct statx one, other;

	return look_at_place(a, &one) == 0 && look_at_place(b, &other) == 0 &&
	       one.stx_mnt_id == other.stx_mnt_id &&
	       one.stx_dev_major == other.stx_dev_major &&
	       one.stx_dev_minor == other.stx_dev_minor;
}

/* "\040" is a space. */
static size_t
unescape(const char *text, size_t len, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 1 < size; i++) {
		if (text[i] == '\\' && i + 3 < len) {
			out[used++] = (char)((text[i + 1] - '0') * 64 +
					     (text[i + 2] - '0') * 8 +
					     (text[i + 3] - '0'));
			i += 3;
		} else {
			out[used++] = text[i];
		}
	}
	out[used] = '\0';
	return used;
}

/* Whether another mount lies below the directory: an overlay would show an
 * empty directory there. */
static bool
has_mounts(const char *root)
{
	const size_t len = strlen(root);
	char point[PATH_MAX];
	struct w_buf text;
	bool found = false;

	W_AUTO_FD int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	w_buf_init(&text, MOUNTS_MAX);
	if (fd < 0 || w_file_read_all(fd, &text) != 0)
		found = true;
	for (char *line = text.data; !found && line != NULL && *line != '\0';) {
		char *end = strchr(line, '\n');
		const char *at = line;

		for (int field = 0; field < 4 && at != NULL; field++) {
			at = strchr(at, ' ');
			at = at == NULL ? NULL : at + 1;
		}
		if (at == NULL)
			break;
		(void)unescape(at, strcspn(at, " \n"), point, sizeof(point));
		found = strncmp(point, root, len) == 0 && point[len] == '/';
		line = end == NULL ? NULL : end + 1;
	}
	w_buf_done(&text);
	return found;
}

const char *
w_undo_layer_lack(const char *state_dir, const char *root)
{
	if (state_dir == NULL)
		return "there is no state directory";
	if (!is_same_mount(state_dir, root))
		return "the state directory is on another mount than the "
		       "project";
	if (!can_be_upper(root))
		return "the project's file system cannot hold a layer";
	if (has_mounts(root))
		return "another file system is mounted in the project";
	return NULL;
}

static int
make_dirs(const struct w_undo_layer_options *options, int run_fd)
{
	struct stat root;
	W_AUTO_FD int layer_fd = -1;

	if (mkdirat(run_fd, "layer", 0700) < 0)
		return errno;
	layer_fd = openat(run_fd, "layer", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* The top of the view has the settings of upper. */
	if (layer_fd < 0 || mkdirat(layer_fd, "upper", 0700) < 0 ||
	    mkdirat(layer_fd, "work", 0700) < 0 ||
	    stat(options->root, &root) < 0)
		return errno;
	return w_change_set_copy_top(layer_fd, options, &root);
}

static writ_status
fill_run(const struct w_undo_layer_options *options, int store_fd,
    struct w_undo_layer *layer, writ_error *err)
{
	struct stat st;
	int error = 0;

	layer->dir_fd =
	    openat(store_fd, options->id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (layer->dir_fd < 0 || flock(layer->dir_fd, LOCK_EX | LOCK_NB) < 0)
		error = errno;
	if (error == 0)
		error = make_dirs(options, layer->dir_fd);
	/* The file system's clock, not ours: it may be coarser. */
	if (error == 0 &&
	    (fstatat(layer->dir_fd, "layer", &st, AT_SYMLINK_NOFOLLOW) < 0))
		error = errno;
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot make a layer in '%s'", options->state_dir);
	layer->dev = st.st_dev;
	layer->ino = st.st_ino;
	layer->began = st.st_ctim;
	if (fstatat(layer->dir_fd, "layer/upper", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make a layer in '%s'", options->state_dir);
	layer->top = st.st_ino;
	return w_change_set_write_facts(layer, options, err);
}

/* false: no memory. */
static bool
copy_permit(const struct w_undo_permit *permit, struct w_undo_permit *out)
{
	for (size_t i = 0; permit != NULL && i < permit->named.count; i++) {
		const char *word = permit->named.items[i];

		if (!w_words_add(&out->named, word, strlen(word)))
			return false;
	}
	out->has = permit == NULL ? NULL : permit->has;
	return true;
}

static bool
name_layer(
    const struct w_undo_layer_options *options, struct w_undo_layer *layer)
{
	layer->id = strdup(options->id);
	layer->root = strdup(options->root);
	layer->is_trial = options->is_trial;
	layer->is_user = options->is_user;
	if (!copy_permit(options->permit, &layer->permit))
		return false;
	return layer->id != NULL && layer->root != NULL &&
	       asprintf(&layer->path, "%s/" W_UNDO_STORE "/%s/layer",
		   options->state_dir, options->id) >= 0;
}

writ_status
w_undo_layer_make(const struct w_undo_layer_options *options,
    struct w_undo_layer **out_layer, writ_error *err)
{
	W_AUTO_FD int store_fd = -1;

	writ_status status =
	    w_change_store_open(options->state_dir, true, &store_fd, err);
	if (status != WRIT_OK)
		return status;
	struct w_undo_layer *layer = calloc(1, sizeof(*layer));
	if (layer == NULL)
		return w_fail_nomem(err, STAGE);
	layer->dir_fd = -1;
	if (!name_layer(options, layer)) {
		w_undo_layer_free(layer);
		return w_fail_nomem(err, STAGE);
	}
	if (mkdirat(store_fd, options->id, 0700) < 0) {
		status = w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make a layer in '%s'", options->state_dir);
		w_undo_layer_free(layer);
		return status;
	}
	status = fill_run(options, store_fd, layer, err);
	if (status == WRIT_OK)
		*out_layer = layer;
	else
		w_undo_layer_drop(layer);
	return status;
}

void
w_undo_layer_free(struct w_undo_layer *layer)
{
	if (layer == NULL)
		return;
	w_close(&layer->dir_fd);
	free(layer->id);
	free(layer->root);
	free(layer->path);
	w_words_done(&layer->permit.named);
	free(layer);
}

void
w_undo_layer_drop(struct w_undo_layer *layer)
{
	if (layer == NULL)
		return;
	if (layer->path != NULL) {
		/* The directory above it, with all. */
		*strrchr(layer->path, '/') = '\0';
		(void)w_file_remove_tree(layer->path);
	}
	w_undo_layer_free(layer);
}
