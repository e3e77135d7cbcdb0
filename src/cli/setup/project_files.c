/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Kinds of projects that need a look into files: scripts of a package.json,
 * targets of a makefile, which installer wrote the lock file, which files hold
 * secrets.
 *
 * These files are untrusted. They are read up to a limit, and a name from them
 * is used only if it is a plain word.
 */

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/match.h"
#include "cli/setup/project_kind.h"
#include "data/json.h"

#define FILE_MAX_BYTES ((size_t)1 << 20)
#define DEPTH_MAX      64
#define NAME_LEN_MAX   64
#define LINE_MAX_BYTES 192
#define CHUNK          8192

/* Reads a whole regular file. false: not one, or too large. */
static bool
project_files_read_file(
    struct w_project_view *view, const char *name, struct w_buf *text)
{
	struct stat st;
	char chunk[CHUNK];
	ssize_t len = 0;
	W_AUTO_FD int fd = openat(
	    view->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	do {
		len = read(fd, chunk, sizeof(chunk));
		if (len > 0)
			w_buf_add(text, chunk, (size_t)len);
		if (text->failed && text->len + (size_t)len <= text->max)
			view->is_short = true;
	} while (len > 0 && !text->failed);
	return len == 0 && !text->failed;
}

/* Whether the name is safe in a command line. */
static bool
is_plain_name(const char *name, size_t len)
{
	if (len == 0 || len > NAME_LEN_MAX || !isalnum((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)name[i];

		if (!isalnum(c) && strchr("._:-", c) == NULL)
			return false;
	}
	return true;
}

/* Names of build and test tasks, none that publishes or deploys. */
static bool
is_daily_name(const char *name)
{
	static const char *const globs[] = {"test", "test:*", "test-*", "build",
	    "build:*", "lint", "lint:*", "check", "check:*", "format",
	    "format:*", "fmt", "typecheck", "type-check", "unit", "tests"};
	static const char *const never[] = {"*deploy*", "*publish*",
	    "*release*", "*push*", "*upload*", "*watch*", "*e2e*"};

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (w_match_glob(never[i], name))
			return false;
	}
	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++) {
		if (w_match_glob(globs[i], name))
			return true;
	}
	return false;
}

static void
project_files_add_line(struct w_project_view *view, struct w_words *list,
    const char *head, const char *tail)
{
	char line[LINE_MAX_BYTES];

	(void)snprintf(line, sizeof(line), "%s %s", head, tail);
	w_cli_project_add(view, list, line);
}

/* ---- Node.js ---- */

static const struct installer {
	const char *lock;
	const char *name;
	const char *run;
	bool is_described;
} installers[] = {
    {"pnpm-lock.yaml", "pnpm", "pnpm run", false},
    {"yarn.lock", "yarn", "yarn run", false},
    {"bun.lock*", "bun", "bun run", false},
    {"*", "npm", "npm run", true},
};

static void
add_script(struct w_project_view *view, const struct installer *installer,
    const char *name)
{
	struct w_words *list = installer->is_described
				   ? &view->project->daily
				   : &view->project->commands;

	const char *head =
	    strcmp(name, "test") == 0 ? installer->name : installer->run;

	project_files_add_line(view, list, head, name);
}

static void
take_package(struct w_project_view *view, const struct installer *installer,
    yyjson_val *root)
{
	yyjson_val *scripts = yyjson_obj_get(root, "scripts");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(scripts, i, count, key, val)
	{
		const char *name = yyjson_get_str(key);

		if (yyjson_is_str(val) &&
		    is_plain_name(name, yyjson_get_len(key)) &&
		    is_daily_name(name))
			add_script(view, installer, name);
	}
	if (!yyjson_is_true(yyjson_obj_get(root, "private")))
		project_files_add_line(
		    view, &view->project->asked, installer->name, "publish");
}

void
w_cli_project_detect_node(struct w_project_view *view)
{
	const struct w_json_limits limits = {
	    .bytes_max = FILE_MAX_BYTES, .depth_max = DEPTH_MAX};
	const struct installer *installer = installers;
	struct w_json *json = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FILE_MAX_BYTES);
	while (!w_cli_project_has(view, installer->lock))
		installer++;
	w_cli_project_add(view, &view->project->kinds, installer->name);
	project_files_add_line(
	    view, &view->project->asked, installer->name, "install");
	if (!project_files_read_file(view, "package.json", &text))
		w_cli_project_note(view, "package.json", "cannot be read");
	else if (w_json_read(text.data, text.len, &limits, &json, &err) ==
		 WRIT_OK)
		take_package(view, installer, w_json_root(json));
	else if (err.status == WRIT_E_NOMEM)
		view->is_short = true;
	else
		w_cli_project_note(view, "package.json", "is not JSON");
	w_json_free(json);
}

/* ---- Python ---- */

void
w_cli_project_detect_python(struct w_project_view *view)
{
	struct w_project *project = view->project;

	if (w_cli_project_has(view, "uv.lock")) {
		w_cli_project_add(view, &project->asked, "uv sync");
		w_cli_project_add(view, &project->asked, "uv publish");
	} else if (w_cli_project_has(view, "poetry.lock")) {
		w_cli_project_add(view, &project->commands, "poetry check");
		w_cli_project_add(
		    view, &project->commands, "poetry run pytest");
		w_cli_project_add(view, &project->asked, "poetry install");
	} else if (w_cli_project_has(view, "requirements.txt")) {
		w_cli_project_add(
		    view, &project->asked, "pip install -r requirements.txt");
	} else {
		w_cli_project_add(view, &project->asked, "pip install .");
	}
}

/* ---- make ---- */

/* A rule "name:" at the start of a line. */
static void
take_target(struct w_project_view *view, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	char name[NAME_LEN_MAX + 1];

	if (colon == NULL || colon[1] == '=')
		return;
	const size_t name_len = (size_t)(colon - line);
	if (!is_plain_name(line, name_len))
		return;
	(void)snprintf(name, sizeof(name), "%.*s", (int)name_len, line);
	if (is_daily_name(name))
		project_files_add_line(
		    view, &view->project->daily, "make", name);
}

void
w_cli_project_detect_make(struct w_project_view *view)
{
	static const char *const names[] = {
	    "GNUmakefile", "makefile", "Makefile"};
	W_AUTO_BUF struct w_buf text;
	size_t i = 0;

	w_buf_init(&text, FILE_MAX_BYTES);
	while (i < 2 && !w_cli_project_has(view, names[i]))
		i++;
	if (!project_files_read_file(view, names[i], &text)) {
		w_cli_project_note(view, names[i], "cannot be read");
		return;
	}
	for (const char *line = text.data; *line != '\0';) {
		const size_t len = strcspn(line, "\n");

		take_target(view, line, len);
		line += len + (line[len] == '\n');
	}
}

/* ---- secrets ---- */

static bool
is_sample(const char *name)
{
	static const char *const globs[] = {"*example*", "*sample*",
	    "*template*", "*.dist", "*default*", "*schema*"};

	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++) {
		if (w_match_glob(globs[i], name))
			return true;
	}
	return false;
}

static void
take_env_file(struct w_project_view *view, const char *name)
{
	char glob[LINE_MAX_BYTES];

	if (!w_match_glob(".env.*", name) || is_sample(name) ||
	    w_match_glob("*.local", name) ||
	    !is_plain_name(name + 1, strlen(name + 1)))
		return;
	(void)snprintf(glob, sizeof(glob), "**/%s", name);
	w_cli_project_add(view, &view->project->secrets, glob);
}

void
w_cli_project_detect_secrets(struct w_project_view *view)
{
	static const struct {
		const char *name; /* NULL: always */
		const char *glob;
	} rows[] = {
	    {NULL, "**/.env"},
	    {NULL, "**/.env.local"},
	    {NULL, "**/.env.*.local"},
	    {".envrc", "**/.envrc"},
	    {".netrc", "**/.netrc"},
	    {"*.pem", "**/*.pem"},
	    {"*.key", "**/*.key"},
	    {"*.p12", "**/*.p12"},
	    {"id_rsa", "**/id_rsa"},
	    {"id_ed25519", "**/id_ed25519"},
	    {"credentials*.json", "**/credentials*.json"},
	    {"service-account*.json", "**/service-account*.json"},
	    {"secrets.y*ml", "**/secrets.y*ml"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].name == NULL ||
		    w_cli_project_has(view, rows[i].name))
			w_cli_project_add(
			    view, &view->project->secrets, rows[i].glob);
	}
	for (size_t i = 0; i < view->names.count; i++)
		take_env_file(view, view->names.items[i]);
}
