/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_TRAIL_MAKER_H
#define W_TEST_TRAIL_MAKER_H

/* A trail written line by line, with times and texts of the test's choosing:
 * the real writer's clock cannot be set back. */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "log/log_format.h"
#include "temp.h"

struct maker {
	struct temp *temp;
	uint64_t seq; /* of the last line */
	uint64_t time_us;
	uint32_t segment;
	uint64_t offset; /* where the next line goes */
	char prev[W_SHA256_HEX + 1];
	char line[65536]; /* the last one */
};

/* 2026-11-16T04:20:00Z, and a second for each line. */
#define MAKER_START UINT64_C(1794802800000000)
#define MAKER_STEP  UINT64_C(1000000)

static inline const char *
maker_file(const struct maker *maker)
{
	static char name[64];

	(void)snprintf(
	    name, sizeof(name), "audit/trail-%06u.jsonl", maker->segment);
	return name;
}

static inline void
maker_append(struct maker *maker, const char *bytes, size_t len)
{
	int fd = openat(maker->temp->fd, maker_file(maker),
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
	maker->offset += len;
}

/* One line with this payload. */
static inline void
maker_add(struct maker *maker, const char *payload)
{
	uint8_t sum[W_SHA256_SIZE];
	char time[W_LOG_TIME_LEN + 1];

	w_log_time_format(maker->time_us, time);
	maker->time_us += MAKER_STEP;
	int len = snprintf(maker->line, sizeof(maker->line),
	    "{\"seq\":%" PRIu64 ",\"time\":\"%s\",\"prev\":\"%s\",%s",
	    ++maker->seq, time, maker->prev, payload);
	assert_true(len > 0 && (size_t)len < sizeof(maker->line) - 100);
	w_sha256(maker->line, (size_t)len, sum);
	w_hex_put(maker->prev, sum, sizeof(sum));
	len += snprintf(maker->line + len, sizeof(maker->line) - (size_t)len,
	    ",\"hash\":\"%s\"}\n", maker->prev);
	maker_append(maker, maker->line, (size_t)len);
}

static inline void
maker_segment(struct maker *maker)
{
	char payload[128];

	maker->segment++;
	maker->offset = 0;
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"segment\",\"format\":1,\"file\":%u,"
	    "\"chain\":\"sha256\",\"key\":null,\"host\":\"test\"",
	    maker->segment);
	maker_add(maker, payload);
}

/* The first file, in "audit" of the directory. */
static inline void
maker_start(struct maker *maker, struct temp *temp)
{
	*maker = (struct maker){.temp = temp, .time_us = MAKER_START};
	memset(maker->prev, '0', W_SHA256_HEX);
	temp_dir(temp, "audit");
	maker_segment(maker);
}

static inline void
maker_rotate(struct maker *maker)
{
	char payload[128];

	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"seal\",\"next\":\"trail-%06u.jsonl\"",
	    maker->segment + 1);
	maker_add(maker, payload);
	maker_segment(maker);
}

/* Ids are 26 characters; the tests name their runs shorter. */
static inline const char *
maker_run_id(const char *run)
{
	static char ids[4][27];
	static unsigned next;
	char *id = ids[next++ % 4];

	memset(id, '0', 26);
	memcpy(id, run, strnlen(run, 26));
	return id;
}

struct made_run {
	const char *run;
	const char *agent;   /* NULL: null */
	const char *argv;    /* JSON array; NULL: ["git","status"] */
	const char *program; /* NULL: /usr/bin/git */
	int pid;             /* 0: one that does not exist */
	uint64_t pidns;      /* 0: ours */
};

#define MAKER_NO_PID 0x3fffffff

static inline uint64_t
maker_pidns(void)
{
	struct stat st;

	assert_int_equal(stat("/proc/self/ns/pid", &st), 0);
	return st.st_ino;
}

static inline void
maker_begin(struct maker *maker, const struct made_run *run)
{
	char payload[4096];
	char agent[256] = "null";

	if (run->agent != NULL)
		(void)snprintf(agent, sizeof(agent), "\"%s\"", run->agent);
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"begin\",\"run\":\"%s\",\"trace\":null,"
	    "\"who\":{\"uid\":%u,\"pid\":%d,\"pidns\":%" PRIu64
	    ",\"door\":\"cli\",\"agent\":%s},\"argv\":%s,\"shell\":null,"
	    "\"program\":\"%s\",\"cwd\":\"/srv/app\",\"env\":[\"PATH\"],"
	    "\"stdin\":\"null\",\"as\":{\"uid\":0,\"gid\":0},\"limits\":{},"
	    "\"policy\":null,\"sandbox\":{\"profile\":\"none\","
	    "\"network\":\"host\",\"layers\":[]},\"request\":\"00\","
	    "\"redacted\":false",
	    maker_run_id(run->run), (unsigned)geteuid(),
	    run->pid != 0 ? run->pid : MAKER_NO_PID,
	    run->pidns != 0 ? run->pidns : maker_pidns(), agent,
	    run->argv != NULL ? run->argv : "[\"git\",\"status\"]",
	    run->program != NULL ? run->program : "/usr/bin/git");
	maker_add(maker, payload);
}

static inline void
maker_end(struct maker *maker, const char *run, const char *outcome, int code)
{
	char payload[2048];

	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"end\",\"run\":\"%s\",\"outcome\":\"%s\","
	    "\"exit_code\":%d,\"signal\":%s,\"limit\":null,"
	    "\"duration_ms\":40,\"usage\":{\"user_ms\":3,\"system_ms\":4,"
	    "\"max_rss_kib\":900},\"killed\":0,\"background\":0,"
	    "\"tree\":\"guaranteed\",\"layers\":[],\"missing\":[],"
	    "\"stdout\":{\"bytes\":12,\"sha256\":\"%064d\"},"
	    "\"stderr\":{\"bytes\":5,\"sha256\":\"%064d\"},"
	    "\"kept\":{\"file\":\"%s.rec\",\"bytes\":17,\"whole\":true}",
	    maker_run_id(run), outcome, code,
	    code == -1 ? "\"SIGTERM\"" : "null", 0, 0, maker_run_id(run));
	maker_add(maker, payload);
}

static inline void
maker_refused(struct maker *maker, const char *run)
{
	char payload[1024];

	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"refused\",\"run\":\"%s\",\"trace\":null,"
	    "\"who\":{\"uid\":0,\"pid\":1,\"pidns\":2,\"door\":\"cli\","
	    "\"agent\":null},\"argv\":[\"nowhere\"],\"shell\":null,"
	    "\"cwd\":null,\"error\":{\"code\":\"not_found\","
	    "\"stage\":\"program\",\"message\":\"no 'nowhere'\"},"
	    "\"request\":\"00\",\"redacted\":false",
	    maker_run_id(run));
	maker_add(maker, payload);
}

/* A whole run. */
static inline void
maker_ran(struct maker *maker, const char *run, int code)
{
	const struct made_run made = {.run = run};

	maker_begin(maker, &made);
	maker_end(maker, run, code < 0 ? "signaled" : "exited", code);
}

/* The trail in the directory, opened. */
static inline writ_audit *
maker_open(const struct temp *temp, bool no_index)
{
	const struct w_audit_settings settings = {
	    .state_dir = temp->path, .no_index = no_index};
	writ_audit *audit = NULL;
	writ_error err = {0};

	if (w_audit_new(&settings, &audit, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return audit;
}

#endif /* W_TEST_TRAIL_MAKER_H */
