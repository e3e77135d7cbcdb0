/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fresh processes, looked at as a whole.
 *
 * A peak of memory belongs to a process, so a probe is one: this program
 * started anew with --probe, which does one thing and prints how long it took
 * and how large it became.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shots.h"

static const struct probe {
	const char *name;
	struct sample (*run)(const struct settings *settings, int number);
} probes[] = {
    {"flood-floor", probe_flood_floor},
    {"flood-ours", probe_flood_ours},
    {"many-floor", probe_many_floor},
    {"many-ours", probe_many_ours},
    {"flood-hashed", probe_flood_hashed},
    {"flood-silent", probe_flood_silent},
    {"flood-unkept", probe_flood_unkept},
    {"once", probe_once},
    {"once-silent", probe_once_silent},
    {"log-batch", probe_log_batch},
    {"log-sync", probe_log_sync},
    {"log-none", probe_log_none},
    {"log-eight", probe_log_eight},
    {"log-floor", probe_log_floor},
    {"log-floor-sync", probe_log_floor_sync},
    {"log-sqlite", probe_log_sqlite},
    {"known-fresh", probe_known_fresh},
    {"known-cached", probe_known_cached},
    {"known-read", probe_known_read},
    {"known-look", probe_known_look},
};

int
probe_main(const struct settings *settings, int argc, char **argv)
{
	for (size_t i = 0; argc > 0 && i < sizeof(probes) / sizeof(*probes);
	     i++) {
		if (strcmp(argv[0], probes[i].name) != 0)
			continue;
		struct sample sample =
		    probes[i].run(settings, argc > 1 ? atoi(argv[1]) : 0);

		sample.rss_kib = bench_peak_kib(0);
		(void)printf("%llu %llu %s\n", (unsigned long long)sample.ns,
		    (unsigned long long)sample.rss_kib,
		    sample.by[0] == '\0' ? "-" : sample.by);
		return sample.ns == 0;
	}
	(void)fprintf(stderr, "bench: no such probe\n");
	return 2;
}

struct sample
shot_probe(const struct seat *seat, const struct variant *variant)
{
	const struct settings *settings = seat->settings;
	char hold[12], text[128] = "";
	int fds[2];

	(void)snprintf(hold, sizeof(hold), "%d", (int)variant->hold);
	const char *const argv[] = {settings->self, "--flood", settings->flood,
	    "--state", seat->state, "--shelf",
	    settings->shelf == NULL ? "" : settings->shelf,
	    settings->is_quick ? "--quick" : "--fair", "--probe",
	    variant->argv[0], hold, NULL};
	pid_t pid = spawn_piped(settings->self, (char *const *)(uintptr_t)argv,
	    seat->own_envp, fds);
	struct sample sample = {0};
	unsigned long long ns = 0, rss_kib = 0;

	if (pid < 0)
		return sample;
	(void)!read(fds[0], text, sizeof(text) - 1);
	(void)close(fds[0]);
	(void)close(fds[1]);
	(void)waitpid(pid, NULL, 0);
	if (sscanf(text, "%llu %llu %11s", &ns, &rss_kib, sample.by) != 3)
		return (struct sample){0};
	sample.ns = ns;
	sample.rss_kib = rss_kib;
	return sample;
}

/* ---- a foreign program, its memory seen in its last moment ---- */

static _Noreturn void
become_traced(const char *path, char *const argv[], char *const envp[])
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)dup2(null_fd, STDIN_FILENO);
	(void)dup2(null_fd, STDOUT_FILENO);
	(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	(void)raise(SIGSTOP);
	(void)execve(path, argv, envp);
	_exit(127);
}

/* The kernel stops a traced process at its exit, while it still has memory.
 * A stop for a signal is passed on with that signal. */
static bool
follow(pid_t pid, uint64_t *out_peak_kib)
{
	int status = 0;

	(void)waitpid(pid, &status, 0);
	(void)ptrace(PTRACE_SETOPTIONS, pid, NULL,
	    (void *)(uintptr_t)(PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC |
				PTRACE_O_EXITKILL));
	(void)ptrace(PTRACE_CONT, pid, NULL, NULL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		int sig = status >> 16 == 0 ? WSTOPSIG(status) : 0;

		if (status >> 16 == PTRACE_EVENT_EXIT)
			*out_peak_kib = bench_peak_kib(pid);
		(void)ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)sig);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct sample
shot_flood_cli(const struct seat *seat, const struct variant *variant)
{
	const struct settings *settings = seat->settings;
	struct sample sample = {0};
	const char *argv[16];
	char bytes[16];
	size_t count = 0;

	(void)snprintf(bytes, sizeof(bytes), "%d", (int)FLOOD_BYTES);
	for (; variant->argv[count] != NULL; count++)
		argv[count] = variant->argv[count];
	argv[count++] = settings->flood;
	argv[count++] = bytes;
	argv[count] = NULL;

	uint64_t start = bench_now_ns();
	pid_t pid = fork();
	if (pid == 0)
		become_traced(settings->writ, (char *const *)(uintptr_t)argv,
		    seat->own_envp);
	if (pid > 0 && follow(pid, &sample.rss_kib))
		sample.ns = bench_now_ns() - start;
	return sample;
}
