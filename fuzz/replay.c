/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a fuzz target over stored inputs, without libFuzzer: the corpus is a
 * regression test for any compiler and sanitizer.
 *
 *     replay TARGET DIRECTORY|FILE...
 *
 * A target that finds something aborts; files that cannot be read, and a run
 * without any input, are failures too.
 */

#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INPUT_MAX ((size_t)16 << 20)

static const struct fuzz_target *target;

/* Named when the target aborts: the signal handler of a sanitizer cannot. */
static void
announce(const char *path)
{
	if (getenv("REPLAY_VERBOSE") != NULL)
		(void)fprintf(stderr, "%s\n", path);
}

static int
complain(const char *path, const char *why)
{
	(void)fprintf(stderr, "replay: '%s': %s\n", path, why);
	return -1;
}

static int
replay_bytes(const char *path, FILE *file, size_t size)
{
	/* Exactly as long as the input, so that a sanitizer sees any step
	 * beyond it. */
	uint8_t *data = malloc(size > 0 ? size : 1);
	if (data == NULL)
		return complain(path, "out of memory");

	int result = -1;
	if (fread(data, 1, size, file) != size) {
		(void)complain(path, "cannot be read");
	} else {
		announce(path);
		(void)target->run(data, size);
		result = 1;
	}
	free(data);
	return result;
}

static int
replay_file(const char *path, const struct stat *info)
{
	if ((uintmax_t)info->st_size > INPUT_MAX)
		return complain(path, "larger than any input");
	FILE *file = fopen(path, "rbe");
	if (file == NULL)
		return complain(path, strerrordesc_np(errno));
	int result = replay_bytes(path, file, (size_t)info->st_size);
	(void)fclose(file);
	return result;
}

/* Plain files of one directory; a corpus has no deeper ones. */
static int
replay_directory(const char *path)
{
	struct dirent **entries = NULL;
	int found = scandir(path, &entries, NULL, alphasort);
	if (found < 0)
		return complain(path, strerrordesc_np(errno));

	int total = 0;
	for (int i = 0; i < found; i++) {
		char name[PATH_MAX];
		struct stat info;
		int len = snprintf(
		    name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		int result = -1;

		if (len < 0 || (size_t)len >= sizeof(name) ||
		    stat(name, &info) < 0)
			(void)complain(entries[i]->d_name, "cannot be found");
		else
			result = S_ISREG(info.st_mode)
				     ? replay_file(name, &info)
				     : 0;
		total = result < 0 || total < 0 ? -1 : total + result;
		free(entries[i]);
	}
	free(entries);
	return total;
}

static int
replay_path(const char *path)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return complain(path, strerrordesc_np(errno));
	return S_ISDIR(info.st_mode) ? replay_directory(path)
				     : replay_file(path, &info);
}

static const struct fuzz_target *
find_target(const char *name)
{
	for (size_t i = 0; fuzz_targets[i].name != NULL; i++) {
		if (strcmp(fuzz_targets[i].name, name) == 0)
			return &fuzz_targets[i];
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	int total = 0;
	int is_bad = 0;

	target = argc > 1 ? find_target(argv[1]) : NULL;
	if (target == NULL) {
		(void)fprintf(stderr, "usage: replay TARGET FILE...\n");
		return EXIT_FAILURE;
	}
	for (int i = 2; i < argc; i++) {
		int result = replay_path(argv[i]);
		if (result < 0)
			is_bad = 1;
		else
			total += result;
	}
	(void)printf("%d inputs\n", total);
	return is_bad || total == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
