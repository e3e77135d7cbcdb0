/* SPDX-License-Identifier: Apache-2.0 */
#include "description.h"

#include "command/description/spelling.h"

#define BARE     W_SPELL_BARE
#define SEPARATE W_SPELL_SEPARATE
#define EQUALS   W_SPELL_EQUALS
#define JOINED   W_SPELL_JOINED

static struct w_arena arena;

static int
tear_down(void **state)
{
	(void)state;
	w_arena_done(&arena);
	return 0;
}

static writ_status
spell(const char *text, enum w_style style, bool is_operand,
    struct w_param *param, struct w_spelling *spelling)
{
	*param = (struct w_param){0};
	spelling->text = text;
	spelling->len = strlen(text);
	spelling->style = style;
	spelling->arena = &arena;
	return is_operand ? w_spelling_operand(spelling, param)
			  : w_spelling_option(spelling, param);
}

static struct w_param
option(const char *text, enum w_style style)
{
	writ_error err = {0};
	struct w_spelling spelling = {.err = &err};
	struct w_param param;

	if (spell(text, style, false, &param, &spelling) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	assert_int_equal(param.kind, W_PARAM_OPTION);
	return param;
}

static struct w_param
operand(const char *text)
{
	writ_error err = {0};
	struct w_spelling spelling = {.err = &err};
	struct w_param param;

	if (spell(text, W_STYLE_GNU, true, &param, &spelling) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	assert_int_equal(param.kind, W_PARAM_OPERAND);
	return param;
}

static void
refused(const char *text, enum w_style style, bool is_operand, size_t at,
    const char *part)
{
	writ_error err = {0};
	struct w_spelling spelling = {.err = &err};
	struct w_param param;

	if (spell(text, style, is_operand, &param, &spelling) == WRIT_OK)
		fail_msg("accepted: %s", text);
	free(param.flag);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	if (spelling.at != at)
		fail_msg("%s: at %zu, not %zu", err.message, spelling.at, at);
}

static void
no_option(const char *text, size_t at, const char *part)
{
	refused(text, W_STYLE_GNU, false, at, part);
}

static void
no_operand(const char *text, size_t at, const char *part)
{
	refused(text, W_STYLE_GNU, true, at, part);
}

/* One name, and how it may be written. */
static void
accepts(
    const char *text, enum w_style style, const char *token, unsigned spellings)
{
	struct w_param param = option(text, style);
	size_t i = 0;

	while (i < param.name_count && strcmp(param.names[i].token, token) != 0)
		i++;
	if (i == param.name_count)
		fail_msg("%s has no name %s", text, token);
	if (param.names[i].spellings != spellings)
		fail_msg("%s: %s is %u, not %u", text, token,
		    param.names[i].spellings, spellings);
	free(param.flag);
}

static void
a_switch_has_names_and_no_value(void **state)
{
	struct w_param param = option("-f, --force", W_STYLE_GNU);

	(void)state;
	assert_string_equal(param.key, "force");
	assert_string_equal(param.flag, "--force");
	assert_int_equal(param.name_count, 2);
	assert_string_equal(param.names[0].token, "-f");
	assert_int_equal(param.names[0].spellings, BARE);
	assert_int_equal(param.types, W_TYPE_BOOLEAN);
	assert_null(param.values);
	assert_false(param.is_repeatable);
	free(param.flag);
}

static void
a_value_that_must_be_there_follows_in_every_usual_way(void **state)
{
	struct w_param param = option("-o, --output <path:write>", W_STYLE_GNU);

	(void)state;
	assert_int_equal(param.names[0].spellings, SEPARATE | JOINED);
	assert_int_equal(param.names[1].spellings, SEPARATE | EQUALS);
	assert_int_equal(param.attach, W_ATTACH_SEPARATE);
	assert_int_equal(param.types, W_TYPE_STRING);
	assert_int_equal(param.values[0].kind, W_VALUE_PATH);
	assert_int_equal(param.values[0].access, W_EFFECT_WRITE);
	assert_true(param.is_path);
	free(param.flag);
}

static void
every_row_of_the_table_is_accepted_so(void **state)
{
	(void)state;
	accepts("--output=<text>", W_STYLE_GNU, "--output", EQUALS);
	accepts("-c, --color[=<text>]", W_STYLE_GNU, "--color", BARE | EQUALS);
	accepts("-c, --color[=<text>]", W_STYLE_GNU, "-c", BARE | JOINED);
	accepts("-O<text>", W_STYLE_GNU, "-O", JOINED);
	accepts("-TT", W_STYLE_GNU, "-TT", BARE);
	accepts("-rcfile <text>", W_STYLE_POSIX, "-rcfile", SEPARATE);
	accepts("-I <text>", W_STYLE_WORDS, "-I", SEPARATE | JOINED);
	accepts("-cp <text>", W_STYLE_WORDS, "-cp", SEPARATE);
	accepts("-std=<text>", W_STYLE_WORDS, "-std", EQUALS);
	accepts("-o=<text>", W_STYLE_WORDS, "-o", EQUALS);
	accepts("-Wl,<text>", W_STYLE_WORDS, "-Wl,", JOINED);
	accepts("-g[<text>]", W_STYLE_WORDS, "-g", BARE | JOINED);
	accepts("-g[=<text>]", W_STYLE_WORDS, "-g", BARE | EQUALS);
	accepts("-D <text>", W_STYLE_LEADING, "-D", SEPARATE);
	accepts("(", W_STYLE_LEADING, "(", BARE);
	accepts(",", W_STYLE_LEADING, ",", BARE);
	accepts("if=<path:read>", W_STYLE_PAIRS, "if", EQUALS);
	accepts("--help", W_STYLE_PAIRS, "--help", BARE);
	accepts("+x", W_STYLE_GNU, "+x", BARE);
	accepts("+<text>", W_STYLE_GNU, "+", JOINED);
	accepts("-, -i, --ignore", W_STYLE_POSIX, "-", BARE);
	accepts("--arg <text> <text>", W_STYLE_GNU, "--arg", SEPARATE);
	accepts("-x, --exec <command> ;", W_STYLE_GNU, "-x", SEPARATE);
	accepts("-n, --line-number...", W_STYLE_GNU, "--line-number", BARE);
}

static void
each_name_may_have_a_way_of_its_own(void **state)
{
	(void)state;
	accepts("-O<text>, --open[=<text>]", W_STYLE_GNU, "-O", JOINED);
	accepts(
	    "-O<text>, --open[=<text>]", W_STYLE_GNU, "--open", BARE | EQUALS);
	accepts("-a, -b<text>, --long <text>", W_STYLE_GNU, "-a", JOINED);
	accepts("-isystem <path>, -isystem<path>", W_STYLE_WORDS, "-isystem",
	    SEPARATE | JOINED);
}

static void
the_key_is_that_of_the_first_long_name(void **state)
{
	static const char *const spelled[][2] = {
	    {"-o, --only-this, --other", "only_this"},
	    {"-L", "L"},
	    {"-no-pie", "no_pie"},
	    {"+x", "+x"},
	    {"-, -i", "-"},
	    {"--no-pager", "no_pager"},
	    {"-0, --null", "null"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(spelled) / sizeof(spelled[0]); i++) {
		struct w_param param = option(spelled[i][0], W_STYLE_GNU);

		assert_string_equal(param.key, spelled[i][1]);
		assert_int_equal(param.key_len, strlen(spelled[i][1]));
		free(param.flag);
	}
}

static void
rendering_takes_the_way_that_the_flag_has(void **state)
{
	static const struct {
		const char *text;
		enum w_attach attach;
	} spelled[] = {
	    {"-o, --output <text>", W_ATTACH_SEPARATE},
	    {"--output=<text>", W_ATTACH_EQUALS},
	    {"--color[=<text>]", W_ATTACH_EQUALS},
	    {"-c[=<text>]", W_ATTACH_JOINED},
	    {"-O<text>", W_ATTACH_JOINED},
	    {"+<text>", W_ATTACH_JOINED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(spelled) / sizeof(spelled[0]); i++) {
		struct w_param param = option(spelled[i].text, W_STYLE_GNU);

		assert_int_equal(param.attach, spelled[i].attach);
		free(param.flag);
	}
}

static void
json_says_how_often_and_how_many(void **state)
{
	struct w_param many = option("-x <glob>...", W_STYLE_GNU);
	struct w_param loud = option("-v...", W_STYLE_GNU);
	struct w_param pair = option("--arg <text> <integer>...", W_STYLE_GNU);
	struct w_param maybe = option("--n[=<integer:1..>]", W_STYLE_GNU);
	struct w_param run = option("-exec <command> ;", W_STYLE_LEADING);

	(void)state;
	assert_int_equal(many.types, W_TYPE_STRING | W_TYPE_ARRAY);
	assert_int_equal(many.item_types, W_TYPE_STRING);
	assert_int_equal(loud.types, W_TYPE_BOOLEAN | W_TYPE_ARRAY);
	assert_int_equal(loud.item_types, W_TYPE_BOOLEAN);
	assert_int_equal(pair.arity, 2);
	assert_int_equal(pair.types, W_TYPE_ARRAY);
	assert_int_equal(pair.values[1].kind, W_VALUE_INTEGER);
	assert_true(pair.is_repeatable);
	assert_int_equal(maybe.types, W_TYPE_INTEGER | W_TYPE_BOOLEAN);
	assert_true(maybe.is_value_optional);
	assert_int_equal(run.types, W_TYPE_ARRAY);
	assert_int_equal(run.item_types, W_TYPE_STRING);
	assert_true(run.is_until_end);
	free(many.flag);
	free(loud.flag);
	free(pair.flag);
	free(maybe.flag);
	free(run.flag);
}

static struct w_value_type
type(const char *text)
{
	char spelled[128];

	(void)snprintf(spelled, sizeof(spelled), "x <%s>", text);
	return operand(spelled).values[0];
}

static void
every_type_is_known(void **state)
{
	static const struct {
		const char *text;
		enum w_value_type_kind kind;
	} types[] = {
	    {"text", W_VALUE_TEXT},
	    {"integer", W_VALUE_INTEGER},
	    {"number", W_VALUE_NUMBER},
	    {"duration", W_VALUE_DURATION},
	    {"size", W_VALUE_SIZE},
	    {"path", W_VALUE_PATH},
	    {"url", W_VALUE_URL},
	    {"host", W_VALUE_HOST},
	    {"remote:read", W_VALUE_REMOTE},
	    {"revision", W_VALUE_REVISION},
	    {"regex", W_VALUE_REGEX},
	    {"glob", W_VALUE_GLOB},
	    {"secret", W_VALUE_SECRET},
	    {"header", W_VALUE_HEADER},
	    {"data", W_VALUE_DATA},
	    {"form", W_VALUE_MULTIPART},
	    {"assignment", W_VALUE_ASSIGNMENT},
	    {"command", W_VALUE_COMMAND},
	    {"program", W_VALUE_PROGRAM},
	    {"script", W_VALUE_SCRIPT},
	    {"a|b", W_VALUE_CHOICE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		assert_int_equal(type(types[i].text).kind, types[i].kind);
}

static void
types_have_details(void **state)
{
	struct w_value_type range = type("integer:-5..255");
	struct w_value_type open = type("integer:1..");
	struct w_value_type below = type("integer:..7");
	struct w_value_type choice = type("a|b=c|--");

	(void)state;
	assert_true(range.min == -5 && range.max == 255);
	assert_true(open.min == 1 && open.max == INT64_MAX);
	assert_true(below.min == INT64_MIN && below.max == 7);
	assert_string_equal(choice.choices[0], "a");
	assert_string_equal(choice.choices[1], "b=c");
	assert_string_equal(choice.choices[2], "--");
	assert_null(choice.choices[3]);
	assert_string_equal(type("|all").choices[0], "all");
	assert_null(type("|all").choices[1]);
	assert_int_equal(
	    type("path:read+delete").access, W_EFFECT_READ | W_EFFECT_DELETE);
	assert_int_equal(type("path:create").access, W_EFFECT_WRITE);
	assert_int_equal(
	    type("path:exec").access, W_EFFECT_EXEC | W_EFFECT_CODE);
	assert_true(type("path:base").is_base);
	assert_int_equal(type("path:base").access, 0);
	assert_false(type("path:read").is_base);
	assert_int_equal(type("script:sed").script, W_SCRIPT_SED);
	assert_int_equal(type("script").script, W_SCRIPT_OTHER);
}

static void
a_secret_is_marked(void **state)
{
	struct w_param param = option("--token <secret>", W_STYLE_GNU);

	(void)state;
	assert_true(param.is_secret);
	free(param.flag);
}

static void
operands_say_how_many_there_are(void **state)
{
	struct w_param one = operand("file <path:read>");
	struct w_param any = operand("my-file* <path:read>");
	struct w_param run = operand("command* <command>");

	(void)state;
	assert_int_equal(one.min_count, 1);
	assert_false(one.is_repeatable);
	assert_int_equal(one.types, W_TYPE_STRING);
	assert_true(one.is_path);
	assert_int_equal(operand("file? <text>").min_count, 0);
	assert_int_equal(operand("file+ <text>").min_count, 1);
	assert_true(operand("file+ <text>").is_repeatable);
	assert_string_equal(any.key, "my_file");
	assert_int_equal(any.min_count, 0);
	assert_int_equal(any.types, W_TYPE_STRING | W_TYPE_ARRAY);
	assert_int_equal(run.types, W_TYPE_ARRAY);
	assert_int_equal(run.item_types, W_TYPE_STRING);
	assert_true(run.is_repeatable);
}

static void
what_is_wrong_with_names_is_told_with_its_place(void **state)
{
	(void)state;
	no_option("", 0, "a name is missing");
	no_option("-a, ", 4, "a name is missing");
	no_option("<text>", 0, "a name is missing");
	no_option("--", 0, "'--' is not the name");
	no_option("output <text>", 0, "does not begin with '-'");
	no_option("-a, b", 4, "does not begin with '-'");
	no_option("-a\x01", 2, "cannot have this character");
	no_option("-a <text> -b", 10, "'-b' is not understood here");
	no_option("-a, --all, -a", 11, "'-a' is there twice");
	no_option("-a -b", 3, "'-b' is not understood here");
	no_option("-a <text>, -b", 11, "a name without a value");
	refused("-n", W_STYLE_LITERAL, false, 0, "has no options");
	refused("count <text>", W_STYLE_PAIRS, false, 0, "needs a value");
	refused("count", W_STYLE_PAIRS, false, 0, "needs a value");
	no_option("-a, -b, -c, -d, -e, -f, -g, -h, -i, -j, -k, -l, -m, -n, -o, "
		  "-p, -q",
	    64, "more than 16 names");
}

static void
what_is_wrong_with_values_is_told_with_its_place(void **state)
{
	(void)state;
	no_option("-o=<text>", 0, "cannot have such a value");
	no_option("-o, --output=<text>", 0, "cannot have such a value");
	no_option("--output<text>", 0, "cannot have such a value");
	no_option("--output[<text>]", 0, "cannot have such a value");
	no_option("--output=file", 9, "a value is spelled '<TYPE>'");
	no_option("--output <text", 14, "a '>' is missing");
	no_option("--output[=<text>", 16, "a ']' is missing");
	no_option("-a <text>, --all <path>", 17, "unlike values");
	no_option("-x <text> ;", 10, "only a <command>");
	no_option("-x=<command>", 0, "cannot have such a value");
	no_option("--x=<command>", 0, "cannot have such a value");
	no_option("--x <text> <text> <text> <text> <text> <text> <text> <text> "
		  "<text>",
	    61, "more than 8 values");
}

static void
what_is_wrong_with_types_is_told_with_its_place(void **state)
{
	(void)state;
	no_operand("x <txt>", 3, "there is no type 'txt'");
	no_operand("x <>", 3, "there is no type ''");
	no_operand("x <path:wrte>", 8, "'wrte' is nothing that is done");
	no_operand("x <path:read+>", 13, "'' is nothing that is done");
	no_operand("x <integer:5>", 11, "'5' is not a range");
	no_operand("x <integer:a..b>", 11, "not a range");
	no_operand("x <integer:1..2x>", 11, "not a range");
	no_operand("x <integer:1..99999999999999999999>", 11, "not a range");
	no_operand("x <integer:5..1>", 11, "nothing in it");
	no_operand("x <text:5>", 8, "nothing can come after");
	no_operand("x <script:perl>", 10, "'perl' is not known");
	no_operand("x <a||b>", 5, "an empty choice");
	no_operand("x <|>", 4, "an empty choice");
	no_operand("x <a|b|a>", 7, "is there twice");
}

static void
what_is_wrong_with_operands_is_told_with_its_place(void **state)
{
	(void)state;
	no_operand("file", 4, "comes its type");
	no_operand("file*<path>", 5, "comes its type");
	no_operand("-f <text>", 0, "begins with a letter or digit");
	no_operand("<text>", 0, "begins with a letter or digit");
	no_operand("file <text> <text>", 11, "is not understood here");
	no_operand("file <text>...", 11, "is not understood here");
	no_operand("file?* <text>", 5, "comes its type");
}

static void
types_that_were_probably_meant_are_suggested(void **state)
{
	writ_error err = {0};
	struct w_spelling spelling = {.err = &err};
	struct w_param param;

	(void)state;
	(void)spell("f <pth>", W_STYLE_GNU, true, &param, &spelling);
	assert_non_null(strstr(err.suggestion, "'path'"));
	(void)spell("f <path:delte>", W_STYLE_GNU, true, &param, &spelling);
	assert_non_null(strstr(err.suggestion, "'delete'"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_switch_has_names_and_no_value),
	    cmocka_unit_test(
		a_value_that_must_be_there_follows_in_every_usual_way),
	    cmocka_unit_test(every_row_of_the_table_is_accepted_so),
	    cmocka_unit_test(each_name_may_have_a_way_of_its_own),
	    cmocka_unit_test(the_key_is_that_of_the_first_long_name),
	    cmocka_unit_test(rendering_takes_the_way_that_the_flag_has),
	    cmocka_unit_test(json_says_how_often_and_how_many),
	    cmocka_unit_test(every_type_is_known),
	    cmocka_unit_test(types_have_details),
	    cmocka_unit_test(a_secret_is_marked),
	    cmocka_unit_test(operands_say_how_many_there_are),
	    cmocka_unit_test(what_is_wrong_with_names_is_told_with_its_place),
	    cmocka_unit_test(what_is_wrong_with_values_is_told_with_its_place),
	    cmocka_unit_test(what_is_wrong_with_types_is_told_with_its_place),
	    cmocka_unit_test(
		what_is_wrong_with_operands_is_told_with_its_place),
	    cmocka_unit_test(types_that_were_probably_meant_are_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
