/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Records per second: the real writer of the trail, and below it what the
 * same bytes cost when they are only hashed, written and synced.
 *
 * A sample is the time of PER_SAMPLE records. In batch mode the syncs really
 * happen, every ten milliseconds, in the background.
 */

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "flusher.h"
#include "log/log.h"
#include "peer_libs.h"
#include "plan.h"
#include "shots.h"
#include "trail.h"

enum {
	RECORDS = 40000,
	RECORDS_SYNC = 400,
	RECORDS_QUICK = 2000,
	WRITERS = 8,
	/* What the writer puts around a payload. */
	LINE = TRAIL_PAYLOAD + 210
};

static unsigned
how_many(const struct settings *settings, unsigned usual)
{
	return settings->is_quick && usual > RECORDS_QUICK ? RECORDS_QUICK
							   : usual;
}

static struct sample
of_lot(uint64_t ns, unsigned count)
{
	return (struct sample){.ns = ns * PER_SAMPLE / count};
}

/* ---- a place for it ---- */

static bool
make_place(const struct settings *settings, char out[300])
{
	(void)snprintf(out, 300, "%s/log.XXXXXX",
	    settings->state == NULL ? "/var/tmp" : settings->state);
	return mkdtemp(out) != NULL;
}

static int
remove_one(const char *path, const struct stat *at, int kind, struct FTW *place)
{
	(void)at;
	(void)kind;
	(void)place;
	return remove(path);
}

static void
remove_place(const char *dir)
{
	(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- ours ---- */

static struct w_log *
open_log(const char *dir, enum w_log_durability durability)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = durability};
	struct w_log *log = NULL;

	return w_log_open(dir, &options, &log, NULL) == WRIT_OK ? log : NULL;
}

/* What an engine does between two runs. */
static bool
sync_behind(
    struct w_log *log, struct flusher *flusher, struct w_log_mark *covers)
{
	uint64_t now = bench_now_ns();

	if (!flusher_is_due(flusher, now))
		return true;
	if (flusher->count > 0)
		w_log_synced(log, covers);
	int fd = w_log_sync_fd(log, covers);
	return fd < 0 || flusher_start(flusher, fd, now);
}

static bool
append_lot(struct w_log *log, struct flusher *flusher, unsigned count)
{
	struct w_log_mark covers = {0};
	char payload[TRAIL_PAYLOAD + 1];

	trail_begin(1, payload);
	for (unsigned i = 0; i < count; i++) {
		if (w_log_append(log, payload, TRAIL_PAYLOAD, W_LOG_BEGINS,
			NULL, NULL) != WRIT_OK ||
		    (flusher != NULL && !sync_behind(log, flusher, &covers)))
			return false;
	}
	return true;
}

/* Opens the log, writes, and leaves nothing to be synced in batch mode. */
static bool
write_log(const char *dir, enum w_log_durability durability, unsigned count)
{
	struct flusher flusher = {0};
	bool has_flusher = durability == W_LOG_BATCH && flusher_open(&flusher);
	struct w_log *log = open_log(dir, durability);
	bool is_good = log != NULL &&
		       append_lot(log, has_flusher ? &flusher : NULL, count);

	if (has_flusher)
		flusher_close(&flusher);
	w_log_close(log);
	return is_good && has_flusher == (durability == W_LOG_BATCH);
}

static struct sample
one_writer(const struct settings *settings, enum w_log_durability durability,
    unsigned usual)
{
	unsigned count = how_many(settings, usual);
	struct sample sample = {0};
	char dir[300];

	if (!make_place(settings, dir))
		return sample;
	uint64_t start = bench_now_ns();
	if (write_log(dir, durability, count))
		sample = of_lot(bench_now_ns() - start, count);
	remove_place(dir);
	return sample;
}

struct sample
probe_log_batch(const struct settings *settings, int number)
{
	(void)number;
	return one_writer(settings, W_LOG_BATCH, RECORDS);
}

struct sample
probe_log_none(const struct settings *settings, int number)
{
	(void)number;
	return one_writer(settings, W_LOG_NONE, RECORDS);
}

struct sample
probe_log_sync(const struct settings *settings, int number)
{
	(void)number;
	return one_writer(settings, W_LOG_SYNC, RECORDS_SYNC);
}

/* All of them wait for the end of the same pipe before they begin. */
static bool
run_writers(const char *dir, unsigned each, uint64_t *out_ns)
{
	int gate[2];
	char byte;
	bool is_good = true;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return false;
	for (int i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)close(gate[1]);
			(void)!read(gate[0], &byte, 1);
			_exit(!write_log(dir, W_LOG_BATCH, each));
		}
		is_good = is_good && pid > 0;
	}
	uint64_t start = bench_now_ns();
	(void)close(gate[1]);
	for (int status = 0; wait(&status) > 0;)
		is_good = is_good && status == 0;
	*out_ns = bench_now_ns() - start;
	(void)close(gate[0]);
	return is_good;
}

struct sample
probe_log_eight(const struct settings *settings, int number)
{
	unsigned count = how_many(settings, RECORDS);
	struct sample sample = {0};
	char dir[300];
	uint64_t ns;

	(void)number;
	if (!make_place(settings, dir))
		return sample;
	if (run_writers(dir, count / WRITERS, &ns))
		sample = of_lot(ns, count);
	remove_place(dir);
	return sample;
}

/* ---- the floor ---- */

/* Hashed and written, one by one; no lock, no chain, nothing to open again. */
static bool
write_bare(int fd, struct flusher *flusher, unsigned count)
{
	uint8_t sum[W_SHA256_SIZE];
	char line[LINE];

	memset(line, 'x', sizeof(line));
	for (unsigned i = 0; i < count; i++) {
		if (!peer_sha256(line, sizeof(line), sum))
			w_sha256(line, sizeof(line), sum);
		memcpy(line, sum, sizeof(sum));
		if (write(fd, line, sizeof(line)) != (ssize_t)sizeof(line))
			return false;
		if (flusher == NULL) {
			if (fdatasync(fd) < 0)
				return false;
			continue;
		}
		uint64_t now = bench_now_ns();
		if (flusher_is_due(flusher, now) &&
		    !flusher_start(flusher, fd, now))
			return false;
	}
	return true;
}

static struct sample
floor_of(const struct settings *settings, bool is_sync, unsigned usual)
{
	unsigned count = how_many(settings, usual);
	struct flusher flusher;
	struct sample sample = {0};
	char dir[300], path[320];

	if (!flusher_open(&flusher) || !make_place(settings, dir))
		return sample;
	(void)snprintf(path, sizeof(path), "%s/lines", dir);
	uint64_t start = bench_now_ns();
	int fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
	bool is_good =
	    fd >= 0 && write_bare(fd, is_sync ? NULL : &flusher, count);
	flusher_close(&flusher);
	if (is_good)
		sample = of_lot(bench_now_ns() - start, count);
	(void)close(fd);
	remove_place(dir);
	return sample;
}

struct sample
probe_log_floor(const struct settings *settings, int number)
{
	(void)number;
	return floor_of(settings, false, RECORDS);
}

struct sample
probe_log_floor_sync(const struct settings *settings, int number)
{
	(void)number;
	return floor_of(settings, true, RECORDS_SYNC);
}

/* ---- a peer ---- */

struct sample
probe_log_sqlite(const struct settings *settings, int number)
{
	unsigned count = how_many(settings, RECORDS / 4);
	struct sample sample = {0};
	char dir[300], path[320];

	(void)number;
	if (!make_place(settings, dir))
		return sample;
	(void)snprintf(path, sizeof(path), "%s/records.db", dir);
	uint64_t start = bench_now_ns();
	int done = peer_sqlite_insert(path, count);
	if (done > 0)
		sample = of_lot(bench_now_ns() - start, count);
	if (done < 0)
		(void)snprintf(sample.by, sizeof(sample.by), REFUSED);
	remove_place(dir);
	return sample;
}
