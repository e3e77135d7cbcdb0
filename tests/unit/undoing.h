/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_UNDOING_H
#define W_TEST_UNDOING_H

/* A project, a store of changes, and runs on real overlays of the project. */

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "os/file.h"
#include "temp.h"
#include "undo/change_set.h"
#include "undo/change_store.h"

struct undo_world {
	struct temp temp;
	char project[300];
	char state[300];
	int store;
	unsigned runs;
	const char *session; /* of the next runs; NULL: none */
	const char *owner;   /* of the next runs; NULL: none */
};

static inline int
undo_world_set_up(void **state)
{
	static struct undo_world world;
	writ_error err;

	temp_open(&world.temp);
	(void)snprintf(world.project, sizeof(world.project), "%s/project",
	    world.temp.path);
	(void)snprintf(
	    world.state, sizeof(world.state), "%s/state", world.temp.path);
	temp_dir(&world.temp, "project");
	temp_dir(&world.temp, "state");
	world.runs = 0;
	world.owner = NULL;
	world.session = NULL;
	assert_int_equal(
	    w_change_store_open(world.state, true, &world.store, &err),
	    WRIT_OK);
	assert_int_equal(w_change_store_lock(world.store, &err), WRIT_OK);
	*state = &world;
	return 0;
}

static inline int
undo_world_tear_down(void **state)
{
	struct undo_world *world = *state;

	(void)close(world->store);
	temp_close(&world->temp);
	return 0;
}

/* ---- a run ---- */

typedef void undo_run_fn(void *ctx);

static inline void
shell(void *text)
{
	if (system(text) != 0)
		_exit(1);
}

static inline void
write_word(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		_exit(77);
	(void)close(fd);
}

static inline void
enter_layer(const struct undo_world *world, const struct w_undo_layer *layer)
{
	const unsigned uid = geteuid(), gid = getegid();
	char text[2048];

	if (unshare(CLONE_NEWNS | (uid == 0 ? 0 : CLONE_NEWUSER)) < 0)
		_exit(77);
	if (uid != 0) {
		write_word("/proc/self/setgroups", "deny");
		(void)snprintf(text, sizeof(text), "%u %u 1", uid, uid);
		write_word("/proc/self/uid_map", text);
		(void)snprintf(text, sizeof(text), "%u %u 1", gid, gid);
		write_word("/proc/self/gid_map", text);
	}
	(void)snprintf(text, sizeof(text),
	    "lowerdir=%s,upperdir=%s/upper,workdir=%s/work%s", world->project,
	    layer->path, layer->path,
	    uid == 0 ? ",redirect_dir=off" : ",userxattr");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("layer", world->project, "overlay", 0, text) < 0 ||
	    chdir(world->project) < 0)
		_exit(77);
}

static inline struct w_undo_layer *
run_on_layer(struct undo_world *world, undo_run_fn *fn, void *ctx)
{
	struct w_undo_layer *layer = NULL;
	char id[32];
	int status;
	writ_error err;

	(void)snprintf(id, sizeof(id), "RUN%05u", ++world->runs);
	const struct w_undo_layer_options options = {
	    .state_dir = world->state,
	    .id = id,
	    .root = world->project,
	    .is_user = geteuid() != 0,
	    .owner = world->owner,
	    .session = world->session,
	};
	assert_int_equal(w_undo_layer_make(&options, &layer, &err), WRIT_OK);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)umask(022);
		enter_layer(world, layer);
		fn(ctx);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
	return layer;
}

static inline void
open_changes(struct undo_world *world, const char *id, struct w_change_set *set)
{
	writ_error err = {0};
	const writ_status status =
	    w_change_set_open(world->store, id, NULL, set, &err);

	if (status != WRIT_OK)
		fail_msg("%s: %s", id, err.message);
}

static inline void
move_changes(struct undo_world *world, const char *id, enum w_undo_side to)
{
	W_AUTO_CHANGE_SET struct w_change_set set = {.dir_fd = -1};
	writ_error err = {0};

	open_changes(world, id, &set);
	if (w_change_set_move(&set, to, NULL, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

static inline void
run_and_accept(struct undo_world *world, const char *text, char out_id[32])
{
	char command[4096];
	struct w_undo_layer *layer;

	(void)snprintf(command, sizeof(command), "%s", text);
	layer = run_on_layer(world, shell, command);
	(void)snprintf(out_id, 32, "%s", layer->id);
	w_undo_layer_free(layer);
	move_changes(world, out_id, W_UNDO_AFTER);
}

static inline void
in_project(const struct undo_world *world, const char *text)
{
	char command[4096];

	(void)snprintf(command, sizeof(command),
	    "umask 022; cd '%s' && { %s\n}", world->project, text);
	assert_int_equal(system(command), 0);
}

/* ---- what a tree is ---- */

enum {
	TREE_IS_TIMELESS = 1 /* without times and number of links */
};

static inline void
add_tree_xattrs(struct w_buf *out, const char *path)
{
	char names[4096], value[4096];
	ssize_t len = llistxattr(path, names, sizeof(names));

	for (ssize_t i = 0; i < len; i += (ssize_t)strlen(names + i) + 1) {
		ssize_t size = lgetxattr(path, names + i, value, sizeof(value));

		w_buf_add_fmt(out, " %s=", names + i);
		for (ssize_t k = 0; k < size; k++)
			w_buf_add_fmt(out, "%02x", (unsigned char)value[k]);
	}
}

static inline void
add_tree_content(struct w_buf *out, const char *path, const struct stat *st)
{
	W_AUTO_BUF struct w_buf bytes;
	uint8_t sum[W_SHA256_SIZE];
	char link[4096];

	w_buf_init(&bytes, 64 << 20);
	if (S_ISREG(st->st_mode)) {
		W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd >= 0)
			(void)w_file_read_all(fd, &bytes);
		w_sha256(bytes.data, bytes.len, sum);
		w_buf_add_fmt(
		    out, " %02x%02x%02x%02x", sum[0], sum[1], sum[2], sum[3]);
	}
	if (S_ISLNK(st->st_mode)) {
		ssize_t len = readlink(path, link, sizeof(link) - 1);

		link[len < 0 ? 0 : len] = '\0';
		w_buf_add_fmt(out, " -> %s", link);
	}
}

static inline void
add_tree(struct w_buf *out, const char *path, const char *shown, int flags)
{
	struct dirent **names = NULL;
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	w_buf_add_fmt(out, "%s %o %u %u %lld", shown, st.st_mode, st.st_uid,
	    st.st_gid, S_ISDIR(st.st_mode) ? 0LL : (long long)st.st_size);
	if ((flags & TREE_IS_TIMELESS) == 0)
		w_buf_add_fmt(out, " %lld.%09ld %u",
		    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
		    (unsigned)st.st_nlink);
	add_tree_content(out, path, &st);
	add_tree_xattrs(out, path);
	w_buf_add_char(out, '\n');
	if (!S_ISDIR(st.st_mode))
		return;
	int count = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		char below[4096], name[4096];

		(void)snprintf(
		    below, sizeof(below), "%s/%s", path, names[i]->d_name);
		(void)snprintf(
		    name, sizeof(name), "%s/%s", shown, names[i]->d_name);
		if (strcmp(names[i]->d_name, ".") != 0 &&
		    strcmp(names[i]->d_name, "..") != 0)
			add_tree(out, below, name, flags);
		free(names[i]);
	}
	free(names);
}

/* Yours. */
static inline char *
tree_text(const char *path, int flags)
{
	struct w_buf out;

	w_buf_init(&out, 64 << 20);
	add_tree(&out, path, ".", flags);
	return w_buf_take(&out, NULL);
}

#define assert_tree(world, expected)                                       \
	do {                                                               \
		W_AUTO_FREE char *found_ = tree_text((world)->project, 0); \
		assert_string_equal(found_, (expected));                   \
	} while (0)

#endif /* W_TEST_UNDOING_H */
