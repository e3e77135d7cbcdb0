/* SPDX-License-Identifier: Apache-2.0 */

/* Which local sockets of the machine are never let into a session. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/held/forward_service.h"
#include "temp.h"

static struct temp temp;

static int
open_temp(void **state)
{
	(void)state;
	temp_open(&temp);
	return 0;
}

static int
close_temp(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

static void
known_places_are_denied(void **state)
{
	static const char *const denied[] = {"/run/docker.sock",
	    "/run/user/1000/docker.sock", "/run/podman/podman.sock",
	    "/run/containerd/containerd.sock", "/run/crio/crio.sock",
	    "/run/buildkit/buildkitd.sock", "/run/dbus/system_bus_socket",
	    "/run/user/1000/bus", "/run/systemd/private",
	    "/run/user/1000/systemd/notify", "/run/user/1000/gnupg/S.gpg-agent",
	    "/run/user/1000/keyring/ssh", "/tmp/ssh-aB12/agent.123",
	    "/run/user/1000/ssh-agent.socket", "/tmp/tmux-1000/default",
	    "/run/screen/S-ann/1.tty", "/tmp/.X11-unix/X0",
	    "/run/user/1000/wayland-0", "/run/user/1000/vscode-ipc-1.sock",
	    "/run/user/1000/nvim.123.0", "/run/user/1000/emacs/server",
	    "/run/user/1000/pipewire-0", "/run/libvirt/libvirt-sock", NULL};
	static const char *const open[] = {"/run/postgresql/.s.PGSQL.5432",
	    "/run/mysqld/mysqld.sock", "/run/redis/redis.sock",
	    "/run/memcached/memcached.sock", "/run/app/web.sock", NULL};

	(void)state;
	for (int i = 0; denied[i] != NULL; i++) {
		if (w_forward_service_denies_path(denied[i]) == NULL)
			fail_msg("%s", denied[i]);
	}
	for (int i = 0; open[i] != NULL; i++)
		assert_null(w_forward_service_denies_path(open[i]));
}

static void
known_programs_are_denied(void **state)
{
	static const char *const denied[] = {"dockerd", "containerd-shim",
	    "dbus-daemon", "dbus-broker", "systemd", "systemd-resolve",
	    "ssh-agent", "gpg-agent", "tmux: server", "screen", "Xorg",
	    "gnome-shell", "nvim", "code", "writ", "writ-session", NULL};
	static const char *const open[] = {
	    "postgres", "mysqld", "redis-server", "node", "python3", NULL};

	(void)state;
	for (int i = 0; denied[i] != NULL; i++) {
		if (w_forward_service_denies_program(denied[i]) == NULL)
			fail_msg("%s", denied[i]);
	}
	for (int i = 0; open[i] != NULL; i++)
		assert_null(w_forward_service_denies_program(open[i]));
}

/* A process of that name that listens there, until it is killed. */
static pid_t
listener(const char *path, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int ready[2];
	char byte;

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(pipe(ready), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		(void)prctl(PR_SET_NAME, name);
		if (bind(fd, (const struct sockaddr *)&address,
			sizeof(address)) == 0 &&
		    listen(fd, 8) == 0)
			(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	return pid;
}

static void
end_listener(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void
who_listens_decides_whatever_the_path(void **state)
{
	char path[300], link[300], state_dir[300];
	writ_error err;
	int fd = -1;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/a.sock", temp.path);
	(void)snprintf(link, sizeof(link), "%s/b.sock", temp.path);
	(void)snprintf(state_dir, sizeof(state_dir), "%s", temp.path);
	pid_t pid = listener(path, "plain");
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(
	    w_forward_service_open(path, NULL, &fd, &err), WRIT_OK);
	(void)close(fd);
	assert_int_equal(
	    w_forward_service_open(link, NULL, &fd, &err), WRIT_OK);
	(void)close(fd);
	/* What lies in the state directory is writ's. */
	assert_int_equal(
	    w_forward_service_open(link, state_dir, &fd, &err), WRIT_E_DENIED);
	end_listener(pid);
	/* Nobody listens any more. */
	assert_int_equal(
	    w_forward_service_open(path, NULL, &fd, &err), WRIT_E_INVALID);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(
	    w_forward_service_open(path, NULL, &fd, &err), WRIT_E_NOTFOUND);

	pid = listener(path, "ssh-agent");
	assert_int_equal(
	    w_forward_service_open(path, NULL, &fd, &err), WRIT_E_DENIED);
	assert_non_null(strstr(err.message, "an agent with keys"));
	assert_int_equal(
	    w_forward_service_open(link, NULL, &fd, &err), WRIT_E_DENIED);
	end_listener(pid);
}

static void
a_renamed_or_linked_place_is_denied(void **state)
{
	char dir[300], path[300], link[300];
	writ_error err;
	int fd = -1;

	(void)state;
	(void)snprintf(dir, sizeof(dir), "%s/docker", temp.path);
	(void)snprintf(path, sizeof(path), "%s/docker/x", temp.path);
	(void)snprintf(link, sizeof(link), "%s/harmless", temp.path);
	assert_int_equal(mkdir(dir, 0700), 0);
	const pid_t pid = listener(path, "plain");
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(
	    w_forward_service_open(path, NULL, &fd, &err), WRIT_E_DENIED);
	assert_int_equal(
	    w_forward_service_open(link, NULL, &fd, &err), WRIT_E_DENIED);
	end_listener(pid);
	assert_int_equal(
	    w_forward_service_open(dir, NULL, &fd, &err), WRIT_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_places_are_denied),
	    cmocka_unit_test(known_programs_are_denied),
	    cmocka_unit_test_setup_teardown(
		who_listens_decides_whatever_the_path, open_temp, close_temp),
	    cmocka_unit_test_setup_teardown(
		a_renamed_or_linked_place_is_denied, open_temp, close_temp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
