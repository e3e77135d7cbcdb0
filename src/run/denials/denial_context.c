/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds out whether a sandbox denies an operation; see denial_context.h.
 *
 * Paths inside are those of the machine, except for the sandbox's own
 * directories. Those are looked up below the command's root, without following
 * any link out of it.
 */

#include "run/denials/denial_context.h"

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
#include "run/denials/target.h"
#include "sandbox/path/real_path.h"

static const char *const operation_words[] = {
#define X(name, word) [W_OPERATION_##name] = (word),
    W_OPERATION_MAP(X)
#undef X
};

const char *
w_operation_word(enum w_operation operation)
{
	return operation_words[operation];
}

static bool
has_layer(const struct w_denial_context *context, enum w_layer layer)
{
	return (context->layers & W_LAYER_BIT(layer)) != 0;
}

writ_status
w_denial_context_init(struct w_denial_context *context,
    const struct w_resolved_profile *resolved, uint32_t layers,
    const char *state_dir, writ_error *err)
{
	struct w_resolved_profile view = *resolved;
	char real[PATH_MAX];

	*context =
	    (struct w_denial_context){.resolved = resolved, .layers = layers};
	context->has_view = has_layer(context, W_LAYER_MOUNTNS);
	if (view.walls == W_WALLS_READONLY)
		view.walls = W_WALLS_WORKSPACE;
	if (state_dir != NULL && w_denial_resolve_path(state_dir, true, real)) {
		context->state_dir = strdup(real);
		if (context->state_dir == NULL)
			return w_fail_nomem(err, "sandbox");
	}
	return context->has_view
		   ? w_mount_view_build(&view, true, &context->places, err)
		   : WRIT_OK;
}

void
w_denial_context_done(struct w_denial_context *context)
{
	w_mount_view_done(&context->places);
	free(context->state_dir);
	*context = (struct w_denial_context){0};
}

const struct w_mount_entry *
w_denial_place_of(const struct w_denial_context *context, const char *path)
{
	const struct w_mount_entry *deepest = &context->places.items[0];

	for (size_t i = 1; i < context->places.count; i++) {
		const struct w_mount_entry *place = &context->places.items[i];

		if (!place->is_void && w_real_path_covers(place->path, path) &&
		    strlen(place->path) >= strlen(deepest->path))
			deepest = place;
	}
	return deepest;
}

static bool
denial_context_is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* If it cannot be checked, it counts as present. */
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

/* A path, its parent directory and its mount entry. */
struct denial_context_spot {
	const char *path;
	char parent[PATH_MAX];
	const struct w_mount_entry *place; /* NULL: no view */
	pid_t pid;
};

static enum w_visibility
visibility_of(const struct w_denial_context *context,
    const struct denial_context_spot *spot)
{
	if (spot->place != NULL)
		return spot->place->visibility;
	if (w_resolved_profile_allows(
		context->resolved, spot->path, W_MAY_WRITE))
		return W_VISIBILITY_WRITE;
	return w_resolved_profile_allows(
		   context->resolved, spot->path, W_MAY_READ)
		   ? W_VISIBILITY_READ
		   : W_VISIBILITY_HIDDEN;
}

/* Whether the operation adds a name to a directory. */
static bool
adds_name(enum w_operation operation)
{
	return operation == W_OPERATION_CREATE ||
	       operation == W_OPERATION_BIND ||
	       operation == W_OPERATION_RENAME_TO;
}

/* In a private directory of the sandbox. What exists there is the sandbox's
 * own. */
static bool
is_denied_in_empty(
    const struct denial_context_spot *spot, enum w_operation operation)
{
	if (is_in_view(spot->pid, spot->path))
		return false;
	if (!adds_name(operation))
		return denial_context_is_there(spot->path);
	bool may_name =
	    spot->place->is_per_run && is_in_view(spot->pid, spot->parent);
	return !may_name && denial_context_is_there(spot->parent);
}

/* Where the view is read-only. */
static bool
is_denied_in_read_only(
    const struct denial_context_spot *spot, enum w_operation operation)
{
	if (operation == W_OPERATION_RENAME_TO)
		return denial_context_is_there(spot->parent);
	if (adds_name(operation))
		return !denial_context_is_there(spot->path) &&
		       denial_context_is_there(spot->parent);
	return (operation == W_OPERATION_WRITE ||
		   operation == W_OPERATION_DELETE ||
		   operation == W_OPERATION_RENAME) &&
	       denial_context_is_there(spot->path);
}

/* Only a profile with a list of executables denies any. */
static bool
is_unexecutable(const struct w_denial_context *context, const char *path)
{
	const struct w_real_path *grant =
	    w_real_paths_covering(&context->resolved->grants, path);

	return has_layer(context, W_LAYER_LANDLOCK) && grant != NULL &&
	       (grant->may & W_MAY_EXECUTE) == 0 &&
	       denial_context_is_there(path);
}

/* Programs outside the allowlist; their directory may still be listed. */
static bool
is_closed(const struct w_denial_context *context, const char *path)
{
	struct stat st;

	return has_layer(context, W_LAYER_LANDLOCK) &&
	       w_real_paths_covering(&context->resolved->closed, path) !=
		   NULL &&
	       !w_resolved_profile_allows(
		   context->resolved, path, W_MAY_READ) &&
	       lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
is_denied(const struct w_denial_context *context,
    const struct denial_context_spot *spot, enum w_operation operation)
{
	switch (visibility_of(context, spot)) {
	case W_VISIBILITY_EMPTY:
		return is_denied_in_empty(spot, operation);
	case W_VISIBILITY_HIDDEN:
		return denial_context_is_there(
		    adds_name(operation) ? spot->parent : spot->path);
	case W_VISIBILITY_READ:
		return is_denied_in_read_only(spot, operation);
	case W_VISIBILITY_WRITE:
		break;
	}
	return false;
}

/* In a private directory the path is only normalised: the machine's links are
 * not there. /proc is skipped: processes and descriptors differ inside. */
static bool
denial_context_locate(const struct w_denial_context *context,
    const struct w_denial_query *use, struct denial_context_spot *spot,
    char out_path[PATH_MAX])
{
	const struct w_mount_entry *place;
	bool is_private = false;
	int len = snprintf(out_path, PATH_MAX, "%s", use->path);

	if (len < 0 || len >= PATH_MAX || out_path[0] != '/')
		return false;
	w_denial_flatten_path(out_path);
	if (w_real_path_covers("/proc", out_path))
		return false;
	if (context->has_view) {
		place = w_denial_place_of(context, out_path);
		is_private = place->visibility == W_VISIBILITY_EMPTY &&
			     strcmp(place->path, "/") != 0;
	}
	if (!is_private &&
	    !w_denial_resolve_path(use->path, use->follows, out_path))
		return false;
	if (w_real_path_covers("/proc", out_path) || strcmp(out_path, "/") == 0)
		return false;
	spot->path = out_path;
	spot->pid = use->pid;
	spot->place =
	    context->has_view ? w_denial_place_of(context, out_path) : NULL;
	(void)snprintf(spot->parent, sizeof(spot->parent), "%s", out_path);
	char *slash = strrchr(spot->parent, '/');
	slash[slash == spot->parent] = '\0';
	return true;
}

bool
w_denial_find(const struct w_denial_context *context,
    const struct w_denial_query *use, struct w_denial *out_denial)
{
	struct denial_context_spot spot;
	char path[PATH_MAX];
	bool is_socket = use->operation == W_OPERATION_CONNECT ||
			 use->operation == W_OPERATION_BIND;

	if ((!context->has_view && !has_layer(context, W_LAYER_LANDLOCK)) ||
	    !denial_context_locate(context, use, &spot, path))
		return false;
	out_denial->layer = w_layer_word(
	    context->has_view ? W_LAYER_MOUNTNS : W_LAYER_LANDLOCK);
	(void)snprintf(out_denial->path, sizeof(out_denial->path), "%s%s",
	    is_socket ? "unix:" : "", path);
	if (is_denied(context, &spot, use->operation)) {
		w_denial_hint(context, path, use->operation, out_denial->hint);
		return true;
	}
	const bool is_executing = use->operation == W_OPERATION_EXECUTE;
	if (!(is_executing && is_unexecutable(context, path)) &&
	    !(use->operation == W_OPERATION_READ && is_closed(context, path)))
		return false;
	out_denial->layer = w_layer_word(W_LAYER_LANDLOCK);
	(void)snprintf(out_denial->hint, sizeof(out_denial->hint),
	    "its path among those that the %s says to execute",
	    context->resolved->has_allowlist ? "policy" : "profile");
	return true;
}

/* ---- addresses ---- */

/* Loopback or wildcard: a network namespace of its own has these, too. */
static bool
denial_context_is_local(const struct sockaddr_storage *address)
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
w_denial_find_address(const struct w_denial_context *context,
    const struct sockaddr_storage *address, enum w_operation operation,
    struct w_denial *out_denial)
{
	if ((address->ss_family != AF_INET && address->ss_family != AF_INET6) ||
	    !has_layer(context, W_LAYER_NETNS))
		return false;
	/* Without any interface bind() still works; only connect() fails. */
	if (denial_context_is_local(address) &&
	    (operation == W_OPERATION_BIND ||
		w_network_has_loopback(context->resolved->network)))
		return false;
	out_denial->layer = w_layer_word(W_LAYER_NETNS);
	write_address(address, out_denial->path, sizeof(out_denial->path));
	(void)snprintf(out_denial->hint, sizeof(out_denial->hint),
	    "--network %s",
	    denial_context_is_local(address) ? "loopback" : "host");
	return true;
}
