/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/analysis/variable.h"
#include "command/grammar/effect.h"

static unsigned
effects_of(const char *name)
{
	return w_variable_effects(name, strlen(name), NULL);
}

static void
variables_that_run_or_load_code_are_known(void **state)
{
	(void)state;
	static const char *const names[] = {"GIT_EXTERNAL_DIFF",
	    "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0",
	    "GIT_PAGER", "GIT_DIR", "BASH_ENV", "TAR_OPTIONS", "LD_PRELOAD",
	    "LD_LIBRARY_PATH", "LD_AUDIT", "PATH", "IFS", "PS4",
	    "PROMPT_COMMAND", "ENV", "ZDOTDIR", "PAGER", "EDITOR", "VISUAL",
	    "BROWSER", "LESSOPEN", "LESSCLOSE", "LESS", "MANPAGER",
	    "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5OPT", "PERL5LIB",
	    "RUBYOPT", "RUBYLIB", "NODE_OPTIONS", "NODE_PATH",
	    "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GOFLAGS", "RUSTC_WRAPPER",
	    "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC", "CC", "CXX", "LD",
	    "CFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES",
	    "RIPGREP_CONFIG_PATH", "XDG_CONFIG_HOME", "HOME", "SHELL",
	    "SSH_ASKPASS", "SSH_SK_HELPER", "GVIMINIT", "SUDO_ASKPASS",
	    "GIT_ASKPASS", "GCONV_PATH", "npm_config_script_shell",
	    "NPM_CONFIG_PREFIX", "PIP_INDEX_URL", "DOCKER_HOST", "KUBECONFIG",
	    "BASH_FUNC_ls%%", "POSIXLY_CORRECT", "CDPATH", "APT_CONFIG",
	    "OPENSSL_CONF", "FAKE_PRELOAD", "SYSTEMD_EDITOR", "AWS_CONFIG_FILE",
	    "SOME_TOOL_OPTS"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *why = NULL;
		unsigned effects =
		    w_variable_effects(names[i], strlen(names[i]), &why);
		if ((effects & W_EFFECT_CODE) == 0)
			fail_msg("%s runs no code", names[i]);
		assert_non_null(why);
		assert_true(strlen(why) > 10);
	}
}

static void
others_reach_hosts_or_write_files(void **state)
{
	(void)state;
	assert_int_equal(effects_of("https_proxy"), W_EFFECT_NET);
	assert_int_equal(effects_of("HTTPS_PROXY"), W_EFFECT_NET);
	assert_int_equal(effects_of("ALL_PROXY"), W_EFFECT_NET);
	assert_int_equal(effects_of("SSL_CERT_FILE"), W_EFFECT_NET);
	assert_int_equal(
	    effects_of("CURL_HOME"), W_EFFECT_WRITE | W_EFFECT_NET);
	assert_int_equal(effects_of("TMPDIR"), W_EFFECT_WRITE);
	assert_int_equal(effects_of("GIT_TRACE"), W_EFFECT_WRITE);
	assert_int_equal(effects_of("GIT_TRACE2_EVENT"), W_EFFECT_WRITE);
	assert_int_equal(effects_of("LOCPATH"), W_EFFECT_READ);
	assert_int_equal(effects_of("TERMINFO"), W_EFFECT_READ);
}

static void
ordinary_variables_do_nothing(void **state)
{
	(void)state;
	static const char *const names[] = {"A", "FOO", "LANG", "LC_ALL",
	    "TERM", "TZ", "NO_COLOR", "CI", "COLUMNS", "DEBUG", "NODE_ENV",
	    "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT",
	    "CARGO_TERM_COLOR", "RUST_BACKTRACE", "RUST_LOG",
	    "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "DEBIAN_FRONTEND",
	    "", "path", "Home"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *why = NULL;
		if (w_variable_effects(names[i], strlen(names[i]), &why) != 0)
			fail_msg("%s does something", names[i]);
		assert_null(why);
	}
}

static void
only_the_given_length_counts(void **state)
{
	(void)state;
	assert_int_equal(w_variable_effects("PATHS=x", 4, NULL), W_EFFECT_CODE);
	assert_int_equal(w_variable_effects("PATH=x", 3, NULL), 0);
	assert_int_equal(
	    w_variable_effects("LD_PRELOAD=/x", 10, NULL), W_EFFECT_CODE);
	assert_int_equal(
	    w_variable_effects("LD_PRELOAD=/x", 2, NULL), W_EFFECT_CODE);
}

static void
some_values_only_keep_from_the_network(void **state)
{
	static const struct {
		const char *name;
		const char *value;
		bool is_offline;
	} rows[] = {
	    {"GOPROXY", "off", true},
	    {"GOPROXY", "", false},
	    {"GOPROXY", "off,direct", false},
	    {"GOPROXY", "direct", false},
	    {"goproxy", "off", false},
	    {"GOPROXYX", "off", false},
	    {"GOSUMDB", "off", false},
	    {"PIP_NO_INDEX", "1", true},
	    {"PIP_NO_INDEX", "0", false},
	    {"PIP_INDEX_URL", "1", false},
	    {"UV_OFFLINE", "true", true},
	    {"NPM_CONFIG_OFFLINE", "true", true},
	    {"npm_config_offline", "false", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (w_variable_is_offline(rows[i].name, strlen(rows[i].name),
			rows[i].value) != rows[i].is_offline)
			fail_msg("%s=%s", rows[i].name, rows[i].value);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(variables_that_run_or_load_code_are_known),
	    cmocka_unit_test(others_reach_hosts_or_write_files),
	    cmocka_unit_test(ordinary_variables_do_nothing),
	    cmocka_unit_test(only_the_given_length_counts),
	    cmocka_unit_test(some_values_only_keep_from_the_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
