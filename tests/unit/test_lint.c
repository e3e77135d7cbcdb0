/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

/* Programs and modules that exist in these tests. */
static bool
has_program(void *ctx, const char *name)
{
	static const char *const names[] = {
	    "cat", "git", "ls", "make", "python3", "rm", "sudo"};

	(void)ctx;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

static const char *
nearest_program(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "gti") == 0     ? "git"
	       : strcmp(name, "suod") == 0  ? "sudo"
	       : strcmp(name, "suddo") == 0 ? "sudo"
	       : strcmp(name, "sud") == 0   ? "sudo"
	       : strcmp(name, "at") == 0    ? "cat"
	       : strcmp(name, "ks") == 0    ? "ls"
					    : NULL;
}

static bool
has_module(void *ctx, const char *glob)
{
	(void)ctx;
	return strncmp(glob, "cli.git", 7) == 0 || strcmp(glob, "*") == 0 ||
	       strcmp(glob, "my.own") == 0 || strcmp(glob, "my.wc") == 0;
}

static bool
is_of_project(void *ctx, const char *glob)
{
	(void)ctx;
	return strcmp(glob, "my.own") == 0;
}

static const char *
nearest_module(void *ctx, const char *glob)
{
	(void)ctx;
	return strcmp(glob, "cli.gti.log") == 0 ? "cli.git.log"
	       : strcmp(glob, "my.cw") == 0     ? "my.wc"
						: NULL;
}

static const struct w_lint_source source = {
    .has_program = has_program,
    .has_module = has_module,
    .is_of_project = is_of_project,
    .nearest_program = nearest_program,
    .nearest_module = nearest_module,
};

/* Lints a policy; returns all warnings as text, one per line. */
static char *
lint(const char *text, const struct w_lint_source *world)
{
	struct w_policy *policy = policy_read(text, NULL);
	struct w_policy_faults faults = {.items = NULL};
	struct w_buf buf;

	w_buf_init(&buf, (size_t)1 << 20);
	assert_int_equal(w_policy_lint(policy, world, &faults, NULL), WRIT_OK);
	for (size_t i = 0; i < faults.count; i++) {
		const struct w_policy_fault *fault = &faults.items[i];

		assert_true(fault->is_warning);
		w_buf_add_fmt(
		    &buf, "%u: %s", fault->location.line, fault->message);
		if (fault->suggestion != NULL)
			w_buf_add_fmt(&buf, " (%s)", fault->suggestion);
		w_buf_add_char(&buf, '\n');
	}
	w_policy_faults_done(&faults);
	w_policy_free(policy);
	return w_buf_take(&buf, NULL);
}

/* Rules start at line 3; one is followed by the line of `expect`. */
struct row {
	const char *rules;
	const char *finding; /* prefix of the only warning; NULL: none */
};

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[2048];

		(void)snprintf(text, sizeof(text),
		    "version: 1\nrules:\n%sexpect: [ { deny: x } ]\n",
		    rows[i].rules);
		char *found = lint(text, &source);
		const char *wanted = rows[i].finding;
		const char *newline = strchr(found, '\n');

		if (wanted == NULL
			? found[0] != '\0'
			: strncmp(found, wanted, strlen(wanted)) != 0 ||
			      newline[1] != '\0')
			fail_msg("%s\nfound: %s\nwanted: %s", rows[i].rules,
			    found, wanted != NULL ? wanted : "nothing");
		free(found);
	}
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

static void
rules_that_a_stronger_one_covers_are_found(void **state)
{
	static const struct row rows[] = {
	    {"  - allow: git log ...\n"
	     "  - deny: { program: git }\n",
		"3: this rule decides nothing: all that it matches is denied "
		"by test.yaml:4:5 (deny: { program: git })"},
	    {"  - deny: { program: git }\n"
	     "  - allow: { program: git, effect: read }\n",
		"4: this rule decides nothing: all that it matches is denied"},
	    {"  - allow: { effect: [read] }\n"
	     "  - ask: { effect: [read, write] }\n",
		"3: this rule decides nothing: all that it matches is asked "
		"about by test.yaml:4:5"},
	    {"  - ask: { write: [\"./src/a\"] }\n"
	     "  - deny: { write: [\"./src/**\", \"/x\"] }\n",
		"3: this rule decides nothing"},
	    {"  - ask: { write: [\"./src\"] }\n"
	     "  - deny: { effect: write }\n",
		"3: this rule decides nothing"},
	    {"  - allow: { host: a.example.org, network: host }\n"
	     "  - deny: { host: \"*.example.org\" }\n",
		"3: this rule decides nothing"},
	    {"  - allow: { module: cli.git.log, inputs: { a: 1, b: x } }\n"
	     "  - deny: { module: \"cli.git.*\", inputs: { a: [1, 2] } }\n",
		"3: this rule decides nothing"},
	    {"  - allow: { effect: code, sandbox: strict }\n"
	     "  - ask: { effect: code, sandbox: workspace }\n",
		"3: this rule decides nothing"},
	    {"  - ask: { effect: code, sandbox: \"< readonly\" }\n"
	     "  - deny: { effect: code, sandbox: \"< workspace\" }\n",
		"3: this rule decides nothing"},
	    {"  - allow: { effect: net, network: [loopback] }\n"
	     "  - ask: { effect: net, network: [loopback, host] }\n",
		"3: this rule decides nothing"},
	    {"  - ask: { time: { days: sat } }\n"
	     "  - deny: { time: { days: [sat] } }\n",
		"3: this rule decides nothing"},
	    {"  - ask: { shell: \"a*\" }\n"
	     "  - deny: { shell: true }\n",
		"3: this rule decides nothing"},
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void
rules_that_say_what_was_said_are_found(void **state)
{
	static const struct row rows[] = {
	    {"  - deny: { program: [rm, sudo] }\n"
	     "  - deny: { program: sudo }\n",
		"4: this rule decides nothing: test.yaml:3:5 already says it "
		"(deny: { program: [rm, sudo] })"},
	    {"  - allow: git log ...\n"
	     "  - allow: git log\n",
		"4: this rule decides nothing: test.yaml:3:5 already says it"},
	    {"  - deny: { effect: priv }\n"
	     "  - deny: { effect: priv }\n",
		"4: this rule decides nothing"},
	};

	(void)state;
	CHECK_ROWS(rows);
}

/* None of these is covered, though some look similar. */
static void
rules_that_decide_something_are_left_alone(void **state)
{
	static const struct row rows[] = {
	    /* Reported first, for its own reason. */
	    {"  - deny: { program: sudo }\n"
	     "    because: ask the administrator\n"
	     "  - deny: { program: \"s*\" }\n",
		NULL},
	    {"  - deny: { program: rm }\n"
	     "  - allow: { effect: read }\n",
		NULL},
	    {"  - allow: { read: [\"~/**\"] }\n"
	     "  - deny: { read: [\"~/.ssh/**\"] }\n",
		NULL},
	    {"  - ask: { write: [\"./src/**\"] }\n"
	     "  - deny: { read: [\"./src/**\"] }\n",
		NULL},
	    {"  - ask: { effect: [read, write] }\n"
	     "  - deny: { effect: read }\n",
		NULL},
	    {"  - ask: { write: [\"/srcs/a\"] }\n"
	     "  - deny: { write: [\"/src/**\"] }\n",
		NULL},
	    {"  - ask: { program: \"[gx]it\" }\n"
	     "  - deny: { program: \"*-it\" }\n",
		NULL},
	    {"  - ask: { program: \"g*\" }\n"
	     "  - deny: { program: git }\n",
		NULL},
	    {"  - ask: { effect: read }\n"
	     "  - deny: { effect: read, sandbox: workspace }\n",
		NULL},
	    {"  - ask: { effect: read }\n"
	     "  - deny: { effect: read, network: host }\n",
		NULL},
	    {"  - ask: { effect: read }\n"
	     "  - deny: { effect: read, agent: a }\n",
		NULL},
	    {"  - ask: { shape: git log ... }\n"
	     "  - deny: { shape: git log }\n",
		NULL},
	    {"  - ask: { inputs: { a: 1 } }\n"
	     "  - deny: { inputs: { a: 1, b: 2 } }\n",
		NULL},
	    {"  - ask: { shell: true }\n"
	     "  - deny: { shell: \"a*\" }\n",
		NULL},
	    {"  - ask: { time: { days: mon } }\n"
	     "  - deny: { time: { days: tue } }\n",
		NULL},
	    {"  - allow: { variable: LANG }\n"
	     "  - deny: { variable: LD_* }\n",
		NULL},
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void
rules_that_can_never_match_are_found(void **state)
{
	static const struct row rows[] = {
	    {"  - deny: { host: example.org, effect: read }\n",
		"3: this rule can never match: nothing has such an effect and "
		"a host ('host' is about the effects net and publish)"},
	    {"  - deny: { host: example.org, read: /x }\n",
		"3: this rule can never match: nothing has such a path and a "
		"host"},
	    {"  - deny: { write: /x, effect: [net, read] }\n",
		"3: this rule can never match: nothing has such an effect and "
		"such a path"},
	    {"  - deny: { program: ls, shape: git log ... }\n",
		"3: this rule can never match: 'git' is not one of its "
		"programs"},
	    {"  - deny: { program: ls, module: cli.git.log }\n",
		"3: this rule can never match: 'cli.git.log' is not a module "
		"of 'ls'"},
	    {"  - deny: { program: git, module: cli.git.log }\n", NULL},
	    {"  - deny: { program: /usr/bin/git, shape: git log ... }\n", NULL},
	    {"  - deny: { write: /x, effect: [write, net] }\n", NULL},
	    {"  - deny: { host: example.org, effect: [publish, read] }\n",
		NULL},
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void
names_that_are_nearly_others_are_found(void **state)
{
	static const struct row rows[] = {
	    {"  - allow: gti log ...\n",
		"3: there is no program 'gti' here (did you mean 'git'?)"},
	    {"  - deny: { program: suod }\n",
		"3: there is no program 'suod' here (did you mean 'sudo'?)"},
	    {"  - ask: { program: suddo }\n",
		"3: there is no program 'suddo' here (did you mean 'sudo'?)"},
	    {"  - deny: { program: [at, sud] }\n", NULL},
	    {"  - allow: { program: ks }\n",
		"3: there is no program 'ks' here (did you mean 'ls'?)"},
	    {"  - allow: { program: frobnicate }\n",
		"3: there is no program 'frobnicate' here"},
	    /* Denying a missing program can be intended. */
	    {"  - deny: { program: [doas, \"mkfs.*\", /sbin/xyz] }\n", NULL},
	    {"  - allow: { module: cli.gti.log }\n",
		"3: no module has an id like 'cli.gti.log' (did you mean "
		"'cli.git.log'?)"},
	    {"  - deny: { module: my.cw }\n",
		"3: no module has an id like 'my.cw' (did you mean 'my.wc'?)"},
	    {"  - allow: { module: my.own, effect: read }\n",
		"3: 'my.own' is a module of the project: its id allows "
		"nothing"},
	    {"  - deny: { module: my.own }\n", NULL},
	    {"  - deny: { program: git push }\n",
		"3: 'git push' is read as the name of one program (did you "
		"mean the shape 'git push ...'?)"},
	    {"  - allow: git log | cat\n",
		"3: '|' is a word like others in a shape"},
	    {"  - allow: git log --author=*\n",
		"3: the '*' in '--author=*' stands for itself"},
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void
broad_allows_are_found(void **state)
{
	static const struct row rows[] = {
	    {"  - allow: {}\n", "3: this allows everything that no other rule"},
	    {"  - allow: { agent: \"*\" }\n", "3: this allows everything"},
	    {"  - allow: { shell: true }\n",
		"3: this allows every text for a shell"},
	    {"  - allow: { program: [ls, python3] }\n",
		"3: 'python3' is allowed however it is called, and it runs"},
	    {"  - allow: { program: git }\n", "3: 'git' is allowed"},
	    {"  - allow: { program: \"p*\" }\n",
		"3: 'p*' is allowed however it is called, and perl runs"},
	    {"  - allow: { effect: [read, priv] }\n",
		"3: this allows other users' rights"},
	    {"  - allow: { effect: unknown }\n",
		"3: this allows whatever writ does not understand, in any "
		"sandbox and none (add 'sandbox: workspace')"},
	    {"  - allow: { effect: code }\n", "3: this allows whatever code"},
	    {"  - allow: { write: [\"/**\"] }\n",
		"3: '/**' allows that nearly everything is written ('./**' is"},
	    {"  - allow: { delete: [\"~/**\"] }\n",
		"3: '~/**' allows that nearly everything is deleted"},
	    {"  - allow: { read: [\"/**\"] }\n", NULL},
	    {"  - allow: { program: [ls, cat] }\n", NULL},
	    {"  - allow: { program: git, effect: read }\n", NULL},
	    {"  - allow: { program: python3, sandbox: workspace }\n", NULL},
	    {"  - allow: { effect: code, sandbox: workspace }\n", NULL},
	    {"  - allow: python3 ...\n", NULL},
	    {"  - deny: {}\n", NULL},
	    /* The other rule covers it. */
	    {"  - allow: { module: \"*\", effect: [read, code] }\n"
	     "  - ask: { effect: code }\n",
		NULL},
	};

	(void)state;
	CHECK_ROWS(rows);
}

struct whole {
	const char *text;
	const char *findings;
};

static void
other_keys_are_looked_over_as_well(void **state)
{
	static const struct whole rows[] = {
	    {"version: 1\ndefault: allow\n",
		"2: 'default: allow' without a rule that denies or asks allows "
		"everything that is understood\n"},
	    {"version: 1\ndefault: allow\nprograms: [ls]\n", ""},
	    {"version: 1\nshell: allow\n",
		"2: 'shell: allow' lets every text run, whatever is in it\n"},
	    {"version: 1\nprograms: [ls, sh]\n",
		"2: there is no program 'sh' here\n"
		"2: 'programs' lists sh, and writ does not see what that is "
		"told to "
		"do ('allow: false' and rules say which of it is meant)\n"},
	    {"version: 1\nprograms: [ls, git]\n", ""},
	    {"version: 1\nprograms: { only: [ls, git], allow: false }\n"
	     "rules:\n  - allow: make ...\n  - allow: git log ...\n",
		"4: this rule decides nothing: 'programs' does not list 'make' "
		"(add it to 'programs')\n"},
	    {"version: 1\nagents: { reviewer: }\n"
	     "rules: [ { ask: { agent: reviwer } } ]\n",
		"3: this rule can never match: there is no agent 'reviwer' "
		"(did you mean 'reviewer'?)\n"},
	    {"version: 1\nagents: { a: { rules: [ { ask: { agent: b } } ] } "
	     "}\n",
		"2: this rule can never match: there is no agent 'b' here\n"},
	    {"version: 1\nagents: { a: { tools: [gti, cli.gti.log, bash, ls, "
	     "\"cli.git.*\"] } }\n",
		"2: there is no program 'gti' here (did you mean 'git'?)\n"
		"2: no module has an id like 'cli.gti.log' (did you mean "
		"'cli.git.log'?)\n"},
	    {"version: 1\nagents: { a: { tools: [my.cw, my.wc, my.own, "
	     "\"x.*\"] } }\n",
		"2: there is neither a program nor a module 'my.cw' here (did "
		"you mean 'my.wc'?)\n"
		"2: 'my.own' is a module of the project: its id allows "
		"nothing (name the program that it runs, or move it to your "
		"own modules (writ module add))\n"},
	    {"version: 1\nrules: [ { deny: ls } ]\n",
		"2: no line of 'expect' says what this rule must deny "
		"(expect: [ { deny: COMMAND } ] shows when it no longer "
		"does)\n"},
	    {"version: 1\nrules: [ { deny: { effect: net } } ]\n"
	     "agents: { a: { rules: [ { ask: { effect: net } } ] } }\n"
	     "expect: [ { deny: x } ]\n",
		"3: this rule decides nothing: all that it matches is denied "
		"by test.yaml:2:10 (deny: { effect: net })\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *found = lint(rows[i].text, &source);

		assert_string_equal(found, rows[i].findings);
		free(found);
	}
}

static void
presets_have_no_findings_but_those_that_allow_everything(void **state)
{
	size_t count;
	const struct w_preset *presets = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		char *found = lint(presets[i].text, NULL);
		const bool is_open = strcmp(presets[i].name, "open") == 0 ||
				     strcmp(presets[i].name, "manifest") == 0;

		if (is_open)
			assert_non_null(strstr(found, "allows everything"));
		else if (found[0] != '\0')
			fail_msg("%s: %s", presets[i].name, found);
		free(found);
	}
}

static void
what_a_preset_has_is_not_told_to_who_includes_it(void **state)
{
	char *found = lint("version: 1\ninclude: open\n", NULL);

	(void)state;
	assert_string_equal(found, "");
	free(found);
	found = lint("version: 1\ninclude: developer\n"
		     "rules: [ { allow: { effect: priv } } ]\n",
	    NULL);
	assert_non_null(strstr(found, "denied by preset:developer:"));
	free(found);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rules_that_a_stronger_one_covers_are_found),
	    cmocka_unit_test(rules_that_say_what_was_said_are_found),
	    cmocka_unit_test(rules_that_decide_something_are_left_alone),
	    cmocka_unit_test(rules_that_can_never_match_are_found),
	    cmocka_unit_test(names_that_are_nearly_others_are_found),
	    cmocka_unit_test(broad_allows_are_found),
	    cmocka_unit_test(other_keys_are_looked_over_as_well),
	    cmocka_unit_test(
		presets_have_no_findings_but_those_that_allow_everything),
	    cmocka_unit_test(what_a_preset_has_is_not_told_to_who_includes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
