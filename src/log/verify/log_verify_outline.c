/* SPDX-License-Identifier: Apache-2.0 */

/* Lists the files, and reads their first and last lines. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "log/log_files.h"
#include "log/verify/log_verifier.h"

enum {
	FIRST_MAX = 4096,     /* bytes of a file's first line */
	LAST_MAX = 128 << 10, /* bytes searched for its last line */
	TORN_MAX = 10000
};

static bool
keep_file(struct w_log_verifier *verifier, uint32_t number)
{
	struct w_log_outline *files = reallocarray(
	    verifier->files, verifier->file_count + 1, sizeof(*files));

	if (files == NULL)
		return false;
	verifier->files = files;
	files[verifier->file_count++] =
	    (struct w_log_outline){.number = number};
	return true;
}

static bool
keep_torn(struct w_log_verifier *verifier, const char *file)
{
	if (verifier->torn_count == TORN_MAX)
		return true;
	char **torn = reallocarray(
	    verifier->torn, verifier->torn_count + 1, sizeof(*torn));
	if (torn == NULL)
		return false;
	verifier->torn = torn;
	torn[verifier->torn_count] = strdup(file);
	return torn[verifier->torn_count++] != NULL;
}

static writ_status
read_dir(struct w_log_verifier *verifier, writ_error *err)
{
	const char *name = verifier->options->name;
	writ_status status = WRIT_OK;
	int fd = openat(
	    verifier->reader->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (dir == NULL) {
		int error = errno;

		w_close(&fd);
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot list '%s'", verifier->options->dir);
	}
	for (struct dirent *e = readdir(dir); e != NULL && status == WRIT_OK;
	     e = readdir(dir)) {
		const uint32_t number = w_log_segment_number(name, e->d_name);
		bool is_kept = true;

		if (number > 0)
			is_kept = keep_file(verifier, number);
		else if (w_log_file_is_torn(name, e->d_name))
			is_kept = keep_torn(verifier, e->d_name);
		if (!is_kept)
			status = w_fail_nomem(err, "audit");
	}
	(void)closedir(dir);
	return status;
}

/* A first line with a wrong hash claims nothing; one that cannot be checked is
 * believed. */
static bool
is_believed(const struct w_log_verifier *verifier,
    const struct w_log_line *line, yyjson_val *root)
{
	const char *chain = yyjson_get_str(yyjson_obj_get(root, "chain"));
	const char *key_id = yyjson_get_str(yyjson_obj_get(root, "key"));
	struct w_log_chain how = {NULL};

	if (chain == NULL)
		return false;
	if (strcmp(chain, "sha256") == 0)
		return w_log_line_is_sound(line, &how);
	if (!verifier->has_key || key_id == NULL ||
	    strcmp(key_id, verifier->key_id) != 0)
		return true;
	how.key = &verifier->key;
	return w_log_line_is_sound(line, &how);
}

/* The number that a file's first line claims; 0: none. */
static uint32_t
claim_of(struct w_log_verifier *verifier, const struct w_log_line *line)
{
	uint64_t claimed = 0;

	if (!w_log_line_is(line, "segment"))
		return 0;
	struct w_json *json = w_log_verifier_json(verifier, line);
	if (json == NULL)
		return 0;
	yyjson_val *root = w_json_root(json);
	if (is_believed(verifier, line, root))
		claimed = yyjson_get_uint(yyjson_obj_get(root, "file"));
	w_json_free(json);
	return claimed <= UINT32_MAX ? (uint32_t)claimed : 0;
}

static bool
log_verify_outline_read_first(
    struct w_log_verifier *verifier, int fd, struct w_log_outline *file)
{
	char bytes[FIRST_MAX];
	struct w_log_line line;
	ssize_t len = pread(fd, bytes, sizeof(bytes), 0);
	const char *newline = len > 0 ? memchr(bytes, '\n', (size_t)len) : NULL;

	if (newline == NULL ||
	    !w_log_line_parse(bytes, (size_t)(newline - bytes), &line))
		return false;
	file->claimed = claim_of(verifier, &line);
	file->first_seq = line.seq;
	w_log_hash_set(file->first_prev, line.prev);
	return true;
}

static bool
read_last(struct w_log_verifier *verifier, int fd, off_t size,
    struct w_log_outline *file)
{
	size_t want = size < LAST_MAX ? (size_t)size : LAST_MAX;
	W_AUTO_FREE char *bytes = malloc(want > 0 ? want : 1);
	struct w_log_line line;

	if (bytes == NULL)
		verifier->faults.has_failed = true;
	if (bytes == NULL || want == 0 ||
	    pread(fd, bytes, want, size - (off_t)want) != (ssize_t)want ||
	    bytes[want - 1] != '\n')
		return false;
	const char *before = memrchr(bytes, '\n', want - 1);
	size_t start = before != NULL ? (size_t)(before - bytes) + 1 : 0;
	if (!w_log_line_parse(bytes + start, want - 1 - start, &line))
		return false;
	file->last_seq = line.seq;
	w_log_hash_set(file->last_hash, line.hash);
	return true;
}

static void
read_outline(struct w_log_verifier *verifier, struct w_log_outline *file)
{
	char name[W_LOG_NAME_MAX];
	struct stat st;

	w_log_segment_name(verifier->options->name, file->number, name);
	W_AUTO_FD int fd = openat(verifier->reader->dir_fd, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	file->has_lines = log_verify_outline_read_first(verifier, fd, file) &&
			  read_last(verifier, fd, st.st_size, file);
}

writ_status
w_log_verifier_outline(struct w_log_verifier *verifier, writ_error *err)
{
	if (verifier->reader->dir_fd < 0)
		return WRIT_OK;
	writ_status status = read_dir(verifier, err);
	for (size_t i = 0; i < verifier->file_count && status == WRIT_OK; i++)
		read_outline(verifier, &verifier->files[i]);
	return status;
}
