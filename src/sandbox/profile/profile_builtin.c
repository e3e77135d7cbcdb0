/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The built-in profiles, as tables.
 *
 * Hidden: where real users' programs keep credentials, keys, sessions and
 * histories. A token that cannot be read cannot be sent, not even over a
 * connection that was allowed on purpose. Package managers' settings without
 * secrets stay readable, or builds would break.
 *
 * Protected: files in a workspace that make some program outside the sandbox
 * run code later without asking: hooks and settings of git, editors, shells and
 * agents. What the project itself runs (package scripts, Makefiles) is the
 * agent's work and stays writable, and so does what its reader asks the user
 * about first (.envrc). `git init`, `commit` and `checkout -b` write none of
 * these once a repository exists.
 */

#include "sandbox/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "sandbox/profile/profile_loader.h"

/* Lists end with NULL. */
static const char *const no_paths[] = {NULL};
/* The working directory is listed too: it may lie in /tmp, which is private. */
static const char *const whole_machine[] = {"/", ".", NULL};
static const char *const workspace[] = {".", NULL};

static const char *const system_dirs[] = {"/usr", "/bin", "/sbin", "/lib",
    "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store",
    NULL};

static const char *const hidden_at_home[] = {
    /* Keys and passwords. */
    "~/.ssh", "~/.gnupg", "~/.pki", "~/.password-store",
    "~/.local/share/keyrings", "~/.local/share/kwalletd", "~/.vault-token",
    "~/.config/op", "~/.config/1Password", "~/.config/Bitwarden",
    "~/.config/keepassxc", "~/.config/sops", "~/.config/age", "~/.Xauthority",
    "~/.ICEauthority",
    /* Clouds and clusters. */
    "~/.aws", "~/.azure", "~/.config/gcloud", "~/.config/doctl",
    "~/.config/hcloud", "~/.config/rclone", "~/.oci", "~/.s3cfg", "~/.boto",
    "~/.fly", "~/.kube", "~/.minikube", "~/.docker", "~/.colima", "~/.lima",
    "~/.local/share/containers", "~/.config/containers/auth.json",
    "~/.terraform.d", "~/.tsh", "~/.step", "~/.cloudflared", "~/.config/ngrok",
    "~/.config/stripe", "~/.config/netlify", "~/.config/configstore",
    /* Forges, registries, mail, databases. */
    "~/.netrc", "~/.authinfo", "~/.authinfo.gpg", "~/.git-credentials",
    "~/.config/git/credentials", "~/.config/gh", "~/.config/hub",
    "~/.config/glab-cli", "~/.npmrc", "~/.yarnrc.yml", "~/.pypirc",
    "~/.gem/credentials", "~/.cargo/credentials", "~/.cargo/credentials.toml",
    "~/.composer/auth.json", "~/.config/composer/auth.json", "~/.msmtprc",
    "~/.config/msmtp", "~/.pgpass", "~/.my.cnf", "~/.mylogin.cnf",
    "~/.cache/huggingface/token",
    /* Agents, and writ's own settings. */
    "~/.claude.json", "~/.claude/.credentials.json", "~/.codex/auth.json",
    "~/.gemini/oauth_creds.json", "~/.config/github-copilot", "~/.config/writ",
    /* Sessions of browsers, mail and chat. */
    "~/.mozilla", "~/.thunderbird", "~/.config/google-chrome",
    "~/.config/chromium", "~/.config/BraveSoftware", "~/.config/microsoft-edge",
    "~/.config/vivaldi", "~/.config/opera", "~/snap/firefox", "~/snap/chromium",
    "~/.var/app", "~/.config/Signal", "~/.config/Slack", "~/.config/discord",
    "~/.local/share/TelegramDesktop",
    /* Wallets. */
    "~/.bitcoin", "~/.ethereum", "~/.electrum", "~/.config/solana",
    /* Histories of typed commands. */
    "~/.bash_history", "~/.zsh_history", "~/.local/share/fish/fish_history",
    "~/.python_history", "~/.node_repl_history", "~/.psql_history",
    "~/.mysql_history", "~/.rediscli_history", NULL};

/* Root stays root in a sandbox, so files that root owns need hiding. */
static const char *const hidden_in_etc[] = {"/etc/shadow", "/etc/shadow-",
    "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd", "/etc/sudoers",
    "/etc/sudoers.d", "/etc/ssh/ssh_host_rsa_key", "/etc/ssh/ssh_host_dsa_key",
    "/etc/ssh/ssh_host_ecdsa_key", "/etc/ssh/ssh_host_ed25519_key",
    "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt",
    "/etc/krb5.keytab", "/etc/NetworkManager/system-connections",
    "/etc/wpa_supplicant", "/etc/wireguard", "/etc/openvpn",
    "/etc/ipsec.secrets", "/etc/kubernetes", "/etc/rancher",
    "/etc/mysql/debian.cnf", NULL};

static const char *const hidden_in_var[] = {"/var/backups", "/var/spool/cron",
    "/var/mail", "/var/spool/mail", "/var/lib/docker", "/var/lib/kubelet",
    "/var/lib/containerd", "/var/lib/containers", "/var/lib/NetworkManager",
    /* Their sockets give access to the machine or to somebody's data. */
    "/var/lib/lxd", "/var/snap/lxd", "/var/lib/incus", "/var/lib/libvirt",
    "/var/lib/mysql", "/var/lib/postgresql", NULL};

/* A mount namespace with a private /run removes these anyway. */
static const char *const hidden_in_run[] = {
    "/run/secrets", "/run/credentials", "/run/user", "/run/agenix", NULL};

static const char *const protected_paths[] = {
    /* git runs what these files name. commondir moves hooks and config. */
    ".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir",
    ".gitconfig", ".gitmodules",
    /* Shells; dotfiles in a home may be links into the workspace. */
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile",
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout",
    ".config/fish/config.fish",
    /* Editors that start tasks, and agents with hooks and MCP servers. */
    ".vscode", ".idea", ".claude", ".codex", ".cursor", ".gemini", ".mcp.json",
    ".ripgreprc", ".writ", NULL};

enum {
	HIDE_LISTS = 4
};

static const struct row {
	const char *description;
	enum w_network network;
	const char *const *read;
	const char *const *write;
	const char *const *hide[HIDE_LISTS];
	const char *const *protect;
} rows[] = {
    [W_WALLS_NONE] = {"no sandbox", W_NETWORK_HOST, no_paths, no_paths, {NULL},
	no_paths},
    [W_WALLS_ENV] = {"private HOME and TMPDIR, no kernel sandbox",
	W_NETWORK_HOST, no_paths, no_paths, {NULL}, no_paths},
    [W_WALLS_CONTAINER] = {"as workspace, without namespaces, where a "
			   "container allows none",
	W_NETWORK_OFF, whole_machine, workspace,
	{hidden_at_home, hidden_in_etc, hidden_in_var, hidden_in_run},
	no_paths},
    [W_WALLS_READONLY] = {"reads everything but secrets, writes nothing",
	W_NETWORK_OFF, whole_machine, no_paths,
	{hidden_at_home, hidden_in_etc, hidden_in_var, hidden_in_run},
	no_paths},
    [W_WALLS_WORKSPACE] = {"reads everything but secrets, writes the working "
			   "directory",
	W_NETWORK_LOOPBACK, whole_machine, workspace,
	{hidden_at_home, hidden_in_etc, hidden_in_var}, protected_paths},
    [W_WALLS_STRICT] = {"sees only system directories and the working "
			"directory, which is writable",
	W_NETWORK_OFF, system_dirs, workspace,
	{hidden_at_home, hidden_in_etc, hidden_in_var}, protected_paths},
};

const char *const w_profile_builtin_names[] = {
#define X(name, word) [W_WALLS_##name] = (word),
    W_WALLS_MAP(X)
#undef X
	NULL};

bool
w_profile_is_protected_name(const char *path)
{
	for (size_t i = 0; protected_paths[i] != NULL; i++) {
		const char *name = protected_paths[i];
		const size_t len = strlen(name);
		const char *at = strstr(path, name);

		for (; at != NULL; at = strstr(at + 1, name)) {
			if (at > path && at[-1] == '/' &&
			    (at[len] == '\0' || at[len] == '/'))
				return true;
		}
	}
	return false;
}

bool
w_profile_is_builtin(const char *name, enum w_walls *out_walls)
{
	for (int i = 0; w_profile_builtin_names[i] != NULL; i++) {
		if (strcmp(w_profile_builtin_names[i], name) == 0) {
			*out_walls = (enum w_walls)i;
			return true;
		}
	}
	return false;
}

static bool
profile_builtin_add_all(struct w_words *words, const char *const *paths)
{
	for (size_t i = 0; paths[i] != NULL; i++) {
		if (!w_words_add(words, paths[i], strlen(paths[i])))
			return false;
	}
	return true;
}

static bool
profile_builtin_fill(
    struct w_profile *profile, const struct row *row, const char *name)
{
	profile->name = strdup(name);
	profile->origin = strdup("built in");
	profile->description = strdup(row->description);
	if (profile->name == NULL || profile->origin == NULL ||
	    profile->description == NULL)
		return false;
	for (size_t i = 0; i < HIDE_LISTS && row->hide[i] != NULL; i++) {
		if (!profile_builtin_add_all(&profile->hide, row->hide[i]))
			return false;
	}
	return profile_builtin_add_all(&profile->read, row->read) &&
	       profile_builtin_add_all(&profile->write, row->write) &&
	       profile_builtin_add_all(&profile->protect, row->protect);
}

writ_status
w_profile_builtin(
    enum w_walls walls, struct w_profile *out_profile, writ_error *err)
{
	const struct row *row = &rows[walls];
	struct w_profile profile = {.walls = walls, .network = row->network};

	if (!profile_builtin_fill(
		&profile, row, w_profile_builtin_names[walls])) {
		w_profile_done(&profile);
		return w_fail_nomem(err, "profile");
	}
	profile.builtins = (struct w_profile_builtins){
	    .read = profile.read.count,
	    .write = profile.write.count,
	    .hide = profile.hide.count,
	    .protect = profile.protect.count,
	};
	*out_profile = profile;
	return WRIT_OK;
}

void
w_profile_done(struct w_profile *profile)
{
	free(profile->name);
	free(profile->origin);
	free(profile->description);
	w_words_done(&profile->hosts);
	w_words_done(&profile->read);
	w_words_done(&profile->write);
	w_words_done(&profile->execute);
	w_words_done(&profile->hide);
	w_words_done(&profile->protect);
	*profile = (struct w_profile){0};
}
