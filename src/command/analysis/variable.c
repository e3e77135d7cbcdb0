/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Environment variables, and what setting them does to programs. The first
 * group that contains a name wins, so harmless members of a family come before
 * it.
 *
 * One '*' in a name matches any text, even none. A lower-case name matches in
 * any case: the programs that read it ignore case.
 */

#include "command/analysis/variable.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "command/grammar/effect.h"

/* Arrays, not pointers: no relocations in a program that never uses them. */
struct variable_group {
	unsigned effects;
	char why[72];
	char names[560];
};

static const struct variable_group groups[] = {
    {0, "changes nothing but appearance",
	"GIT_AUTHOR_* GIT_COMMITTER_* GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS "
	"GIT_MERGE_AUTOEDIT GIT_PAGER_IN_USE GIT_ADVICE GIT_LITERAL_PATHSPECS "
	"GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS "
	"GIT_DEFAULT_HASH GIT_NO_LAZY_FETCH GIT_REFLOG_ACTION GIT_FLUSH "
	"CARGO_TERM_* CARGO_INCREMENTAL CARGO_NET_OFFLINE "
	"PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONIOENCODING "
	"PYTHONHASHSEED PYTHONUTF8 PYTHONFAULTHANDLER PYTHONDEVMODE "
	"PYTHONOPTIMIZE PYTHONNOUSERSITE PYTHONSAFEPATH "},
    {0, "changes nothing but appearance",
	"PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT PIP_NO_COLOR PIP_QUIET "
	"LESSCHARSET LESSSECURE SYSTEMD_COLORS SYSTEMD_LOG_LEVEL "
	"SYSTEMD_PAGERSECURE DOTNET_NOLOGO DOTNET_CLI_TELEMETRY_OPTOUT "
	"RUBY_GC_* npm_config_loglevel npm_config_color npm_config_progress "
	"npm_config_fund npm_config_audit npm_config_update_notifier "
	"AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT "},
    {W_EFFECT_CODE, "is where programs are looked for",
	"PATH CDPATH OLDPWD EXECIGNORE GIT_EXEC_PATH GCC_EXEC_PREFIX "
	"COMPILER_PATH "},
    {W_EFFECT_CODE, "loads code into every program that is started",
	"LD_* DYLD_* *_PRELOAD GCONV_PATH GETCONF_DIR GLIBC_TUNABLES "
	"LIBGL_DRIVERS_PATH VK_* GTK_MODULES GTK_PATH GTK_EXE_PREFIX "
	"GTK2_MODULES GTK3_MODULES "
	"GTK_IM_MODULE_FILE GIO_EXTRA_MODULES GIO_MODULE_DIR GIO_USE_* "
	"GDK_PIXBUF_MODULE* GST_PLUGIN_* QT_PLUGIN_PATH QT_QPA_* QML*_PATH "
	"QML_IMPORT_PATH GSETTINGS_* OPENSSL_* KRB5* GSS_* SASL_* "
	"LIBMYSQL_PLUGINS ODBC* FAKEROOT* FAKECHROOT* "},
    {W_EFFECT_CODE, "is run by the shell, or changes what it runs",
	"BASH_ENV ENV PS0 PS1 PS2 PS4 PROMPT_COMMAND ZDOTDIR IFS SHELLOPTS "
	"BASHOPTS BASH_FUNC_* BASH_LOADABLES_PATH BASH_XTRACEFD BASH_COMPAT "
	"BASH_ALIASES BASH_CMDS KSH_ENV FPATH FIGNORE INPUTRC FCEDIT "
	"MAILPATH MAILCHECK SHELL "},
    {W_EFFECT_CODE, "makes words of the argv mean something else",
	"POSIXLY_CORRECT _POSIX2_VERSION POSIX_ME_HARDER POSIX_PEDANTIC "
	"POSIX "},
    {W_EFFECT_WRITE, "is a file that git writes a trace to",
	"GIT_TRACE* GIT_REDIRECT_* "},
    {W_EFFECT_CODE, "names a program that git runs, or its configuration",
	"GIT_* GITK_* HG* SVN_* CVS_RSH BZR_* DARCS_* "},
    {W_EFFECT_CODE, "names a program that is run to show or edit text",
	"*PAGER *EDITOR VISUAL *BROWSER MAILER MAILCAPS MAILRC NOTMUCH_CONFIG "
	"*DIFFTOOL MERGETOOL "},
    {W_EFFECT_WRITE, "is a file that a history is written to",
	"LESSHISTFILE HISTFILE *_HISTFILE *_HISTORY GDBHISTFILE "},
    {W_EFFECT_CODE, "gives commands to a program for reading text",
	"LESS LESSOPEN LESSCLOSE LESSEDIT LESSKEY* LESS_* MORE MANOPT "
	"MANROFFOPT MANROFFSEQ MANPATH GROFF_* TROFF* VIMINIT GVIMINIT "
	"EXINIT "
	"VIMRUNTIME VIM MYVIMRC NVIM_* EMACSLOADPATH EMACSDATA EMACSPATH "
	"EMACSDOC NANORC "},
    {W_EFFECT_CODE, "names a program that passwords or keys come from",
	"*_ASKPASS SSH_ASKPASS_REQUIRE SSH_SK_HELPER SSH_PKCS11_HELPER "},
    {W_EFFECT_PRIV, "gives the right to sign in elsewhere",
	"SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO SUDO_* KRB5CCNAME "},
    {W_EFFECT_CODE, "loads code into Python, or changes what it loads",
	"PYTHON* PYTEST_* VIRTUAL_ENV CONDA_* MAMBA_* PYENV_* PIPENV_* "
	"POETRY_* TOX_* NOX* IPYTHONDIR JUPYTER_* PDM_* HATCH_* RYE_* "
	"COVERAGE_PROCESS_START COVERAGE_RCFILE SETUPTOOLS_* DISTUTILS_* "
	"PYLINTRC MYPYPATH MYPY_* DJANGO_SETTINGS_MODULE FLASK_APP "},
    {W_EFFECT_CODE | W_EFFECT_NET, "says where packages come from",
	"PIP_* UV_* TWINE_* GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GONOPROXY "
	"GOINSECURE GOPRIVATE GOVCS npm_config_* yarn_* pnpm_* BUN_* DENO_* "
	"COREPACK_* CARGO_REGISTR* CARGO_SOURCE_* RUSTUP_* HOMEBREW_* "
	"CPAN_* COMPOSER_* NUGET_* BUNDLE_* GEM_* "},
    {W_EFFECT_CODE, "loads code into node, or changes what it loads",
	"NODE_OPTIONS NODE_PATH NVM_* FNM_* VOLTA_* ELECTRON_* "
	"NODE_REPL_EXTERNAL_MODULE NODE_CHANNEL_FD NODE_PENDING* "
	"TS_NODE_* BABEL_* ESLINT_* JEST_* "},
    {W_EFFECT_WRITE, "is a file or directory that is written to",
	"NODE_REDIRECT_WARNINGS NODE_V8_COVERAGE NODE_COMPILE_CACHE TMPDIR "
	"TMP TEMP MALLOC_TRACE GMON_OUT_PREFIX GCOV_PREFIX LLVM_PROFILE_FILE "
	"SSLKEYLOGFILE DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES PERLIO_DEBUG "
	"CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR GOCACHE GOTMPDIR GORACE "
	"GIT_INDEX_FILE SCREENDIR TMUX_TMPDIR COVERAGE_FILE PIP_LOG "
	"CCACHE_LOGFILE CCACHE_DIR DESTDIR VALGRIND_LOG "},
    {W_EFFECT_CODE, "loads code into an interpreter",
	"PERL5* PERLLIB PERL_MM_* PERL_MB_* PERL_CPANM_* PERL_LOCAL_LIB_ROOT "
	"PERLDB_* PERLBREW_* RUBY* RAKE* RBENV_* RVM_* LUA_* PHPRC PHP_* R_* "
	"JULIA_* GUILE_* TCLLIBPATH TCL_LIBRARY TK_LIBRARY AWKPATH "
	"AWKLIBPATH ERL_* ELIXIR_* MIX_* OCAML* CAML* OPAM* GHC* STACK_* "
	"CABAL_* DOTNET_* CORECLR_* complus_* MONO_* SWIFT_* SCHEME* "
	"SBCL_HOME MATLAB* OCTAVE_* M4PATH BC_ENV_ARGS "},
    {W_EFFECT_CODE, "gives options or classes to the Java machine",
	"JAVA_TOOL_OPTIONS _JAVA_* JDK_* JAVA_* CLASSPATH MAVEN_* M2_* "
	"MVNW_* GRADLE_* ANT_* SBT_* KOTLIN_* SCALA_* JRE_HOME CLOJURE_* "
	"LEIN_* GROOVY_* "},
    {W_EFFECT_CODE, "changes what go builds with and runs",
	"GOFLAGS GO*FLAGS CGO_* GOPATH GOROOT GOBIN GOENV GOTOOLCHAIN "
	"GOTOOLDIR GOMODCACHE GOWORK GOEXPERIMENT GOCACHEPROG GOAUTH "
	"GO_EXTLINK* GCCGO* "},
    {W_EFFECT_CODE, "changes what cargo builds with and runs",
	"RUSTC* RUSTFLAGS RUSTDOC* RUST*_WRAPPER CARGO* CLIPPY_* SCCACHE* "
	"MIRI* "},
    {W_EFFECT_CODE, "names a program that a build runs, or its options",
	"CC CXX CPP LD AR AS NM FC F77 F90 GCC CLANG RANLIB STRIP OBJCOPY "
	"OBJDUMP READELF LEX YACC INSTALL HOSTCC HOSTCXX BUILD_CC CC_FOR_* "
	"CXX_FOR_* *FLAGS LDLIBS LIBS LDEMULATION COLLECT_* LIBRARY_PATH "
	"MAKE MAKEFILES MAKESHELL MAKE_* CONFIG_SITE ACLOCAL* AUTOM* "
	"AUTOCONF AUTOHEADER AUTORECONF LIBTOOL* CCACHE_* DISTCC_* ICECC_* "
	"CMAKE_* CTEST_* PKG_CONFIG* MESON* NINJA BAZEL* BAZELISK_* BUCK_* "
	"SCONS* WAF* TEXMF* TEXINPUTS TEXINPUTS_* LUAINPUTS BISON_* "},
    {W_EFFECT_READ, "is where headers and data are read from",
	"CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LOCPATH "
	"NLSPATH TERMINFO TERMINFO_DIRS TERMCAP TERMPATH TZDIR MAGIC "
	"FONTCONFIG_* GETTEXT* TEXTDOMAINDIR NETRC PGPASSFILE "},
    {W_EFFECT_CODE, "is the options or the configuration of an archiver",
	"TAR_OPTIONS ZIP ZIPOPT TAR_SUBCOMMAND RSYNC_RSH RSYNC_CONNECT_PROG "
	"RSYNC_SHELL RSYNC_* RMT RSH CPIO_* "},
    {W_EFFECT_WRITE, "gives options to a compressor, or names its file",
	"GZIP BZIP BZIP2 XZ_OPT XZ_DEFAULTS LZOP UNZIP UNZIPOPT ZIPINFO TAPE "
	"ZSTD_* "},
    {W_EFFECT_CODE, "is a configuration that can name programs",
	"RIPGREP_CONFIG_PATH HOME XDG_* WGETRC SYSTEM_WGETRC GNUPGHOME "
	"GREP_OPTIONS KUBE* HELM_* AWS_CONFIG_FILE "
	"AWS_SHARED_CREDENTIALS_FILE CLOUDSDK_* "
	"GOOGLE_APPLICATION_CREDENTIALS TF_* TERRAFORM_* TERRAGRUNT_* "
	"ANSIBLE_* VAGRANT_* PACKER_* PULUMI_* CONTAINERS_* COMPOSE_* "
	"REGISTRY_AUTH_FILE PSQLRC MYSQL_HOME FZF_* DPKG_* APT_* DEB_* RPM_* "
	"SYSTEMD_* NIX_* GUIX_* VALGRIND_* GDB* STRACE_* DBUS_* "
	"STARSHIP_* DIRENV_* MISE_* ASDF_* TMUX SCREENRC "},
    {W_EFFECT_CODE | W_EFFECT_NET | W_EFFECT_PRIV,
	"says which machine runs containers, and with what",
	"DOCKER_* CONTAINER_* PODMAN_* BUILDKIT_* BUILDX_* NERDCTL_* "
	"CONTAINERD_* CRI_* LXC_* LIBVIRT_* "},
    {W_EFFECT_WRITE | W_EFFECT_NET,
	"is a configuration of curl, with outputs and hosts", "CURL_HOME "},
    {W_EFFECT_NET, "says which hosts are reached, or which are believed",
	"*_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE CURL_SSL_BACKEND "
	"REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED "
	"HOSTALIASES RES_OPTIONS LOCALDOMAIN RESOLV_HOST_CONF DISPLAY "
	"WAYLAND_DISPLAY XAUTHORITY PGHOST* PGPORT PGSERVICE* PGOPTIONS "
	"PGSSL* MYSQL_* REDIS* DEBUGINFOD_* VAULT_* CONSUL_* NOMAD_* ETCD* "
	"AWS_* AZURE_* GH_HOST GITLAB_HOST CI_SERVER_* "
	"SSH_CONNECTION "},
    {W_EFFECT_CODE, "gives a program options that the argv does not show",
	"*_OPTIONS *_OPTS *_ARGS *_COMMAND *_WRAPPER *_RSH *_CONFIG* *RC_FILE "
	"*_RCFILE *_PLUGINS *_PLUGIN_PATH *_STARTUP *_INIT_SCRIPT "},
};

static bool
variable_is_same(
    const char *pattern, const char *name, size_t len, bool in_any_case)
{
	for (size_t i = 0; i < len; i++) {
		char c = in_any_case ? w_lower(name[i]) : name[i];

		if (pattern[i] != c)
			return false;
	}
	return true;
}

/* ---- which groups could match ---- */

#define GROUP_COUNT (sizeof(groups) / sizeof(groups[0]))
#define NONE        0

/* Patterns with the same first letter, in the order of the groups. */
struct pattern {
	uint16_t text; /* in the groups */
	uint16_t next; /* index in the list, from 1; or NONE */
	uint8_t group;
	uint8_t before; /* bytes before '*', or all */
	uint8_t behind; /* and after it */
	bool has_star;
	bool in_any_case;
};

enum {
	ANYTHING = 26, /* patterns that begin with '*' */
	OTHER,         /* those that do not begin with a letter */
	CHAINS,
	PATTERNS_MAX = sizeof(groups) / 2 /* each is followed by a blank */
};

_Static_assert(sizeof(groups) <= UINT16_MAX && GROUP_COUNT <= UINT8_MAX,
    "places of patterns are numbers of that size");

/* Filled on first use. */
static struct pattern patterns[PATTERNS_MAX];
static uint16_t chains[CHAINS];

static unsigned
chain_of(char c)
{
	char letter = w_lower(c);

	if (c == '*')
		return ANYTHING;
	return letter >= 'a' && letter <= 'z' ? (unsigned)(letter - 'a')
					      : OTHER;
}

static struct pattern
pattern_of(const char *text, size_t len)
{
	const char *star = memchr(text, '*', len);
	size_t before = star != NULL ? (size_t)(star - text) : len;
	bool has_lower = false;

	for (size_t i = 0; i < len; i++)
		has_lower |= text[i] >= 'a' && text[i] <= 'z';
	return (struct pattern){.text = (uint16_t)(text - (const char *)groups),
	    .before = (uint8_t)before,
	    .behind = (uint8_t)(star != NULL ? len - before - 1 : 0),
	    .has_star = star != NULL,
	    .in_any_case = has_lower};
}

/* From the last group to the first, each pattern before its chain. */
static void
make_chains(void)
{
	uint16_t count = 0;

	for (size_t i = GROUP_COUNT; i > 0; i--) {
		const char *at = groups[i - 1].names;

		for (const char *end; *at != '\0'; at = end + 1) {
			uint16_t *chain = &chains[chain_of(*at)];

			end = strchrnul(at, ' ');
			patterns[count] = pattern_of(at, (size_t)(end - at));
			patterns[count].group = (uint8_t)(i - 1);
			patterns[count].next = *chain;
			*chain = ++count;
		}
	}
}

static bool
is_match(const struct pattern *pattern, const char *name, size_t len)
{
	const char *text = (const char *)groups + pattern->text;
	size_t known = (size_t)pattern->before + pattern->behind;

	if (pattern->has_star ? known > len : known != len)
		return false;
	return variable_is_same(
		   text, name, pattern->before, pattern->in_any_case) &&
	       variable_is_same(text + pattern->before + 1,
		   name + len - pattern->behind, pattern->behind,
		   pattern->in_any_case);
}

/* The first group of a chain that contains the name; GROUP_COUNT: none. */
static size_t
variable_find_in(unsigned chain, const char *name, size_t len)
{
	const struct pattern *pattern;

	for (uint16_t i = chains[chain]; i != NONE; i = pattern->next) {
		pattern = &patterns[i - 1];
		if (is_match(pattern, name, len))
			return pattern->group;
	}
	return GROUP_COUNT;
}

unsigned
w_variable_effects(const char *name, size_t len, const char **out_why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, make_chains);
	size_t named =
	    variable_find_in(len > 0 ? chain_of(name[0]) : OTHER, name, len);
	size_t open = variable_find_in(ANYTHING, name, len);
	size_t first = named < open ? named : open;

	if (first == GROUP_COUNT)
		return 0;
	if (groups[first].effects != 0 && out_why != NULL)
		*out_why = groups[first].why;
	return groups[first].effects;
}

bool
w_variable_is_offline(const char *name, size_t len, const char *value)
{
	static const struct {
		char name[20]; /* in any case, if the first letter is small */
		char value[8];
	} rows[] = {
	    {"GOPROXY", "off"},
	    {"PIP_NO_INDEX", "1"},
	    {"PIP_NO_INDEX", "true"},
	    {"UV_NO_INDEX", "1"},
	    {"UV_NO_INDEX", "true"},
	    {"UV_OFFLINE", "1"},
	    {"UV_OFFLINE", "true"},
	    {"npm_config_offline", "true"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const bool in_any_case = rows[i].name[0] == 'n';

		if (strlen(rows[i].name) == len &&
		    variable_is_same(rows[i].name, name, len, in_any_case) &&
		    strcmp(rows[i].value, value) == 0)
			return true;
	}
	return false;
}
