/* SPDX-License-Identifier: Apache-2.0 */

/* Which local sockets of the machine are never let in. */

#include "run/held/forward_service.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/auto.h"
#include "os/resolve.h"

#define STAGE "session"

/* Arrays: the loader has to fill in pointers, at each start. */
struct denied {
	char pattern[24]; /* of fnmatch() */
	char what[24];
};

#define ENGINE  "a container engine"
#define BUS     "D-Bus"
#define SYSTEMD "systemd"
#define AGENT   "an agent with keys"
#define SCREEN  "a terminal multiplexer"
#define DISPLAY "a display server"
#define EDITOR  "an editor"

/* Of the path, with links followed. '*' also matches a '/'. */
static const struct denied paths[] = {
    {"*docker*", ENGINE},
    {"*podman*", ENGINE},
    {"*containerd*", ENGINE},
    {"*crio*", ENGINE},
    {"*buildkit*", ENGINE},
    {"*lxd*", ENGINE},
    {"*incus*", ENGINE},
    {"*libvirt*", ENGINE},
    {"*dbus*", BUS},
    {"/run/user/*/bus", BUS},
    {"/run/user/*/at-spi/*", BUS},
    {"*/systemd/*", SYSTEMD},
    {"/run/udev/*", SYSTEMD},
    {"*/initctl", SYSTEMD},
    {"*ssh*agent*", AGENT},
    {"*/ssh-*/agent.*", AGENT},
    {"*/S.gpg-agent*", AGENT},
    {"*/S.scdaemon", AGENT},
    {"*/S.keyboxd", AGENT},
    {"*/gnupg/*", AGENT},
    {"*/keyring/*", AGENT},
    {"*/gcr/*", AGENT},
    {"*pcscd*", AGENT},
    {"*/tmux-*", SCREEN},
    {"*/screen*", SCREEN},
    {"*zellij*", SCREEN},
    {"*/.X11-unix/*", DISPLAY},
    {"*wayland*", DISPLAY},
    {"*pipewire*", DISPLAY},
    {"*/pulse/*", DISPLAY},
    {"*vscode*", EDITOR},
    {"*cursor*", EDITOR},
    {"*nvim*", EDITOR},
    {"*/emacs*", EDITOR},
    {"*kitty*", EDITOR},
    {"*wezterm*", EDITOR},
};

/* Of the program that listens, by its name (15 characters). */
static const struct denied programs[] = {
    {"dockerd*", ENGINE},
    {"docker*", ENGINE},
    {"containerd*", ENGINE},
    {"podman*", ENGINE},
    {"conmon*", ENGINE},
    {"crio*", ENGINE},
    {"buildkitd*", ENGINE},
    {"lxd*", ENGINE},
    {"incus*", ENGINE},
    {"libvirt*", ENGINE},
    {"virt*d", ENGINE},
    {"dbus-*", BUS},
    {"systemd*", SYSTEMD},
    {"(sd-pam)", SYSTEMD},
    {"init", SYSTEMD},
    {"udevd*", SYSTEMD},
    {"ssh-agent*", AGENT},
    {"sshd*", AGENT},
    {"gpg-agent*", AGENT},
    {"scdaemon*", AGENT},
    {"keyboxd*", AGENT},
    {"gnome-keyring*", AGENT},
    {"gcr-ssh-agent*", AGENT},
    {"kwalletd*", AGENT},
    {"1password*", AGENT},
    {"keepassxc*", AGENT},
    {"pcscd*", AGENT},
    {"polkitd*", AGENT},
    {"tmux*", SCREEN},
    {"screen*", SCREEN},
    {"SCREEN*", SCREEN},
    {"zellij*", SCREEN},
    {"dtach*", SCREEN},
    {"abduco*", SCREEN},
    {"Xorg*", DISPLAY},
    {"Xwayland*", DISPLAY},
    {"Xvfb*", DISPLAY},
    {"Xvnc*", DISPLAY},
    {"gnome-shell*", DISPLAY},
    {"kwin*", DISPLAY},
    {"sway*", DISPLAY},
    {"weston*", DISPLAY},
    {"Hyprland*", DISPLAY},
    {"pipewire*", DISPLAY},
    {"pulseaudio*", DISPLAY},
    {"code", EDITOR},
    {"code-*", EDITOR},
    {"cursor*", EDITOR},
    {"nvim*", EDITOR},
    {"vim*", EDITOR},
    {"emacs*", EDITOR},
    {"kitty*", EDITOR},
    {"wezterm*", EDITOR},
    {"writ*", "writ"},
};

static const char *
find_denied(const struct denied *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		if (fnmatch(list[i].pattern, text, 0) == 0)
			return list[i].what;
	}
	return NULL;
}

const char *
w_forward_service_denies_path(const char *path)
{
	return find_denied(paths, sizeof(paths) / sizeof(*paths), path);
}

const char *
w_forward_service_denies_program(const char *name)
{
	return find_denied(
	    programs, sizeof(programs) / sizeof(*programs), name);
}

static writ_status
deny(const char *path, const char *what, writ_error *err)
{
	return w_fail(err, WRIT_E_DENIED, STAGE, 0,
	    "connect: '%s' is the socket of %s, which is never let in: whoever "
	    "reaches it is outside of the sandbox",
	    path, what);
}

/* The first line of /proc/PID/comm; and the last part of /proc/PID/exe, where
 * it can be read: a program may call itself anything. */
static bool
read_names(int pid, char comm[NAME_MAX + 1], char exe[PATH_MAX])
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	const size_t len = fread(comm, 1, NAME_MAX, file);
	(void)fclose(file);
	comm[len] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
	(void)snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	const ssize_t n = readlink(path, exe, PATH_MAX - 1);
	exe[n < 0 ? 0 : n] = '\0';
	return true;
}

/* Who called listen() there. A service that somebody else listens for, such as
 * systemd, counts as that. */
static writ_status
check_listener(int file, const char *path, writ_error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	W_AUTO_FD int fd =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer = {.pid = 0};
	socklen_t len = sizeof(peer);
	char comm[NAME_MAX + 1];
	char exe[PATH_MAX];

	(void)snprintf(address.sun_path, sizeof(address.sun_path),
	    "/proc/self/fd/%d", file);
	if (fd < 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) !=
		0 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "connect: cannot connect to '%s'", path);
	if (peer.pid <= 0 || !read_names(peer.pid, comm, exe))
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "connect: it cannot be found out which program listens at "
		    "'%s'",
		    path);
	const char *base = strrchr(exe, '/');
	const char *what = w_forward_service_denies_program(comm);
	if (what == NULL && base != NULL)
		what = w_forward_service_denies_program(base + 1);
	return what == NULL ? WRIT_OK : deny(path, what, err);
}

static writ_status
check_path(const char *path, const char *state_dir, int file, writ_error *err)
{
	W_AUTO_FREE char *real = realpath(path, NULL);
	W_AUTO_FREE char *state =
	    state_dir == NULL ? NULL : realpath(state_dir, NULL);
	struct stat st, opened;

	if (real == NULL || stat(real, &st) != 0 || fstat(file, &opened) != 0 ||
	    st.st_ino != opened.st_ino || st.st_dev != opened.st_dev)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "connect: '%s' changes while it is looked at", path);
	if (!S_ISSOCK(opened.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "connect: '%s' is not a local socket", path);
	if (state != NULL && w_resolve_is_in(real, state))
		return deny(path, "writ", err);
	const char *what = w_forward_service_denies_path(real);
	if (what == NULL)
		what = w_forward_service_denies_path(path);
	return what == NULL ? WRIT_OK : deny(path, what, err);
}

writ_status
w_forward_service_open(
    const char *path, const char *state_dir, int *out_fd, writ_error *err)
{
	W_AUTO_FD int file = open(path, O_PATH | O_CLOEXEC);

	if (file < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_INVALID, STAGE,
		    errno, "connect: cannot open '%s'", path);
	writ_status status = check_path(path, state_dir, file, err);
	if (status == WRIT_OK)
		status = check_listener(file, path, err);
	if (status == WRIT_OK)
		*out_fd = w_take_fd(&file);
	return status;
}
