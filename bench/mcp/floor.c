/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The least that a server for commands can do: one request after the other, a
 * shell for each, no policy, no walls, no limits, no record. What writ does
 * besides is measured against it. It understands only what the bench sends.
 */

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

enum {
	OUTPUT_MAX = 65535,
};

/* The text behind a key, up to its quote; false: it is not there. */
static bool
text_of(const char *line, const char *key, char *out, size_t size)
{
	const char *at = strstr(line, key);
	size_t len = 0;

	if (at == NULL)
		return false;
	for (at += strlen(key); *at != '\0' && *at != '"'; at++) {
		char byte = *at;
		if (byte == '\\' && at[1] != '\0') {
			at++;
			byte = *at == 'n' ? '\n' : *at;
		}
		if (len + 1 < size)
			out[len++] = byte;
	}
	out[len] = '\0';
	return true;
}

static void
put_escaped(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char byte = (unsigned char)text[i];
		if (byte < ' ')
			printf("\\u%04x", byte);
		else if (byte == '"' || byte == '\\')
			printf("\\%c", byte);
		else
			putchar(byte);
	}
}

/* Takes what there is, and keeps the beginning. */
static size_t
drain(int fd, char *out)
{
	static char rest[OUTPUT_MAX];
	size_t len = 0;

	for (;;) {
		const bool is_full = len == OUTPUT_MAX;
		const ssize_t got = is_full
					? read(fd, rest, sizeof(rest))
					: read(fd, out + len, OUTPUT_MAX - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return len;
		len += is_full ? 0 : (size_t)got;
	}
}

static size_t
run(char *command, char *out)
{
	char shell[] = "sh";
	char flag[] = "-c";
	char *argv[] = {shell, flag, command, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int ends[2];
	size_t len = 0;

	if (pipe2(ends, O_CLOEXEC) != 0)
		exit(1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	const int failure =
	    posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failure == 0) {
		len = drain(ends[0], out);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
	return len;
}

static void
answer_call(const char *line)
{
	static char command[65536];
	static char out[OUTPUT_MAX];

	(void)text_of(line, "\"command\":\"", command, sizeof(command));
	const size_t len = run(command, out);
	fputs(
	    "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"", stdout);
	put_escaped(out, len);
	fputs("\"}],\"isError\":false}", stdout);
}

static void
answer(const char *line, const char *method)
{
	char version[32] = "2025-11-25";

	if (strcmp(method, "tools/call") == 0) {
		answer_call(line);
	} else if (strcmp(method, "initialize") == 0) {
		(void)text_of(
		    line, "\"protocolVersion\":\"", version, sizeof(version));
		printf(
		    "\"result\":{\"protocolVersion\":\"%s\",\"capabilities\":"
		    "{\"tools\":{}},\"serverInfo\":{\"name\":\"floor\","
		    "\"version\":\"1\"}}",
		    version);
	} else if (strcmp(method, "tools/list") == 0) {
		fputs(
		    "\"result\":{\"tools\":[{\"name\":\"exec\",\"description\":"
		    "\"runs a command\",\"inputSchema\":{\"type\":\"object\","
		    "\"properties\":{\"command\":{\"type\":\"string\"}}}}]}",
		    stdout);
	} else {
		fputs("\"error\":{\"code\":-32601,\"message\":\"no such "
		      "method\"}",
		    stdout);
	}
}

int
main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		char method[64] = "";
		const char *id = strstr(line, "\"id\":");

		(void)text_of(line, "\"method\":\"", method, sizeof(method));
		if (id == NULL)
			continue;
		id += strlen("\"id\":");
		printf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,",
		    (int)strcspn(id, ",}"), id);
		answer(line, method);
		puts("}");
		fflush(stdout);
	}
	free(line);
	return 0;
}
