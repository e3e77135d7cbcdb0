/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds the command's environment from nothing.
 *
 * Order: what the mode inherits, then what `env_pass` adds, minus what
 * `env_drop` names, then what the mode and the request set. Later settings of a
 * name replace earlier ones, so each name occurs once.
 */

#include "run/resolve/environ.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/match.h"

/* Variables that make a loader, an interpreter or a well-known tool run code
 * or another program. */
static const char *const code_globs[] = {"LD_*", "GLIBC_TUNABLES", "GCONV_PATH",
    "LOCPATH", "NLSPATH", "GETCONF_DIR", "HOSTALIASES", "RES_OPTIONS",
    "MALLOC_*", "BASH_ENV", "BASH_FUNC_*", "BASHOPTS", "SHELLOPTS", "ENV",
    "IFS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "KSH_ENV", "FPATH", "TERMINFO*",
    "TERMCAP", "INPUTRC", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER",
    "LESSOPEN", "LESSCLOSE", "LESSKEY*", "GIT_*", "SSH_ASKPASS", "SUDO_ASKPASS",
    "RSYNC_RSH", "CVS_RSH", "SVN_SSH", "PYTHON*", "PERL5*", "PERLLIB", "PERL_*",
    "RUBY*", "GEM_*", "BUNDLE_*", "NODE_*", "NPM_CONFIG_*", "npm_config_*",
    "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH",
    "MAVEN_OPTS", "GRADLE_OPTS", "LUA_*", "PHPRC", "PHP_INI_SCAN_DIR",
    "TCLLIBPATH", "GUILE_*", "EMACSLOADPATH", "VIMINIT", "EXINIT", "RUSTC_*",
    "RUSTFLAGS", "CARGO_BUILD_*", "CARGO_TARGET_*", "GOFLAGS", "GOROOT",
    "MAKEFLAGS", "MAKEFILES", "DOTNET_*", "COR_*", "CORECLR_*", "OPENSSL_CONF",
    "OPENSSL_MODULES", "OPENSSL_ENGINES", "KRB5_CONFIG", "GNUPGHOME", "DYLD_*",
    "XDG_CONFIG_DIRS", "TCSH_*", NULL};

/* Names that look like those of secrets. */
static const char *const secret_globs[] = {"*SECRET*", "*TOKEN*", "*PASSWORD*",
    "*PASSWD*", "*PASSPHRASE*", "*CREDENTIAL*", "*_KEY", "*APIKEY*",
    "*API_KEY*", "*PRIVATE*", "APCORE_AUTH_*", NULL};

static const char *const minimal_names[] = {
    "HOME", "USER", "LOGNAME", "PATH", "LANG", NULL};
static const char *const clean_names[] = {"PATH", NULL};
static const char *const isolated_names[] = {
    "PATH", "LANG", "LC_ALL", "APCORE_*", "WRIT_MODULE_*", NULL};
static const char *const inherit_names[] = {"*", NULL};

static const char *const *const mode_names[] = {
    [WRIT_ENV_MINIMAL] = minimal_names,
    [WRIT_ENV_CLEAN] = clean_names,
    [WRIT_ENV_ISOLATED] = isolated_names,
    [WRIT_ENV_INHERIT] = inherit_names,
};

/* Used when the engine itself has no PATH. */
#define FALLBACK_PATH \
	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static bool
any_match(const char *const *globs, const char *name)
{
	for (size_t i = 0; globs != NULL && globs[i] != NULL; i++) {
		const char first = globs[i][0];

		/* Most begin with another letter. */
		if (first != name[0] && first >= 'A' && first <= 'z' &&
		    first != '[' && first != '\\')
			continue;
		if (w_match_glob(globs[i], name))
			return true;
	}
	return false;
}

bool
w_environ_runs_code(const char *name)
{
	return any_match(code_globs, name);
}

static bool
is_named(const char *const *globs, const char *name)
{
	for (size_t i = 0; globs != NULL && globs[i] != NULL; i++) {
		if (strcmp(globs[i], name) == 0)
			return true;
	}
	return false;
}

static bool
passes(const writ_request *request, const char *name)
{
	bool is_mode = any_match(mode_names[request->env_mode], name);
	bool is_asked = any_match(request->env_pass, name);

	if ((!is_mode && !is_asked) || any_match(request->env_drop, name))
		return false;
	if (is_named(request->env_pass, name))
		return true;
	if (w_environ_runs_code(name))
		return false;
	return is_asked || request->env_mode != WRIT_ENV_ISOLATED ||
	       !any_match(secret_globs, name);
}

const char *
w_environ_get(char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strncmp(env[i], name, len) == 0 && env[i][len] == '=')
			return env[i] + len + 1;
	}
	return NULL;
}

/* Adds NAME=VALUE, or replaces an earlier value. */
static bool
environ_put(struct w_words *env, const char *entry)
{
	size_t name_len = strcspn(entry, "=");

	for (size_t i = 0; i < env->count; i++) {
		if (strncmp(env->items[i], entry, name_len + 1) != 0)
			continue;
		char *copy = strdup(entry);
		if (copy == NULL)
			return false;
		free(env->items[i]);
		env->items[i] = copy;
		return true;
	}
	return w_words_add(env, entry, strlen(entry));
}

static bool
set(struct w_words *env, const char *name, const char *value)
{
	W_AUTO_FREE char *entry = NULL;
	size_t name_len = strlen(name), value_len;

	if (value == NULL)
		return true;
	value_len = strlen(value);
	entry = malloc(name_len + value_len + 2);
	if (entry == NULL)
		return false;
	memcpy(entry, name, name_len);
	entry[name_len] = '=';
	memcpy(entry + name_len + 1, value, value_len + 1);
	return environ_put(env, entry);
}

static bool
take_inherited(
    const writ_request *request, char *const *inherited, struct w_words *env)
{
	for (size_t i = 0; inherited != NULL && inherited[i] != NULL; i++) {
		size_t len = strcspn(inherited[i], "=");
		W_AUTO_FREE char *name = strndup(inherited[i], len);

		if (name == NULL)
			return false;
		if (inherited[i][len] == '=' && len > 0 &&
		    passes(request, name) && !environ_put(env, inherited[i]))
			return false;
	}
	return true;
}

/* HOME and the like, for the user that the command runs as. */
static writ_status
set_account(struct w_words *env, uid_t uid, bool with_shell, writ_error *err)
{
	struct w_account account;

	writ_status status = w_account_find(uid, &account, err);
	if (status != WRIT_OK)
		return status;
	bool ok = set(env, "HOME", account.home) &&
		  set(env, "USER", account.name) &&
		  set(env, "LOGNAME", account.name) &&
		  (!with_shell || set(env, "SHELL", account.shell));
	w_account_done(&account);
	return ok ? WRIT_OK : w_fail_nomem(err, "environment");
}

/* With a terminal, TERM is the caller's. Its value is looked up in directories,
 * so it must not be a path. */
static bool
set_term(const writ_request *request, const struct w_environ_sources *sources,
    struct w_words *env)
{
	const char *term = w_environ_get(sources->inherited, "TERM");

	if (!request->pty)
		return request->env_mode != WRIT_ENV_MINIMAL ||
		       set(env, "TERM", "dumb");
	if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0 ||
	    strchr(term, '/') != NULL)
		term = "xterm-256color";
	return set(env, "TERM", term);
}

static bool
set_by_mode(const writ_request *request,
    const struct w_environ_sources *sources, struct w_words *env)
{
	const char *path =
	    env->count == 0 ? NULL : w_environ_get(env->items, "PATH");
	bool ok = true;

	if (path == NULL && !any_match(request->env_drop, "PATH"))
		ok = set(env, "PATH", FALLBACK_PATH);
	switch (request->env_mode) {
	case WRIT_ENV_CLEAN:
		return ok && set(env, "LANG", "C") && set(env, "LC_ALL", "C");
	case WRIT_ENV_ISOLATED:
		return ok && set(env, "HOME", sources->private_dir) &&
		       set(env, "TMPDIR", sources->private_dir);
	case WRIT_ENV_MINIMAL:
	case WRIT_ENV_INHERIT:
		break;
	}
	return ok;
}

bool
w_environ_can_move(const writ_request *request)
{
	/* What the request sets comes last. */
	return request->env_mode != WRIT_ENV_ISOLATED &&
	       (request->env == NULL || request->env[0] == NULL);
}

bool
w_environ_move(struct w_words *env, const struct w_environ_sources *sources)
{
	return set(env, "HOME", sources->home) &&
	       set(env, "TMPDIR", sources->tmp);
}

static writ_status
environ_fill(const writ_request *request,
    const struct w_environ_sources *sources, struct w_words *env,
    writ_error *err)
{
	bool is_clean = request->env_mode == WRIT_ENV_CLEAN;
	bool is_isolated = request->env_mode == WRIT_ENV_ISOLATED;

	if (!take_inherited(request, sources->inherited, env))
		return w_fail_nomem(err, "environment");
	if (is_clean || (sources->identity->is_set && !is_isolated)) {
		writ_status status =
		    set_account(env, sources->identity->uid, is_clean, err);

		if (status != WRIT_OK)
			return status;
	}
	if (!set_by_mode(request, sources, env) ||
	    !set_term(request, sources, env))
		return w_fail_nomem(err, "environment");
	/* They must not point to what the sandbox hides. */
	if (!w_environ_move(env, sources))
		return w_fail_nomem(err, "environment");
	for (size_t i = 0; request->env != NULL && request->env[i] != NULL;
	     i++) {
		if (!environ_put(env, request->env[i]))
			return w_fail_nomem(err, "environment");
	}
	return WRIT_OK;
}

writ_status
w_environ_build(const writ_request *request,
    const struct w_environ_sources *sources, struct w_words *out_env,
    writ_error *err)
{
	W_AUTO_WORDS struct w_words env = {0};

	writ_status status = environ_fill(request, sources, &env, err);
	if (status != WRIT_OK)
		return status;
	*out_env = env;
	env = (struct w_words){0};
	return WRIT_OK;
}
