/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command that does not want to end: it leaves seven processes behind.
 *
 *     payload DIR [STATUS]
 *
 * A plain background job, one in a session of its own, a pair whose parent
 * has gone, one that ignores every signal it can, one that is stopped, and
 * one that holds standard output. When all seven are there it writes its
 * control groups to DIR/cgroup and makes DIR/ready; then it waits for DIR/go
 * and exits with STATUS. DIR/flood has it write to standard output for ever.
 * Everything ends by itself after a minute, whatever becomes of the test.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LIFE_S = 60,
	POLL_US = 10000
};

static int ready_pipe[2];

static void
say_ready(void)
{
	if (write(ready_pipe[1], "r", 1) != 1)
		_exit(1);
}

static void
let_go_of_streams(void)
{
	int null_fd = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++)
		(void)dup2(null_fd, fd);
}

static _Noreturn void
linger(void)
{
	(void)alarm(LIFE_S);
	say_ready();
	for (;;)
		(void)pause();
}

static void
plain_job(void)
{
	let_go_of_streams();
	linger();
}

static void
session_job(void)
{
	(void)setsid();
	let_go_of_streams();
	linger();
}

/* Nobody of the command's is left above these two. */
static void
orphan_pair(void)
{
	(void)setsid();
	let_go_of_streams();
	for (int i = 0; i < 2; i++) {
		if (fork() == 0)
			linger();
	}
	_exit(0);
}

static void
deaf_job(void)
{
	for (int sig = 1; sig < NSIG; sig++) {
		if (sig != SIGALRM)
			(void)signal(sig, SIG_IGN);
	}
	let_go_of_streams();
	linger();
}

static void
stopped_job(void)
{
	let_go_of_streams();
	(void)alarm(LIFE_S);
	say_ready();
	for (;;)
		(void)raise(SIGSTOP);
}

static void
holding_job(void)
{
	static const char word[] = "held\n";

	if (write(STDOUT_FILENO, word, sizeof(word) - 1) < 0)
		_exit(1);
	linger();
}

static pid_t
start(void (*job)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		job();
		_exit(1);
	}
	return pid;
}

static void
await_ready(int count)
{
	char byte;

	while (count > 0 && read(ready_pipe[0], &byte, 1) == 1)
		count--;
	if (count > 0)
		exit(99);
}

static void
write_groups(void)
{
	char text[4096];
	FILE *from = fopen("/proc/self/cgroup", "r");
	FILE *to = fopen("cgroup", "w");

	if (from == NULL || to == NULL)
		exit(98);
	size_t len = fread(text, 1, sizeof(text), from);
	(void)fwrite(text, 1, len, to);
	(void)fclose(from);
	(void)fclose(to);
}

static void
make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0666);

	if (fd < 0)
		exit(97);
	(void)close(fd);
}

static void
flood(void)
{
	char block[4096];

	(void)memset(block, 'x', sizeof(block));
	while (write(STDOUT_FILENO, block, sizeof(block)) > 0)
		continue;
}

int
main(int argc, char **argv)
{
	int status;

	if (argc < 2 || chdir(argv[1]) < 0 || pipe(ready_pipe) < 0)
		return 96;
	(void)alarm(LIFE_S);
	(void)start(plain_job);
	(void)start(session_job);
	(void)waitpid(start(orphan_pair), &status, 0);
	(void)start(deaf_job);
	(void)waitpid(start(stopped_job), &status, WUNTRACED);
	(void)start(holding_job);
	await_ready(7);
	write_groups();
	make("ready");
	while (access("go", F_OK) < 0) {
		if (access("flood", F_OK) == 0)
			flood();
		(void)usleep(POLL_US);
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
