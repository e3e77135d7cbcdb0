/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fetches an archive: curl writes it into a directory that nobody else may
 * write to, it is compared with its checksum there, and only then gets its
 * name. Headers go to curl's standard input, since arguments can be read by
 * everybody.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "manifest/types/archive.h"

#define TIMEOUT_MS UINT64_C(1800000)
#define CONFIG_MAX ((size_t)256 << 10)
#define BLOCK      ((size_t)8 << 10)
#define DIR_MODE   0700

bool
w_archive_sum(struct w_typed_step *x, const char *path, char *out_hex)
{
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	uint8_t sum[W_SHA256_SIZE];
	struct w_sha256 state;
	char block[BLOCK];
	ssize_t n = fd < 0 ? -1 : 0;

	w_sha256_init(&state);
	while (fd >= 0 && ((n = read(fd, block, sizeof(block))) > 0 ||
			      (n < 0 && errno == EINTR))) {
		if (n > 0)
			w_sha256_add(&state, block, (size_t)n);
	}
	if (n < 0) {
		w_resource_step_fail(
		    x->step, "cannot read '%s': %s", path, strerror(errno));
		return false;
	}
	w_sha256_end(&state, sum);
	w_hex_put(out_hex, sum, sizeof(sum));
	out_hex[W_SHA256_HEX] = '\0';
	return true;
}

/* The wanted checksum without its "sha256:"; NULL: any will do. */
static const char *
wanted_sum(const struct w_typed_step *x)
{
	const char *sum = w_typed_text(x, W_ARCHIVE_CHECKSUM);
	const char *colon = sum == NULL ? NULL : strchr(sum, ':');

	return colon == NULL ? sum : colon + 1;
}

static bool
check_sum(struct w_typed_step *x, const char *path, const char *what)
{
	const char *wanted = wanted_sum(x);
	char hex[W_SHA256_HEX + 1];

	if (wanted == NULL)
		return true;
	if (!w_archive_sum(x, path, hex))
		return false;
	if (strcasecmp(hex, wanted) == 0)
		return true;
	w_resource_step_fail(x->step,
	    "wrong checksum: %s has %s, and %s is wanted", what, hex, wanted);
	return false;
}

/* ---- curl ---- */

/* "header = "..."" for each, with \ and " escaped. */
static bool
make_config(struct w_typed_step *x, struct w_buf *config)
{
	const struct w_property_list *list =
	    &x->resource->as.typed->values[W_ARCHIVE_HEADERS];
	const char *const *headers = NULL;
	const char *const *shown = NULL;

	if (!w_fill_list(x->step, list, &headers, &shown))
		return false;
	for (; headers != NULL && *headers != NULL; headers++) {
		if (strpbrk(*headers, "\r\n") != NULL) {
			w_resource_step_fail(
			    x->step, "a header has a new line in it");
			return false;
		}
		w_buf_add_str(config, "header = \"");
		for (const char *at = *headers; *at != '\0'; at++) {
			if (*at == '"' || *at == '\\')
				w_buf_add_char(config, '\\');
			w_buf_add_char(config, *at);
		}
		w_buf_add_str(config, "\"\n");
	}
	x->step->is_short |= config->failed;
	return !config->failed;
}

static bool
fail_download(struct w_typed_step *x, const struct w_typed_answer *answer)
{
	static const struct {
		int code;
		const char *text;
	} reasons[] = {
	    {6, "the host is unknown"},
	    {7, "the host does not answer"},
	    {18, "the download ended early"},
	    {22, "the server refused it"},
	    {28, "it took too long"},
	    {47, "there were too many redirections"},
	    {52, "the server sent nothing"},
	    {56, "the connection broke"},
	    {60, "the server's certificate is not trusted"},
	};
	const char *reason = "the download failed";

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (reasons[i].code == answer->code)
			reason = reasons[i].text;
	}
	w_resource_step_fail(x->step, "cannot download '%s': %s: %s",
	    w_typed_text(x, W_ARCHIVE_URL), reason,
	    w_typed_last_lines(x, answer, 1));
	return false;
}

static bool
run_curl(struct w_typed_step *x, const char *path)
{
	const char *url = w_typed_text(x, W_ARCHIVE_URL);
	const bool is_https = strncmp(url, "https:", 6) == 0;
	struct w_typed_command command = {
	    .timeout_ms = w_typed_time(x, W_ARCHIVE_TIMEOUT, TIMEOUT_MS)};
	struct w_typed_answer answer;
	W_AUTO_BUF struct w_buf config;

	w_buf_init(&config, CONFIG_MAX);
	if (!make_config(x, &config))
		return false;
	w_typed_add(&command, "curl", "--disable", "--fail", "--silent",
	    "--show-error", "--location", "--max-redirs", "10", "--globoff",
	    "--proto", is_https ? "=https" : "=http,https", "--output", path,
	    NULL);
	if (config.len > 0) {
		w_typed_add(&command, "--config", "-", NULL);
		command.input = config.data;
		command.input_len = config.len;
	}
	w_typed_add(&command, "--url", url, NULL);
	if (!w_typed_run(x, &command, &answer))
		return false;
	return answer.code == 0 || fail_download(x, &answer);
}

/* ---- from a server ---- */

static bool
set_directory(struct w_typed_step *x, const char *dir, bool is_there)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;
	struct stat st;

	request.path = dir;
	request.ensure = is_there ? WRIT_FILE_DIRECTORY : WRIT_FILE_ABSENT;
	request.mode = is_there ? WRIT_FILE_MODE(DIR_MODE) : 0;
	request.force = !is_there;
	if (!w_typed_file(x, &request, NULL))
		return false;
	if (!is_there ||
	    (lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
		st.st_uid == geteuid() && (st.st_mode & 07777) == DIR_MODE))
		return true;
	w_resource_step_fail(
	    x->step, "'%s' belongs to somebody else: remove it", dir);
	return false;
}

static bool
place(struct w_typed_step *x, const char *from)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;
	const char *mode = w_typed_text(x, W_ARCHIVE_MODE);
	writ_file_result *result = NULL;
	const char *wanted = wanted_sum(x);

	request.path = x->resource->name.text;
	request.source = from;
	request.owner = w_typed_text(x, W_ARCHIVE_OWNER);
	request.group = w_typed_text(x, W_ARCHIVE_GROUP);
	if (mode != NULL)
		request.mode = WRIT_FILE_MODE((unsigned)strtoul(mode, NULL, 8));
	if (!w_typed_file(x, &request, &result))
		return false;
	const bool is_same = wanted == NULL || result->after.sha256 == NULL ||
			     strcasecmp(result->after.sha256, wanted) == 0;
	writ_file_result_free(result);
	if (!is_same)
		w_resource_step_fail(
		    x->step, "'%s' changed while it was copied", from);
	return is_same;
}

static bool
download(struct w_typed_step *x)
{
	const char *name = x->resource->name.text;
	const char *dir = w_archive_beside(x, NULL, name, ".download");
	const char *path = w_resource_step_text(x->step, "%s/file", dir);

	if (!set_directory(x, dir, true))
		return false;
	const bool ok = run_curl(x, path) &&
			check_sum(x, path, "what was downloaded") &&
			place(x, path);
	/* Of two failures the first is told. */
	if (x->step->is_interrupted)
		return false;
	return set_directory(x, dir, false) && ok;
}

bool
w_archive_fetch(struct w_typed_step *x)
{
	const char *source = w_typed_text(x, W_ARCHIVE_SOURCE);
	const char *url = w_typed_text(x, W_ARCHIVE_URL);

	if (source != NULL)
		return !w_typed_plan(x, "copied") ||
		       (check_sum(x, source, "the source") && place(x, source));
	if (wanted_sum(x) == NULL && strncmp(url, "http:", 5) == 0)
		w_resource_step_warn(x->step,
		    "http without a checksum: anybody on the way can replace "
		    "it");
	return !w_typed_plan(x, "downloaded") || download(x);
}
