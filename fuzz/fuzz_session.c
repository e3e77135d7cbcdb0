/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A session whose log is any bytes: it is opened or refused, and what is kept
 * of it fits together. With an odd first byte each line gets the hash that it
 * should have, to come further than the first look.
 */

#include "manifest/session/manifest_session.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/sha256.h"
#include "check.h"

#define FILE_NAME "session-000001.jsonl"

enum {
	ENDING = 11 + W_SHA256_HEX /* ,"hash":"HEX"} */
};

static char dir[64];
static int dir_fd = -1;

/* What was torn is set aside under many names. */
static void
clean_up(void)
{
	DIR *list = opendir(dir);
	const struct dirent *entry;

	CHECK(list != NULL);
	while ((entry = readdir(list)) != NULL)
		if (entry->d_name[0] != '.')
			(void)unlinkat(dir_fd, entry->d_name, 0);
	(void)closedir(list);
}

static void
remove_dir(void)
{
	clean_up();
	(void)rmdir(dir);
}

static void
make_dir(void)
{
	if (dir_fd >= 0)
		return;
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(dir, sizeof(dir), "%s/writ-fuzz-XXXXXX", base);
	CHECK(mkdtemp(dir) != NULL);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(dir_fd >= 0);
	CHECK(atexit(remove_dir) == 0);
}

/* Gives every line that is long enough its hash. */
static void
mend(char *bytes, size_t len)
{
	char *end = bytes + len;

	for (char *at = bytes; at < end;) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		char *stop = newline != NULL ? newline : end;
		uint8_t sum[W_SHA256_SIZE];

		if (stop - at > ENDING) {
			w_sha256(at, (size_t)(stop - at - ENDING), sum);
			w_hex_put(stop - 2 - W_SHA256_HEX, sum, sizeof(sum));
		}
		at = stop + 1;
	}
}

static void
put(const char *bytes, size_t len)
{
	int fd = openat(
	    dir_fd, FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	CHECK(write(fd, bytes, len) == (ssize_t)len);
	CHECK(close(fd) == 0);
}

static bool
count_event(void *ctx, const char *json, size_t len)
{
	size_t *count = ctx;

	CHECK(memchr(json, '\n', len) == NULL);
	++*count;
	return true;
}

static void
check_summary(const struct w_manifest_session *session)
{
	writ_apply_summary summary;
	struct w_buf buf;
	size_t events = 0;

	w_manifest_session_summary(session, &summary);
	CHECK(summary.total == summary.changed + summary.failed +
				   summary.skipped + summary.stable);
	CHECK(summary.errors == summary.failed);
	CHECK(w_manifest_session_events(session, count_event, &events, NULL) ==
	      WRIT_OK);
	CHECK(events >= summary.total);
	CHECK(events >= summary.unique);
	w_buf_init(&buf, 10000);
	w_event_summary_add_json(&buf, &summary);
	CHECK(!buf.failed);
	w_buf_done(&buf);
}

static void
check_start(const struct w_manifest_session *session)
{
	struct w_manifest_session_start start;

	if (!w_manifest_session_started(session, &start))
		return;
	CHECK(start.manifest == NULL || strlen(start.manifest) < 1 << 20);
	for (size_t i = 0; start.only != NULL && start.only[i] != NULL; i++)
		CHECK(strlen(start.only[i]) < 1 << 20);
}

static void
check_session(bool is_readonly)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true, .is_readonly = is_readonly};
	struct w_manifest_session *session = NULL;
	writ_error err = {.status = WRIT_OK};
	struct w_last_event past;
	writ_status status = w_manifest_session_open(&options, &session, &err);

	if (status != WRIT_OK) {
		check_error(&err, status);
		return;
	}
	check_summary(session);
	check_start(session);
	(void)w_manifest_session_last(session, "exec", "a", &past);
	(void)w_manifest_session_has(session, 3);
	if (!is_readonly) {
		const writ_event event = {
		    .type = "exec", .name = "mine", .changed = true};

		/* One is held, and written with the other. */
		(void)w_manifest_session_add(session, &event, true, NULL);
		if (w_manifest_session_add(session, &event, false, NULL) ==
		    WRIT_OK)
			CHECK(w_manifest_session_last(
				  session, "exec", "mine", &past) &&
			      past.changed);
	}
	w_manifest_session_free(session);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 1 << 16)
		return 0;
	make_dir();
	char *bytes = copy_exact(data + 1, size - 1);
	if ((data[0] & 1) != 0)
		mend(bytes, size - 1);
	put(bytes, size - 1);
	free(bytes);
	check_session(true);
	check_session(false);
	clean_up();
	return 0;
}
