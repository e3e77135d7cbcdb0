/* SPDX-License-Identifier: Apache-2.0 */

/* The rest of the machine: a process of the same user that listens on sockets
 * of every kind, in a directory where files can be written. */

#include "victim.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	LISTENERS = 8
};

static char secret_in_memory[] = TOKEN;

static struct pollfd listeners[LISTENERS];
static nfds_t listener_count;

static int
watch(int fd)
{
	listeners[listener_count++] = (struct pollfd){fd, POLLIN, 0};
	return fd;
}

static uint16_t
listen_internet(int type)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);
	const int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	const int window = 16;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, len) < 0)
		return 0;
	(void)setsockopt(
	    fd, IPPROTO_TCP, 23 /* TCP_FASTOPEN */, &window, sizeof(window));
	(void)listen(fd, 64);
	(void)getsockname(fd, (struct sockaddr *)&address, &len);
	(void)watch(fd);
	return ntohs(address.sin_port);
}

static void
listen_unix(const char *name, size_t shift, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (shift == 0)
		(void)unlink(name);
	(void)strncpy(address.sun_path + shift, name,
	    sizeof(address.sun_path) - 1 - shift);
	if (bind(fd, (const struct sockaddr *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + shift +
			    strlen(name))) < 0)
		perror(name);
	(void)listen(fd, 64);
	(void)watch(fd);
}

/* With its whole path, as daemons do: the kernel remembers what it was told. */
static void
listen_here(const char *name, int type)
{
	char path[PATH_MAX];
	char *here = getcwd(NULL, 0);

	(void)snprintf(path, sizeof(path), "%s/%s", here, name);
	free(here);
	listen_unix(path, 0, type);
}

static void
make_secret(const char *path)
{
	const int fd =
	    open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	(void)!write(fd, TOKEN, strlen(TOKEN));
	(void)close(fd);
}

/* Answers datagrams, drops connections and what they send. */
static void
serve(int fd)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	char text[64];
	const ssize_t n = recvfrom(fd, text, sizeof(text), MSG_DONTWAIT,
	    (struct sockaddr *)&from, &len);

	if (n >= 0) {
		if (len > 0)
			(void)sendto(fd, text, (size_t)n, MSG_DONTWAIT,
			    (const struct sockaddr *)&from, len);
		return;
	}
	(void)close(accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

static void
serve_all(void)
{
	for (;;) {
		if (poll(listeners, listener_count, -1) < 0)
			continue;
		for (nfds_t i = 0; i < listener_count; i++)
			if (listeners[i].revents != 0)
				serve(listeners[i].fd);
	}
}

int
play_victim(const char *tmp)
{
	char tmp_socket[PATH_MAX];
	char tmp_file[PATH_MAX];
	char abstract[64];
	uint16_t tcp;
	uint16_t udp;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)snprintf(tmp_socket, sizeof(tmp_socket), "%s/socket", tmp);
	(void)snprintf(tmp_file, sizeof(tmp_file), "%s/file", tmp);
	(void)snprintf(abstract, sizeof(abstract), "escape-%d", getpid());
	make_secret(tmp_file);
	tcp = listen_internet(SOCK_STREAM);
	udp = listen_internet(SOCK_DGRAM);
	listen_here("outside/socket", SOCK_STREAM);
	listen_here("outside/datagram", SOCK_DGRAM);
	listen_here("hidden/socket", SOCK_STREAM);
	listen_here("workspace/socket", SOCK_STREAM);
	listen_unix(tmp_socket, 0, SOCK_STREAM);
	listen_unix(abstract, 1, SOCK_STREAM);
	/* For reading and writing, so that it never waits for the others. */
	if (chdir("outside") < 0 || open("fifo", O_RDWR | O_CLOEXEC) < 0)
		return 2;
	(void)printf("tcp=%u udp=%u abstract=%s tmpsocket=%s tmpfile=%s "
		     "victim_addr=%lx\n",
	    tcp, udp, abstract, tmp_socket, tmp_file,
	    (unsigned long)(uintptr_t)secret_in_memory);
	(void)fflush(stdout);
	(void)close(1);
	serve_all();
	return 0;
}

void
remove_victim_files(const char *tmp)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/socket", tmp);
	(void)unlink(path);
	(void)snprintf(path, sizeof(path), "%s/file", tmp);
	(void)unlink(path);
	(void)rmdir(tmp);
}
