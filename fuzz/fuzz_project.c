/* SPDX-License-Identifier: Apache-2.0 */

/* Files of a project that somebody else wrote, on their way into a policy: what
 * comes out is always YAML, and of plain words. */

#include "cli/setup/project.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/encode.h"
#include "check.h"
#include "cli/setup/starter_policy.h"
#include "data/yaml.h"

#define TEXT_MAX ((size_t)4 << 20)

static char dir[] = "/tmp/writ-fuzz-project.XXXXXX";

static const char *const names[] = {
    "package.json", "Makefile", "yarn.lock", "CMakeLists.txt", "Dockerfile"};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static void
clean(void)
{
	const int fd = open(dir, O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < NAME_COUNT; i++)
		(void)unlinkat(fd, names[i], 0);
	(void)close(fd);
	(void)rmdir(dir);
}

static void
put(const uint8_t *data, size_t size)
{
	static bool is_made;

	if (!is_made) {
		CHECK(mkdtemp(dir) != NULL);
		CHECK(atexit(clean) == 0);
	}
	is_made = true;
	const int dir_fd = open(dir, O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < NAME_COUNT; i++) {
		const int fd = openat(dir_fd, names[i],
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		CHECK(write(fd, data, size) == (ssize_t)size);
		(void)close(fd);
	}
	(void)close(dir_fd);
}

static void
check_plain(const struct w_buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		const unsigned char c = (unsigned char)text->data[i];

		CHECK(c == '\n' || (c >= ' ' && c < 0x7f));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = W_YAML_DEPTH_MAX};
	struct w_project project;
	struct w_starter_policy starter = {
	    .preset = "developer", .has_commands = true, .project = &project};
	struct w_yaml *yaml = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (size > 65536)
		return 0;
	put(data, size);
	CHECK(w_cli_project_detect(dir, &project, NULL) == WRIT_OK);
	w_starter_policy_add(&text, &starter);
	CHECK(!text.failed);
	check_plain(&text);
	CHECK(
	    w_yaml_read(text.data, text.len, &limits, &yaml, NULL) == WRIT_OK);
	w_yaml_free(yaml);
	w_cli_project_done(&project);
	return 0;
}
