/* SPDX-License-Identifier: Apache-2.0 */

/* Warns about allow rules that are broader than their author may think. */

#include <string.h>

#include "base/basename.h"
#include "policy/glob.h"
#include "policy/lint/lint.h"

/* Programs that run arbitrary code. */
static const char *const interpreters[] = {"ash", "awk", "bash", "bun",
    "busybox", "csh", "dash", "deno", "ed", "emacs", "ex", "expect", "fish",
    "gawk", "gdb", "java", "ksh", "lua", "mawk", "mksh", "node", "perl", "php",
    "pwsh", "python", "python3", "ruby", "sh", "sqlite3", "tclsh", "tcsh",
    "toybox", "vi", "vim", "zsh", NULL};

/* Programs that start other programs, so that allowing them allows the rest.
 * With an allowlist of programs they can start only what it lists. */
static const char *const starters[] = {"ansible", "at", "batch", "cargo",
    "chroot", "docker", "doas", "env", "find", "flock", "gcc", "git", "go",
    "ionice", "kubectl", "ltrace", "make", "man", "nice", "nohup", "npm", "npx",
    "nsenter", "parallel", "pip", "pip3", "pkexec", "podman", "rsync",
    "runuser", "script", "sed", "setpriv", "setsid", "ssh", "stdbuf", "strace",
    "su", "sudo", "systemctl", "systemd-run", "tar", "time", "timeout",
    "unshare", "uv", "uvx", "watch", "xargs", "yarn", "zip", NULL};

/* Effects that only a sandbox can contain. */
#define FREE_EFFECTS \
	(W_EFFECT_PRIV | W_EFFECT_CODE | W_EFFECT_EXEC | W_EFFECT_UNKNOWN)

/* Whether the rule limits what is done, not only who does it with which
 * program. */
static bool
is_narrowed(const struct w_rule *rule)
{
	bool has_path = false;

	for (size_t i = 0; i < 4; i++)
		has_path = has_path || rule->paths[i] != NULL;
	return has_path || rule->effects != 0 || rule->inputs != NULL ||
	       rule->hosts != NULL || rule->variables != NULL ||
	       rule->shapes != NULL || rule->shell_text != NULL;
}

/* The first of the names that a program glob matches; NULL: none. */
static const char *
find_one(const char *const *names, const char *glob)
{
	const char *name = w_basename(glob);

	for (; *names != NULL; names++) {
		if (w_glob_text(
			name, strlen(name), *names, strlen(*names), false))
			return *names;
	}
	return NULL;
}

static void
warn_programs(struct w_lint *lint, const struct w_rule *rule)
{
	for (w_globs globs = rule->programs; *globs != NULL; globs++) {
		const char *name = find_one(interpreters, *globs);

		if (name == NULL)
			name = find_one(starters, *globs);
		if (name == NULL)
			continue;
		w_lint_warn(lint, &rule->location,
		    "'%.64s' is allowed however it is called, and %s runs "
		    "whatever it is told to",
		    *globs, strcmp(*globs, name) == 0 ? "it" : name);
		w_lint_suggest(lint,
		    "a shape, 'inputs', an effect or 'sandbox' says which of "
		    "it is meant");
		return;
	}
}

static void
warn_allowlist(struct w_lint *lint, const struct w_rule *rule)
{
	for (w_globs globs = rule->programs; *globs != NULL; globs++) {
		const char *name = find_one(interpreters, *globs);

		if (name == NULL)
			continue;
		w_lint_warn(lint, &rule->location,
		    "'programs' lists %s, and writ does not see what that is "
		    "told to do",
		    name);
		w_lint_suggest(
		    lint, "'allow: false' and rules say which of it is meant");
		return;
	}
}

/* Whether some rule asks about or denies everything with this effect. */
static bool
is_held(const struct w_lint *lint, unsigned effect)
{
	const struct w_policy *policy = lint->policy;
	const struct w_rule item = {.effects = effect, .is_shell = -1};

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		if (rule->kind == W_RULE_PLAIN && rule->verdict != W_ALLOW &&
		    w_lint_covers(rule, &item))
			return true;
	}
	return false;
}

static void
warn_effects(struct w_lint *lint, const struct w_rule *rule)
{
	static const struct {
		unsigned effect;
		const char *what;
	} rows[] = {
	    {W_EFFECT_PRIV, "other users' rights"},
	    {W_EFFECT_UNKNOWN, "whatever writ does not understand"},
	    {W_EFFECT_CODE, "whatever code does"},
	    {W_EFFECT_EXEC, "whatever other programs do"},
	    {W_EFFECT_MORE, "whatever a caller asks for beyond the sandbox"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned effect = rows[i].effect;

		if ((rule->effects & effect) == 0 || is_held(lint, effect))
			continue;
		w_lint_warn(lint, &rule->location, "this allows %s, %s",
		    rows[i].what,
		    effect == W_EFFECT_PRIV ? "which nothing restricts any more"
					    : "in any sandbox and none");
		if (effect != W_EFFECT_PRIV)
			w_lint_suggest(lint, "add 'sandbox: workspace'");
		return;
	}
}

/* All files, or all files of a user. */
static bool
is_everywhere(const char *glob)
{
	static const char *const globs[] = {
	    "/**", "~/**", "**/*", "**/**", "/*/**", "/home/**", "/root/**"};

	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++) {
		if (strcmp(glob, globs[i]) == 0)
			return true;
	}
	return false;
}

static bool
warn_paths(struct w_lint *lint, const struct w_rule *rule)
{
	static const char *const words[] = {
	    NULL, "written", "deleted", "executed"};

	for (size_t i = 1; i < 4; i++) {
		w_globs globs = rule->paths[i];

		for (; globs != NULL && *globs != NULL; globs++) {
			if (!is_everywhere(*globs))
				continue;
			w_lint_warn(lint, &rule->location,
			    "'%s' allows that nearly everything is %s", *globs,
			    words[i]);
			w_lint_suggest(lint, "'./**' is what is in the roots");
			return true;
		}
	}
	return false;
}

static void
lint_allow(struct w_lint *lint, const struct w_rule *rule)
{
	if (rule->verdict != W_ALLOW || rule->walls_min > 0 ||
	    warn_paths(lint, rule))
		return;
	if (rule->effects & FREE_EFFECTS && rule->programs == NULL &&
	    rule->shapes == NULL) {
		warn_effects(lint, rule);
		return;
	}
	if (is_narrowed(rule) || rule->modules != NULL || rule->called != NULL)
		return;
	if (rule->programs != NULL) {
		warn_programs(lint, rule);
		return;
	}
	if (rule->called_as != NULL || rule->networks != 0 ||
	    rule->undo == W_RULE_CAN_UNDO)
		return;
	w_lint_warn(lint, &rule->location, "this allows %s",
	    rule->is_shell == 1
		? "every text for a shell, whatever is in it"
		: "everything that no other rule denies or asks about");
}

static bool
has_restriction(const struct w_policy *policy)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		if (rule->kind == W_RULE_PLAIN && rule->verdict != W_ALLOW)
			return true;
	}
	return policy->has_allowlist;
}

void
w_lint_broad(struct w_lint *lint, const struct w_rule *rule)
{
	const struct w_policy *policy = lint->policy;

	if (rule->kind == W_RULE_PLAIN)
		lint_allow(lint, rule);
	else if (rule->kind == W_RULE_LISTED)
		warn_allowlist(lint, rule);
	else if (rule->kind == W_RULE_DEFAULT && rule->verdict == W_ALLOW &&
		 !has_restriction(policy))
		w_lint_warn(lint, &rule->location,
		    "'default: allow' without a rule that denies or asks "
		    "allows everything that is understood");
	else if (rule->kind == W_RULE_SHELL && rule->verdict == W_ALLOW &&
		 !policy->has_allowlist)
		w_lint_warn(lint, &rule->location,
		    "'shell: allow' lets every text run, whatever is in it");
}
