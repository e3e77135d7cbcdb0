/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/policy/decision_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Parses JSON with apostrophes in place of quotes. */
static yyjson_doc *
read_json(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *at = copy; *at != '\0'; at++) {
		if (*at == '\'')
			*at = '"';
	}
	yyjson_doc *doc = yyjson_read(copy, strlen(copy), YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	free(copy);
	return doc;
}

static bool
quote(void *ctx, const char *file, unsigned line, struct w_buf *out_line)
{
	(void)ctx;
	if (strcmp(file, "/srv/p/.writ/policy.yaml") != 0 || line != 12)
		return false;
	w_buf_add_str(out_line, "  - deny: { program: [sudo] }\r");
	return true;
}

typedef void (*part_fn)(const struct w_decision_page *, yyjson_val *);

static void
expect(part_fn part, const char *json, bool has_colour, const char *text)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_decision_page page = {.buf = &buf,
	    .has_colour = has_colour,
	    .cwd = "/srv/p",
	    .quote = quote};
	yyjson_doc *doc = read_json(json);

	w_buf_init(&buf, 65536);
	part(&page, yyjson_doc_get_root(doc));
	assert_string_equal(buf.data, text);
	yyjson_doc_free(doc);
}

#define DENIED                                                             \
	"{'decision':'deny','message':'agent is not allowed to use sudo'," \
	"'rules':[{'tier':'project','file':'/srv/p/.writ/policy.yaml',"    \
	"'line':12,'column':11,'decision':'deny',"                         \
	"'rule':'deny: {program: [sudo]}','because':'no other rights',"    \
	"'message':null,'matched':'program sudo','command':1},"            \
	"{'tier':'user','file':'/home/u/policy.yaml','line':3,'column':5," \
	"'decision':'ask','rule':'ask: {}','because':null,"                \
	"'matched':'everything','command':0}]}"

static void
the_verdict_has_its_rule_with_a_mark_below_the_column(void **state)
{
	(void)state;
	expect(w_cli_decision_add_verdict, DENIED, false,
	    "deny: agent is not allowed to use sudo\n"
	    ".writ/policy.yaml:12:11 (project policy)\n"
	    "   12 |   - deny: { program: [sudo] }\n"
	    "      |           ^\n"
	    "  because: no other rights\n"
	    "  matched: program sudo\n");
}

static void
other_rules_that_matched_follow(void **state)
{
	(void)state;
	expect(w_cli_decision_add_others, DENIED, false,
	    "\nalso matched\n"
	    "  ask    /home/u/policy.yaml:3:5 (user policy): everything\n");
}

#define RULE(line, what)                                         \
	"{'tier':'user','file':'/u','line':" line ",'column':5," \
	"'decision':'allow','matched':'" what "'}"

static void
what_would_be_told_twice_is_told_once(void **state)
{
	(void)state;
	expect(w_cli_decision_add_others,
	    "{'rules':[" RULE("1", "a") "," RULE("2", "a") "," RULE(
		"2", "b") "," RULE("2", "a") "," RULE("1", "a") "]}",
	    false,
	    "\nalso matched\n"
	    "  allow  /u:2:5 (user policy): a\n"
	    "  allow  /u:2:5 (user policy): b\n");
	expect(w_cli_decision_add_others,
	    "{'rules':[" RULE("1", "a") "," RULE("1", "a") "]}", false, "");
	expect(w_cli_decision_add_verdict,
	    "{'decision':'deny','message':'no (it is late)','rules':[{"
	    "'file':'/u','line':0,'because':'it is late'}]}",
	    false, "deny: no (it is late)\n/u\n");
}

static void
a_verdict_has_its_colour(void **state)
{
	(void)state;
	expect(w_cli_decision_add_verdict, "{'decision':'ask','rules':[]}",
	    true, "\033[1;33mask\033[0m\n");
	expect(w_cli_decision_add_verdict, "{'decision':'allow'}", true,
	    "\033[1;32mallow\033[0m\n");
}

static void
a_rule_without_a_line_is_shown_by_its_text(void **state)
{
	(void)state;
	expect(w_cli_decision_add_verdict,
	    "{'decision':'ask','message':'no rule allows it','rules':[{"
	    "'tier':'user','file':'preset:developer','line':0,'column':0,"
	    "'decision':'ask','rule':'default: ask'}]}",
	    false,
	    "ask: no rule allows it\n"
	    "preset:developer (user policy)\n"
	    "  default: ask\n");
}

/* Strings come from agents. */
static void
nothing_that_a_terminal_obeys_gets_through(void **state)
{
	(void)state;
	expect(w_cli_decision_add_verdict,
	    "{'decision':'deny','message':'a\\u001b[2Jb\\nwrit: allow'}", false,
	    "deny: a\\x1b[2Jb\\nwrit: allow\n");
	expect(w_cli_decision_add_commands,
	    "{'commands':[{'argv':['rm','\\u001b[1A'],'decision':'deny',"
	    "'paths':[{'effect':'delete','path':'\\u001b[1A',"
	    "'resolved':'/x/\\u202e'}]}]}",
	    false,
	    "\ncommands\n"
	    "  deny   rm '\\x1b[1A'\n"
	    "      deletes     \\x1b[1A -> /x/\\u{202e}\n");
}

static void
bytes_that_are_no_text_are_shown(void **state)
{
	(void)state;
	expect(w_cli_decision_add_verdict,
	    "{'decision':'deny','message':{'b64':'Yf9i'}}", false,
	    "deny: a\\xffb\n");
}

/* A path written relative to another directory leads elsewhere only through a
 * symlink. */
static void
where_a_path_leads_is_told_when_a_link_is_on_the_way(void **state)
{
	(void)state;
	expect(w_cli_decision_add_commands,
	    "{'commands':[{'argv':['cat','a'],'paths':["
	    "{'effect':'read','path':'a','spelled':'/x/a','resolved':'/x/a'},"
	    "{'effect':'read','path':'l','spelled':'/x/l','resolved':'/y'}"
	    "]}]}",
	    false,
	    "\ncommands\n"
	    "  cat a\n"
	    "      reads       a\n"
	    "      reads       l -> /y\n");
}

static void
commands_have_verdicts_and_what_they_touch(void **state)
{
	(void)state;
	expect(w_cli_decision_add_commands,
	    "{'commands':[{'argv':['env','sudo','id'],'depth':0,"
	    "'decision':'allow','module':'cli.env','effects':[],'paths':[]},"
	    "{'argv':['sudo','id'],'depth':1,'decision':'deny',"
	    "'module':null,'understood':false,"
	    "'reason':{'message':'no description'},"
	    "'effects':['priv','read'],"
	    "'paths':[{'effect':'read','path':'/srv/p/a',"
	    "'resolved':'/srv/p/a'},{'effect':'write','path':null}],"
	    "'hosts':['example.com']}]}",
	    false,
	    "\ncommands\n"
	    "  allow  env sudo id  [cli.env]\n"
	    "    deny   sudo id\n"
	    "        not understood: no description\n"
	    "        reads       a\n"
	    "        writes      (known only when it runs)\n"
	    "        effects     priv\n"
	    "        hosts       example.com\n");
}

static void
walls_and_limits_are_told(void **state)
{
	(void)state;
	expect(w_cli_decision_add_sandbox,
	    "{'agent':'local','sandbox':{'profile':'workspace',"
	    "'network':'off','read':[],'write':['/srv/p/a','/srv/p/b'],"
	    "'execute':['/usr/bin/git'],'hide':[]},"
	    "'limits':{'timeout_ms':120000,'memory':2147483648,"
	    "'processes':64,'idle_ms':0},"
	    "'environment':{'mode':'minimal'},"
	    "'policies':[{'tier':'project',"
	    "'file':'/srv/p/.writ/policy.yaml'}]}",
	    false,
	    "\n"
	    "sandbox     workspace, network off\n"
	    "may write   /srv/p/a, /srv/p/b\n"
	    "may execute /usr/bin/git\n"
	    "limits      timeout 2m, memory 2GiB, processes 64\n"
	    "environment minimal\n"
	    "agent       local\n"
	    "policies    .writ/policy.yaml (project)\n");
}

static void
a_path_is_only_shortened_to_what_leads_there(void **state)
{
	static const struct {
		const char *path;
		const char *shown;
	} rows[] = {
	    {"/srv/p/a", "a"},
	    {"/srv/p", "/srv/p"},
	    {"/srv/p/", "/srv/p/"},
	    {"/srv/pa", "/srv/pa"},
	    {"/srv", "/srv"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		const struct w_decision_page page = {
		    .buf = &buf, .cwd = "/srv/p"};

		w_buf_init(&buf, 4096);
		w_cli_decision_add_path(&page, rows[i].path);
		assert_string_equal(buf.data, rows[i].shown);
	}
}

static void
a_decision_of_anything_can_be_shown(void **state)
{
	static const char *const odd[] = {"{}", "[]", "null", "7",
	    ("{'decision':7,'rules':{},'commands':[1,null],'sandbox':[],"
	     "'limits':{'x':[]},'policies':[{}],'warnings':[1]}"),
	    "{'rules':[{'line':-1}],'commands':[{'depth':1000000}]}"};

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		const struct w_decision_page page = {.buf = &buf};
		yyjson_doc *doc = read_json(odd[i]);

		w_buf_init(&buf, 65536);
		w_cli_decision_add(&page, yyjson_doc_get_root(doc));
		assert_false(buf.failed);
		yyjson_doc_free(doc);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		the_verdict_has_its_rule_with_a_mark_below_the_column),
	    cmocka_unit_test(other_rules_that_matched_follow),
	    cmocka_unit_test(what_would_be_told_twice_is_told_once),
	    cmocka_unit_test(a_verdict_has_its_colour),
	    cmocka_unit_test(a_rule_without_a_line_is_shown_by_its_text),
	    cmocka_unit_test(nothing_that_a_terminal_obeys_gets_through),
	    cmocka_unit_test(bytes_that_are_no_text_are_shown),
	    cmocka_unit_test(
		where_a_path_leads_is_told_when_a_link_is_on_the_way),
	    cmocka_unit_test(commands_have_verdicts_and_what_they_touch),
	    cmocka_unit_test(walls_and_limits_are_told),
	    cmocka_unit_test(a_path_is_only_shortened_to_what_leads_there),
	    cmocka_unit_test(a_decision_of_anything_can_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
