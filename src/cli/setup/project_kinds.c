/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The kinds of projects: the files that identify each, and its everyday
 * commands.
 *
 * A line of "commands" becomes a rule that allows exactly these words, so it
 * must not do more than build or test. For lines of "daily" and "asked" the
 * policy decides.
 */

#include <stddef.h>

#include "cli/setup/project_kind.h"

#define LIST(...)                 \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

/* clang-format off */
const struct w_project_kind w_cli_project_kinds[] = {
	{.name = "a git repository",
	 .marks = LIST(".git"),
	 .daily = LIST("git log -p HEAD~3..HEAD", "git status", "git diff",
	     "git commit -m 'a message'"),
	 .asked = LIST("git push", "git fetch")},
	{.name = "Node.js",
	 .marks = LIST("package.json"),
	 .manager = "@npm",
	 .detect = w_cli_project_detect_node},
	{.name = "Python",
	 .marks = LIST("pyproject.toml", "setup.py", "setup.cfg",
	     "requirements*.txt", "Pipfile", "tox.ini"),
	 .daily = LIST("pytest", "python3 -m pytest -x"),
	 .secrets = LIST("**/.pypirc"),
	 .manager = "@pip",
	 .detect = w_cli_project_detect_python},
	{.name = "Rust",
	 .marks = LIST("Cargo.toml"),
	 .manager = "@cargo",
	 .daily = LIST("cargo build --offline", "cargo test --offline",
	     "cargo fmt"),
	 .asked = LIST("cargo fetch", "cargo publish")},
	{.name = "Go",
	 .marks = LIST("go.mod", "go.work"),
	 .manager = "@go",
	 .daily = LIST("go build ./...", "go test ./...", "go vet ./..."),
	 .asked = LIST("go mod download")},
	{.name = "CMake",
	 .marks = LIST("CMakeLists.txt"),
	 .commands = LIST("cmake -S . -B build", "cmake --build build",
	     "ctest --test-dir build",
	     "ctest --test-dir build --output-on-failure")},
	{.name = "Meson",
	 .marks = LIST("meson.build"),
	 .commands = LIST("meson setup build", "meson compile -C build",
	     "meson test -C build", "ninja -C build",
	     "ninja -C build test")},
	{.name = "make",
	 .marks = LIST("Makefile", "makefile", "GNUmakefile"),
	 .daily = LIST("make"),
	 .detect = w_cli_project_detect_make},
	{.name = "Ruby",
	 .marks = LIST("Gemfile", "*.gemspec"),
	 .commands = LIST("bundle exec rake", "bundle exec rake test",
	     "bundle exec rspec", "bundle exec rubocop"),
	 .asked = LIST("bundle install", "gem push"),
	 .secrets = LIST("./config/master.key",
	     "./config/credentials/*.key")},
	{.name = "PHP",
	 .marks = LIST("composer.json"),
	 .commands = LIST("composer test", "composer validate"),
	 .asked = LIST("composer install"),
	 .secrets = LIST("**/auth.json")},
	{.name = "Docker",
	 .marks = LIST("Dockerfile", "Dockerfile.*", "Containerfile",
	     "compose.y*ml", "docker-compose*.y*ml"),
	 .asked = LIST("docker build .", "docker push example/image"),
	 .rule = "ask: { program: docker }",
	 .because = "a command that talks to its daemon can do anything on the machine"},
	{.name = "Terraform",
	 .marks = LIST("*.tf", "*.tf.json"),
	 .commands = LIST("terraform validate", "terraform fmt -check",
	     "terraform fmt"),
	 .asked = LIST("terraform init", "terraform apply"),
	 .secrets = LIST("./**/*.tfstate", "./**/*.tfstate.backup",
	     "./**/*.tfvars")},
	{.name = NULL},
};
/* clang-format on */
