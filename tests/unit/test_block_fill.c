/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/template/block_template.h"
#include "expressions.h"

struct block_case {
	const char *text;
	const char *filled; /* or the error, "LINE:COLUMN: message" */
};

static void
check(const struct block_case *cases, size_t count, enum w_block_syntax syntax)
{
	for (size_t i = 0; i < count; i++) {
		struct expressing scope;
		const struct w_block_template *template;
		struct w_value text = {.kind = W_VALUE_NULL};
		writ_error err = {0};
		char got[4096];

		expressing_open(&scope);
		writ_status status = w_block_parse(&scope.arena, cases[i].text,
		    strlen(cases[i].text), syntax, &template, &err);
		if (status == WRIT_OK)
			status = w_block_fill(
			    template, &scope.scope, &scope.arena, &text, &err);
		if (status == WRIT_OK)
			(void)snprintf(got, sizeof(got), "%s%s",
			    text.is_secret ? "(secret) " : "",
			    text.as.string.text);
		else
			(void)snprintf(got, sizeof(got), "%u:%u: %s", err.line,
			    err.column, err.message);
		if (strcmp(got, cases[i].filled) != 0)
			print_error("%s\n", cases[i].text);
		assert_string_equal(got, cases[i].filled);
		expressing_close(&scope);
	}
}

#define CHECK_BLOCKS(cases, syntax) \
	check(cases, sizeof(cases) / sizeof((cases)[0]), syntax)

static void
loops_and_choices(void **state)
{
	static const struct block_case cases[] = {
	    {"", ""},
	    {"plain ${HOME} } ]]", "plain ${HOME} } ]]"},
	    {"a {{ Data.port + 1 }} {{{{ b }}", "a 8081 {{ b }}"},
	    {"{% for h in Data.hosts %}{{ h }};{% endfor %}", "db1;db2;www;"},
	    {"{% for i, h in Data.hosts %}{{ i }}{{ h }} {% endfor %}",
		"0db1 1db2 2www "},
	    {"{% for k, v in Facts.os %}{{ k }}={{ v }};{% endfor %}",
		"name=debian;version=12;load=0.5;"},
	    {"{% for h in Data.hosts %}{{ loop.index }}{{ loop.last ? '.' : "
	     "',' }}{% endfor %}",
		"1,2,3."},
	    {"{% for x in Data.list %}x{% else %}none{% endfor %}", "none"},
	    {"{% for x in [1] %}x{% else %}none{% endfor %}", "x"},
	    {"{% if Data.port > 1 %}a{% else %}b{% endif %}", "a"},
	    {"{% if false %}a{% elif Data.port == 8080 %}b{% elif true %}c{% "
	     "else %}d{% endif %}",
		"b"},
	    {"{% if false %}a{% elif false %}b{% else %}d{% endif %}!", "d!"},
	    {"{% if false %}a{% endif %}", ""},
	    {"{% set x = Data.port %}{{ x }}{% for x in [1] %}{{ x }}{% endfor "
	     "%}{{ x }}",
		"808018080"},
	    {"{% for a in [[1, 2], [3]] %}{% for b in a %}{{ b }}{% endfor "
	     "%}/{% endfor %}",
		"12/3/"},
	    {"{{ let y = 2; y * y }}{% for x in [1] %}{{ let y = x; y }}{% "
	     "endfor %}",
		"41"},
	    {"{{ Data.template }}", "{{ 40+2 }} ${ 1 }"},
	    {"{% raw %}{{ x }} {% if %}{% endraw %}.", "{{ x }} {% if %}."},
	    {"a{# {{ nothing }} #}b", "ab"},
	    {"{{ {a: [1]}.a[0] }}{{ '}}' }}", "1}}"},
	    {"{% for h in Data.hosts %}{% if h startsWith 'db' %}{{ h }} {% "
	     "endif %}{% endfor %}",
		"db1 db2 "},
	};

	(void)state;
	CHECK_BLOCKS(cases, W_BLOCK_PLAIN);
}

static void
a_line_of_a_block_alone_is_left_out(void **state)
{
	static const struct block_case cases[] = {
	    {"a\n  {% for h in [1, 2] %}  \n  {{ h }}\n  {% endfor %}\nb\n",
		"a\n  1\n  2\nb\n"},
	    {"{# c #}\na\n{% if true %}\nb\n{% endif %}", "a\nb\n"},
	    {"{{ 1 }}\n{{ 2 }}\n", "1\n2\n"},
	    {"x {% if true %}\ny{% endif %}\n", "x \ny\n"},
	    {"a\n{%- if true -%}\n b {%- endif %}\n", "ab\n"},
	    {"a  {{- 1 -}}  b", "a1b"},
	    {"{% raw %}\n{{ x }}\n{% endraw %}\nend", "{{ x }}\nend"},
	};

	(void)state;
	CHECK_BLOCKS(cases, W_BLOCK_PLAIN);
}

static void
jet_has_other_signs(void **state)
{
	static const struct block_case cases[] = {
	    {"{{ x }} [ [a] ] [[ Data.port ]]", "{{ x }} [ [a] ] 8080"},
	    {"[[ range Data.hosts ]][[ . ]] [[ end ]]", "db1 db2 www "},
	    {"[[ range Data.users ]][[ .name ]]:[[ .uid + 1 ]] [[ end ]]",
		"ann:1001 bob:1002 "},
	    {"[[ range i, h := Data.hosts ]][[ i ]][[ h ]] [[ end ]]",
		"0db1 1db2 2www "},
	    {"[[ range h := Data.hosts ]][[ h ]][[ end ]]", "db1db2www"},
	    {"[[ range Data.list ]]x[[ else ]]none[[ end ]]", "none"},
	    {"[[ if false ]]a[[ else if true ]]b[[ else ]]c[[ end ]]", "b"},
	    {"[[ x := [1, [2]] ]][[ x[1][0] ]]", "2"},
	    {"a{* [[ no *}b", "ab"},
	    {"[[- 1 -]] \n x", "1x"},
	};

	(void)state;
	CHECK_BLOCKS(cases, W_BLOCK_JET);
}

static void
faults_have_their_place(void **state)
{
	static const struct block_case cases[] = {
	    {"a\n {{ Data.nope }}", "2:9: no member 'nope' in Data"},
	    {"{{ 1", "1:1: this sign is never closed"},
	    {"{% if true %}", "1:1: this block is never ended"},
	    {"{% raw %}", "1:1: this block is never ended"},
	    {"{% endif %}", "1:1: there is no block that this ends"},
	    {"{% if true %}{% endfor %}",
		"1:14: there is no block that this ends"},
	    {"{% else %}", "1:1: there is no 'if' that this belongs to"},
	    {"{% for x in [1] %}{% elif 1 %}{% endfor %}",
		"1:19: there is no 'if' that this belongs to"},
	    {"{% nope %}", "1:4: an unknown block"},
	    {"{% for x %}{% endfor %}",
		"1:8: 'for' is followed by a name, 'in' and a list or map"},
	    {"{% for x in 1 %}{% endfor %}",
		"1:13: a loop goes through a list or a map, not a whole "
		"number"},
	    {"{% if 1 %}{% endif %}",
		"1:7: 'if' wants true or false, not a whole number"},
	    {"{% for x in [1] %}{% endfor %}{{ x }}", "1:34: unknown name 'x'"},
	    {"{{ .name }}", "1:4: unexpected '.' where a value should be"},
	    {"{% for a in 1..9999 %}{% for b in 1..9999 %}{% endfor %}{% "
	     "endfor %}",
		"1:36: the expression needs more than 64 MiB of memory"},
	    {"{% for a in 1..9999 %}{{ repeat('x', 99999) }}{% endfor %}",
		"0:0: a text of more than 16 MiB"},
	};

	(void)state;
	CHECK_BLOCKS(cases, W_BLOCK_PLAIN);
}

static void
what_a_secret_decides_is_one(void **state)
{
	static const struct block_case cases[] = {
	    {"{{ Data.password }}", "(secret) hunter2"},
	    {"{% if Data.password == 'x' %}a{% endif %}b", "(secret) b"},
	    {"{% for x in Data.login.tries %}y{% endfor %}", "(secret) y"},
	    {"{% set x = Data.password %}z", "z"},
	};

	(void)state;
	CHECK_BLOCKS(cases, W_BLOCK_PLAIN);
}

static void
template_is_a_function(void **state)
{
	static const struct expressing_case cases[] = {
	    {"template('{% for h in Data.hosts %}{{ h }}{% endfor %}')",
		"\"db1db2www\"", NULL, 0, NULL},
	    {"template('{{ Data.password }}')", "\"(sensitive)\"", NULL, 0,
		NULL},
	    {"template('a {{ 1 +')", NULL,
		"template:1:3: this sign is never closed", 1, NULL},
	    {"template('/nope.j2')", NULL,
		"cannot read '/nope.j2': no such "
		"file",
		1, NULL},
	    {"template(1)", NULL,
		"template() wants a string here, not a whole number", 10, NULL},
	    {"let t = 'x{{ template(\"y\") }}'; template(t)", "\"xy\"", NULL, 0,
		NULL},
	};

	(void)state;
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(loops_and_choices),
	    cmocka_unit_test(a_line_of_a_block_alone_is_left_out),
	    cmocka_unit_test(jet_has_other_signs),
	    cmocka_unit_test(faults_have_their_place),
	    cmocka_unit_test(what_a_secret_decides_is_one),
	    cmocka_unit_test(template_is_a_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
