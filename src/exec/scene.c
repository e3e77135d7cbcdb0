/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether the walls of a sandbox refuse something; see scene.h.
 *
 * Paths inside are those of the machine, but for the places that a sandbox
 * has for itself. There the command's own root is asked, without following
 * any link out of it.
 */

#include "exec/scene.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "exec/target.h"
#include "sandbox/place.h"

static const char *const deed_words[] = {
#define X(name, word) [W_DEED_##name] = (word),
    W_DEED_MAP(X)
#undef X
};

const char *
w_deed_word(enum w_deed deed)
{
	return deed_words[deed];
}

static bool
stands(const struct w_scene *scene, enum w_layer layer)
{
	return (scene->layers & W_LAYER_BIT(layer)) != 0;
}

writ_status
w_scene_init(struct w_scene *scene, const struct w_confine *confine,
    uint32_t layers, const char *state_dir, writ_error *err)
{
	struct w_confine view = *confine;
	char real[PATH_MAX];

	*scene = (struct w_scene){.confine = confine, .layers = layers};
	scene->has_view = stands(scene, W_LAYER_MOUNTNS);
	if (view.walls == W_WALLS_READONLY)
		view.walls = W_WALLS_WORKSPACE;
	if (state_dir != NULL && w_scene_resolve(state_dir, true, real)) {
		scene->state_dir = strdup(real);
		if (scene->state_dir == NULL)
			return w_fail_nomem(err, "sandbox");
	}
	return scene->has_view
		   ? w_mount_places_build(&view, &scene->places, err)
		   : WRIT_OK;
}

void
w_scene_done(struct w_scene *scene)
{
	w_mount_places_done(&scene->places);
	free(scene->state_dir);
	*scene = (struct w_scene){0};
}

/* The deepest place that a path lies in, or is. */
static const struct w_mount_place *
place_of(const struct w_scene *scene, const char *path)
{
	const struct w_mount_place *deepest = &scene->places.items[0];

	for (size_t i = 1; i < scene->places.count; i++) {
		const struct w_mount_place *place = &scene->places.items[i];

		if (!place->is_void && w_place_covers(place->path, path) &&
		    strlen(place->path) >= strlen(deepest->path))
			deepest = place;
	}
	return deepest;
}

static bool
is_private(const struct w_mount_place *place)
{
	return place->look == W_LOOK_EMPTY && strcmp(place->path, "/") != 0;
}

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Where nothing can be found out, nothing is claimed to be missing. */
static bool
is_in_view(pid_t pid, const char *path)
{
	const struct open_how how = {
	    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	W_AUTO_FD int root = pid == 0 ? -1 : w_target_root(pid);
	if (root < 0)
		return true;
	W_AUTO_FD int fd =
	    (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	return fd >= 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* A path, where it is and what is above it. */
struct spot {
	const char *path;
	char parent[PATH_MAX];
	const struct w_mount_place *place; /* NULL: there is no view */
	pid_t pid;
};

static enum w_look
look_of(const struct w_scene *scene, const struct spot *spot)
{
	if (spot->place != NULL)
		return spot->place->look;
	if (w_confine_allows(scene->confine, spot->path, W_MAY_WRITE))
		return W_LOOK_WRITE;
	return w_confine_allows(scene->confine, spot->path, W_MAY_READ)
		   ? W_LOOK_READ
		   : W_LOOK_HIDDEN;
}

/* Puts a name into a directory. */
static bool
is_naming(enum w_deed deed)
{
	return deed == W_DEED_CREATE || deed == W_DEED_BIND ||
	       deed == W_DEED_RENAME_TO;
}

/* In a directory of the sandbox's own. What is there is its own too. */
static bool
is_refused_in_empty(const struct spot *spot, enum w_deed deed)
{
	if (is_in_view(spot->pid, spot->path))
		return false;
	if (!is_naming(deed))
		return is_there(spot->path);
	bool may_name =
	    spot->place->is_per_run && is_in_view(spot->pid, spot->parent);
	return !may_name && is_there(spot->parent);
}

/* Where the view shows what the machine has, but does not let it change. */
static bool
is_refused_in_read_only(const struct spot *spot, enum w_deed deed)
{
	if (deed == W_DEED_RENAME_TO)
		return is_there(spot->parent);
	if (is_naming(deed))
		return !is_there(spot->path) && is_there(spot->parent);
	return (deed == W_DEED_WRITE || deed == W_DEED_DELETE ||
		   deed == W_DEED_RENAME) &&
	       is_there(spot->path);
}

static bool
is_refused_in_hidden(const struct spot *spot, enum w_deed deed)
{
	return is_there(is_naming(deed) ? spot->parent : spot->path);
}

/* Only a profile that says what may be executed refuses any. */
static bool
is_unexecutable(const struct w_scene *scene, const char *path)
{
	const struct w_place *grant =
	    w_places_over(&scene->confine->grants, path);

	return stands(scene, W_LAYER_LANDLOCK) && grant != NULL &&
	       (grant->may & W_MAY_EXECUTE) == 0 && is_there(path);
}

/* Other programs than those of a fence; their names may be listed. */
static bool
is_closed(const struct w_scene *scene, const char *path)
{
	struct stat st;

	return stands(scene, W_LAYER_LANDLOCK) &&
	       w_places_over(&scene->confine->closed, path) != NULL &&
	       !w_confine_allows(scene->confine, path, W_MAY_READ) &&
	       lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
is_refused(
    const struct w_scene *scene, const struct spot *spot, enum w_deed deed)
{
	switch (look_of(scene, spot)) {
	case W_LOOK_EMPTY:
		return is_refused_in_empty(spot, deed);
	case W_LOOK_HIDDEN:
		return is_refused_in_hidden(spot, deed);
	case W_LOOK_READ:
		return is_refused_in_read_only(spot, deed);
	case W_LOOK_WRITE:
		break;
	}
	return false;
}

/* In a private place only the letters count: the machine's links are not
 * there. Processes and their descriptors are different ones inside. */
static bool
locate(const struct w_scene *scene, const struct w_scene_use *use,
    struct spot *spot, char out_path[PATH_MAX])
{
	int len = snprintf(out_path, PATH_MAX, "%s", use->path);

	if (len < 0 || len >= PATH_MAX || out_path[0] != '/')
		return false;
	w_scene_flatten(out_path);
	if (w_place_covers("/proc", out_path))
		return false;
	if ((!scene->has_view || !is_private(place_of(scene, out_path))) &&
	    !w_scene_resolve(use->path, use->follows, out_path))
		return false;
	if (w_place_covers("/proc", out_path) || strcmp(out_path, "/") == 0)
		return false;
	spot->path = out_path;
	spot->pid = use->pid;
	spot->place = scene->has_view ? place_of(scene, out_path) : NULL;
	(void)snprintf(spot->parent, sizeof(spot->parent), "%s", out_path);
	char *slash = strrchr(spot->parent, '/');
	slash[slash == spot->parent] = '\0';
	return true;
}

bool
w_scene_denies(const struct w_scene *scene, const struct w_scene_use *use,
    struct w_finding *out_finding)
{
	struct spot spot;
	char path[PATH_MAX];
	bool is_socket =
	    use->deed == W_DEED_CONNECT || use->deed == W_DEED_BIND;

	if ((!scene->has_view && !stands(scene, W_LAYER_LANDLOCK)) ||
	    !locate(scene, use, &spot, path))
		return false;
	out_finding->layer =
	    w_layer_word(scene->has_view ? W_LAYER_MOUNTNS : W_LAYER_LANDLOCK);
	(void)snprintf(out_finding->path, sizeof(out_finding->path), "%s%s",
	    is_socket ? "unix:" : "", path);
	if (is_refused(scene, &spot, use->deed)) {
		w_scene_hint(scene, path, use->deed, out_finding->hint);
		return true;
	}
	const bool is_executing = use->deed == W_DEED_EXECUTE;
	if (!(is_executing && is_unexecutable(scene, path)) &&
	    !(use->deed == W_DEED_READ && is_closed(scene, path)))
		return false;
	out_finding->layer = w_layer_word(W_LAYER_LANDLOCK);
	(void)snprintf(out_finding->hint, sizeof(out_finding->hint),
	    "its path among those that the %s says to execute",
	    scene->confine->is_fenced ? "policy" : "profile");
	return true;
}

/* ---- addresses ---- */

/* Of the machine itself, or any: a namespace of one's own has these too. */
static bool
is_local(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *in = (const void *)address;
	const struct sockaddr_in6 *in6 = (const void *)address;

	if (address->ss_family == AF_INET)
		return in->sin_addr.s_addr == htonl(INADDR_ANY) ||
		       ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))
		return in6->sin6_addr.s6_addr[12] == IN_LOOPBACKNET;
	return IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr) ||
	       IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr);
}

static void
write_address(
    const struct sockaddr_storage *address, char *out_text, size_t size)
{
	const struct sockaddr_in *in = (const void *)address;
	const struct sockaddr_in6 *in6 = (const void *)address;
	char text[INET6_ADDRSTRLEN] = "";

	if (address->ss_family == AF_INET) {
		(void)inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text));
		(void)snprintf(
		    out_text, size, "%s:%u", text, ntohs(in->sin_port));
		return;
	}
	(void)inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text));
	(void)snprintf(out_text, size, "[%s]:%u", text, ntohs(in6->sin6_port));
}

bool
w_scene_denies_address(const struct w_scene *scene,
    const struct sockaddr_storage *address, enum w_deed deed,
    struct w_finding *out_finding)
{
	if ((address->ss_family != AF_INET && address->ss_family != AF_INET6) ||
	    !stands(scene, W_LAYER_NETNS))
		return false;
	/* Without any interface only the attempt to reach somebody fails. */
	if (is_local(address) &&
	    (deed == W_DEED_BIND ||
		scene->confine->network == W_NETWORK_LOOPBACK))
		return false;
	out_finding->layer = w_layer_word(W_LAYER_NETNS);
	write_address(address, out_finding->path, sizeof(out_finding->path));
	(void)snprintf(out_finding->hint, sizeof(out_finding->hint), "%s",
	    "--network host");
	return true;
}
