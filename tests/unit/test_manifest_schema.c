/* SPDX-License-Identifier: Apache-2.0 */

/* The schema for editors agrees with the parser: it has the same keys, what the
 * parser accepts is valid, and what is syntactically wrong is wrong for
 * both. */

#include "manifesting.h"

#include "data/json.h"
#include "data/yaml.h"
#include "manifest/read/manifest_parser.h"
#include "schema/schema.h"

static struct w_json *schema_document;
static struct w_schema *schema;

static const struct w_json_limits limits = {
    .bytes_max = 1U << 20, .depth_max = 64};

static int
set_up(void **state)
{
	size_t len;
	const char *text = w_manifest_schema(&len);
	writ_error err = {.status = WRIT_OK};

	(void)state;
	if (w_json_read(text, len, &limits, &schema_document, &err) !=
		WRIT_OK ||
	    w_schema_compile(w_json_root(schema_document), NULL, &schema, NULL,
		&err) != WRIT_OK) {
		print_error("%s\n", err.message);
		return -1;
	}
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_schema_free(schema);
	w_json_free(schema_document);
	return 0;
}

static bool
is_valid(const char *text, bool tells)
{
	struct w_yaml *yaml = NULL;
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	writ_error err = {.status = WRIT_OK};
	bool valid = false;

	if (w_yaml_read(text, strlen(text), &limits, &yaml, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	if (w_schema_check(schema, w_yaml_root(yaml), &valid, &report, &err) !=
	    WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	for (size_t i = 0; tells && i < report.count; i++)
		print_message("# %s: %s\n", report.problems[i].instance,
		    report.problems[i].message);
	w_yaml_free(yaml);
	return valid;
}

static bool
is_read(const char *text, bool tells)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status = manifest_test_read(text, &faults, &manifest, &err);

	if (status != WRIT_OK && tells)
		print_message("# %s\n", err.message);
	w_manifest_free(manifest);
	w_faults_done(&faults);
	return status == WRIT_OK;
}

static void
schema_describes_itself_in_the_draft_that_it_names(void **state)
{
	static const char text[] =
	    "{\"$ref\": \"https://json-schema.org/draft/2020-12/schema\"}";
	struct w_json *json = NULL;
	struct w_schema *draft = NULL;
	bool valid = false;

	(void)state;
	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, NULL), WRIT_OK);
	assert_int_equal(
	    w_schema_compile(w_json_root(json), NULL, &draft, NULL, NULL),
	    WRIT_OK);
	assert_int_equal(w_schema_check(draft, w_json_root(schema_document),
			     &valid, NULL, NULL),
	    WRIT_OK);
	assert_true(valid);
	w_schema_free(draft);
	w_json_free(json);
}

/* The schema has none of the keys that the parser only knows to reject. */
static void
check_keys(const struct w_parse_key *keys, const char *pointer)
{
	yyjson_val *properties =
	    yyjson_ptr_get(w_json_root(schema_document), pointer);
	size_t count = 0;

	if (!yyjson_is_obj(properties))
		fail_msg("there is no %s", pointer);
	for (; keys->name != NULL; keys++) {
		const bool is_there =
		    yyjson_obj_get(properties, keys->name) != NULL;

		if (is_there != (keys->read != w_parse_unsupported))
			fail_msg("%s of %s", keys->name, pointer);
		count += is_there ? 1 : 0;
	}
	assert_int_equal(count, yyjson_obj_size(properties));
}

static void
schema_and_reader_have_the_same_keys(void **state)
{
	(void)state;
	check_keys(w_parse_root_keys, "/properties");
	check_keys(w_parse_ccm_keys, "/$defs/body/properties");
	check_keys(w_parse_exec_keys, "/$defs/exec/else/properties");
	check_keys(w_parse_file_keys, "/$defs/file/else/properties");
	check_keys(w_parse_package_keys, "/$defs/package/else/properties");
	check_keys(w_parse_service_keys, "/$defs/service/else/properties");
	check_keys(w_parse_user_keys, "/$defs/user/else/properties");
	check_keys(w_parse_group_keys, "/$defs/group/else/properties");
	check_keys(w_parse_archive_keys, "/$defs/archive/else/properties");
	check_keys(w_parse_edit_keys, "/$defs/edit/else/properties");
	check_keys(w_parse_include_keys, "/$defs/include/else/properties");
	check_keys(w_parse_control_keys, "/$defs/control/properties");
	check_keys(w_parse_health_keys, "/$defs/healthCheck/properties");
	check_keys(w_parse_limit_keys, "/$defs/limits/properties");
}

#define BODY        "ccm:\n  resources:\n    - file: { name: /x }\n"
#define EXEC(body)  BODY "    - exec: " body "\n"
#define FILE_(body) BODY "    - file: " body "\n"
#define ONE(item)   BODY "    - " item "\n"
#define SUM         "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char *const good[] = {
    EXEC("{ name: a }"),
    "writ: { resources: [{ exec: { name: a } }], pre_message: a,\n"
    "  post_message: b, fail_on_error: true, sensitive: [] }\ndata: {}\n",
    "data: { a: [1, { b: c }] }\nccm: { resources: [{ exec: [] }, { exec: [a: "
    "] }],\n  sensitive: a }\n",
    "data:\nccm: { resources: [exec: { name: a }] }\n",
    EXEC("[defaults: { timeout: 1s }, a: , b: { command: c }]"),
    EXEC("{ name: a, alias: b, ensure: absent, provider: shell }"),
    EXEC("{ name: a, ensure: \"{{ 'absent' }}\" }"),
    EXEC("{ name: a, command: '' , cwd: '', path: '' }"),
    EXEC("{ name: a, argv: [b, ''] }"),
    EXEC("{ name: a, cwd: /tmp, path: '/a:/b c' }"),
    EXEC("{ name: a, cwd: '{{ Environ.x }}', path: \"{{ '/a' }}\" }"),
    EXEC("{ name: a, environment: [A=b, _B1=c=d, 'C={{ 1 }}'] }"),
    EXEC("{ name: a, environment: A=b }"),
    EXEC("{ name: a, returns: 3 }"),
    EXEC("{ name: a, returns: [] }"),
    EXEC("{ name: a, timeout: 0 }"),
    EXEC("{ name: a, timeout: \"0\" }"),
    EXEC("{ name: a, timeout: 1Y1M2w3D4h5m6.5s7ms8us9ns }"),
    EXEC("{ name: a, timeout: \"3\xc2\xb5s\" }"),
    EXEC("{ name: a, timeout: '{{ 3 }}s' }"),
    EXEC("{ name: a, creates: b, removes: [c, d] }"),
    EXEC("{ name: a, onlyif: b, unless: [c, [d, e]] }"),
    EXEC("{ name: a, refreshonly: true, refresh_only: true }"),
    EXEC("{ name: a, refresh: b, subscribe: file#/x, require: [file#/x] }"),
    EXEC("{ name: a, refresh: [b, c], subscribe: [\"file#{{ '/x' }}\"] }"),
    EXEC("{ name: a, logoutput: true }"),
    EXEC("{ name: a, logoutput: on_failure }"),
    EXEC("{ name: a, user: 0, group: staff, umask: 22 }"),
    EXEC("{ name: a, umask: 0o027, stdin: '', tries: 1000, try_sleep: 1s }"),
    EXEC("{ name: a, limits: {} }"),
    EXEC("{ name: a, limits: { memory: 1, cpu: 1s, processes: 1,\n"
	 "        open_files: 2, file_size: 1.5GiB, max_output: 1kB,\n"
	 "        output: 1b, idle: 1m } }"),
    EXEC("{ name: a, sandbox: workspace, sensitive: false }"),
    EXEC("{ name: a, control: { if: true, unless: 'false' } }"),
    EXEC("{ name: a, health_checks: [] }"),
    EXEC("{ name: a, health_checks: [{ command: b, name: c, tries: 1,\n"
	 "        try_sleep: 0, timeout: 1s, format: nagios },\n"
	 "        { command: [d] }] }"),
    FILE_("{ name: /a, content: '', owner: 0, group: root, mode: 644 }"),
    FILE_("{ name: /a, source: b, mode: '0644' }"),
    FILE_("{ name: '/a{{ item }}', each: [1], tags: b }"),
    EXEC("[ 'a{{ key }}': { each: { b: c }, tags: [d] } ]"),
    EXEC("{ name: 'a{{ key }}', each: '{{ [1] }}', tags: ['{{ 1 }}'] }"),
    FILE_("{ name: '{{ \"/a\" }}', ensure: directory, mode: 0o755 }"),
    FILE_("{ name: /a, ensure: absent, force: true, provider: posix }"),
    FILE_("[defaults: { ensure: absent }, /b: { force: true }]"),
    ONE("package: { name: nginx }"),
    ONE("package: [a: { ensure: 1.2-3 }, b: { ensure: held, wait: 1m }]"),
    ONE("package: { name: a, ensure: absent, purge: true, provider: apt }"),
    ONE("package: { name: a, provider: pip, directory: /srv/a/venv }"),
    ONE("package: { name: '@a/b', provider: npm, environment: [A=b] }"),
    ONE("service: { name: nginx, enable: true, refresh: reload,\n"
	"        subscribe: file#/x, settle: 0, timeout: 1m }"),
    ONE("service: [defaults: { ensure: stopped }, a@b.service: ]"),
    ONE("user: { name: a, uid: 1000, group: 5, groups: [b, c], shell: /a,\n"
	"        home: /b, comment: '', system: true, manage_home: false,\n"
	"        membership: inclusive, password: '{{ 1 }}' }"),
    ONE("group: { name: a, gid: 0, system: false, ensure: absent }"),
    ONE("archive: { name: /a.tgz, url: https://b/c, checksum: " SUM ",\n"
	"        extract_parent: /d, creates: /d/e, cleanup: true, strip: 1,\n"
	"        owner: a, group: b, mode: 640, headers: ['A: b'] }"),
    ONE("archive: { name: /a, source: /b }"),
    ONE("archive: { name: /a, ensure: absent }"),
    ONE("edit: { name: /a, line: b, match: ^b, after: c }"),
    ONE("edit: { name: a, path: /a, block: b, marker: '; {mark}' }"),
    ONE("edit: { name: /a, key: b, value: c, section: d, create: true }"),
};

static void
what_is_in_order_is_so_for_both(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!is_read(good[i], true) || !is_valid(good[i], true))
			fail_msg("refused: %s", good[i]);
	}
}

/* Wrong by syntax alone. */
static const char *const bad[] = {
    "null",
    "[]",
    "{}",
    "data: {}",
    "ccm: {}",
    "ccm: { resources: [] }",
    "ccm: { resources: {} }",
    "ccm: { resources: [{}] }",
    "ccm: { resources: [a] }",
    "ccm: { resources: [exec: a] }",
    "ccm: { resources: [exec: ] }",
    "ccm: { resources: [exec: {}] }",
    "ccm: { resources: [exec: [a]] }",
    "ccm: { resources: [exec: [{}]] }",
    "ccm: { resources: [exec: [a: 1]] }",
    "ccm: { resources: [exec: [{ a: {}, b: {} }]] }",
    "ccm: { resources: [exec: [{ a: { name: b } }]] }",
    "ccm: { resources: [exec: [{ defaults: { name: b } }, a: ]] }",
    "ccm: { resources: [exec: [{ defaults: { alias: b } }, a: ]] }",
    "ccm: { resources: [exec: [{ defaults: { each: [b] } }, a: ]] }",
    "ccm: { resources: [exec: { name: a, each: b }] }",
    "ccm: { resources: [exec: { name: a, tags: {} }] }",
    "ccm: { resources: [exec: [{ '': {} }]] }",
    "ccm: { resources: [{ exec: { name: a }, file: { name: /b } }] }",
    "ccm: { resources: [scaffold: { name: a }] }",
    "ccm: { resources: [exec: { name: a }] }\n"
    "writ: { resources: [exec: { name: a }] }",
    "ccm: { resources: [exec: { name: a }] }\nhierarchy: { merge: 1 }",
    "ccm: { resources: [exec: { name: a }] }\nhierarchy: { ordr: [a] }",
    "ccm: { resources: [exec: { name: a }] }\noverrides: []",
    "ccm: { resources: [exec: { name: a }], resources_jet_file: b }",
    "ccm: { resources: [exec: { name: a }], fail_on_error: 1 }",
    "ccm: { resources: [exec: { name: a }], pre_message: 1 }",
    "ccm: { resources: [exec: { name: a }], sensitive: [''] }",
    "ccm: { resources: [exec: { name: a }] }\ndata: []",
    EXEC("{ name: 1 }"),
    EXEC("{ name: a, nam: b }"),
    EXEC("{ name: a, alias: '' }"),
    EXEC("{ name: a, ensure: directory }"),
    EXEC("{ name: a, provider: bash }"),
    EXEC("{ name: a, command: 1 }"),
    EXEC("{ name: a, command: }"),
    EXEC("{ name: a, command: b, argv: [c] }"),
    EXEC("{ name: a, argv: b }"),
    EXEC("{ name: a, argv: [] }"),
    EXEC("{ name: a, argv: [''] }"),
    EXEC("{ name: a, argv: [b, 1] }"),
    EXEC("{ name: a, argv: [b], provider: shell }"),
    EXEC("{ name: a, cwd: b }"),
    EXEC("{ name: a, environment: { A: b } }"),
    EXEC("{ name: a, environment: [A] }"),
    EXEC("{ name: a, environment: [=b] }"),
    EXEC("{ name: a, environment: [1A=b] }"),
    EXEC("{ name: a, path: b }"),
    EXEC("{ name: a, path: '/b:' }"),
    EXEC("{ name: a, path: '/b::/c' }"),
    EXEC("{ name: a, returns: [256] }"),
    EXEC("{ name: a, returns: ['0'] }"),
    EXEC("{ name: a, timeout: 5 }"),
    EXEC("{ name: a, timeout: 5x }"),
    EXEC("{ name: a, timeout: -5s }"),
    EXEC("{ name: a, timeout: '' }"),
    EXEC("{ name: a, creates: '' }"),
    EXEC("{ name: a, removes: [1] }"),
    EXEC("{ name: a, onlyif: '' }"),
    EXEC("{ name: a, onlyif: [[]] }"),
    EXEC("{ name: a, unless: { a: b } }"),
    EXEC("{ name: a, refreshonly: yes }"),
    EXEC("{ name: a, refresh: [] }"),
    EXEC("{ name: a, subscribe: b }"),
    EXEC("{ name: a, subscribe: ['b#c#d'] }"),
    EXEC("{ name: a, require: [b] }"),
    EXEC("{ name: a, logoutput: always }"),
    EXEC("{ name: a, user: '' }"),
    EXEC("{ name: a, user: -1 }"),
    EXEC("{ name: a, umask: 1000 }"),
    EXEC("{ name: a, umask: '8' }"),
    EXEC("{ name: a, stdin: 1 }"),
    EXEC("{ name: a, tries: 0 }"),
    EXEC("{ name: a, tries: '1' }"),
    EXEC("{ name: a, limits: [] }"),
    EXEC("{ name: a, limits: { memory: 0 } }"),
    EXEC("{ name: a, limits: { memory: 1x } }"),
    EXEC("{ name: a, limits: { processes: 0 } }"),
    EXEC("{ name: a, limits: { spill: 1 } }"),
    EXEC("{ name: a, sandbox: '' }"),
    EXEC("{ name: a, sensitive: 1 }"),
    EXEC("{ name: a, control: true }"),
    EXEC("{ name: a, control: { when: true } }"),
    EXEC("{ name: a, control: { if: 1 } }"),
    EXEC("{ name: a, control: { if: '' } }"),
    EXEC("{ name: a, health_checks: {} }"),
    EXEC("{ name: a, health_checks: [{}] }"),
    EXEC("{ name: a, health_checks: [{ command: '' }] }"),
    EXEC("{ name: a, health_checks: [{ command: b, format: goss }] }"),
    EXEC("{ name: a, health_checks: [{ command: b, tries: 0 }] }"),
    EXEC("{ name: a, register_when_stable: [] }"),
    FILE_("{ name: a }"),
    FILE_("{ name: /a, ensure: file }"),
    FILE_("{ name: /a, content: b, source: c }"),
    FILE_("{ name: /a, source: '' }"),
    FILE_("{ name: /a, owner: '' }"),
    FILE_("{ name: /a, mode: '17777' }"),
    FILE_("{ name: /a, mode: rw }"),
    FILE_("{ name: /a, force: true }"),
    FILE_("{ name: /a, ensure: directory, content: b }"),
    FILE_("{ name: /a, provider: shell }"),
    FILE_("{ name: /a, command: b }"),
    ONE("package: { name: a, ensure: 1.10 }"),
    ONE("package: { name: a, ensure: 'a b' }"),
    ONE("package: { name: a, provider: rpm }"),
    ONE("package: { name: a, hold: 1 }"),
    ONE("service: { name: a, ensure: present }"),
    ONE("service: { name: a, refresh: none }"),
    ONE("service: { name: a, subscribe: b }"),
    ONE("user: { name: a, uid: -1 }"),
    ONE("user: { name: a, uid: '1' }"),
    ONE("user: { name: a, shell: b }"),
    ONE("user: { name: a, membership: all }"),
    ONE("group: { name: a, members: [b] }"),
    ONE("archive: { name: /a, url: 'ftp://b' }"),
    ONE("archive: { name: /a, url: http://b, source: /c }"),
    ONE("archive: { name: /a, url: http://b, checksum: abc }"),
    ONE("archive: { name: a, url: http://b }"),
    ONE("edit: { name: /a, line: b, after: c, before: d }"),
    ONE("edit: { name: /a, block: b, marker: c }"),
    ONE("edit: { name: /a, line: 1 }"),
};

static void
what_is_wrong_by_its_form_is_so_for_both(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (is_read(bad[i], false))
			fail_msg("read: %s", bad[i]);
		if (is_valid(bad[i], false))
			fail_msg("valid: %s", bad[i]);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		schema_describes_itself_in_the_draft_that_it_names),
	    cmocka_unit_test(schema_and_reader_have_the_same_keys),
	    cmocka_unit_test(what_is_in_order_is_so_for_both),
	    cmocka_unit_test(what_is_wrong_by_its_form_is_so_for_both),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
