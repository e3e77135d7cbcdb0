/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How long it takes to know the modules of a directory, as a program pays for
 * it that does only this: a process is started, loads, finds one module, and
 * ends. Without a cache, and with one.
 *
 *     writ-bench-registry DIR CACHE_DIR ID [TIMES]
 */

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module/registry.h"

#define TIMES_MAX 500

static double
now_ms(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* What the started process does. */
static int
load_once(const char *dir_path, const char *cache_dir, const char *id)
{
	const struct w_registry_dir dir = {
	    .path = dir_path, .must_exist = true};
	const struct w_registry_options options = {
	    .dirs = &dir, .dir_count = 1, .cache_dir = cache_dir};
	const struct w_registry_problem *problems = NULL;
	const struct w_module *module = NULL;
	struct w_registry *registry = NULL;
	writ_error err = {0};
	double start_ms = now_ms();

	if (w_registry_load(&options, &registry, &err) != WRIT_OK ||
	    w_registry_module(registry, w_registry_find(registry, id), &module,
		&err) != WRIT_OK) {
		(void)fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	if (getenv("BENCH_VERBOSE") != NULL)
		(void)fprintf(stderr, "%zu modules, %zu problems, %.2f ms\n",
		    w_registry_count(registry),
		    w_registry_problems(registry, &problems),
		    now_ms() - start_ms);
	/* As a program that ends: without putting anything away. */
	return 0;
}

/* What a start took, by the clock and of the processor: on a busy machine the
 * second says more. */
struct cost {
	double wall_ms;
	double cpu_ms;
};

static double
in_ms(struct timeval time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static struct cost
start_and_wait(char *const argv[])
{
	double start_ms = now_ms();
	struct rusage used;
	int status = -1;
	pid_t pid;

	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) !=
		0 ||
	    wait4(pid, &status, 0, &used) != pid || status != 0) {
		(void)fprintf(stderr, "a load has failed\n");
		exit(1);
	}
	return (struct cost){
	    now_ms() - start_ms, in_ms(used.ru_utime) + in_ms(used.ru_stime)};
}

static int
compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return left < right ? -1 : left > right;
}

static void
print(const char *what, double *samples, size_t times)
{
	qsort(samples, times, sizeof(samples[0]), compare);
	(void)printf("%-28s median %8.2f ms   min %8.2f ms   max %8.2f ms\n",
	    what, samples[times / 2], samples[0], samples[times - 1]);
}

static void
measure(const char *what, size_t times, char *const argv[])
{
	double wall_ms[TIMES_MAX];
	double cpu_ms[TIMES_MAX];

	for (size_t i = 0; i < times; i++) {
		struct cost cost = start_and_wait(argv);

		wall_ms[i] = cost.wall_ms;
		cpu_ms[i] = cost.cpu_ms;
	}
	print(what, wall_ms, times);
	print("  of the processor", cpu_ms, times);
}

int
main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "--once") == 0)
		return load_once(argv[2],
		    strcmp(argv[3], "-") == 0 ? NULL : argv[3], argv[4]);
	if (argc != 4 && argc != 5) {
		(void)fprintf(stderr,
		    "usage: writ-bench-registry DIR CACHE_DIR ID [TIMES]\n");
		return 2;
	}
	size_t times = argc == 5 ? strtoul(argv[4], NULL, 10) : 20;
	if (times < 1 || times > TIMES_MAX)
		times = 20;
	char once[] = "--once";
	char none[] = "-";
	char *without[] = {argv[0], once, argv[1], none, argv[3], NULL};
	char *with[] = {argv[0], once, argv[1], argv[2], argv[3], NULL};

	measure("without cache", times < 5 ? times : 5, without);
	(void)start_and_wait(with);
	measure("with the cache", times, with);
	return 0;
}
