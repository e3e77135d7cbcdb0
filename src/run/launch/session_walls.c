/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of the walls of a session; helper/session_maker.c is the
 * other. */

#include "run/launch/session_walls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "os/mountinfo.h"
#include "run/home/home_store.h"
#include "run/launch/disk_tmp.h"
#include "run/launch/fork_server.h"
#include "run/launch/launch.h"
#include "run/launch/maker_answer.h"
#include "sandbox/mounts/mount_plan.h"
#include "sandbox/probe/host_info.h"
#include "sandbox/probe/remedy.h"

#define STAGE "session"

enum {
	OPTIONS_LEN = 96,
	/* Files in the tmpfs, by its size: small ones are the usual. */
	BYTES_PER_FILE = 8192,
	FILES_MIN = 16384
};

static struct w_session_walls *
new_walls(void)
{
	static atomic_uint_fast64_t last_id;
	struct w_session_walls *walls = calloc(1, sizeof(*walls));

	if (walls == NULL)
		return NULL;
	walls->mounts = malloc(sizeof(*walls->mounts));
	if (walls->mounts == NULL) {
		free(walls);
		return NULL;
	}
	w_mountinfo_init(walls->mounts);
	walls->refs = 1;
	walls->id = atomic_fetch_add(&last_id, 1) + 1;
	walls->user_ns = -1;
	walls->mount_ns = -1;
	walls->net_ns = -1;
	walls->tmp_fd = -1;
	walls->home_fd = -1;
	for (int i = 0; i < W_SESSION_LINES; i++)
		walls->lines[i] = -1;
	walls->relay.control = -1;
	return walls;
}

struct w_session_walls *
w_session_walls_hold(struct w_session_walls *walls)
{
	if (walls != NULL)
		walls->refs++;
	return walls;
}

void
w_session_walls_release(struct w_session_walls *walls)
{
	if (walls == NULL || --walls->refs > 0)
		return;
	for (int i = 0; i < W_SESSION_LINES; i++)
		w_close(&walls->lines[i]);
	w_close(&walls->relay.control);
	for (size_t i = 0; i < walls->relay.count; i++)
		w_close(&walls->relay.sockets[i]);
	w_close(&walls->user_ns);
	w_close(&walls->mount_ns);
	w_close(&walls->net_ns);
	w_close(&walls->tmp_fd);
	w_close(&walls->home_fd);
	w_disk_tmp_free(walls->disk);
	/* The last mount of it has gone with the namespace. */
	w_dotdirs_store_free(walls->home);
	free(walls->home_path);
	w_mountinfo_done(walls->mounts);
	free(walls->mounts);
	free(walls);
}

static void
tmpfs_options(
    const struct w_session_walls_options *options, uint64_t size, char *text)
{
	uint64_t files = options->inodes;

	if (files == 0)
		files = size / BYTES_PER_FILE;
	if (options->inodes == 0 && files < FILES_MIN)
		files = FILES_MIN;
	(void)snprintf(text, OPTIONS_LEN, "mode=0755,size=%llu,nr_inodes=%llu",
	    (unsigned long long)size, (unsigned long long)files);
}

/* Which layer a failed step belongs to. */
static enum w_layer
layer_of(const struct w_attempt *attempt)
{
	if (attempt->is_step && attempt->step == W_STEP_NETWORK)
		return W_LAYER_NETNS;
	if (attempt->is_step && attempt->step == W_STEP_VIEW)
		return W_LAYER_MOUNTNS;
	return w_thread_can_make_namespaces() ? W_LAYER_MOUNTNS
					      : W_LAYER_USERNS;
}

static writ_status
explain_session(const struct w_attempt *attempt, writ_error *err)
{
	switch (attempt->error) {
	case EMFILE:
	case ENFILE:
	case EAGAIN:
	case ENOMEM:
	case ETIMEDOUT:
	case EPROTO:
		return w_fail(err, WRIT_E_SYSTEM, STAGE, attempt->error,
		    "cannot make the walls of a session");
	default:
		return w_probe_explain(layer_of(attempt), attempt->error, err);
	}
}

static bool
find_connects(struct w_session_walls *walls)
{
	for (int i = 0; i < W_SHARED_CONNECTS; i++) {
		char name[] = W_SHARED_CONNECT "0";
		struct stat st;

		if (walls->shared.connects[i].path[0] == '\0')
			continue;
		name[sizeof(name) - 2] = (char)('0' + i);
		if (fstatat(walls->tmp_fd, &name[1], &st,
			AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISSOCK(st.st_mode))
			return false;
		walls->shared.connects[i].dev = st.st_dev;
		walls->shared.connects[i].ino = st.st_ino;
	}
	return true;
}

bool
w_session_walls_find_shared(struct w_session_walls *walls)
{
	static const char *const paths[] = {
#define X(name, path) [W_SHARED_DIR_##name] = path,
	    W_SHARED_DIR_MAP(X)
#undef X
	};
	struct stat st;

	if (fstatat(walls->tmp_fd, &W_SHARED_HOOK[1], &st,
		AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	walls->shared.hook.dev = st.st_dev;
	walls->shared.hook.ino = st.st_ino;
	for (int i = 0; i < W_SHARED_DIR_COUNT; i++) {
		if (fstatat(walls->tmp_fd, paths[i] + 1, &st,
			AT_SYMLINK_NOFOLLOW) != 0)
			return false;
		walls->shared.dirs[i].dev = st.st_dev;
		walls->shared.dirs[i].ino = st.st_ino;
	}
	walls->shared.joins = W_JOINS_MOUNT |
			      (walls->user_ns >= 0 ? W_JOINS_USER : 0) |
			      (walls->net_ns >= 0 ? W_JOINS_NETWORK : 0);
	return find_connects(walls);
}

static bool
take_files(struct w_session_walls *walls, int fds[W_SESSION_FDS],
    const struct w_session_walls_options *options, bool has_user)
{
	int *const places[W_SESSION_FDS] = {
	    [W_SESSION_FD_USER] = has_user ? &walls->user_ns : NULL,
	    [W_SESSION_FD_MOUNT] = &walls->mount_ns,
	    [W_SESSION_FD_NETWORK] =
		options->has_network ? &walls->net_ns : NULL,
	    [W_SESSION_FD_TMP] = &walls->tmp_fd,
	};
	bool is_whole = true;

	for (int i = 0; i < W_SESSION_FDS; i++) {
		if (places[i] == NULL) {
			w_close(&fds[i]);
			continue;
		}
		is_whole = w_fd_raise(&fds[i]) == 0 && is_whole;
		w_fd_lift(&fds[i]);
		*places[i] = fds[i];
	}
	return is_whole && w_session_walls_find_shared(walls);
}

/* What the maker has put over HOME. */
static void
find_home(struct w_session_walls *walls, int refused)
{
	enum {
		OVERLAY_MAGIC = 0x794c7630
	};
	W_AUTO_FD int fd = openat(walls->tmp_fd, &W_SHARED_HOME[1],
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct statx seen;
	struct statfs on;

	walls->home_error = refused;
	if (walls->home != NULL)
		walls->home_path = strdup(walls->home->home);
	if (walls->home_path == NULL || fd < 0 ||
	    statx(fd, "", AT_EMPTY_PATH, 0, &seen) < 0 ||
	    (seen.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0 ||
	    fstatfs(fd, &on) < 0)
		return;
	walls->home_kind = refused == 0 && on.f_type == OVERLAY_MAGIC
			       ? W_HOME_OVERLAY
			       : W_HOME_CACHES;
	walls->home_fd = w_take_fd(&fd);
	w_fd_lift(&walls->home_fd);
	if (walls->home_kind == W_HOME_CACHES && !walls->home->is_lent)
		w_dotdirs_store_make_caches(walls->home);
}

/* Starts a maker and waits for what it has made. */
static struct w_attempt
ask_maker(struct w_launcher *launcher, struct w_session_walls *walls,
    const struct w_host_ports *ports, struct w_helper_role *as,
    int fds[W_SESSION_FDS], int *out_refused)
{
	struct w_attempt attempt = {.error = 0};
	struct w_child maker = {.pidfd = -1};
	struct w_helper_event event = {0};
	size_t count = W_SESSION_FDS;
	W_AUTO_FREE struct w_session_order *order = NULL;
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;

	attempt.error = w_fd_pair(&ours, &theirs);
	if (walls->home != NULL || ports != NULL) {
		order = calloc(1, sizeof(*order));
		attempt.error = order == NULL ? ENOMEM : attempt.error;
	}
	if (attempt.error != 0)
		return attempt;
	if (order != NULL) {
		w_maker_order(walls, ports, order);
		as->file = order;
		as->file_size = sizeof(*order);
	}
	as->socket = theirs;
	w_helper_spawn(launcher, NULL, as, &maker, &attempt);
	w_close(&theirs);
	if (attempt.error != 0)
		return attempt;
	attempt.error =
	    w_maker_receive(ours, W_HELPER_EVENT_SESSION, &event, fds, &count);
	if (attempt.error == 0 && count != W_SESSION_FDS)
		attempt.error = EPROTO;
	attempt.is_step = event.kind == W_HELPER_EVENT_FAILED;
	attempt.step = (enum w_step)event.step;
	*out_refused = (int)event.detail;
	if (attempt.error == 0 && ports != NULL)
		attempt.error = w_maker_take_sockets(ours, &walls->relay);
	w_child_kill_and_reap(&maker);
	return attempt;
}

static struct w_attempt
make_walls(struct w_launcher *launcher,
    const struct w_session_walls_options *options,
    struct w_session_walls *walls)
{
	const bool has_user = !w_thread_can_make_namespaces();
	char text[OPTIONS_LEN], letters[5] = "";
	int fds[W_SESSION_FDS] = {-1, -1, -1, -1};
	int refused = 0;

	walls->tmp_size = walls->disk != NULL      ? walls->disk->bytes_max
			  : options->tmp_size != 0 ? options->tmp_size
						   : w_mount_tmp_default();
	tmpfs_options(options, walls->tmp_size, text);
	(void)snprintf(letters, sizeof(letters), "%s%s%s%s",
	    options->has_network ? "n" : "", walls->disk != NULL ? "d" : "",
	    walls->home != NULL ? "h" : "", options->ports != NULL ? "r" : "");
	struct w_helper_role as = {
	    .role = W_ROLE_SESSION_MAKER,
	    .letters = letters,
	    .text = walls->disk != NULL ? walls->disk->path : text,
	    .namespaces = (uint64_t)CLONE_NEWNS |
			  (has_user ? CLONE_NEWUSER : 0) |
			  (options->has_network ? CLONE_NEWNET : 0),
	    .spec_socket = -1,
	};
	struct w_attempt attempt =
	    ask_maker(launcher, walls, options->ports, &as, fds, &refused);
	if (attempt.error == 0 && !take_files(walls, fds, options, has_user))
		attempt.error = EMFILE;
	if (attempt.error == 0)
		find_home(walls, refused);
	return attempt;
}

writ_status
w_session_walls_make(struct w_launcher *launcher,
    const struct w_session_walls_options *options,
    struct w_session_walls **out_walls, writ_error *err)
{
	writ_status status = w_launcher_need_helper(launcher, err);
	struct w_session_walls *walls = NULL;

	if (status == WRIT_OK) {
		walls = new_walls();
		status = walls == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
	}
	if (status != WRIT_OK) {
		w_dotdirs_store_free(options->home);
		return status;
	}
	walls->home = options->home;
	if (options->disk_in != NULL)
		status = w_disk_tmp_make(
		    options->disk_in, options->tmp_size, &walls->disk, err);
	if (status != WRIT_OK) {
		w_session_walls_release(walls);
		return status;
	}
	const struct w_attempt attempt = make_walls(launcher, options, walls);
	if (attempt.error != 0) {
		w_session_walls_release(walls);
		return explain_session(&attempt, err);
	}
	*out_walls = walls;
	return WRIT_OK;
}

static bool
copy_fd(int of, int *out_fd)
{
	if (of < 0)
		return true;
	*out_fd = fcntl(of, F_DUPFD_CLOEXEC, W_FD_SAFE);
	w_fd_lift(out_fd);
	return *out_fd >= 0;
}

static struct w_attempt
make_fresh(struct w_launcher *launcher, const struct w_session_walls *of,
    struct w_session_walls *walls)
{
	const struct w_session_walls_options options = {.has_network = false};
	struct w_helper_role as = {
	    .role = W_ROLE_SESSION_MAKER,
	    .letters = of->user_ns >= 0 ? "fu" : "f",
	    .spec_socket = -1,
	    .walls = of,
	};
	int fds[W_SESSION_FDS] = {-1, -1, -1, -1};
	int refused = 0;

	struct w_attempt attempt =
	    ask_maker(launcher, walls, NULL, &as, fds, &refused);
	if (attempt.error == 0 && (!take_files(walls, fds, &options, false) ||
				      !copy_fd(of->user_ns, &walls->user_ns) ||
				      !copy_fd(of->net_ns, &walls->net_ns)))
		attempt.error = EMFILE;
	walls->shared = of->shared;
	if (attempt.error == 0)
		find_home(walls, refused);
	return attempt;
}

writ_status
w_session_walls_make_fresh(struct w_launcher *launcher,
    const struct w_session_walls *of, struct w_home_store *home,
    struct w_session_walls **out_walls, writ_error *err)
{
	struct w_session_walls *walls = new_walls();

	if (walls == NULL) {
		w_dotdirs_store_free(home);
		return w_fail_nomem(err, STAGE);
	}
	walls->home = home;
	walls->tmp_size = of->tmp_size;
	const struct w_attempt attempt = make_fresh(launcher, of, walls);
	if (attempt.error != 0) {
		w_session_walls_release(walls);
		return explain_session(&attempt, err);
	}
	*out_walls = walls;
	return WRIT_OK;
}

static struct w_attempt
ask_for_hosts(struct w_launcher *launcher, struct w_session_walls *walls,
    const struct w_host_ports *ports)
{
	struct w_helper_role as = {
	    .role = W_ROLE_SESSION_MAKER,
	    .letters = walls->user_ns >= 0 ? "ju" : "j",
	    .spec_socket = -1,
	    .walls = walls,
	    .joins_network = true,
	};
	int fds[W_SESSION_FDS] = {-1, -1, -1, -1};
	int refused = 0;

	struct w_attempt attempt =
	    ask_maker(launcher, walls, ports, &as, fds, &refused);
	/* They are those that we have. */
	for (int i = 0; i < W_SESSION_FDS; i++)
		w_close(&fds[i]);
	return attempt;
}

writ_status
w_session_walls_open_hosts(struct w_launcher *launcher,
    struct w_session_walls *walls, const struct w_host_ports *ports,
    writ_error *err)
{
	writ_status status = w_launcher_need_helper(launcher, err);

	if (status != WRIT_OK)
		return status;
	const struct w_attempt attempt = ask_for_hosts(launcher, walls, ports);
	return attempt.error == 0 ? WRIT_OK : explain_session(&attempt, err);
}

/* ---- of another process ---- */

void
w_session_walls_places(
    const struct w_session_walls *walls, int places[W_SESSION_FDS])
{
	places[W_SESSION_FD_USER] = walls->user_ns;
	places[W_SESSION_FD_MOUNT] = walls->mount_ns;
	places[W_SESSION_FD_NETWORK] = walls->net_ns;
	places[W_SESSION_FD_TMP] = walls->tmp_fd;
}

void
w_session_parts_close(struct w_session_parts *parts)
{
	for (int i = 0; i < W_SESSION_FDS; i++)
		w_close(&parts->fds[i]);
	w_close(&parts->disk_fd);
	w_close(&parts->home_fd);
	w_close(&parts->control);
}

static bool
is_namespace(int fd, int kind)
{
	return fd < 0 || ioctl(fd, NS_GET_NSTYPE) == kind;
}

/* A root that joins no user namespace joins those of the machine's root; an
 * ordinary user needs one of its own. */
static bool
are_namespaces(const int fds[W_SESSION_FDS])
{
	return is_namespace(fds[W_SESSION_FD_USER], CLONE_NEWUSER) &&
	       is_namespace(fds[W_SESSION_FD_MOUNT], CLONE_NEWNS) &&
	       is_namespace(fds[W_SESSION_FD_NETWORK], CLONE_NEWNET) &&
	       fds[W_SESSION_FD_MOUNT] >= 0 && fds[W_SESSION_FD_TMP] >= 0;
}

static int
adopt_home(struct w_session_walls *walls, struct w_session_parts *parts)
{
	if (parts->home_fd < 0)
		return 0;
	const int error = w_dotdirs_store_join(
	    parts->home_dir, parts->home_path, parts->home_fd, &walls->home);
	if (error != 0)
		return error;
	parts->home_fd = -1;
	find_home(walls, parts->home_kind == W_HOME_OVERLAY ? 0 : EINVAL);
	return walls->home_kind == parts->home_kind ? 0 : EINVAL;
}

static int
adopt_parts(struct w_session_walls *walls, struct w_session_parts *parts)
{
	int *const places[W_SESSION_FDS] = {
	    [W_SESSION_FD_USER] = &walls->user_ns,
	    [W_SESSION_FD_MOUNT] = &walls->mount_ns,
	    [W_SESSION_FD_NETWORK] = &walls->net_ns,
	    [W_SESSION_FD_TMP] = &walls->tmp_fd,
	};
	int error = 0;

	if (!are_namespaces(parts->fds))
		return EINVAL;
	for (int i = 0; i < W_SESSION_FDS; i++) {
		if (parts->fds[i] >= 0 && error == 0)
			error = w_fd_raise(&parts->fds[i]);
		*places[i] = w_take_fd(&parts->fds[i]);
	}
	walls->tmp_size = parts->tmp_size;
	walls->relay.control = w_take_fd(&parts->control);
	w_fd_lift(&walls->relay.control);
	for (int i = 0; parts->connects != NULL && i < W_SHARED_CONNECTS; i++)
		(void)stpcpy(
		    walls->shared.connects[i].path, parts->connects[i]);
	if (error == 0 && parts->disk_path != NULL)
		error = w_disk_tmp_join(parts->disk_path, parts->disk_fd,
		    parts->tmp_size, &walls->disk);
	if (error == 0 && parts->disk_path != NULL)
		parts->disk_fd = -1;
	if (error == 0)
		error = adopt_home(walls, parts);
	return error != 0                           ? error
	       : w_session_walls_find_shared(walls) ? 0
						    : EINVAL;
}

writ_status
w_session_walls_adopt(struct w_session_parts *parts,
    struct w_session_walls **out_walls, writ_error *err)
{
	struct w_session_walls *walls = new_walls();

	if (walls == NULL) {
		w_session_parts_close(parts);
		return w_fail_nomem(err, STAGE);
	}
	const int error = adopt_parts(walls, parts);
	w_session_parts_close(parts);
	if (error == 0) {
		*out_walls = walls;
		return WRIT_OK;
	}
	w_session_walls_release(walls);
	return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
	    "the walls of the session are not what they should be");
}

bool
w_session_walls_usage(
    const struct w_session_walls *walls, struct w_session_usage *out_usage)
{
	struct statvfs now;

	if (walls->disk != NULL) {
		*out_usage = (struct w_session_usage){
		    .bytes = w_disk_walk_bytes(&walls->disk->walk),
		    .bytes_max = walls->disk->bytes_max,
		    .files = w_disk_walk_files(&walls->disk->walk),
		};
		return true;
	}
	if (fstatvfs(walls->tmp_fd, &now) < 0)
		return false;
	*out_usage = (struct w_session_usage){
	    .bytes = (now.f_blocks - now.f_bfree) * now.f_frsize,
	    .bytes_max = now.f_blocks * now.f_frsize,
	    .files = now.f_files - now.f_ffree,
	    .files_max = now.f_files,
	};
	return true;
}
