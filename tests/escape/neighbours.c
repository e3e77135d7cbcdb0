/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs of the same profile: one that ended before must have left nothing to
 * find, one that is there at the same time must not be reached. Whether there
 * is a neighbour is a fact; it is the attempt of that name.
 */

#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *
mark(void)
{
	return fact("mark") != NULL ? fact("mark") : "escape";
}

/* Names that processes share without files; others may be on stage too. */
static const char *
queue_name(void)
{
	static char name[64];

	(void)snprintf(name, sizeof(name), "/%s-trace", mark());
	return name;
}

static key_t
memory_key(void)
{
	const char *number = strchr(mark(), '-');

	return 0x57520000 + (key_t)(number == NULL ? 0 : atoi(number + 1));
}

static const char *
path_in(const char *directory, const char *name)
{
	static char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s-%s", directory, mark(), name);
	return path;
}

static const char *
tmp(void)
{
	return getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
}

static const char *const shared_places[] = {
    "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev", "/proc"};

enum {
	PLACES = sizeof(shared_places) / sizeof(shared_places[0])
};

static bool
takes_file(const char *directory)
{
	return unlink(path_in(directory, "trace")) == 0;
}

static bool
takes_ipc(void)
{
	const int id = shmget(memory_key(), 0, 0600);
	bool found = id >= 0 && shmctl(id, IPC_RMID, NULL) == 0;

	found |= mq_unlink(queue_name()) == 0;
	return found;
}

static void
leave_file(const char *directory)
{
	const int fd = open(
	    path_in(directory, "trace"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		(void)close(fd);
}

/* Takes up what an earlier run left, or leaves it for a later one. */
static int
traces(void)
{
	bool found = takes_file(tmp());

	for (size_t i = 0; i < PLACES; i++)
		found |= takes_file(shared_places[i]);
	found |= takes_ipc();
	if (found)
		return OPEN;
	leave_file(tmp());
	for (size_t i = 0; i < PLACES; i++)
		leave_file(shared_places[i]);
	(void)shmget(memory_key(), 4096, IPC_CREAT | 0600);
	(void)mq_open(queue_name(), O_CREAT | O_RDWR | O_CLOEXEC, 0600, NULL);
	return -ENOENT;
}

static socklen_t
abstract_address(struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	(void)snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
	    "%s-neighbour", mark());
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   strlen(address->sun_path + 1));
}

/* Any port would do, as long as both know it and it is not the machine's. */
static struct sockaddr_in
port_address(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_port = htons((uint16_t)(fact_number("tcp") ^ 1));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

/* Offers whatever it may, says so, and stays. */
static int
neighbour(void)
{
	struct sockaddr_un name;
	const struct sockaddr_in port = port_address();
	const socklen_t len = abstract_address(&name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (const struct sockaddr *)&name, len) == 0)
		(void)listen(fd, 8);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(fd, (const struct sockaddr *)&port, sizeof(port)) == 0)
		(void)listen(fd, 8);
	leave_file(tmp());
	leave_file("/tmp");
	(void)puts("ready");
	(void)fflush(stdout);
	(void)alarm(0);
	(void)sleep(60);
	return TRIED;
}

static bool
has_neighbour(void)
{
	return fact("neighbour") != NULL;
}

static int
reach_abstract(void)
{
	struct sockaddr_un name;
	const socklen_t len = abstract_address(&name);
	int fd;

	if (!has_neighbour())
		return CANNOT;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	return outcome(connect(fd, (const struct sockaddr *)&name, len));
}

static int
reach_port(void)
{
	const struct sockaddr_in port = port_address();
	int fd;

	if (!has_neighbour())
		return CANNOT;
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	return outcome(
	    connect(fd, (const struct sockaddr *)&port, sizeof(port)));
}

static bool
is_neighbour(pid_t pid, void *ctx)
{
	static const char word[] = "\0neighbour";
	char path[64];
	char text[256];
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text));
	(void)close(fd);
	if (n <= 0 || memmem(text, (size_t)n, word, sizeof(word)) == NULL)
		return false;
	*(pid_t *)ctx = pid;
	return true;
}

static int
signal_neighbour(void)
{
	pid_t pid = 0;

	if (!has_neighbour())
		return CANNOT;
	if (!each_process(is_neighbour, &pid))
		return -ESRCH;
	return outcome(kill(pid, SIGCONT));
}

static int
read_neighbour(void)
{
	char path[64];
	pid_t pid = 0;

	if (!has_neighbour())
		return CANNOT;
	if (!each_process(is_neighbour, &pid))
		return -ESRCH;
	(void)snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	return outcome(open(path, O_RDONLY | O_CLOEXEC));
}

const struct attempt neighbour_attempts[] = {
    {"traces", "find what an earlier run left", traces, false},
    {"neighbour", "be there for the next ones", neighbour, true},
    {"neighbour-signal", "signal a run beside", signal_neighbour, false},
    {"neighbour-environ", "read the environment of a run beside",
	read_neighbour, false},
    {"neighbour-abstract", "connect to an abstract socket of a run beside",
	reach_abstract, false},
    {"neighbour-port", "connect to a port of a run beside", reach_port, false},
    {NULL, NULL, NULL, false},
};
