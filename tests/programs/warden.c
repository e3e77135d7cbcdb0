/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command and sees everything that it leaves behind.
 *
 *     warden REPORT WAIT_MS COMMAND ARG...
 *
 * As a subreaper it becomes the parent of whatever the command abandons,
 * however that tried to hide. The command's pid goes to REPORT.pid at once;
 * when the command has ended, the others get WAIT_MS to end too, and REPORT
 * then says
 *
 *     status=N    of the command, 128 + signal for a signal
 *     zombies=N   processes that nobody had reaped when it ended
 *     alive=N     children that were alive when it had ended
 *     left=N      those that were still alive after WAIT_MS
 *     wait_ms=N   how long the last of the others took to end
 *     pids=...    of those left
 *
 * A command that takes longer than half a minute is killed: it hangs.
 * Whoever is left is killed afterwards, unless WAIT_MS ends in '+': then it
 * is left to the caller.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	STEP_US = 2000,
	PIDS_MAX = 256,
	LIFE_MS = 30000,
};

struct report {
	int status;
	int zombies;
	int alive;
	int left;
	long wait_ms;
	pid_t pids[PIDS_MAX];
};

static long
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
write_pid(const char *report, pid_t pid)
{
	char path[4096], ready[4096];

	(void)snprintf(path, sizeof(path), "%s.pid.new", report);
	(void)snprintf(ready, sizeof(ready), "%s.pid", report);
	FILE *file = fopen(path, "w");
	if (file == NULL)
		exit(96);
	(void)fprintf(file, "%d\n", (int)pid);
	(void)fclose(file);
	if (rename(path, ready) < 0)
		exit(96);
}

/* The command's status; who else ends meanwhile was an orphan already. */
static void
await_command(pid_t command, struct report *report)
{
	long start = now_ms();
	int status = 0;
	pid_t pid = 0;

	while (pid != command) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid < 0)
			exit(95);
		if (pid > 0 && pid != command)
			report->zombies++;
		if (pid == 0)
			(void)usleep(STEP_US);
		if (now_ms() - start > LIFE_MS)
			(void)kill(command, SIGKILL);
	}
	report->status =
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Counts whom it reaps. Returns whether nobody is left. */
static int
reap(int *count)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		(*count)++;
	return pid < 0;
}

static void
list_children(struct report *report)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	int pid;

	if (file == NULL)
		exit(95);
	while (report->left < PIDS_MAX && fscanf(file, "%d", &pid) == 1)
		report->pids[report->left++] = pid;
	(void)fclose(file);
}

static void
await_orphans(struct report *report, long wait_ms)
{
	long start = now_ms();
	int is_empty = reap(&report->zombies);
	int ended = 0;

	list_children(report);
	report->alive = report->left;
	report->left = 0;
	while (!is_empty && now_ms() - start < wait_ms) {
		(void)usleep(STEP_US);
		is_empty = reap(&ended);
	}
	report->wait_ms = now_ms() - start;
	list_children(report);
}

/* Each death may hand us the next generation. */
static void
end_all(void)
{
	for (int i = 0; i < 1000; i++) {
		struct report now = {0};

		if (reap(&now.alive))
			return;
		list_children(&now);
		for (int at = 0; at < now.left; at++)
			(void)kill(now.pids[at], SIGKILL);
		(void)usleep(STEP_US);
	}
}

static int
write_report(const char *path, const struct report *report)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return 96;
	(void)fprintf(file, "status=%d\nzombies=%d\nalive=%d\nleft=%d\n",
	    report->status, report->zombies, report->alive, report->left);
	(void)fprintf(file, "wait_ms=%ld\n", report->wait_ms);
	(void)fprintf(file, "pids='");
	for (int i = 0; i < report->left; i++)
		(void)fprintf(file, "%d ", (int)report->pids[i]);
	(void)fprintf(file, "'\n");
	return fclose(file) == 0 ? 0 : 96;
}

int
main(int argc, char **argv)
{
	struct report report = {0};

	if (argc < 4 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return 96;
	pid_t command = fork();
	if (command == 0) {
		(void)execvp(argv[3], argv + 3);
		_exit(127);
	}
	write_pid(argv[1], command);
	await_command(command, &report);
	await_orphans(&report, atol(argv[2]));
	int status = write_report(argv[1], &report);
	if (strchr(argv[2], '+') == NULL)
		end_all();
	return status;
}
