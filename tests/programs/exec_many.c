/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts programs in unusual ways: `exec_many HOW PROGRAM [WORD]...`
 *
 *   words      with a million words
 *   long       with one word of 127 KiB
 *   unmapped   with a list of words that runs into unmapped memory
 *   none       without an argv at all
 *   fd         by a descriptor: execveat() with AT_EMPTY_PATH
 *   link       by /proc/self/fd/N
 *   relative   by execveat() with the descriptor of its directory
 *   vfork      in the child of vfork()
 *   guess      with a 6th argument of execveat(), as a helper of writ has
 *   as         with the next word as its first: another name
 */

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MILLION = 1000000,
	LONG = 127 * 1024,
	PAGE = 4096
};

static char *const no_env[] = {NULL};

/* The kernel refuses more than a quarter of the stack limit: it is our look
 * that is tested. */
static char **
make_words(char *first, size_t count, char *rest)
{
	char **words = calloc(count + 2, sizeof(*words));

	if (words == NULL)
		exit(97);
	words[0] = first;
	for (size_t i = 1; i <= count; i++)
		words[i] = rest;
	return words;
}

/* The last pointer of a page, with nothing behind it. */
static char **
make_open_list(char *first)
{
	char *page = mmap(NULL, (size_t)PAGE * 2, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || munmap(page + PAGE, PAGE) < 0)
		exit(97);
	char **words = (char **)(void *)(page + PAGE - sizeof(char *));
	words[0] = first;
	return words;
}

static void
start_by_descriptor(const char *how, char **argv)
{
	char link[64];
	char *copy = strdup(argv[0]);
	const int fd = open(argv[0], O_PATH | O_CLOEXEC);
	const int dir = copy == NULL ? -1 : open(dirname(copy), O_PATH);

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (strcmp(how, "fd") == 0)
		(void)syscall(
		    SYS_execveat, fd, "", argv, no_env, AT_EMPTY_PATH);
	else if (strcmp(how, "guess") == 0)
		(void)syscall(
		    SYS_execveat, fd, "", argv, no_env, AT_EMPTY_PATH, ~0UL);
	else if (strcmp(how, "link") == 0)
		(void)execve(link, argv, no_env);
	else
		(void)syscall(SYS_execveat, dir, strrchr(argv[0], '/') + 1,
		    argv, no_env, 0);
}

static int
start_vforked(char **argv)
{
	int status = 0;
	const pid_t pid = vfork();

	if (pid == 0) {
		(void)execve(argv[0], argv, no_env);
		_exit(errno == EACCES ? 13 : 99);
	}
	return waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)
		   ? 98
		   : WEXITSTATUS(status);
}

int
main(int argc, char **argv)
{
	if (argc < 3 || argv[2][0] != '/')
		return 96;
	char **words = argv + 2;
	char *text = calloc(LONG + 1, 1);
	if (text == NULL)
		return 97;
	if (strcmp(argv[1], "words") == 0) {
		(void)execve(
		    words[0], make_words(words[0], MILLION, text), no_env);
	} else if (strcmp(argv[1], "long") == 0) {
		memset(text, 'x', LONG);
		(void)execve(words[0], make_words(words[0], 1, text), no_env);
	} else if (strcmp(argv[1], "unmapped") == 0) {
		(void)execve(words[0], make_open_list(words[0]), no_env);
	} else if (strcmp(argv[1], "none") == 0) {
		(void)syscall(SYS_execve, words[0], NULL, no_env);
	} else if (strcmp(argv[1], "vfork") == 0) {
		return start_vforked(words);
	} else if (strcmp(argv[1], "as") == 0) {
		/* as PROGRAM NAME: the name is the first word. */
		(void)execve(words[0], words + 1, no_env);
	} else {
		start_by_descriptor(argv[1], words);
	}
	const int error = errno;
	perror("exec_many");
	return error == EACCES ? 13 : 1;
}
