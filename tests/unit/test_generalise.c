/* SPDX-License-Identifier: Apache-2.0 */

/* The rule that an approval becomes, and that it allows what was approved. */

#include "judging.h"

static void
rule_is(struct sample_facts *sample, const char *line, const char *want)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1 << 20);
	if (sample->c.shell != NULL)
		w_policy_generalise_text(&buf, &sample->c);
	else
		w_policy_generalise(&buf, &sample->c);
	if (strcmp(buf.data, want) != 0) {
		print_error(
		    "%s\n  becomes %s\n  not     %s\n", line, buf.data, want);
		mismatches++;
	}
	if (buf.len > 0) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, 1 << 20);
		w_buf_add_fmt(
		    &text, "default: deny\nrules:\n  - %s\n", buf.data);
		struct w_policy *policy = policy_new(text.data);
		case_is(policy, sample, line, "allow");
		w_policy_free(policy);
	}
	sample_facts_free(sample);
}

static void
becomes(const char *line, const char *want)
{
	rule_is(sample_facts_new(line), line, want);
}

static void
what_is_worked_on_stays(void **state)
{
	(void)state;
	becomes("git config user.name x", "allow: git config user.name ...");
	becomes("git config user.name", "allow: git config user.name ...");
	becomes("ssh -p 2 h", "allow: ssh -p 2 h ...");
	becomes("rm -r a b", "allow: rm -r a b");
	becomes("cp a b", "allow: cp a b");
	becomes("sort -o x y", "allow: sort -o x y");
}

static void
a_program_alone_is_never_open(void **state)
{
	(void)state;
	becomes("ls", "allow: ls");
	becomes("ls -l", "allow: ls -l");
	becomes("curl -s", "allow: curl -s");
	becomes("make", "allow: make");
	becomes("make all", "allow: make all");
}

static void
what_is_not_understood_is_as_it_was(void **state)
{
	(void)state;
	becomes("frobnicate a 'b c'", "allow: frobnicate a 'b c'");
	becomes("ls --bad x", "allow: ls --bad x");
	becomes("./run.sh 1", "allow: " ROOT "/run.sh 1");
	becomes("/opt/x[1] y", "allow: \"'"
			       "/opt/x[[]1]' y\"");
	becomes("echo 'a\nb'", "allow: \"echo 'a\\nb'\"");
}

static void
commands_inside_have_their_own(void **state)
{
	(void)state;
	becomes("env rm x", "allow: { shape: [env rm x, rm x] }");
	becomes("timeout 5 git config a b",
	    "allow: { shape: [timeout 5 git config a b, git config a ...] }");
	becomes("sh -c 'ls; ls'", "allow: { shape: [sh -c 'ls; ls', ls] }");
	becomes("nice frobnicate",
	    "allow: { shape: [nice frobnicate, frobnicate] }");
}

static void
what_no_shape_says_has_no_rule(void **state)
{
	(void)state;
	becomes("rm '*'", "");
	becomes("echo ...", "");
	becomes("rm \xff", "");
	/* It would be allowed here too. */
	becomes("ssh h rm x", "");
	/* The redirection is not among the words. */
	becomes("sh -c 'echo a > b'", "");
}

static void
shell_texts_are_as_they_were(void **state)
{
	static const char *const texts[][2] = {
	    {"ls | cat", "allow: { shell: ls | cat }"},
	    {" echo \"$HOME\" *\n",
		"allow: { shell: \"echo \\\"$HOME\\\" [*]\" }"},
	    {"[ -f x ] && y?", "allow: { shell: \"[[] -f x ] && y[?]\" }"},
	    {"a\177", "allow: { shell: \"a\\u007f\" }"},
	    {"true", "allow: { shell: \"true\" }"},
	    {"a\nb", "allow: { shell: \"a\\nb\" }"},
	    {"echo \xff", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		rule_is(
		    sample_facts_shell(texts[i][0]), texts[i][0], texts[i][1]);
}

/* Where its commands are known, a text becomes their rules. */
static void
shell_texts_become_rules_of_their_commands(void **state)
{
	static const char *const texts[][2] = {
	    {"cd js && npm test", "allow: npm test"},
	    {"ls; git push origin main", "allow: git push origin main"},
	    {"ls | cat", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct sample_facts *sample = sample_facts_shell(texts[i][0]);
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, 1 << 20);
		w_policy_generalise(&buf, &sample->c);
		assert_string_equal(buf.data, texts[i][1]);
		sample_facts_free(sample);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(what_is_worked_on_stays),
	    TABLE_TEST(a_program_alone_is_never_open),
	    TABLE_TEST(what_is_not_understood_is_as_it_was),
	    TABLE_TEST(commands_inside_have_their_own),
	    TABLE_TEST(what_no_shape_says_has_no_rule),
	    TABLE_TEST(shell_texts_are_as_they_were),
	    TABLE_TEST(shell_texts_become_rules_of_their_commands),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
