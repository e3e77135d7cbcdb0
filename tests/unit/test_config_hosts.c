/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/hosts/config_hosts.h"

/* Hosts with a blank after each. */
struct found {
	char text[1024];
};

static void
found_add(void *ctx, const char *host)
{
	struct found *found = ctx;
	const size_t len = strlen(found->text);

	(void)snprintf(
	    found->text + len, sizeof(found->text) - len, "%s ", host);
}

#define SINK(found)                                \
	&(const struct w_config_hosts)             \
	{                                          \
		.emit = found_add, .ctx = &(found) \
	}

static void
assert_url(const char *text, const char *wanted)
{
	struct found found = {.text = ""};

	w_config_hosts_url(SINK(found), text, strlen(text));
	if (strcmp(found.text, wanted) != 0)
		fail_msg("'%s': '%s'", text, found.text);
}

static void
an_address_has_one_host(void **state)
{
	(void)state;
	assert_url("https://registry.example.com/", "registry.example.com ");
	assert_url("https://registry.example.com", "registry.example.com ");
	assert_url("HTTP://a.example:8080/x", "a.example:8080 ");
	assert_url("https://user:p%40ss@a.example/x", "a.example ");
	assert_url("https://user@evil.example@a.example/x", "a.example ");
	assert_url("https://a.example#@evil.example", "a.example ");
	assert_url("https://a.example?@evil.example", "a.example ");
	assert_url("https://a.example\\@evil.example", "a.example ");
	assert_url("sparse+https://index.example/x/", "index.example ");
	assert_url("mirror+http://m.example/list", "m.example ");
	assert_url("git+ssh://git@git.example/r.git", "git.example ");
	assert_url("http://[2001:db8::1]:8081/", "[2001:db8::1]:8081 ");
	assert_url("http://192.0.2.7/", "192.0.2.7 ");
	assert_url("file:///srv/mirror", "");
	assert_url("cdrom:[Debian]/", "");
	assert_url("https://", "");
	assert_url("https:///x", "");
	assert_url("https://*/x", "");
	assert_url("https://*.example/x", "");
	assert_url("https://${HOST}/x", "");
	assert_url("https://@npm", "npm ");
	assert_url("https://a b/", "");
	assert_url("https://a..b/", "");
	assert_url("registry.example.com", "");
	assert_url("", "");
}

static void
npm_has_registries_for_all_and_for_scopes(void **state)
{
	static const char text[] =
	    "; mine\n"
	    "registry = https://registry.example.com/\r\n"
	    "# registry=https://comment.example/\n"
	    "@corp:registry=\"https://npm.corp.example:8443/\"\n"
	    "//npm.corp.example:8443/:_authToken=https://token.example/\n"
	    "proxy=http://proxy.example:3128/\n"
	    "cache=/var/cache\n";
	static const char *const keys[] = {"registry", ":registry", NULL};
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_ini(SINK(found), text, strlen(text), keys);
	assert_string_equal(
	    found.text, "registry.example.com npm.corp.example:8443 ");
}

static void
pip_has_several_addresses_in_one_value(void **state)
{
	static const char text[] = "[global]\n"
				   "index_url = https://a.example/simple\n"
				   "Extra-Index-URL =\n"
				   "    https://b.example/simple\n"
				   "    https://c.example/simple "
				   "https://d.example/\n"
				   "timeout = 60\n"
				   "    https://no.example/\n"
				   "trusted-host = https://no.example\n";
	static const char *const keys[] = {
	    "index-url", "extra-index-url", NULL};
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_ini(SINK(found), text, strlen(text), keys);
	assert_string_equal(
	    found.text, "a.example b.example c.example d.example ");
}

static void
cargo_has_registries_and_sources(void **state)
{
	static const char text[] =
	    "# https://comment.example\n"
	    "paths = [\"https://no.example\"]\n"
	    "registries.dotted.index = 'sparse+https://a.example/i/'\n"
	    "[build]\n"
	    "index = \"https://no.example\"\n"
	    "[registries.\"my one\"]\n"
	    "index = \"https://b.example/git/index\" # the index\n"
	    "token = \"https://no.example\"\n"
	    "[source.crates-io]\n"
	    "replace-with = 'mirror'\n"
	    "[source.mirror]\n"
	    "registry = '''https://c.example/'''\n"
	    "[registries]\n"
	    "in = { token = \"https://no.example\", index = "
	    "\"https://d.example/\", x = [1, {index = "
	    "'https://e.example/'}] }\n"
	    "[net]\n"
	    "git = \"https://no.example\"\n";
	static const char *const tables[] = {"registries", "source", NULL};
	static const char *const keys[] = {"index", "registry", "git", NULL};
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_toml(SINK(found), text, strlen(text), tables, keys);
	assert_string_equal(
	    found.text, "a.example b.example c.example d.example e.example ");
}

static void
broken_toml_gives_less_and_nothing_else(void **state)
{
	static const char *const tables[] = {"", "registries", NULL};
	static const char *const keys[] = {"index", NULL};
	static const struct {
		const char *text;
		const char *found;
	} cases[] = {
	    {"index = \"https://a.example", "a.example "},
	    {"index = \"https://a.example\n/x\"\nindex='https://b.example'",
		"a.example b.example "},
	    {"index = [[[[", ""},
	    {"]]]}}}index = 'https://a.example'", "a.example "},
	    {"[registries\nindex = 'https://a.example'", "a.example "},
	    {"[other]\nindex = 'https://a.example'", ""},
	    {"= 'https://a.example'", ""},
	    {"\"index\" = 'https://a.example'", "a.example "},
	    {"x.index = 'https://a.example'", ""},
	    {"index = \"\"\"\nhttps://a.example\"\"\"", ""},
	    {"index = \"\\", ""},
	    {"'", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct found found = {.text = ""};

		w_config_hosts_toml(SINK(found), cases[i].text,
		    strlen(cases[i].text), tables, keys);
		if (strcmp(found.text, cases[i].found) != 0)
			fail_msg("case %zu: '%s'", i, found.text);
	}
}

static void
go_has_proxies_and_a_database_of_sums(void **state)
{
	static const char text[] =
	    "GOFLAGS=-mod=mod\n"
	    "GOPROXY=https://a.example|http://b.example:8080/x,direct\n"
	    "GOSUMDB=sums.example+1234+abc\n"
	    "GONOSUMDB=*.corp.example\n";
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_go(SINK(found), text, strlen(text));
	assert_string_equal(
	    found.text, "a.example b.example:8080 sums.example ");
	found.text[0] = '\0';
	w_config_hosts_go(SINK(found), "GOPROXY=off\nGOSUMDB=off\n", 24);
	assert_string_equal(found.text, "");
	w_config_hosts_go_value(
	    SINK(found), "GOSUMDB", "s.example https://p.example/", 28);
	assert_string_equal(found.text, "p.example ");
}

static void
apt_has_two_forms(void **state)
{
	static const char list[] =
	    "# deb http://comment.example/ x main\n"
	    "deb http://a.example/debian bookworm main\n"
	    "deb-src [arch=amd64 signed-by=/x y] https://b.example/ x main\n"
	    "deb [broken http://no.example/ x\n"
	    "rpm http://no.example/ x\n"
	    "deb cdrom:[x]/ y main\n"
	    "\tdeb\tmirror+http://c.example/m\tx main\n";
	static const char sources[] = "Types: deb\n"
				      "URIs: http://a.example/debian\n"
				      " https://b.example/\n"
				      "Suites: bookworm\n"
				      " http://no.example\n"
				      "\n"
				      "Types: deb\n"
				      "Enabled: no\n"
				      "URIs: http://no.example/\n"
				      "\n"
				      "# note\n"
				      "uris: http://c.example/\n";
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_apt_list(SINK(found), list, strlen(list));
	assert_string_equal(found.text, "a.example b.example c.example ");
	found.text[0] = '\0';
	w_config_hosts_apt_sources(SINK(found), sources, strlen(sources));
	assert_string_equal(found.text, "a.example b.example c.example ");
}

static void
sources_of_tools_have_their_defaults(void **state)
{
	static const char old_npm[] =
	    "define('cert', {default: null})\n"
	    "define('registry', {\n  default: `https://a.example/`,\n"
	    "  type: url })\n"
	    "define('other', {default: 'https://no.example/'})\n";
	static const char npm[] =
	    "  'replace-registry-host': new Definition('replace-registry-host',"
	    " { default: 'npmjs' }),\n"
	    "  registry: new Definition('registry', {\n"
	    "    default: 'https://b.example:8443/x',\n";
	static const char pip[] =
	    "\nPyPI = PackageIndex(\"https://c.example/\", "
	    "file_storage_domain=\"files.example\")\n"
	    "TestPyPI = PackageIndex(\n    \"https://no.example/\", "
	    "file_storage_domain=\"no.example\"\n)\n";
	static const char go[] =
	    "\tGOPROXY   = envOr(\"GOPROXY\", \"https://d.example,direct\")\n"
	    "\tGOSUMDB   = envOr(\"GOSUMDB\", \"sums.example\")\n"
	    "\tGOPRIVATE = Getenv(\"GOPRIVATE\")\n";
	struct found found = {.text = ""};

	(void)state;
	w_config_hosts_npm_source(SINK(found), old_npm, strlen(old_npm));
	w_config_hosts_npm_source(SINK(found), npm, strlen(npm));
	w_config_hosts_pip_source(SINK(found), pip, strlen(pip));
	w_config_hosts_go_source(SINK(found), go, strlen(go));
	assert_string_equal(found.text,
	    "a.example b.example:8443 c.example files.example d.example "
	    "sums.example ");
}

static void
sources_that_are_written_differently_have_none(void **state)
{
	static const char *const texts[] = {
	    "",
	    "('registry',",
	    "('registry', default:",
	    "('registry', default: '",
	    "('registry', default: 'https://no.example",
	    "('registry', default: other('https://no.example/')",
	    "\nPyPI = PackageIndex(",
	    "\nPyPI = PackageIndex(url, file_storage_domain=domain)",
	    "\nPyPI = PackageIndex(\"*.example\")",
	    "# PyPI = PackageIndex(\"https://no.example\")",
	    "envOr(\"GOPROXY\", os.Getenv(\"X\"))",
	    "envOr(\"GOPROXY\", \"",
	};
	struct found found = {.text = ""};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const size_t len = strlen(texts[i]);

		w_config_hosts_npm_source(SINK(found), texts[i], len);
		w_config_hosts_pip_source(SINK(found), texts[i], len);
		w_config_hosts_go_source(SINK(found), texts[i], len);
		if (found.text[0] != '\0')
			fail_msg("case %zu: '%s'", i, found.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_address_has_one_host),
	    cmocka_unit_test(npm_has_registries_for_all_and_for_scopes),
	    cmocka_unit_test(pip_has_several_addresses_in_one_value),
	    cmocka_unit_test(cargo_has_registries_and_sources),
	    cmocka_unit_test(broken_toml_gives_less_and_nothing_else),
	    cmocka_unit_test(go_has_proxies_and_a_database_of_sums),
	    cmocka_unit_test(apt_has_two_forms),
	    cmocka_unit_test(sources_of_tools_have_their_defaults),
	    cmocka_unit_test(sources_that_are_written_differently_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
