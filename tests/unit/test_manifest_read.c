/* SPDX-License-Identifier: Apache-2.0 */

/* What manifests are parsed to. */

#include "manifesting.h"

#define BODY        "ccm:\n  resources:\n"
#define EXEC(body)  BODY "    - exec: " body "\n"
#define FILE_(body) BODY "    - file: " body "\n"

static const struct w_exec_resource *
exec_at(const struct w_manifest *manifest, size_t index)
{
	assert_true(index < manifest->count);
	assert_int_equal(manifest->resources[index].type, W_RESOURCE_EXEC);
	return &manifest->resources[index].as.exec;
}

static void
both_spellings_are_read(void **state)
{
	struct w_manifest *manifest =
	    manifest_of(BODY "    - exec: { name: /bin/true, timeout: 5s }\n"
			     "    - exec:\n"
			     "        - /usr/bin/true:\n"
			     "        - defaults: { timeout: 30s, cwd: /tmp,\n"
			     "            environment: [A=1, B=2] }\n"
			     "        - touch_hello: { command: touch hello,\n"
			     "            environment: [C=3] }\n");
	const struct w_exec_resource *exec;

	(void)state;
	assert_int_equal(manifest->count, 3);
	assert_string_equal(manifest->resources[0].id, "exec#/bin/true");
	assert_int_equal(exec_at(manifest, 0)->settings->timeout_ms, 5000);
	assert_null(exec_at(manifest, 0)->settings->cwd.template.parts);
	/* Defaults apply to the whole list, wherever they are in it. */
	exec = exec_at(manifest, 1);
	assert_string_equal(manifest->resources[1].id, "exec#/usr/bin/true");
	assert_int_equal(exec->settings->timeout_ms, 30000);
	assert_string_equal(exec->settings->cwd.template.text, "/tmp");
	assert_int_equal(exec->settings->environment.count, 2);
	/* Lists are replaced, not merged. */
	exec = exec_at(manifest, 2);
	assert_int_equal(exec->settings->timeout_ms, 30000);
	assert_int_equal(exec->settings->environment.count, 1);
	assert_string_equal(
	    exec->settings->environment.items[0].template.text, "C=3");
	assert_int_equal(manifest->resources[2].index, 2);
	w_manifest_free(manifest);
}

/* What a hundred thousand resources do not say is there once. */
static void
resources_share_what_they_do_not_say(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    BODY "    - exec: { name: /bin/true }\n"
		 "    - exec: { name: /bin/true, creates: / }\n"
		 "    - exec:\n"
		 "        - defaults: { timeout: 30s }\n"
		 "        - a: { command: /bin/true }\n"
		 "        - b: { command: /bin/true, alias: c }\n"
		 "        - d: { timeout: 9s, unless: x, tags: t }\n"
		 "    - exec: { name: /bin/false }\n");
	const struct w_resource *at = manifest->resources;

	(void)state;
	assert_int_equal(manifest->count, 6);
	assert_ptr_equal(at[0].extras, at[1].extras);
	assert_ptr_equal(at[0].as.exec.guards, at[1].as.exec.guards);
	assert_ptr_equal(at[0].as.exec.settings, at[1].as.exec.settings);
	assert_ptr_equal(at[0].as.exec.settings, at[5].as.exec.settings);
	/* Defaults are a part of their own, and only what they say. */
	assert_ptr_equal(at[2].as.exec.settings, at[3].as.exec.settings);
	assert_ptr_not_equal(at[0].as.exec.settings, at[2].as.exec.settings);
	assert_ptr_equal(at[0].as.exec.guards, at[3].as.exec.guards);
	assert_ptr_equal(at[0].extras, at[2].extras);
	assert_string_equal(at[3].extras->alias.text, "c");
	assert_null(at[2].extras->alias.text);
	/* Nor does one change what the others have. */
	assert_int_equal(at[4].as.exec.settings->timeout_ms, 9000);
	assert_int_equal(at[4].as.exec.guards->unless.count, 1);
	assert_int_equal(at[4].extras->tags.count, 1);
	assert_int_equal(at[3].as.exec.settings->timeout_ms, 30000);
	assert_int_equal(at[3].as.exec.guards->unless.count, 0);
	assert_int_equal(at[3].extras->tags.count, 0);
	assert_int_equal(at[5].as.exec.settings->timeout_ms, 0);
	w_manifest_free(manifest);
}

static void
all_properties_of_exec_are_read(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "writ:\n"
	    "  fail_on_error: true\n"
	    "  resources:\n"
	    "    - file: { name: /a }\n"
	    "    - exec:\n"
	    "        name: x\n"
	    "        alias: ex\n"
	    "        ensure: absent\n"
	    "        provider: shell\n"
	    "        require: file#/a\n"
	    "        control: { if: 'true', unless: \"1 == 2\" }\n"
	    "        sensitive: true\n"
	    "        command: \"echo $HOME | cat\"\n"
	    "        cwd: /tmp\n"
	    "        path: /usr/bin:/opt/my dir\n"
	    "        returns: [0, 3, 255]\n"
	    "        timeout: 1h30m\n"
	    "        creates: /x\n"
	    "        removes: [/y, /z]\n"
	    "        onlyif: test -e x\n"
	    "        unless: [test -e y, [test, -e, \"a b\"]]\n"
	    "        refresh_only: true\n"
	    "        refreshonly: true\n"
	    "        refresh: [kill, -HUP, \"1\"]\n"
	    "        subscribe: [file#/a]\n"
	    "        logoutput: on_failure\n"
	    "        user: 1000\n"
	    "        group: staff\n"
	    "        umask: 027\n"
	    "        stdin: \"\"\n"
	    "        tries: 3\n"
	    "        try_sleep: 250ms\n"
	    "        limits: { memory: 64MiB, cpu: 10s, processes: 5,\n"
	    "          open_files: 6, file_size: 1K, max_output: 7, output: "
	    "8,\n"
	    "          idle: 1m }\n"
	    "        sandbox: workspace\n"
	    "        health_checks:\n"
	    "          - { command: /usr/lib/check_x -w 1, tries: 5,\n"
	    "              try_sleep: 2s, timeout: 3s, format: nagios }\n"
	    "          - { command: [check_y, a], name: why }\n");
	const struct w_resource *resource = &manifest->resources[1];
	const struct w_exec_resource *exec = exec_at(manifest, 1);

	(void)state;
	assert_true(manifest->is_fail_on_error);
	assert_string_equal(resource->extras->alias.text, "ex");
	assert_string_equal(resource->ensure, "absent");
	assert_string_equal(resource->provider, "shell");
	assert_int_equal(resource->require.count, 1);
	assert_int_equal(resource->require.items[0].target, 0);
	assert_string_equal(resource->require.items[0].type, "file");
	assert_string_equal(resource->require.items[0].name, "/a");
	assert_non_null(resource->extras->control_if.expr);
	assert_non_null(resource->extras->control_unless.expr);
	assert_true(resource->is_sensitive);
	assert_true(exec->is_shell);
	assert_string_equal(exec->settings->path.text, "/usr/bin:/opt/my dir");
	assert_int_equal(exec->settings->return_count, 3);
	assert_int_equal(exec->settings->returns[2], 255);
	assert_int_equal(exec->settings->timeout_ms, 5400000);
	assert_int_equal(exec->creates.count, 1);
	assert_int_equal(exec->guards->removes.count, 2);
	assert_int_equal(exec->guards->onlyif.count, 1);
	assert_string_equal(
	    exec->guards->onlyif.items[0].line.template.text, "test -e x");
	assert_int_equal(exec->guards->unless.count, 2);
	assert_int_equal(exec->guards->unless.items[1].words.count, 3);
	assert_true(exec->guards->is_refreshonly);
	assert_int_equal(exec->guards->refresh.words.count, 3);
	assert_int_equal(exec->guards->subscribe.items[0].target, 0);
	assert_int_equal(exec->settings->logoutput, W_LOGOUTPUT_ON_FAILURE);
	assert_string_equal(exec->settings->user.text, "1000");
	assert_string_equal(exec->settings->group.text, "staff");
	assert_true(exec->settings->has_umask);
	assert_int_equal(exec->settings->umask, 027);
	assert_non_null(exec->settings->stdin_text.template.parts);
	assert_int_equal(exec->settings->tries, 3);
	assert_int_equal(exec->settings->try_sleep_ms, 250);
	assert_int_equal(exec->settings->limits.memory, 64 << 20);
	assert_int_equal(exec->settings->limits.cpu_ms, 10000);
	assert_int_equal(exec->settings->limits.processes, 5);
	assert_int_equal(exec->settings->limits.open_files, 6);
	assert_int_equal(exec->settings->limits.file_size, 1024);
	assert_int_equal(exec->settings->limits.max_output, 7);
	assert_int_equal(exec->settings->limits.output, 8);
	assert_int_equal(exec->settings->limits.idle_ms, 60000);
	assert_string_equal(exec->settings->sandbox.text, "workspace");
	assert_int_equal(resource->extras->health_count, 2);
	assert_string_equal(resource->extras->health_checks[0].name, "check_x");
	assert_int_equal(resource->extras->health_checks[0].tries, 5);
	assert_int_equal(resource->extras->health_checks[0].try_sleep_ms, 2000);
	assert_int_equal(resource->extras->health_checks[0].timeout_ms, 3000);
	assert_string_equal(resource->extras->health_checks[1].name, "why");
	assert_int_equal(resource->extras->health_checks[1].try_sleep_ms, 1000);
	w_manifest_free(manifest);
}

static void
what_is_not_said_has_its_default(void **state)
{
	struct w_manifest *manifest = manifest_of(EXEC("{ name: /bin/true }"));
	const struct w_exec_resource *exec = exec_at(manifest, 0);

	(void)state;
	assert_false(manifest->is_fail_on_error);
	assert_string_equal(manifest->resources[0].ensure, "present");
	assert_string_equal(manifest->resources[0].provider, "posix");
	assert_null(exec->settings->returns);
	assert_int_equal(exec->settings->timeout_ms, 0);
	assert_int_equal(exec->settings->logoutput, W_LOGOUTPUT_OFF);
	assert_int_equal(exec->settings->umask, 022);
	assert_false(exec->settings->has_umask);
	assert_int_equal(exec->settings->tries, 1);
	assert_null(exec->command.line.template.parts);
	assert_int_equal(strlen(manifest->sha256), 64);
	w_manifest_free(manifest);
}

static void
modes_of_files_are_octal_however_they_are_written(void **state)
{
	static const char *const modes[] = {
	    "644", "0644", "\"644\"", "\"0644\"", "0o644", "'{{ 600 + 44 }}'"};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char text[256];

		(void)snprintf(text, sizeof(text),
		    FILE_("{ name: /a, mode: %s, owner: 0, content: '' }"),
		    modes[i]);
		struct w_manifest *manifest = manifest_of(text);
		const struct w_file_resource *file =
		    manifest->resources[0].as.file;

		assert_true(file->has_mode);
		assert_int_equal(file->mode, 0644);
		assert_string_equal(file->owner.text, "0");
		assert_non_null(file->content.template.parts);
		assert_null(file->source.template.parts);
		w_manifest_free(manifest);
	}
}

static void
early_properties_are_filled_in_and_deferred_ones_are_not(void **state)
{
	struct w_manifest *manifest =
	    manifest_of("data:\n"
			"  port: 8080\n"
			"  os: '{{ Facts.os.name }}'\n"
			"  gone: \"${ lookup('facts.nope') }\"\n"
			"  deep: { list: [1, \"{{ Environ.HOME }}\"] }\n"
			"ccm:\n"
			"  pre_message: 'on {{ Data.os }}'\n"
			"  resources:\n"
			"    - file: { name: /etc/x }\n"
			"    - exec:\n"
			"        name: 'run {{ Data.port }}'\n"
			"        alias: \"a${ Data.port }\"\n"
			"        ensure: \"{{ 'present' }}\"\n"
			"        timeout: '{{ Data.port }}ms'\n"
			"        subscribe: [\"file#{{ '/etc/x' }}\"]\n"
			"        command: 'echo {{ Data.port }}'\n"
			"        cwd: '/{{ Environ.NOTHING }}'\n"
			"        environment: ['A={{ Environ.NOTHING }}']\n"
			"        creates: '/{{ file(\"x\") }}'\n");
	const struct w_resource *resource = &manifest->resources[1];
	const struct w_value *deep = w_value_member(&manifest->data, "deep", 4);

	(void)state;
	assert_string_equal(manifest->pre_message.text, "on debian");
	assert_string_equal(resource->name.text, "run 8080");
	assert_string_equal(resource->id, "exec#run 8080");
	assert_string_equal(resource->extras->alias.text, "a8080");
	assert_int_equal(resource->as.exec.settings->timeout_ms, 8080);
	assert_int_equal(
	    resource->as.exec.guards->subscribe.items[0].target, 0);
	assert_string_equal(resource->as.exec.command.line.template.text,
	    "echo {{ Data.port }}");
	assert_null(resource->as.exec.settings->cwd.text);
	assert_true((manifest->uses & W_EXPR_USES_FILE) != 0);
	assert_string_equal(
	    w_value_member(&manifest->data, "gone", 4)->as.string.text, "");
	assert_string_equal(
	    w_value_member(deep, "list", 4)->as.list.items[1].as.string.text,
	    "/home/me");
	w_manifest_free(manifest);
}

/* Values are never expanded again. */
static void
texts_are_filled_in_once(void **state)
{
	struct w_manifest *manifest =
	    manifest_of("data: { x: '{{ Facts.odd }}' }\n" EXEC(
		"{ name: 'a {{ Data.x }}' }"));

	(void)state;
	assert_string_equal(manifest->resources[0].name.text, "a {{ 40 + 2 }}");
	assert_string_equal(
	    manifest->resources[0].as.exec.name_words[1], "{{ 40 + 2 }}");
	assert_null(manifest->resources[0].as.exec.name_words[2]);
	w_manifest_free(manifest);
}

static void
references_are_of_the_nearest_resource_before(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    BODY "    - exec: { name: a }\n"
		 "    - exec: { name: b, alias: a }\n"
		 "    - exec: { name: c, require: [exec#a, 'exec#b'] }\n"
		 "    - exec:\n"
		 "        - defaults: { require: [exec#a] }\n"
		 "        - a: {}\n"
		 "        - d: { alias: 'x#y' }\n"
		 "    - exec: { name: e, require: ['exec#x#y'] }\n");

	(void)state;
	assert_int_equal(manifest->resources[2].require.items[0].target, 1);
	assert_int_equal(manifest->resources[2].require.items[1].target, 1);
	assert_int_equal(manifest->resources[3].require.items[0].target, 1);
	assert_int_equal(manifest->resources[4].require.items[0].target, 3);
	assert_int_equal(manifest->resources[5].require.items[0].target, 4);
	assert_int_equal(w_manifest_find(manifest, "exec", "a", 6), 3);
	assert_int_equal(w_manifest_find(manifest, "exec", "a", 3), 1);
	assert_int_equal(w_manifest_find(manifest, "exec", "a", 1), 0);
	assert_true(w_manifest_find(manifest, "exec", "a", 0) == W_NO_TARGET);
	assert_true(w_manifest_find(manifest, "file", "a", 6) == W_NO_TARGET);
	w_manifest_free(manifest);
}

static bool
knows_motd(void *ctx, const char *type, const char *name)
{
	(void)ctx;
	return strcmp(type, "file") == 0 && strcmp(name, "/etc/motd") == 0;
}

static void
references_may_be_of_a_session(void **state)
{
	static const char text[] =
	    EXEC("{ name: a, subscribe: ['file#/etc/motd'] }");
	const struct w_manifest_input input = {.file = "-",
	    .dir = "/",
	    .text = text,
	    .len = strlen(text),
	    .scope = &manifest_test_scope,
	    .knows = knows_motd};
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	assert_int_equal(
	    w_manifest_read(&input, &faults, &manifest, &err), WRIT_OK);
	assert_true(
	    manifest->resources[0].as.exec.guards->subscribe.items[0].target ==
	    W_NO_TARGET);
	w_manifest_free(manifest);
	w_faults_done(&faults);
}

static void
what_is_named_sensitive_is_secret(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "data: { db: { password: x, port: 1 }, list: [a, b], 'a.b': 1 }\n"
	    "ccm:\n"
	    "  sensitive: [db.password, data.list.1, 'a\\.b', environ.TOKEN,\n"
	    "    environ.NOT_SET]\n"
	    "  resources:\n"
	    "    - exec: { name: 'run {{ Data.db.port }}' }\n");
	const struct w_value *db = w_value_member(&manifest->data, "db", 2);
	const struct w_value *list = w_value_member(&manifest->data, "list", 4);
	struct w_manifest_scope scope;
	const struct w_value *variables;

	(void)state;
	assert_true(w_value_member(db, "password", 8)->is_secret);
	assert_false(w_value_member(db, "port", 4)->is_secret);
	assert_false(list->as.list.items[0].is_secret);
	assert_true(list->as.list.items[1].is_secret);
	assert_true(w_value_member(&manifest->data, "a.b", 3)->is_secret);
	w_manifest_scope_init(&scope, manifest, &manifest_test_scope);
	variables = scope.scope.root(scope.scope.ctx, W_ROOT_ENVIRON, NULL);
	assert_true(w_value_member(variables, "TOKEN", 5)->is_secret);
	assert_false(w_value_member(variables, "HOME", 4)->is_secret);
	w_manifest_free(manifest);
}

static void
json_is_read_too(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "{\"ccm\":{\"resources\":[{\"exec\":{\"name\":\"/bin/echo "
	    "\\\"a b\\\"\",\"returns\":[0,1]}}]}}");

	(void)state;
	assert_string_equal(
	    manifest->resources[0].name.text, "/bin/echo \"a b\"");
	w_manifest_free(manifest);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_spellings_are_read),
	    cmocka_unit_test(resources_share_what_they_do_not_say),
	    cmocka_unit_test(all_properties_of_exec_are_read),
	    cmocka_unit_test(what_is_not_said_has_its_default),
	    cmocka_unit_test(modes_of_files_are_octal_however_they_are_written),
	    cmocka_unit_test(
		early_properties_are_filled_in_and_deferred_ones_are_not),
	    cmocka_unit_test(texts_are_filled_in_once),
	    cmocka_unit_test(references_are_of_the_nearest_resource_before),
	    cmocka_unit_test(references_may_be_of_a_session),
	    cmocka_unit_test(what_is_named_sensitive_is_secret),
	    cmocka_unit_test(json_is_read_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
