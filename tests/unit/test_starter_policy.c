/* SPDX-License-Identifier: Apache-2.0 */

/* A policy to start from, for directories of several kinds. */

#include "cli/setup/starter_policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "data/yaml.h"

struct fixture {
	char dir[64];
	struct w_project project;
	struct w_buf text;
};

static int
set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (fixture == NULL)
		return -1;
	(void)snprintf(
	    fixture->dir, sizeof(fixture->dir), "/tmp/writ-starter.XXXXXX");
	w_buf_init(&fixture->text, (size_t)1 << 20);
	*state = fixture;
	return mkdtemp(fixture->dir) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	struct fixture *fixture = *state;
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", fixture->dir);
	const int status = system(command);
	w_cli_project_done(&fixture->project);
	w_buf_done(&fixture->text);
	free(fixture);
	return status;
}

static void
put(const struct fixture *fixture, const char *name, const char *text)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", fixture->dir, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Renders the policy; it must be YAML, whatever the directory holds. */
static const char *
make(struct fixture *fixture)
{
	struct w_starter_policy starter = {
	    .preset = "developer",
	    .has_commands = true,
	    .project = &fixture->project,
	};
	const struct w_json_limits limits = {
	    .bytes_max = (size_t)1 << 20, .depth_max = 64};
	struct w_yaml *yaml = NULL;
	writ_error err;

	w_cli_project_done(&fixture->project);
	assert_int_equal(
	    w_cli_project_detect(fixture->dir, &fixture->project, &err),
	    WRIT_OK);
	w_buf_done(&fixture->text);
	w_buf_init(&fixture->text, (size_t)1 << 20);
	w_starter_policy_add(&fixture->text, &starter);
	assert_false(fixture->text.failed);
	if (w_yaml_read(fixture->text.data, fixture->text.len, &limits, &yaml,
		&err) != WRIT_OK)
		fail_msg("%s in:\n%s", err.message, fixture->text.data);
	w_yaml_free(yaml);
	return fixture->text.data;
}

static void
expect_in(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no '%s' in:\n%s", part, text);
}

static void
expect_not_in(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		fail_msg("'%s' in:\n%s", part, text);
}

static void
an_empty_directory_has_what_holds_everywhere(void **state)
{
	const char *text = make(*state);

	expect_in(text, "include: [developer]\n");
	expect_in(text, "  - deny: cat .env\n");
	expect_in(text, "  - deny: env sudo id\n");
	expect_not_in(text, "looks like");
	expect_not_in(text, "allow:");
}

static void
scripts_of_npm_are_expected_and_need_no_rule(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "package.json",
	    "{\"name\":\"x\",\"scripts\":{\"test\":\"node --test\","
	    "\"build:web\":\"x\",\"deploy\":\"x\",\"start\":\"x\"}}");
	const char *text = make(fixture);
	expect_in(text, "looks like Node.js and npm.");
	expect_in(text, "  - allow: npm test\n");
	expect_in(text, "  - allow: npm run build:web\n");
	expect_in(text, "  - ask: npm install\n");
	expect_in(text, "  - ask: npm publish\n");
	expect_not_in(text, "deploy");
	expect_not_in(text, "shape:");
}

static void
scripts_of_an_installer_without_description_get_a_rule(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "package.json",
	    "{\"private\":true,\"scripts\":{\"test\":\"x\",\"lint\":\"x\"}}");
	put(fixture, "pnpm-lock.yaml", "");
	const char *text = make(fixture);
	expect_in(text, "      shape: [\"pnpm test\", \"pnpm run lint\"]\n"
			"      sandbox: workspace\n      network: off\n");
	expect_in(text, "  - allow: pnpm run lint\n");
	expect_in(text, "  - ask: pnpm install\n");
	expect_not_in(text, "publish\n");
}

static void
names_that_are_no_plain_words_are_left_out(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "package.json",
	    "{\"scripts\":{\"test: x\\n  - allow\":\"x\",\"test;id\":\"x\","
	    "\"-test\":\"x\",\"test:\\u001b[31m\":\"x\",\"test:ok\":\"x\"}}");
	put(fixture, "yarn.lock", "");
	const char *text = make(fixture);
	expect_in(text, "shape: [\"yarn run test:ok\"]");
	expect_not_in(text, "\033");
	expect_not_in(text, "test;id");
}

static void
a_package_file_that_is_no_json_is_noted(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "package.json", "{");
	expect_in(make(fixture), "# package.json: is not JSON\n");
}

static void
a_pipe_for_a_package_file_is_noted(void **state)
{
	struct fixture *fixture = *state;
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/package.json", fixture->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_in(make(fixture), "# package.json: cannot be read\n");
}

static void
installers_of_python_are_told_apart(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "requirements.txt", "requests\n");
	expect_in(make(fixture), "  - ask: pip install -r requirements.txt\n");
	expect_in(make(fixture), "  - allow: pytest\n");
	put(fixture, "poetry.lock", "");
	expect_in(make(fixture), "\"poetry run pytest\"");
	put(fixture, "uv.lock", "");
	expect_in(make(fixture), "  - ask: uv sync\n");
}

static void
compiled_languages_have_their_commands(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "Cargo.toml", "");
	put(fixture, "go.mod", "");
	put(fixture, "CMakeLists.txt", "");
	put(fixture, "meson.build", "");
	const char *text = make(fixture);
	expect_in(text, "  - allow: cargo test --offline\n");
	expect_in(text, "  - ask: cargo publish\n");
	expect_in(text, "  - allow: go test ./...\n");
	expect_in(text, "\"cmake --build build\"");
	expect_in(text, "\"meson compile -C build\"");
}

static void
targets_of_a_makefile_are_found(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "Makefile",
	    "CC := cc\ntest: all\n\t./t\nrelease:\n\tx\nlint:\n"
	    "test-$(X):\n.PHONY: test\ncheck:=1\n");
	const char *text = make(fixture);
	expect_in(text, "  - allow: make\n");
	expect_in(text, "  - allow: make test\n");
	expect_in(text, "  - allow: make lint\n");
	expect_not_in(text, "release");
	expect_not_in(text, "$(X)");
	expect_not_in(text, "make check");
}

static void
other_kinds_are_known(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "Gemfile", "");
	put(fixture, "composer.json", "{}");
	put(fixture, "Dockerfile", "");
	put(fixture, "main.tf", "");
	const char *text = make(fixture);
	expect_in(text, "looks like Ruby, PHP, Docker and\n# Terraform.");
	expect_in(text, "\"bundle exec rspec\"");
	expect_in(text, "\"composer validate\"");
	expect_in(text, "  - ask: { program: docker }\n");
	expect_in(text, "\"./**/*.tfstate\"");
}

static void
files_with_secrets_are_denied_and_samples_are_not(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, ".env.production", "");
	put(fixture, ".env.example", "");
	put(fixture, ".envrc", "");
	put(fixture, "server.pem", "");
	const char *text = make(fixture);
	expect_in(text, "\"**/.env\"");
	expect_in(text, "\"**/.env.production\"");
	expect_in(text, "\"**/.envrc\"");
	expect_in(text, "\"**/*.pem\"");
	expect_not_in(text, "example");
}

static void
the_answers_of_the_policy_replace_what_was_expected(void **state)
{
	struct fixture *fixture = *state;
	struct w_starter_policy starter = {.preset = "open",
	    .project = &fixture->project,
	    .answers = {"allow", "ask"}};

	w_starter_policy_add(&fixture->text, &starter);
	expect_in(fixture->text.data, "  - allow: cat .env\n");
	expect_in(fixture->text.data, "  - ask: env sudo id\n");
}

static void
commands_without_a_rule_are_asked_about(void **state)
{
	struct fixture *fixture = *state;
	struct w_starter_policy starter = {
	    .preset = "developer", .project = &fixture->project};

	put(fixture, "CMakeLists.txt", "");
	assert_int_equal(
	    w_cli_project_detect(fixture->dir, &fixture->project, NULL),
	    WRIT_OK);
	w_starter_policy_add(&fixture->text, &starter);
	expect_not_in(fixture->text.data, "shape:");
	expect_in(fixture->text.data, "  - ask: cmake --build build\n");
	assert_false(w_starter_policy_allows_commands(&starter));
	for (size_t i = 0; i < W_STARTER_EXPECT_MAX; i++)
		starter.answers[i] = "allow";
	assert_true(w_starter_policy_allows_commands(&starter));
}

static void
commands_of_programs_that_are_missing_are_left_out(void **state)
{
	struct fixture *fixture = *state;
	char dirs[200];

	put(fixture, "CMakeLists.txt", "");
	put(fixture, "meson.build", "");
	put(fixture, "ctest", "");
	(void)snprintf(dirs, sizeof(dirs), "/nonexistent::%s", fixture->dir);
	assert_int_equal(
	    w_cli_project_detect(fixture->dir, &fixture->project, NULL),
	    WRIT_OK);
	w_cli_project_drop_missing(&fixture->project, dirs);
	assert_int_equal(fixture->project.commands.count, 0);
	w_cli_project_done(&fixture->project);

	char path[128];
	(void)snprintf(path, sizeof(path), "%s/ctest", fixture->dir);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(
	    w_cli_project_detect(fixture->dir, &fixture->project, NULL),
	    WRIT_OK);
	w_cli_project_drop_missing(&fixture->project, dirs);
	assert_int_equal(fixture->project.commands.count, 2);
	assert_string_equal(
	    fixture->project.commands.items[0], "ctest --test-dir build");
	assert_null(fixture->project.commands.items[2]);
	w_cli_project_drop_missing(&fixture->project, NULL);
	assert_int_equal(fixture->project.commands.count, 0);
}

static void
the_last_lines_of_expect_are_never_left_out(void **state)
{
	struct fixture *fixture = *state;
	struct w_buf text;

	w_buf_init(&text, (size_t)1 << 20);
	w_buf_add_str(&text, "{\"scripts\":{\"test\":\"x\"");
	for (int i = 0; i < 2 * W_STARTER_EXPECT_MAX; i++)
		w_buf_add_fmt(&text, ",\"test:%d\":\"x\"", i);
	w_buf_add_str(&text, "}}");
	put(fixture, "package.json", text.data);
	w_buf_done(&text);
	expect_in(make(fixture), "  - deny: cat .env\n  - deny: env sudo id\n");
}

static void
no_line_is_wider_than_a_terminal(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "Gemfile", "");
	put(fixture, "composer.json", "{}");
	put(fixture, "main.tf", "");
	put(fixture, "meson.build", "");
	put(fixture, "CMakeLists.txt", "");
	for (const char *line = make(fixture); *line != '\0';) {
		const size_t len = strcspn(line, "\n");

		/* Where the schema is depends on the installation. */
		if (len > 80 && strstr(line, "$schema=") == NULL)
			fail_msg("too wide: %.*s", (int)len, line);
		line += len + 1;
	}
}

static void
a_user_has_a_policy_for_everything(void **state)
{
	struct fixture *fixture = *state;
	struct w_starter_policy starter = {.preset = "developer",
	    .is_users = true,
	    .project = &fixture->project};

	assert_int_equal(w_cli_project_any(&fixture->project, NULL), WRIT_OK);
	w_starter_policy_add(&fixture->text, &starter);
	expect_in(fixture->text.data, "# What agents may run for you");
	expect_in(fixture->text.data, "  - ask: git push\n");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(an_empty_directory_has_what_holds_everywhere),
	    TEST(scripts_of_npm_are_expected_and_need_no_rule),
	    TEST(scripts_of_an_installer_without_description_get_a_rule),
	    TEST(names_that_are_no_plain_words_are_left_out),
	    TEST(a_package_file_that_is_no_json_is_noted),
	    TEST(a_pipe_for_a_package_file_is_noted),
	    TEST(installers_of_python_are_told_apart),
	    TEST(compiled_languages_have_their_commands),
	    TEST(targets_of_a_makefile_are_found),
	    TEST(other_kinds_are_known),
	    TEST(files_with_secrets_are_denied_and_samples_are_not),
	    TEST(the_answers_of_the_policy_replace_what_was_expected),
	    TEST(commands_without_a_rule_are_asked_about),
	    TEST(commands_of_programs_that_are_missing_are_left_out),
	    TEST(the_last_lines_of_expect_are_never_left_out),
	    TEST(no_line_is_wider_than_a_terminal),
	    TEST(a_user_has_a_policy_for_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
