/* SPDX-License-Identifier: Apache-2.0 */

/* Decisions: which rules match which commands, and which rule wins. */

#include "judging.h"

static void
the_strongest_rule_counts_wherever_it_stands(void **state)
{
	(void)state;
	SAYS("rules: [{allow: {}}]", "allow: ls");
	SAYS("rules: [{allow: {}}, {ask: {program: ls}}]", "ask: ls",
	    "allow: cat x");
	SAYS(
	    "rules: [{deny: {program: ls}}, {ask: {program: ls}}, {allow: {}}]",
	    "deny: ls", "allow: cat x");
	SAYS(
	    "rules: [{allow: {}}, {ask: {program: ls}}, {deny: {program: ls}}]",
	    "deny: ls", "allow: cat x");
}

static void
every_item_has_to_be_allowed(void **state)
{
	(void)state;
	SAYS("rules: [{allow: {effect: read}}]", "allow: cat a",
	    "allow: echo hi", "ask: cp a b", "ask: frobnicate");
	SAYS("rules: [{allow: {effect: read}}, {allow: {write: ['./**']}}]",
	    "allow: cp a b", "ask: cp a /etc/b", "ask: rm b", "ask: cp a ../b");
}

static void
what_no_rule_covers_gets_the_default(void **state)
{
	(void)state;
	SAYS("default: allow", "allow: cp a b", "ask: frobnicate",
	    "ask: ls --bad", "ask $: eval $HOME");
	SAYS("default: deny\nrules: [{allow: {effect: read}}]", "deny: cp a b",
	    "deny: frobnicate", "allow: ls");
	SAYS("default: allow\nrules: [{allow: {effect: [unknown, exec]}}]",
	    "allow: frobnicate");
	SAYS("default: allow\nrules: [{deny: {effect: unknown}}]",
	    "deny: frobnicate", "deny: env frobnicate");
}

static void
commands_inside_are_judged_each(void **state)
{
	static const char policy[] =
	    "rules:\n"
	    "  - allow: {effect: read}\n"
	    "  - allow: {write: ['./**'], delete: ['./**']}\n"
	    "  - deny: {program: [sudo, su]}\n";

	(void)state;
	SAYS(policy, "allow: env ls", "deny: env sudo id",
	    "deny: timeout 5 nice env sudo id", "deny: sh -c 'ls; sudo id'",
	    "deny $: ls | sudo cat", "allow $: ls | cat",
	    "allow: find . -exec cat '{}' ';'",
	    "deny: find . -exec sudo cat '{}' ';'", "ask: env frobnicate");
	/* Whether the inner command is understood is a separate item. */
	SAYS("rules: [{allow: {effect: read}}, {allow: {program: frobnicate}}]",
	    "allow: env frobnicate x", "ask: env -q frobnicate");
}

static void
names_of_programs_are_any_of_them(void **state)
{
	(void)state;
	SAYS("default: allow\nrules: [{deny: {program: 'MKFS*'}}]",
	    "deny: mkfs.ext4 x", "deny: /sbin/mkfs x", "deny: Mkfs");
	SAYS("default: deny\nrules: [{allow: {program: Ls}}]", "deny: ls");
	SAYS("default: deny\nrules: [{allow: {program: /usr/bin/ls}}]",
	    "allow: ls", "deny: /opt/ls");
	SAYS("default: deny\nrules: [{allow: {called_as: ls}}]", "allow: ls",
	    "deny: /bin/ls");
	SAYS("default: allow\nrules: [{deny: {called_as: '*/*'}}]",
	    "deny: /bin/ls", "allow: ls");
	SAYS("default: allow\nrules: [{deny: {module: 'cli.git.*'}}]",
	    "deny: git add x", "allow: ls");
}

static void
a_file_of_the_project_is_not_the_program_of_its_name(void **state)
{
	(void)state;
	SAYS("rules: [{allow: {program: ls}}, {allow: ls ...}]", "allow: ls",
	    "ask: ./ls");
	SAYS("rules: [{allow: {effect: code}}]", "allow: ./ls", "ask: ls");
	SAYS("rules: [{allow: {program: ./ls}}]", "allow: ./ls");
	SAYS("programs: [ls]", "allow: ls", "deny: ./ls");
	SAYS("rules: [{deny: {program: ls}}, {allow: {}}]", "deny: ./ls");
}

static void
paths_are_as_written_and_where_they_lead(void **state)
{
	static const char policy[] =
	    "rules:\n"
	    "  - allow: {effect: read}\n"
	    "  - allow: {write: ['./**'], delete: ['./**']}\n"
	    "  - deny: {read: ['/etc/passwd', '~/.ssh/**']}\n"
	    "  - deny: {write: ['/etc/**']}\n";

	(void)state;
	SAYS(policy, "deny: cat link", "deny: cat /etc/passwd",
	    "deny: cat ../../etc/passwd", "deny: cat /home/u/.ssh/id",
	    "deny: cat /home/u/.ssh", "allow: cat /home/u/.sshd",
	    "deny: cp a out/x", "allow: cp a b/../c", "ask: cp a /srv/x");
	/* An allow rule has to match both. */
	SAYS("rules: [{allow: {effect: read}}, {allow: {write: ['./**']}}]",
	    "ask: cp a link", "ask: cp a out/b");
	SAYS("rules: [{allow: {read: ['./**']}}]", "allow: cat a",
	    "ask: cat link", "ask: cat /etc/x", "ask: echo hi");
}

static void
a_write_rule_that_denies_is_about_deleting_too(void **state)
{
	(void)state;
	SAYS("default: allow\nrules: [{deny: {write: ['/srv/**']}}]",
	    "deny: rm /srv/a", "deny: cp a /srv/b", "allow: cat /srv/b");
	SAYS("rules: [{allow: {write: ['./**']}}]", "ask: rm a");
}

static void
a_directory_is_touched_with_what_is_in_it(void **state)
{
	static const char policy[] =
	    "default: allow\n"
	    "rules:\n"
	    "  - deny: {write: ['~/.ssh/**', '**/.git/hooks/**', "
	    "'./keep/**']}\n"
	    "  - deny: {delete: ['/home/*/mail/**']}\n";

	(void)state;
	SAYS(policy, "deny: rm -r /home/u", "deny: rm -r /home",
	    "deny: rm -r /", "deny: rm -r .git", "allow: rm -r src",
	    "deny: rm -r .", "deny: cp a .git", "allow: cp a .",
	    "allow: cp a src", "deny: cp a /home/u", "allow: cat /home/u",
	    "allow: cp a /etc");
}

static void
hosts_and_variables_are_matched_by_name(void **state)
{
	(void)state;
	SAYS("default: ask\nrules: [{allow: {host: 'a.example'}}, {allow: "
	     "{effect: read}}]",
	    "allow: curl https://a.example/x", "ask: curl https://b.example",
	    "allow: curl https://a.example./x", "ask: curl https://A.example");
	SAYS("default: allow\nrules: [{deny: {host: ['*.bad.example', "
	     "bad.example]}}]",
	    "deny: curl https://x.bad.example/", "deny: curl BAD.example",
	    "allow: curl good.example");
	SAYS("default: allow\nrules: [{deny: {variable: 'CURL_*'}}]",
	    "deny: env CURL_HOME=. curl x", "allow: env A=1 curl x");
}

static void
files_elsewhere_are_none_of_ours(void **state)
{
	(void)state;
	SAYS("default: allow\nrules: [{deny: {delete: ['./**']}}]",
	    "allow: ssh h rm x", "deny: rm x");
	SAYS("default: allow\nrules: [{deny: {effect: publish}}]",
	    "deny: ssh h rm x");
}

static void
arguments_are_as_a_rule_wants_them(void **state)
{
	(void)state;
	SAYS("rules: [{allow: {module: cli.timeout, inputs: {duration: ['5', "
	     "6]}}}, {allow: {program: ls}}]",
	    "allow: timeout 5 ls", "allow: timeout 6 ls", "ask: timeout 7 ls");
	SAYS(
	    "default: allow\nrules: [{deny: {program: rm, inputs: {f: true}}}]",
	    "deny: rm -f x", "allow: rm x", "deny: rm -rf x");
	SAYS("rules: [{allow: {program: rm, inputs: {f: null, file: 'b*'}}}]",
	    "allow: rm b1 b2", "ask: rm b1 c", "ask: rm -f b1", "ask: rm");
	SAYS("default: allow\nrules: [{deny: {program: rm, inputs: {file: "
	     "'b*'}}}]",
	    "deny: rm c b1", "allow: rm c");
}

static void
shapes_are_words(void **state)
{
	(void)state;
	SAYS("rules: [{allow: ls -l}]", "allow: ls -l", "ask: ls",
	    "ask: ls -l x");
	SAYS("rules: [{allow: 'rm * -f'}]", "allow: rm x -f", "ask: rm -f x");
	SAYS("rules: [{allow: rm x}]", "allow: rm x", "ask: rm y",
	    "allow: /bin/rm x");
	SAYS("default: allow\nrules: [{deny: rm ...}]", "deny: rm x",
	    "deny: rm --bad", "deny: env rm x");
	SAYS("rules: [{allow: frobnicate x}]", "allow: frobnicate x",
	    "ask: frobnicate y");
	/* A redirection is not a word. */
	SAYS("rules: [{allow: {effect: read}}, {allow: echo a}]",
	    "allow $: echo a", "ask $: echo a > b", "ask $: echo b > b");
}

static void
what_denies_sees_words_wherever_they_stand(void **state)
{
	(void)state;
	SAYS("default: allow\nrules: [{deny: git show ...}]",
	    "deny: git show x", "deny: git -C src show x",
	    "deny: git -c a=b show", "allow: git add show",
	    "allow: git config show");
	SAYS("default: allow\nrules: [{deny: rm -f ...}]", "deny: rm -f x",
	    "deny: rm -r -f x", "deny: rm x -f", "allow: rm -r x");
	SAYS("default: allow\nrules: [{deny: cp a b ...}]", "deny: cp a b c",
	    "deny: cp -r a b", "allow: cp b a");
	/* An allow rule matches them literally. */
	SAYS("rules: [{allow: git show a:b ...}]", "ask: git -C src show a:b");
}

static void
dots_add_no_effect(void **state)
{
	(void)state;
	SAYS("rules: [{allow: ls ...}]", "allow: ls", "allow: ls -l x /etc",
	    "ask: ls --bad");
	SAYS("rules: [{allow: sort ...}]", "allow: sort -u a",
	    "ask: sort -o b a");
	SAYS("rules: [{allow: sort -o b ...}]", "allow: sort -o b a",
	    "ask: sort -o b -o c a");
	SAYS("rules: [{allow: git show ...}]", "allow: git show HEAD",
	    "ask: git -c a=b show");
	SAYS("rules: [{allow: git show a:b ...}]", "allow: git show a:b c:d",
	    "ask: git show a:b c");
	SAYS("rules: [{allow: cat ...}]", "allow: cat x", "ask: env cat x");
	SAYS("rules: [{allow: frobnicate ...}]", "ask: frobnicate x",
	    "allow: frobnicate");
	SAYS("rules: [{allow: timeout 5 ...}]", "ask: timeout 5 rm x");
}

static void
shell_texts_are_told_apart(void **state)
{
	(void)state;
	SAYS("default: allow\nrules: [{deny: {shell: true}}]", "deny $: ls",
	    "allow: ls", "deny: sh -c ls", "deny: sh -c '$x'");
	SAYS("rules: [{allow: {shell: 'a | b*'}}]", "allow $:  a | b c ",
	    "ask $: a | c", "ask: ls");
	SAYS("shell: deny\nrules: [{allow: {}}]", "deny $: ls", "allow: ls");
	SAYS("shell: ask\nrules: [{allow: {}}]", "ask $: ls", "allow: ls");
	SAYS("shell: allow", "allow $: $x `y`", "allow $: rm x", "ask: rm x");
	SAYS("rules: [{allow: {effect: read}}]", "allow $: ls | cat",
	    "ask $: ls > x", "ask $: eval $x");
}

static void
a_fence_lets_only_its_programs_run(void **state)
{
	(void)state;
	SAYS("programs: [ls, cat, env]", "allow: ls", "allow: cat /etc/x",
	    "allow: env ls", "deny: rm x", "deny: env rm x", "allow: ls --frob",
	    "allow $: ls | cat", "deny $: ls | rm x", "allow $: cd src && ls",
	    "ask $: for ((;;)); do ls; done");
	SAYS("programs: {only: [ls], allow: false}", "ask: ls", "deny: cat");
	SAYS("programs: []", "deny: ls");
}

static void
strict_arguments_refuse_words(void **state)
{
	(void)state;
	SAYS("arguments: strict-exec\nrules: [{allow: {}}]", "allow: echo a",
	    "deny: echo 'a;b'", "deny: echo a..b", "deny: env echo '$x'",
	    "allow: echo 'a\\b'", "deny: echo '{'");
	SAYS("arguments: strict-modules\nrules: [{allow: {}}]",
	    "deny: echo 'a\\b'", "allow: echo a..b", "allow: echo '{'",
	    "deny: echo 'a\nb'");
	SAYS("rules: [{allow: {}}]", "allow: echo 'a;b'");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(the_strongest_rule_counts_wherever_it_stands),
	    TABLE_TEST(every_item_has_to_be_allowed),
	    TABLE_TEST(what_no_rule_covers_gets_the_default),
	    TABLE_TEST(commands_inside_are_judged_each),
	    TABLE_TEST(names_of_programs_are_any_of_them),
	    TABLE_TEST(a_file_of_the_project_is_not_the_program_of_its_name),
	    TABLE_TEST(paths_are_as_written_and_where_they_lead),
	    TABLE_TEST(a_write_rule_that_denies_is_about_deleting_too),
	    TABLE_TEST(a_directory_is_touched_with_what_is_in_it),
	    TABLE_TEST(hosts_and_variables_are_matched_by_name),
	    TABLE_TEST(files_elsewhere_are_none_of_ours),
	    TABLE_TEST(arguments_are_as_a_rule_wants_them),
	    TABLE_TEST(shapes_are_words),
	    TABLE_TEST(what_denies_sees_words_wherever_they_stand),
	    TABLE_TEST(dots_add_no_effect),
	    TABLE_TEST(shell_texts_are_told_apart),
	    TABLE_TEST(a_fence_lets_only_its_programs_run),
	    TABLE_TEST(strict_arguments_refuse_words),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
