/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prunes recorded outputs that are too old or too many.
 *
 * The record is written before the files are deleted: a crash in between leaves
 * files that the next pruning deletes, never files that are missing without a
 * record.
 */

#include "audit/prune/prune_outputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "audit/query/entry.h"
#include "audit/record/audit_append.h"
#include "base/auto.h"
#include "base/error.h"
#include "base/grow.h"

/* Runs named in one record. */
enum {
	NAMED_MAX = 1000
};

#define NS_PER_S UINT64_C(1000000000)
#define DAY_NS   (UINT64_C(24) * 3600 * NS_PER_S)

struct output {
	char name[64];
	uint64_t bytes; /* on the disk */
	uint64_t time_ns;
};

struct outputs {
	int dir_fd;
	struct output *items; /* oldest first, once sorted */
	size_t count;
	size_t cap;
	uint64_t bytes;
	size_t delete_count; /* how many of the first are to go */
};

static uint64_t
now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* The files of a run are named ID.rec, ID.stdout, ID.stderr. */
static bool
is_output(const char *name)
{
	return strlen(name) < sizeof(((struct output *)NULL)->name) &&
	       strlen(name) > W_ID_LEN && name[W_ID_LEN] == '.' &&
	       w_entry_is_run_id(name, W_ID_LEN);
}

/*
 * Whether a process has the file open for writing: then no lease can be taken.
 * Without lease support, files younger than a day are spared. The signal of a
 * lease break must not be the default one, which would kill us.
 */
static bool
is_written(int dir_fd, const struct output *output)
{
	W_AUTO_FD int fd = openat(dir_fd, output->name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return true;
	if (fcntl(fd, F_SETSIG, SIGURG) == 0 &&
	    fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
		(void)fcntl(fd, F_SETLEASE, F_UNLCK);
		return false;
	}
	return errno == EAGAIN || output->time_ns + DAY_NS > now_ns();
}

static bool
prune_outputs_add_output(
    struct outputs *outputs, const char *name, const struct stat *st)
{
	if (!w_grow(&outputs->items, outputs->count, &outputs->cap))
		return false;
	struct output *output = &outputs->items[outputs->count++];
	*output = (struct output){
	    .bytes = (uint64_t)st->st_blocks * 512,
	    .time_ns = (uint64_t)st->st_mtim.tv_sec * NS_PER_S +
		       (uint64_t)st->st_mtim.tv_nsec,
	};
	memcpy(output->name, name, strlen(name) + 1);
	outputs->bytes += output->bytes;
	return true;
}

static writ_status
prune_outputs_list(struct outputs *outputs, const char *path, writ_error *err)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool is_added = true;
	struct stat st;

	if (dir == NULL)
		return errno == ENOENT ? WRIT_OK
				       : w_fail(err, WRIT_E_SYSTEM, "audit",
					     errno, "cannot list '%s'", path);
	outputs->dir_fd = fcntl(dirfd(dir), F_DUPFD_CLOEXEC, 0);
	if (outputs->dir_fd < 0) {
		const int error = errno;

		(void)closedir(dir);
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot open '%s' a second time", path);
	}
	while (is_added && (entry = readdir(dir)) != NULL) {
		if (is_output(entry->d_name) &&
		    fstatat(dirfd(dir), entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			is_added = prune_outputs_add_output(
			    outputs, entry->d_name, &st);
	}
	(void)closedir(dir);
	if (!is_added)
		return w_fail_nomem(err, "audit");
	return WRIT_OK;
}

static int
prune_outputs_compare(const void *a, const void *b)
{
	const struct output *left = a;
	const struct output *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Moves what must go to the front, keeping the order. */
static void
prune_outputs_choose(struct outputs *outputs, const struct w_prune_bound *bound)
{
	uint64_t now = now_ns();
	uint64_t left = outputs->bytes;

	for (size_t i = 0; i < outputs->count; i++) {
		struct output output = outputs->items[i];
		bool is_old = output.time_ns < now &&
			      (now - output.time_ns) / 1000000 > bound->age_ms;

		if (!is_old && left <= bound->bytes)
			break;
		if (is_written(outputs->dir_fd, &output))
			continue;
		left -= output.bytes;
		outputs->items[i] = outputs->items[outputs->delete_count];
		outputs->items[outputs->delete_count++] = output;
	}
}

static writ_status
prune_outputs_record(writ_audit *audit, const struct output *items,
    size_t count, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	uint64_t bytes = 0;

	w_buf_init(&buf, W_LOG_LINE_MAX);
	for (size_t i = 0; i < count; i++)
		bytes += items[i].bytes;
	w_buf_add_fmt(&buf,
	    "\"kind\":\"prune\",\"what\":\"outputs\",\"count\":%zu,"
	    "\"bytes\":%" PRIu64 ",\"outputs\":[",
	    count, bytes);
	for (size_t i = 0; i < count; i++)
		w_buf_add_fmt(
		    &buf, "%s\"%s\"", i > 0 ? "," : "", items[i].name);
	w_buf_add_char(&buf, ']');
	return w_audit_append(audit, &buf, NULL, err);
}

static void
prune_outputs_forget(const struct outputs *outputs, size_t from, size_t count,
    writ_audit_pruned *pruned, bool is_dry)
{
	for (size_t i = from; i < from + count; i++) {
		const struct output *output = &outputs->items[i];

		if (!is_dry && unlinkat(outputs->dir_fd, output->name, 0) != 0)
			continue;
		pruned->outputs++;
		pruned->output_bytes += output->bytes;
	}
}

static writ_status delete (writ_audit *audit, const struct outputs *outputs,
    bool is_dry, writ_audit_pruned *pruned, writ_error *err)
{
	for (size_t from = 0; from < outputs->delete_count; from += NAMED_MAX) {
		size_t count = outputs->delete_count - from;

		if (count > NAMED_MAX)
			count = NAMED_MAX;
		writ_status status =
		    is_dry || audit->dir_fd < 0
			? WRIT_OK
			: prune_outputs_record(
			      audit, &outputs->items[from], count, err);
		if (status != WRIT_OK)
			return status;
		prune_outputs_forget(outputs, from, count, pruned, is_dry);
	}
	return WRIT_OK;
}

writ_status
w_prune_outputs(writ_audit *audit, const struct w_prune_bound *bound,
    writ_audit_pruned *pruned, writ_error *err)
{
	struct outputs outputs = {.dir_fd = -1};

	writ_status status =
	    prune_outputs_list(&outputs, audit->output_dir, err);
	if (status == WRIT_OK && outputs.count > 0) {
		qsort(outputs.items, outputs.count, sizeof(outputs.items[0]),
		    prune_outputs_compare);
		prune_outputs_choose(&outputs, bound);
		status = delete (audit, &outputs, bound->is_dry, pruned, err);
	}
	if (status == WRIT_OK) {
		pruned->kept_outputs = outputs.count - pruned->outputs;
		pruned->kept_bytes = outputs.bytes - pruned->output_bytes;
	}
	w_close(&outputs.dir_fd);
	free(outputs.items);
	return status;
}
