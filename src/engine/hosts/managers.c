/* SPDX-License-Identifier: Apache-2.0 */

/* Reads where package managers get their packages. */

#include "engine/hosts/managers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/auto.h"
#include "base/buf.h"
#include "base/grow.h"
#include "engine/hosts/config_hosts.h"
#include "engine/hosts/manager_tools.h"
#include "engine/policies/policies_file.h"
#include "os/resolve.h"

#define STAGE     "hosts"
#define FILES_MAX 256 /* of a directory */

enum config_form {
	FORM_NPM,
	FORM_PIP,
	FORM_UV,
	FORM_CARGO,
	FORM_GO,
	FORM_APT_LIST,
	FORM_APT_SOURCES,
	FORM_NPM_SOURCE,
	FORM_PIP_SOURCE,
	FORM_GO_SOURCE,
};

/* Where a manager looks. "~/" is the home directory, "$XDG/" that of
 * configurations, "$CARGO/" that of cargo. One with a '/' at its end is a
 * directory of files in both forms of apt. */
struct manager_place {
	const char *path;
	enum config_form form;
};

static const struct manager_row {
	const char *name;
	struct manager_place places[8];
	const char *variables[6]; /* "+NAME": besides the default */
} rows[] = {
    {"@npm",
	{{"~/.npmrc", FORM_NPM}, {"/etc/npmrc", FORM_NPM},
	    {"/usr/etc/npmrc", FORM_NPM}, {"/usr/local/etc/npmrc", FORM_NPM}},
	{"npm_config_registry", "NPM_CONFIG_REGISTRY"}},
    {"@pip",
	{{"$XDG/pip/pip.conf", FORM_PIP}, {"~/.pip/pip.conf", FORM_PIP},
	    {"/etc/pip.conf", FORM_PIP}, {"/etc/xdg/pip/pip.conf", FORM_PIP},
	    {"$XDG/uv/uv.toml", FORM_UV}, {"/etc/uv/uv.toml", FORM_UV}},
	{"PIP_INDEX_URL", "+PIP_EXTRA_INDEX_URL", "UV_INDEX_URL",
	    "UV_DEFAULT_INDEX", "+UV_INDEX"}},
    {"@cargo",
	{{"$CARGO/config.toml", FORM_CARGO}, {"$CARGO/config", FORM_CARGO}},
	{NULL}},
    {"@go", {{"$XDG/go/env", FORM_GO}}, {"GOPROXY", "GOSUMDB"}},
    {"@apt",
	{{"/etc/apt/sources.list", FORM_APT_LIST},
	    {"/etc/apt/sources.list.d/", FORM_APT_LIST}},
	{NULL}},
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* What is known of one manager. */
struct manager {
	bool is_read;
	struct w_arena arena;
	struct w_manager_host *items;
	size_t count;
	size_t cap;
	struct w_fingerprints marks;
	bool has_failed; /* no memory */
	/* While it is read. */
	const struct w_managers_scope *scope;
	char origin[PATH_MAX + 2];
	bool is_default;  /* what is read now is used by default */
	bool has_default; /* such a one was found */
};

struct w_managers {
	struct manager managers[ROW_COUNT];
};

static void
manager_reset(struct manager *manager)
{
	w_fingerprints_done(&manager->marks);
	w_arena_done(&manager->arena);
	free(manager->items);
	*manager = (struct manager){.is_read = false};
}

void
w_managers_forget(struct w_managers *managers)
{
	for (size_t i = 0; managers != NULL && i < ROW_COUNT; i++)
		manager_reset(&managers->managers[i]);
}

void
w_managers_free(struct w_managers *managers)
{
	w_managers_forget(managers);
	free(managers);
}

/* ---- one file ---- */

static void
manager_add(void *ctx, const char *host)
{
	struct manager *manager = ctx;
	struct w_manager_host fresh;

	manager->has_default |= manager->is_default;
	for (size_t i = 0; i < manager->count; i++) {
		if (strcmp(manager->items[i].host, host) == 0)
			return;
	}
	if (manager->count == W_MANAGER_HOSTS_MAX)
		return;
	fresh.host = w_arena_text(&manager->arena, host, strlen(host));
	fresh.origin = w_arena_text(
	    &manager->arena, manager->origin, strlen(manager->origin));
	if (fresh.host == NULL || fresh.origin == NULL ||
	    !w_grow(&manager->items, manager->count, &manager->cap)) {
		manager->has_failed = true;
		return;
	}
	manager->items[manager->count++] = fresh;
}

/* Keys: of what is used by default, then of what comes besides. */
struct default_keys {
	const char *of[2][4];
};

static void
read_text(
    struct manager *manager, enum config_form form, const struct w_buf *text)
{
	static const struct default_keys npm = {{{"registry"}, {":registry"}}};
	static const struct default_keys pip = {
	    {{"index-url"}, {"extra-index-url", "index"}}};
	static const struct default_keys uv = {{{"index-url", "default-index"},
	    {"url", "extra-index-url", "index"}}};
	static const char *const uv_tables[] = {"", "index", "pip", NULL};
	static const char *const cargo_tables[] = {
	    "registries", "registry", "source", NULL};
	static const char *const cargo[] = {"index", "registry", "git", NULL};
	const struct w_config_hosts hosts = {
	    .emit = manager_add, .ctx = manager};

	manager->is_default = true;
	switch (form) {
	case FORM_NPM:
	case FORM_PIP:
		for (int i = 0; i < 2; i++) {
			manager->is_default = i == 0;
			w_config_hosts_ini(&hosts, text->data, text->len,
			    form == FORM_NPM ? npm.of[i] : pip.of[i]);
		}
		break;
	case FORM_UV:
		for (int i = 0; i < 2; i++) {
			manager->is_default = i == 0;
			w_config_hosts_toml(
			    &hosts, text->data, text->len, uv_tables, uv.of[i]);
		}
		break;
	case FORM_CARGO:
		w_config_hosts_toml(
		    &hosts, text->data, text->len, cargo_tables, cargo);
		break;
	case FORM_GO:
		w_config_hosts_go(&hosts, text->data, text->len);
		break;
	case FORM_APT_LIST:
		w_config_hosts_apt_list(&hosts, text->data, text->len);
		break;
	case FORM_APT_SOURCES:
		w_config_hosts_apt_sources(&hosts, text->data, text->len);
		break;
	case FORM_NPM_SOURCE:
		w_config_hosts_npm_source(&hosts, text->data, text->len);
		break;
	case FORM_PIP_SOURCE:
		w_config_hosts_pip_source(&hosts, text->data, text->len);
		break;
	case FORM_GO_SOURCE:
		w_config_hosts_go_source(&hosts, text->data, text->len);
		break;
	}
}

static bool
is_of_project(const struct w_managers_scope *scope, const char *path)
{
	const char *const *root = scope->roots;
	struct w_resolved_path place;

	w_resolve(AT_FDCWD, path, false, &place);
	for (; root != NULL && *root != NULL; root++) {
		if (w_resolve_is_in(place.path, *root) ||
		    w_resolve_is_in(path, *root))
			return true;
	}
	return false;
}

/* A file that is missing, or that somebody else could have written, has none.
 */
static void
read_path(struct manager *manager, const char *path, enum config_form form)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_CONFIG_HOSTS_TEXT_MAX);
	if (!w_fingerprints_add(&manager->marks, path))
		manager->has_failed = true;
	if (is_of_project(manager->scope, path) ||
	    w_policies_file_read(path, false, &text, NULL) != WRIT_OK)
		return;
	if (text.len > 0)
		read_text(manager, form, &text);
}

/* ---- all of them ---- */

static const char *
variable(const struct w_managers_scope *scope, const char *name)
{
	const size_t len = strlen(name);
	const char *const *entry = scope->env;

	for (; entry != NULL && *entry != NULL; entry++) {
		if (strncmp(*entry, name, len) == 0 && (*entry)[len] == '=')
			return *entry + len + 1;
	}
	return NULL;
}

/* false: it is nowhere, or too long. */
static bool
spell(const struct w_managers_scope *scope, const char *place,
    char path[PATH_MAX])
{
	static const struct {
		const char *prefix;
		const char *variable;
		const char *standard; /* below HOME */
	} bases[] = {
	    {"~/", NULL, ""},
	    {"$XDG/", "XDG_CONFIG_HOME", ".config/"},
	    {"$CARGO/", "CARGO_HOME", ".cargo/"},
	};
	int len = -1;

	if (place[0] == '/')
		len = snprintf(path, PATH_MAX, "%s", place);
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		const size_t prefix = strlen(bases[i].prefix);
		const char *base = bases[i].variable != NULL
				       ? variable(scope, bases[i].variable)
				       : NULL;

		if (strncmp(place, bases[i].prefix, prefix) != 0)
			continue;
		if (base != NULL && base[0] == '/')
			len = snprintf(
			    path, PATH_MAX, "%s/%s", base, place + prefix);
		else if (scope->home != NULL)
			len = snprintf(path, PATH_MAX, "%s/%s%s", scope->home,
			    bases[i].standard, place + prefix);
	}
	return len > 0 && len < PATH_MAX;
}

static bool
ends_in(const char *name, const char *end)
{
	const size_t len = strlen(name);

	return len > strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

static void
read_directory(struct manager *manager, const char *path)
{
	char file[PATH_MAX];
	DIR *dir = opendir(path);
	const struct dirent *entry;
	size_t count = 0;

	if (!w_fingerprints_add(&manager->marks, path))
		manager->has_failed = true;
	while (dir != NULL && count < FILES_MAX &&
	       (entry = readdir(dir)) != NULL) {
		const bool is_list = ends_in(entry->d_name, ".list");
		int len =
		    snprintf(file, sizeof(file), "%s%s", path, entry->d_name);

		if ((!is_list && !ends_in(entry->d_name, ".sources")) ||
		    len < 0 || (size_t)len >= sizeof(file))
			continue;
		count++;
		(void)snprintf(
		    manager->origin, sizeof(manager->origin), "%s", file);
		read_path(
		    manager, file, is_list ? FORM_APT_LIST : FORM_APT_SOURCES);
	}
	if (dir != NULL)
		(void)closedir(dir);
}

/* One variable may name several, with blanks between them. */
static void
read_variable(struct manager *manager, const char *name)
{
	manager->is_default = name[0] != '+';
	name += name[0] == '+';
	const char *value = variable(manager->scope, name);
	const struct w_config_hosts hosts = {
	    .emit = manager_add, .ctx = manager};

	if (value == NULL || strlen(value) > W_CONFIG_HOSTS_TEXT_MAX)
		return;
	(void)snprintf(manager->origin, sizeof(manager->origin), "$%s", name);
	if (strncmp(name, "GO", 2) == 0) {
		w_config_hosts_go_value(&hosts, name, value, strlen(value));
		return;
	}
	while (*value != '\0') {
		const size_t len = strcspn(value, " \t\n");

		w_config_hosts_url(&hosts, value, len);
		value += len + (value[len] != '\0');
	}
}

static void
read_place(struct manager *manager, const struct manager_place *place)
{
	char path[PATH_MAX];
	const char *home = manager->scope->home;

	if (!spell(manager->scope, place->path, path))
		return;
	const size_t len = home != NULL ? strlen(home) : 0;
	if (len > 0 && strncmp(path, home, len) == 0 && path[len] == '/')
		(void)snprintf(manager->origin, sizeof(manager->origin), "~%s",
		    path + len);
	else
		(void)snprintf(
		    manager->origin, sizeof(manager->origin), "%s", path);
	if (path[strlen(path) - 1] == '/')
		read_directory(manager, path);
	else
		read_path(manager, path, place->form);
}

/* ---- the installed tool ---- */

/* What runs there could have written it. */
static bool
may_use_program(void *ctx, const char *program)
{
	struct manager *manager = ctx;

	if (!w_fingerprints_add(&manager->marks, program))
		manager->has_failed = true;
	return !is_of_project(manager->scope, program);
}

static void
read_tool_file(void *ctx, const char *path)
{
	struct manager *manager = ctx;
	struct manager_place place = {.path = path,
	    .form = ends_in(path, "/go.env") ? FORM_GO
		    : ends_in(path, ".js")   ? FORM_NPM_SOURCE
		    : ends_in(path, ".py")   ? FORM_PIP_SOURCE
					     : FORM_GO_SOURCE};

	read_place(manager, &place);
}

static void
read_tool(struct manager *manager, const struct manager_row *row)
{
	const struct w_manager_tools tools = {
	    .path = variable(manager->scope, "PATH"),
	    .may_use = may_use_program,
	    .file = read_tool_file,
	    .ctx = manager,
	};

	w_manager_tools_find(&tools, row->name);
}

static writ_status
manager_read(struct manager *manager, const struct manager_row *row,
    const struct w_managers_scope *scope, writ_error *err)
{
	manager_reset(manager);
	manager->scope = scope;
	for (size_t i = 0; row->variables[i] != NULL; i++)
		read_variable(manager, row->variables[i]);
	for (size_t i = 0; row->places[i].path != NULL; i++)
		read_place(manager, &row->places[i]);
	if (!manager->has_default)
		read_tool(manager, row);
	manager->scope = NULL;
	manager->is_read = !manager->has_failed;
	return manager->has_failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_managers_find(struct w_managers **managers,
    const struct w_managers_scope *scope, const char *name,
    struct w_manager_hosts *out, writ_error *err)
{
	*out = (struct w_manager_hosts){.items = NULL};
	if (*managers == NULL)
		*managers = calloc(1, sizeof(**managers));
	if (*managers == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct manager *manager = &(*managers)->managers[i];

		if (strcmp(rows[i].name, name) != 0)
			continue;
		if (!manager->is_read ||
		    !w_fingerprints_same(&manager->marks)) {
			writ_status status =
			    manager_read(manager, &rows[i], scope, err);

			if (status != WRIT_OK)
				return status;
		}
		*out = (struct w_manager_hosts){
		    .items = manager->items, .count = manager->count};
		return WRIT_OK;
	}
	return WRIT_OK;
}
