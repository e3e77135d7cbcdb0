/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A writer meets a log made of any bytes: it appends its line, loses none of
 * what was there, and who comes next finds nothing to repair.
 *
 * The first byte says whether the next W_LOG_HEAD_LEN are the head; the rest
 * is the log's file.
 */

#include "log/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define FIRST   "trail-000001.jsonl"
#define PAYLOAD "\"kind\":\"x\""

static char dir[64];
static int dir_fd = -1;

static void
make_dir(void)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};

	for (size_t i = 0; i < 2 && dir_fd < 0; i++) {
		(void)snprintf(
		    dir, sizeof(dir), "%s/writ-fuzz-XXXXXX", places[i]);
		if (mkdtemp(dir) != NULL)
			dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	CHECK(dir_fd >= 0);
}

/* Nothing but what belongs there may be left. */
static void
remove_dir(void)
{
	(void)unlinkat(dir_fd, "trail-000002.jsonl", 0);
	CHECK(unlinkat(dir_fd, "head", 0) == 0);
	CHECK(unlinkat(dir_fd, FIRST, 0) == 0);
	CHECK(rmdir(dir) == 0);
	(void)close(dir_fd);
	dir_fd = -1;
}

static void
put_file(const char *name, const uint8_t *bytes, size_t size)
{
	int fd =
	    openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	(void)close(fd);
}

/* Whether the file begins with these bytes; is_all: and has no others. */
static bool
has_bytes(const char *name, const uint8_t *bytes, size_t size, bool is_all)
{
	char *found = malloc(size + 1);
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);

	CHECK(found != NULL);
	ssize_t n = fd < 0 ? -1 : read(fd, found, size + 1);
	bool is_same = n >= (ssize_t)size && memcmp(found, bytes, size) == 0 &&
		       (!is_all || n == (ssize_t)size);
	free(found);
	if (fd >= 0)
		(void)close(fd);
	return is_same;
}

/* Everything that was in the file is there, or set aside. */
static void
check_kept(const uint8_t *bytes, size_t size)
{
	char torn[64];

	for (size_t at = 0; at < size; at++) {
		(void)snprintf(torn, sizeof(torn), "trail-000001.torn-%zu", at);
		if (faccessat(dir_fd, torn, F_OK, 0) != 0)
			continue;
		CHECK(has_bytes(FIRST, bytes, at, false));
		CHECK(has_bytes(torn, bytes + at, size - at, true));
		CHECK(unlinkat(dir_fd, torn, 0) == 0);
		return;
	}
	CHECK(has_bytes(FIRST, bytes, size, false));
}

static void
append_one(bool is_clean)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_NONE, .reserve = 4096};
	struct w_log_mark mark;
	struct w_log *log;
	writ_error err;

	CHECK(w_log_open(dir, &options, &log, &err) == WRIT_OK);
	CHECK(w_log_append(log, PAYLOAD, strlen(PAYLOAD), W_LOG_BEGINS, &mark,
		  &err) == WRIT_OK);
	CHECK(!is_clean || w_log_repair_note(log) == NULL);
	w_log_close(log);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	make_dir();
	bool has_head = size > 0 && data[0] % 2 == 1;
	size_t head_size = 0;
	if (size > 0) {
		data++;
		size--;
	}
	if (has_head) {
		head_size = size < W_LOG_HEAD_LEN ? size : W_LOG_HEAD_LEN;
		put_file("head", data, head_size);
	}
	put_file(FIRST, data + head_size, size - head_size);
	append_one(false);
	check_kept(data + head_size, size - head_size);
	append_one(true);
	remove_dir();
	return 0;
}
