/* SPDX-License-Identifier: Apache-2.0 */

/* The analysis of command lines: values, rules, bases, secrets, and the
 * JSON. */

#include "analysis_text.h"

static void
paths_are_touched_as_their_types_say(void **state)
{
	(void)state;
	means("ls", "read; read .");
	means("ls -la src", "read; read src");
	means("rm -rf build out", "delete; delete build; delete out");
	means("cp a b c", "read write; read a; read b; write c");
	means("sort -o out in", "read write; write out; read in");
	means("sort in -oout", "read write; read in; write out");
}

static void
every_use_of_an_option_counts(void **state)
{
	(void)state;
	means("sort -o a -o b in", "read write; write a; write b; read in");
}

static void
what_no_description_has_is_not_understood(void **state)
{
	(void)state;
	means("frobnicate x",
	    "exec; exec frobnicate; not understood: no description of "
	    "'frobnicate'");
	means("ls --bad", "exec; exec ls; not understood: ");
	means("ls --al", "exec; exec ls; not understood: ");
	means(
	    "./ls", "exec code; exec ./ls; code ./ls; not understood: './ls'");
	means("/tmp/ls",
	    "exec code; exec /tmp/ls; code /tmp/ls; not understood: ");
	means("''", "nothing; not understood: the program has no name");
	means("/bin/", "exec code; exec /bin/; code /bin/; not understood: ");
	means("/usr/bin/../../tmp/ls x",
	    "exec code; exec /usr/bin/../../tmp/ls; code "
	    "/usr/bin/../../tmp/ls; not understood: ");
}

static void
programs_of_the_system_may_be_spelled_out(void **state)
{
	(void)state;
	means("/bin/rm x", "delete; delete x");
	means("/usr/bin/env /bin/rm x", "delete; delete x");
}

static void
rules_hold_by_what_is_given(void **state)
{
	(void)state;
	means("gzip dir/a b",
	    "read write delete; read dir/a; read b; write dir; write .; "
	    "delete dir/a; delete b");
	means("gzip -k a", "read write; read a; write .");
	means("gzip -c a", "read; read a");
	means("gzip", "nothing");
	means("git config --global user.name x",
	    "read write; read .; write ~/.gitconfig");
	means("git config --global user.name", "read; read .");
	means("git config user.name x", "read; read .");
	means("git show HEAD", "read code; read .; code");
	means("git show HEAD:a main:b", "read; read .");
	means("git show HEAD:a main", "read code; read .; code");
	means("git show", "read code; read .; code");
}

static void
cases_judge_a_value(void **state)
{
	(void)state;
	means("git -c color.ui=never show a:b", "read; read .");
	means("git -c core.pager=x show a:b", "read code; code; read .");
	means(
	    "git -c color.ui=never -c x=y show a:b", "read code; code; read .");
	means("ssh -o ProxyCommand=x h", "code net; code; net h");
	means("ssh -oBatchMode=yes h", "net; net h");
}

static void
a_base_is_in_front_of_relative_paths(void **state)
{
	(void)state;
	means("git -C /etc add passwd",
	    "read write code; read /etc/passwd; code; write /etc");
	means("git -C a -C b add c /d",
	    "read write code; read a/b/c; read /d; code; write a/b");
	means("env -C /etc rm passwd", "delete; delete /etc/passwd");
	means("env -C /etc env --chdir=x rm ../y /z",
	    "delete; delete /etc/x/../y; delete /z");
	means("env -C a -C b rm c",
	    "delete; delete a/b/c; not understood: 'chdir' is there twice");
	means("make -C sub all", "write code; code; write sub");
}

static void
addresses_lead_to_hosts_or_files(void **state)
{
	(void)state;
	means("curl https://a.example/x?y=1", "net; net a.example");
	means("curl file:///etc/shadow", "read; read /etc/shadow");
	means("curl file:///etc/%73hadow", "read; read /etc/shadow");
	means("curl file:///etc/shadow%00x", "read; read ?");
	means("curl FILE:///etc/%73hadow", "read; read /etc/shadow");
	means("curl -o out a.example:8080/x",
	    "write net; write out; net a.example");
	means("curl 'fil{e,x}:///etc/shadow'", "read net; net ?; read ?");
	means("curl http://[::1]:80/", "net; net [::1]");
	means(
	    "scp a host:b", "read net publish; read a; net host; publish host");
	means("scp host:b c", "write net; net host; write c");
	means("scp ./a:b c", "read write; read ./a:b; write c");
	means("ssh user@h.example", "net; net h.example");
	means("ssh ssh://u@h:22/", "net; net h");
	means("scp ext::x c", "read write exec code net; exec; code; net ?; "
			      "read ?; write c");
}

static void
files_that_are_sent_are_read(void **state)
{
	(void)state;
	means("curl -d @/etc/passwd h", "read net publish; read /etc/passwd; "
					"net h; publish");
	means("curl -d x@y h", "net publish; net h; publish");
	means("curl -F 'a=@b.txt;type=c' h",
	    "read net publish; read b.txt; net h; publish");
	means("curl -F 'a=<b.txt' h",
	    "read net publish; read b.txt; net h; publish");
	means("curl -F 'a@b.txt' h",
	    "read net publish; read b.txt; net h; publish");
	means("curl -H @headers h", "read net; read headers; net h");
	means("curl -T up http://h/",
	    "read net publish; read up; net h; publish h");
}

static void
variables_of_the_request_count(void **state)
{
	const char *const argv[] = {"ls", NULL};
	const char *const env[] = {"LD_PRELOAD=./x.so", "LANG=C", NULL};
	const struct w_analysis_input input = {
	    .argv = argv, .argc = 1, .env = env};

	(void)state;
	struct w_analysis *analysis = analysis_of(&input);
	assert_true(analysis->is_understood);
	assert_true((analysis->effects & W_EFFECT_CODE) != 0);
	assert_int_equal(analysis->touches[0].kind, W_TOUCH_VARIABLE);
	assert_string_equal(analysis->touches[0].target, "LD_PRELOAD");
	w_analysis_free(analysis);
}

static void
variables_that_a_description_names_count(void **state)
{
	(void)state;
	means("env CURL_X=1 curl h", "code net; code CURL_X; net h");
	means("env CURL_X=1 ls", "read; read .");
	shell_means("CURL_X=1 curl h", "code net; code CURL_X; net h");
	shell_means(
	    "export CURL_X=1 && curl h", "code net; code CURL_X; net h");
}

static char *
json_of(const char *line)
{
	W_AUTO_WORDS struct w_words words = {0};
	struct w_buf json;
	size_t len;
	writ_error err;

	assert_int_equal(
	    w_words_split(line, strlen(line), &words, &err), WRIT_OK);
	const struct w_analysis_input input = {
	    .argv = (const char *const *)words.items, .argc = words.count};
	struct w_analysis *analysis = analysis_of(&input);
	w_buf_init(&json, 1024 * 1024);
	w_analysis_add_json(&json, analysis);
	w_analysis_free(analysis);
	char *text = w_buf_take(&json, &len);
	assert_non_null(text);
	return text;
}

static void
assert_json_is(const char *line, const char *want)
{
	char *have = json_of(line);

	assert_string_equal(have, want);
	free(have);
}

static void
needs_network(const char *text, bool want)
{
	const struct w_analysis_input input = {.shell = text};
	struct w_analysis *analysis = analysis_of(&input);

	if (w_analysis_needs_network(analysis) != want) {
		print_error("%s: %s\n", text, want ? "needs it" : "does not");
		mismatches++;
	}
	w_analysis_free(analysis);
}

static void
only_what_leaves_this_machine_needs_the_network(void **state)
{
	(void)state;
	needs_network("curl https://example.com/", true);
	needs_network("curl -d x https://example.com/", true);
	needs_network("ls; cat a | curl -T - https://example.com/", true);
	needs_network("curl http://localhost/ http://example.com/", true);
	needs_network("curl http://localhost:8080/", false);
	needs_network("curl -d x http://127.0.0.1:8080/", false);
	needs_network("curl http://localhost:$P/", false);
	needs_network("curl http://localhost/\"$P\"", false);
	needs_network("curl http://localhost$P/", true);
	needs_network("curl http://$P@localhost/", true);
	needs_network("curl http://example.com:$P/", true);
	needs_network("curl \"$P\"", true);
	needs_network("ls", false);
	needs_network("builder", false);
	needs_network("builder --get example.com", true);
	needs_network("builder --get localhost && builder", false);
	/* What it does is not known. */
	needs_network("curl --no-such-option https://example.com/", false);
}

static void
it_is_a_json_object(void **state)
{
	(void)state;
	assert_json_is("sort -o out in",
	    "{\"argv\":[\"sort\",\"-o\",\"out\",\"in\"],\"understood\":true,"
	    "\"module\":\"cli.sort\",\"description\":\"builtin\","
	    "\"arguments\":{\"output\":\"out\",\"file\":[\"in\"]},"
	    "\"effects\":[\"read\",\"write\"],\"touches\":["
	    "{\"effect\":\"write\",\"path\":\"out\",\"word\":2,"
	    "\"parameter\":\"output\"},"
	    "{\"effect\":\"read\",\"path\":\"in\",\"word\":3,"
	    "\"parameter\":\"file\"}],\"runs\":[],\"helpers\":[],"
	    "\"secrets\":[]}");
	assert_json_is("nice x",
	    "{\"argv\":[\"nice\",\"x\"],\"understood\":false,"
	    "\"module\":\"cli.nice\",\"description\":\"builtin\","
	    "\"arguments\":{\"command\":[\"x\"]},\"effects\":[\"exec\"],"
	    "\"touches\":[],\"runs\":[{\"how\":[],\"word\":1,"
	    "\"argv\":[\"x\"],\"understood\":false,\"module\":null,"
	    "\"description\":null,\"arguments\":null,\"effects\":[\"exec\"],"
	    "\"touches\":[{\"effect\":\"exec\",\"program\":\"x\",\"word\":0,"
	    "\"why\":\"it is not looked into\"}],\"runs\":[],\"helpers\":[],"
	    "\"secrets\":[],\"reason\":{\"message\":"
	    "\"no description of 'x'\",\"suggestion\":\"describe it in "
	    "'x.command.yaml', see writ-command(5)\",\"word\":0,"
	    "\"offset\":0}}],\"helpers\":[],\"secrets\":[],"
	    "\"reason\":{\"message\":\"no description of 'x'\","
	    "\"suggestion\":\"describe it in 'x.command.yaml', see "
	    "writ-command(5)\",\"word\":1,\"offset\":0}}");
}

static void
never_shows(const char *line, const char *secret)
{
	char *json = json_of(line);

	if (strstr(json, secret) != NULL)
		fail_msg("%s shows %s: %s", line, secret, json);
	if (strstr(json, "***") == NULL)
		fail_msg("%s hides nothing: %s", line, json);
	free(json);
}

static void
secrets_are_shown_nowhere(void **state)
{
	(void)state;
	never_shows("curl -u me:hunter2 h", "hunter2");
	never_shows("curl -ume:hunter2 h", "hunter2");
	never_shows("curl --user=me:hunter2 h", "hunter2");
	never_shows("curl https://me:hunter2@h/", "hunter2");
	never_shows("curl https://hunter2@h/", "hunter2");
	never_shows("curl -H 'Authorization: Bearer hunter2' h", "hunter2");
	never_shows("curl -H 'X-Api-Key:hunter2' h", "hunter2");
	never_shows("env curl -u me:hunter2 h", "hunter2");
	never_shows("env API_TOKEN=hunter2 ls", "hunter2");
	never_shows("timeout 5 env -C x curl -u me:hunter2 h", "hunter2");
	never_shows("sh -c 'ls && curl -u me:hunter2 h; ls'", "hunter2");
	never_shows("sh -c 'API_TOKEN=hunter2 ls'", "hunter2");
	never_shows("awk 'BEGIN {system(\"curl -u a:hunter2 h\")}'", "hunter2");
	never_shows("echo git+https://me:hunter2@h/", "hunter2");
	never_shows("echo 'x https://h/ https://hunter2@h/'", "hunter2");
	never_shows("git -c 'http.extraHeader=Authorization: hunter2' show a:b",
	    "hunter2");
	never_shows("git config http.extraHeader 'Cookie: hunter2'", "hunter2");
	never_shows("echo //r/:_authToken=hunter2", "hunter2");
	never_shows("sh -c 'curl -H \"Authorization: hunter2\" $x'", "hunter2");
	never_shows("sh -c 'curl https://u:hunter2@h/ $x'", "hunter2");
	never_shows("ssh h curl -H 'cookie:hunter2' '$x'", "hunter2");
	never_shows("curl -u me:hunter2 --bad h", "hunter2");
	never_shows("curl -ume:hunter2 --bad h", "hunter2");
	never_shows("curl --user=me:hunter2 --bad h", "hunter2");
	never_shows("frob --password hunter2", "hunter2");
	never_shows("frob --db-password=hunter2", "hunter2");
	never_shows("frob https://me:hunter2@h/", "hunter2");
	never_shows("frob --url=https://me:hunter2@h/", "hunter2");
	never_shows("frob -H 'Authorization: hunter2'", "hunter2");
	never_shows("frob '-HAuthorization: hunter2'", "hunter2");
	never_shows("./frob API_TOKEN=hunter2", "hunter2");
	never_shows("env ./frob API_TOKEN=hunter2", "hunter2");
	never_shows("sh -c 'frob --token hunter2'", "hunter2");
	never_shows("ssh host curl -u me:hunter2 h", "hunter2");
	never_shows("ssh host 'curl -u me:hunter2 h; ls'", "hunter2");
	never_shows("sh -c \"sh -c 'curl -u me:hunter2 h'\"", "hunter2");
}

static char *
json_of_input(const struct w_analysis_input *input)
{
	struct w_analysis *analysis = analysis_of(input);
	struct w_buf json;

	w_buf_init(&json, 1024 * 1024);
	w_analysis_add_json(&json, analysis);
	w_analysis_free(analysis);
	return w_buf_take(&json, NULL);
}

static void
hides(const struct w_analysis_input *input)
{
	char *json = json_of_input(input);

	if (strstr(json, "hunter2") != NULL || strstr(json, "***") == NULL)
		fail_msg("not hidden: %s", json);
	free(json);
}

static void
secrets_of_a_shell_string_are_shown_nowhere(void **state)
{
	static const char *const texts[] = {"curl -u me:hunter2 h && ls",
	    "API_TOKEN=hunter2 ls", "curl -H 'Authorization: hunter2' $x",
	    "curl \"https://u:hunter2@h/\" > $x"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		hides(&(struct w_analysis_input){.shell = texts[i]});
	}
}

/* Texts that cannot be parsed, whose effects are unknown. */
static void
secrets_of_opaque_texts_are_shown_nowhere(void **state)
{
	static const char *const texts[] = {"curl -u me:hunter2 $x",
	    "curl -u 'me:hunter2' \"$x\"", "curl -u me:\"hunter2\" $x",
	    "curl -ume:hunter2 $x", "curl --user=me:hunter2 $x",
	    "curl $o -u me:hunter2 $x", "curl -u $me:hunter2 $x",
	    "curl -u me:hunter2 h; ls $?", "ls;curl -u me:hunter2 $x",
	    "ls&&curl -u me:hunter2 $x", "ls\ncurl -u me:hunter2 $x",
	    "curl -u me:hunter2 h &", "(curl -u me:hunter2 h)",
	    "{ curl -u me:hunter2 h; }", "f() { curl -u me:hunter2 h; }; f",
	    "if true; then curl -u me:hunter2 h; fi",
	    "for i in 1 2; do curl -u me:hunter2 h; done",
	    "! curl -u me:hunter2 $x", "exec curl -u me:hunter2 $x",
	    "command curl -u me:hunter2 $x", "/usr/bin/curl -u me:hunter2 $x",
	    "a=b curl -u me:hunter2 $x", "env A=1 curl -u me:hunter2 $x",
	    "env --bad curl -u me:hunter2 $x", "frob -x curl -u me:hunter2 $x",
	    "x=$(curl -u me:hunter2 h)", "ls `curl -u me:hunter2 h`",
	    "echo \"$(curl -u me:hunter2 h)\"", "curl -s 2>&1 -u me:hunter2 $x",
	    "curl -u me:hunter2 \\\n $x",
	    "cat <<E\n$x\nE\ncurl -u me:hunter2 h",
	    "sh -c \"curl -u me:hunter2 $x\"", "sh -c 'curl -u me:hunter2 $x'",
	    "sh -c \"curl -u 'me:hunter2' $x\"", "eval 'curl -u me:hunter2 h'",
	    "API_TOKEN=hunter2 ls $x", "export API_TOKEN=hunter2; ls $x",
	    "API_TOKEN='hunter2 too' ls $x", "frob --password hunter2 $x",
	    "frob --db-password=hunter2 $x",
	    "ls \"$x\" && [[ $(frob --token hunter2) ]]",
	    "curl -H 'X-Api-Key: hunter2' $x", "curl -H X-Api-Key:hunter2 $x",
	    "curl -H 'Cookie: a=1; b=hunter2' $x"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		static const char *const shells[][2] = {
		    {"sh", "-c"}, {"frobsh", "-c"}};

		for (size_t k = 0; k < 2; k++) {
			const char *const argv[] = {
			    shells[k][0], shells[k][1], texts[i], NULL};

			hides(&(struct w_analysis_input){
			    .argv = argv, .argc = 3});
		}
		hides(&(struct w_analysis_input){.shell = texts[i]});
	}
}

/* The person who approves must see what would run, however it is disguised. */
static void
what_runs_is_not_hidden(void **state)
{
	static const char *const texts[] = {"curl -u \"$(rm -rf x)\" h",
	    "curl -u \"me:`rm -rf x`\" $h", "API_TOKEN=\"$(rm -rf x)\" ls",
	    "echo Authorization: a; rm -rf x; echo $y",
	    "echo \"\"Authorization: a; rm -rf x; echo $y",
	    "echo Cookie: $(rm -rf x)", "API_TOKEN=a; rm -rf x; $y",
	    "curl https://u:\"$(rm -rf x)\"@h/", "curl -u <(rm -rf x) h"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct w_analysis_input input = {.shell = texts[i]};
		char *json = json_of_input(&input);

		if (strstr(json, "rm -rf x") == NULL)
			fail_msg("%s hides what runs: %s", texts[i], json);
		free(json);
	}
}

static void
opaque_texts_stay_readable(void **state)
{
	const struct w_analysis_input input = {
	    .shell = "curl -u me:x -o f $h && curl -u \"$up\" h; ls *"};

	(void)state;
	char *json = json_of_input(&input);
	assert_non_null(strstr(
	    json, "\"curl -u *** -o f $h && curl -u \\\"$up\\\" h; ls *\""));
	free(json);
	/* A guess has no other effect. */
	const struct w_analysis_input broken = {.shell = "\"curl -u me:x h"};
	struct w_analysis *analysis = analysis_of(&broken);
	assert_int_equal(analysis->effects & W_EFFECT_NET, 0);
	w_analysis_free(analysis);
}

static void
only_the_secret_is_hidden(void **state)
{
	(void)state;
	char *json = json_of("env curl -H 'Cookie: a' https://u:p@h/x");
	assert_non_null(strstr(json, "[\"env\",\"curl\",\"-H\",\"Cookie: ***\","
				     "\"https://u:***@h/x\"]"));
	assert_non_null(strstr(json, "\"secrets\":[3,4]"));
	free(json);
	json = json_of("echo 'auth: fix the key: value = 1' 'a@b://c'");
	assert_null(strstr(json, "***"));
	free(json);
	json = json_of("sh -c 'ls a && curl -u x h; ls b'");
	assert_non_null(strstr(json, "\"ls a && curl -u *** h; ls b\""));
	free(json);
	json = json_of("sh -c 'A_TOKEN=\"a b\"c ls \\\\c; curl -u \"m\"e:x h'");
	assert_non_null(strstr(json, "A_TOKEN=\\\"***"));
	assert_non_null(strstr(json, " ls \\\\\\\\c; curl -u \\\"*** h"));
	free(json);
}

static void
words_may_be_any_bytes(void **state)
{
	const char *const argv[] = {"rm", "\xff\xfe", NULL};
	const struct w_analysis_input input = {.argv = argv, .argc = 2};
	W_AUTO_BUF struct w_buf json;

	(void)state;
	struct w_analysis *analysis = analysis_of(&input);
	w_buf_init(&json, 1024 * 1024);
	w_analysis_add_json(&json, analysis);
	assert_false(json.failed);
	assert_non_null(strstr(json.data, "\"path\":{\"b64\":\"//4=\"}"));
	w_analysis_free(analysis);
}

static void
a_hundred_thousand_words_are_no_trouble(void **state)
{
	size_t count = 100000;
	const char **argv = calloc(count, sizeof(*argv));

	(void)state;
	assert_non_null(argv);
	argv[0] = "rm";
	for (size_t i = 1; i < count; i++)
		argv[i] = i % 2 == 0 ? "a" : "b";
	const struct w_analysis_input input = {.argv = argv, .argc = count};
	struct w_analysis *analysis = analysis_of(&input);
	assert_true(analysis->is_understood);
	assert_int_equal(analysis->effects, W_EFFECT_DELETE);
	w_analysis_free(analysis);
	free(argv);
}

/* Without a limit each of them would be longer than the one before. */
static void
a_chain_of_directories_may_not_be_too_deep(void **state)
{
	size_t count = 100003;
	const char **argv = calloc(count, sizeof(*argv));

	(void)state;
	assert_non_null(argv);
	argv[0] = "git";
	for (size_t i = 1; i + 2 < count; i += 2) {
		argv[i] = "-C";
		argv[i + 1] = "a";
	}
	argv[count - 2] = "add";
	argv[count - 1] = "b";
	const struct w_analysis_input input = {.argv = argv, .argc = count};
	struct w_analysis *analysis = analysis_of(&input);
	assert_false(analysis->is_understood);
	assert_non_null(strstr(analysis->reason, "too deep"));
	assert_int_equal(analysis->reason_word, 4100);
	assert_true((analysis->effects & W_EFFECT_WRITE) != 0);
	w_analysis_free(analysis);
	free(argv);
}

static void
no_words_are_no_command(void **state)
{
	const struct w_analysis_input input = {.argc = 0};

	(void)state;
	struct w_analysis *analysis = analysis_of(&input);
	assert_false(analysis->is_understood);
	w_analysis_free(analysis);
	w_analysis_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(paths_are_touched_as_their_types_say),
	    TABLE_TEST(every_use_of_an_option_counts),
	    TABLE_TEST(what_no_description_has_is_not_understood),
	    TABLE_TEST(programs_of_the_system_may_be_spelled_out),
	    TABLE_TEST(rules_hold_by_what_is_given),
	    TABLE_TEST(cases_judge_a_value),
	    TABLE_TEST(a_base_is_in_front_of_relative_paths),
	    TABLE_TEST(addresses_lead_to_hosts_or_files),
	    TABLE_TEST(files_that_are_sent_are_read),
	    TABLE_TEST(variables_of_the_request_count),
	    TABLE_TEST(variables_that_a_description_names_count),
	    TABLE_TEST(only_what_leaves_this_machine_needs_the_network),
	    TABLE_TEST(it_is_a_json_object),
	    TABLE_TEST(secrets_are_shown_nowhere),
	    TABLE_TEST(secrets_of_a_shell_string_are_shown_nowhere),
	    TABLE_TEST(secrets_of_opaque_texts_are_shown_nowhere),
	    TABLE_TEST(what_runs_is_not_hidden),
	    TABLE_TEST(opaque_texts_stay_readable),
	    TABLE_TEST(only_the_secret_is_hidden),
	    TABLE_TEST(words_may_be_any_bytes),
	    TABLE_TEST(a_hundred_thousand_words_are_no_trouble),
	    TABLE_TEST(a_chain_of_directories_may_not_be_too_deep),
	    TABLE_TEST(no_words_are_no_command),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
