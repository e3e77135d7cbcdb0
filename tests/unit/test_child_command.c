/* SPDX-License-Identifier: Apache-2.0 */
#include "description.h"

#include <pthread.h>

#include "command/render/render.h"

/* A program whose effects are none, with these lines besides. */
#define PROGRAM(lines) "command: prog\neffects: []\n" lines

static const char *const store_text =
    "command: store\n"
    "about: Keeps things\n"
    "also: [keeper, kp]\n"
    "effects: []\n"
    "options:\n"
    "  -C <path:base>...: work there\n"
    "  -p, --paginate: page\n"
    "groups:\n"
    "  output:\n"
    "    --json: print JSON\n"
    "helpers: [sh]\n"
    "environment: {PAGER: code, STORE_*: [read, net]}\n"
    "commands:\n"
    "  list:\n"
    "    also: ls\n"
    "    about: Shows them\n"
    "    use: output\n"
    "    options: {'-p, --patch': with changes}\n"
    "    operands: {thing* <path:read>: }\n"
    "    effects: ['read {C|.}']\n"
    "    json_flag: [--json]\n"
    "  remote:\n"
    "    options: {-v: more}\n"
    "    default: show\n"
    "    helpers: store-http\n"
    "    commands:\n"
    "      show: {effects: net}\n"
    "      add-one: {style: posix, dashes: no, effects: [net, publish]}\n";

static void
a_description_is_a_tree(void **state)
{
	struct w_command *command = describe(store_text);
	const struct w_command_node *root = w_command_root(command);
	const struct w_command_node *remote =
	    w_command_child(root, "remote", 6);

	(void)state;
	assert_string_equal(root->id, "cli.store");
	assert_string_equal(root->name, "store");
	assert_string_equal(root->about, "Keeps things");
	assert_null(root->parent);
	assert_int_equal(root->child_count, 2);
	assert_true(root->is_runnable);
	assert_string_equal(w_command_also(command)[0], "keeper");
	assert_string_equal(w_command_also(command)[1], "kp");
	assert_null(w_command_also(command)[2]);
	assert_null(w_command_same_as(command));
	assert_ptr_equal(&root->children[1], remote);
	assert_false(remote->is_runnable);
	assert_string_equal(remote->about, "");
	assert_string_equal(remote->standard->name, "show");
	assert_int_equal(remote->standard->depth, 2);
	assert_ptr_equal(remote->standard->parent, remote);
	assert_string_equal(remote->children[1].id, "cli.store.remote.add_one");
	assert_ptr_equal(w_command_find(command, "cli.store.remote.add_one"),
	    w_command_child(remote, "add-one", 7));
	w_command_free(command);
}

static void
a_child_is_found_by_each_of_its_names(void **state)
{
	struct w_command *command = describe(store_text);
	const struct w_command_node *root = w_command_root(command);

	(void)state;
	assert_non_null(w_command_child(root, "list", 4));
	assert_ptr_equal(
	    w_command_child(root, "ls", 2), w_command_child(root, "list", 4));
	assert_null(w_command_child(root, "lis", 3));
	assert_null(w_command_child(root, "show", 4));
	assert_null(w_command_child(&root->children[0], "list", 4));
	assert_null(w_command_find(command, "cli.store.ls"));
	assert_string_equal(
	    w_command_json_flag(w_command_child(root, "ls", 2))[0], "--json");
	assert_null(w_command_json_flag(root));
	w_command_free(command);
}

static void
a_form_has_the_options_of_all_levels_above(void **state)
{
	struct w_command *command = describe(store_text);
	const struct w_grammar *grammar =
	    form_of_node(command, "cli.store.list");
	const struct w_param *base = param_of(grammar, "C");
	const struct w_param *page = param_of(grammar, "paginate");
	const struct w_param *patch = param_of(grammar, "patch");

	(void)state;
	assert_int_equal(grammar->count, 5);
	assert_true(base->is_global && page->is_global);
	assert_int_equal(base->slot, W_SLOT_BEFORE_SUBCOMMAND);
	assert_int_equal(base->level, 0);
	assert_false(patch->is_global);
	assert_int_equal(patch->slot, W_SLOT_FLAGS);
	assert_false(param_of(grammar, "json")->is_global);
	/* "-p" behind the sub-command is its own. */
	assert_ptr_equal(w_hash_table_get(&grammar->names, "-p", 2), patch);
	grammar = form_of_node(command, "cli.store.remote.show");
	assert_int_equal(param_of(grammar, "C")->level, 0);
	assert_int_equal(param_of(grammar, "v")->level, 1);
	assert_true(param_of(grammar, "v")->is_global);
	grammar = form_of_node(command, "cli.store");
	assert_int_equal(grammar->count, 2);
	assert_false(param_of(grammar, "C")->is_global);
	w_command_free(command);
}

static void
what_holds_for_a_program_holds_below_it(void **state)
{
	struct w_command *command = describe(store_text);
	const struct w_grammar *grammar =
	    form_of_node(command, "cli.store.remote.add_one");

	(void)state;
	assert_int_equal(grammar->style, W_STYLE_POSIX);
	assert_false(grammar->honours_dashes);
	assert_int_equal(grammar->variable_count, 2);
	assert_string_equal(grammar->variables[1].glob, "STORE_*");
	assert_int_equal(
	    grammar->variables[1].effects, W_EFFECT_READ | W_EFFECT_NET);
	assert_string_equal(grammar->helpers[0], "store-http");
	assert_string_equal(grammar->helpers[1], "sh");
	assert_null(grammar->helpers[2]);
	grammar = form_of_node(command, "cli.store.remote.show");
	assert_int_equal(grammar->style, W_STYLE_GNU);
	assert_true(grammar->honours_dashes && grammar->has_end_of_options);
	w_command_free(command);
}

static void
global_options_may_stand_anywhere(void **state)
{
	struct w_command *command = describe("command: k\n"
					     "globals: anywhere\n"
					     "options: {-n <text>: }\n"
					     "commands:\n"
					     "  get: {effects: net}\n");
	const struct w_grammar *grammar = form_of_node(command, "cli.k.get");

	(void)state;
	assert_int_equal(param_of(grammar, "n")->slot, W_SLOT_FLAGS);
	assert_true(param_of(grammar, "n")->is_global);
	assert_ptr_equal(
	    w_hash_table_get(&grammar->names, "-n", 2), param_of(grammar, "n"));
	grammar = form_of_node(command, "cli.k");
	assert_true(grammar->are_globals_anywhere);
	assert_false(grammar->are_effects_known);
	w_command_free(command);
}

static void
a_program_can_be_another_by_another_name(void **state)
{
	struct w_command *command =
	    describe("command: g++\nabout: x\nsame_as: gcc\n");

	(void)state;
	assert_string_equal(w_command_same_as(command), "gcc");
	assert_string_equal(w_command_root(command)->id, "cli.g__");
	assert_false(w_command_root(command)->is_runnable);
	w_command_free(command);
}

static const struct w_grammar_rule *
rule_at(const struct w_grammar *grammar, size_t place)
{
	assert_true(place < grammar->rule_count);
	return &grammar->rules[place];
}

static void
effects_have_targets_and_conditions(void **state)
{
	struct w_command *command = describe(
	    "command: prog\n"
	    "effects: [code, 'write .', 'net {host}', 'may net']\n"
	    "when:\n"
	    "  - {has: force, lacks: [output], effects: ['delete "
	    "{file:dir}']}\n"
	    "  - {all: [force, output], except: {file: '*.c'}, "
	    "effects: ['write {output|a.out}', 'read {file:dir|x}']}\n"
	    "options:\n"
	    "  -f, --force: {effects: irreversible}\n"
	    "  -o, --output <path>: out\n"
	    "  -h, --host <host>: there\n"
	    "operands:\n"
	    "  file* <path:read>: {cases: {'a*': [], '*': [code, exec]}}\n");
	const struct w_grammar *grammar = form_of_node(command, "cli.prog");
	const struct w_grammar_rule *rule = rule_at(grammar, 0);
	size_t force = (size_t)(param_of(grammar, "force") - grammar->params);
	size_t output = (size_t)(param_of(grammar, "output") - grammar->params);
	size_t file = (size_t)(param_of(grammar, "file") - grammar->params);

	(void)state;
	assert_int_equal(grammar->rule_count, 4);
	assert_true(grammar->are_effects_known);
	assert_int_equal(rule->effect_count, 4);
	assert_int_equal(rule->effects[0].kind, W_TARGET_NONE);
	assert_int_equal(rule->effects[1].kind, W_TARGET_TEXT);
	assert_string_equal(rule->effects[1].text, ".");
	assert_int_equal(rule->effects[2].bit, W_EFFECT_NET);
	assert_int_equal(rule->effects[2].kind, W_TARGET_PARAM);
	assert_null(rule->effects[2].text);
	assert_false(rule->effects[2].is_possible);
	assert_int_equal(rule->effects[3].bit, W_EFFECT_NET);
	assert_true(rule->effects[3].is_possible);
	rule = rule_at(grammar, 1);
	assert_int_equal(rule->has[0], force);
	assert_int_equal(rule->lacks[0], output);
	assert_true(rule->effects[0].is_directory);
	assert_int_equal(rule->effects[0].param, file);
	rule = rule_at(grammar, 2);
	assert_int_equal(rule->all_count, 2);
	assert_int_equal(rule->excepts[0].param, file);
	assert_string_equal(rule->excepts[0].glob, "*.c");
	assert_string_equal(rule->effects[0].text, "a.out");
	assert_false(rule->effects[0].is_directory);
	assert_true(rule->effects[1].is_directory);
	assert_string_equal(rule->effects[1].text, "x");
	rule = rule_at(grammar, 3);
	assert_int_equal(rule->has[0], force);
	assert_int_equal(rule->effects[0].bit, W_EFFECT_IRREVERSIBLE);
	assert_int_equal(grammar->params[file].case_count, 2);
	assert_string_equal(grammar->params[file].cases[1].glob, "*");
	assert_int_equal(grammar->params[file].cases[1].effect_count, 2);
	w_command_free(command);
}

static void
a_global_option_may_speak_of_what_is_not_below(void **state)
{
	struct w_command *command =
	    describe("command: prog\n"
		     "effects: []\n"
		     "operands: {file* <path>: }\n"
		     "options:\n"
		     "  -d: {effects: ['delete {file}'], conflicts: file}\n"
		     "commands: {sub: {effects: []}}\n");
	const struct w_grammar *grammar = form_of_node(command, "cli.prog.sub");

	(void)state;
	assert_int_equal(rule_at(grammar, 0)->effects[0].kind, W_TARGET_NONE);
	assert_int_equal(rule_at(grammar, 0)->effects[0].bit, W_EFFECT_DELETE);
	assert_int_equal(param_of(grammar, "d")->conflict_count, 0);
	grammar = form_of_node(command, "cli.prog");
	assert_int_equal(rule_at(grammar, 0)->effects[0].kind, W_TARGET_PARAM);
	assert_int_equal(param_of(grammar, "file")->conflict_count, 1);
	w_command_free(command);
}

static void
parameters_say_more_in_a_map(void **state)
{
	struct w_command *command = describe(PROGRAM(
	    "options:\n"
	    "  -a: {about: all, key: everything, long_running: true, "
	    "incidental: true}\n"
	    "  -p <text>: {secret: true, requires: everything}\n"
	    "  -H <header>:\n"
	    "  -I <text>:\n"
	    "  -c <script>: {last: true}\n"
	    "  -o, --option <text>: {separate: true}\n"
	    "operands:\n"
	    "  pattern <regex>: {unless: [p], dash: allow}\n"
	    "  extra? <text>: {only: p}\n"
	    "  file* <path:read>: {default: '-', after_dashes: true}\n"));
	const struct w_grammar *grammar = form_of_node(command, "cli.prog");
	const struct w_param *pattern = param_of(grammar, "pattern");
	const struct w_param *file = param_of(grammar, "file");

	(void)state;
	assert_string_equal(param_of(grammar, "everything")->help, "all");
	assert_true(param_of(grammar, "everything")->is_long_running);
	assert_true(param_of(grammar, "everything")->is_incidental);
	assert_true(param_of(grammar, "p")->is_secret && grammar->has_secrets);
	assert_int_equal(param_of(grammar, "p")->requires[0], 0);
	assert_int_equal(pattern->unless_count, 1);
	assert_true(pattern->may_begin_with_dash);
	assert_false(pattern->is_required);
	assert_int_equal(param_of(grammar, "extra")->only_count, 1);
	assert_string_equal(file->standard, "-");
	assert_true(file->is_after_dashes);
	assert_true(param_of(grammar, "c")->is_last);
	assert_int_equal(
	    param_of(grammar, "option")->names[0].spellings, W_SPELL_SEPARATE);
	assert_int_equal(grammar->operand_count, 3);
	assert_ptr_equal(&grammar->params[grammar->operands[2]], file);
	w_command_free(command);
}

static void
a_header_may_be_a_secret(void **state)
{
	struct w_command *command =
	    describe(PROGRAM("options: {-H <header>: }\n"));

	(void)state;
	assert_true(form_of_node(command, "cli.prog")->has_secrets);
	w_command_free(command);
}

static void
inner_commands_say_how_they_are_run(void **state)
{
	struct w_command *command = describe(PROGRAM(
	    "style: posix\n"
	    "options:\n"
	    "  -I <text>: what to replace\n"
	    "  -e <program>: {inner: [remote, joined]}\n"
	    "  -x <command> ;: {inner: [placed, elsewhere]}\n"
	    "operands:\n"
	    "  set* <assignment>:\n"
	    "  command? <command>: {inner: appended, placeholder: I}\n"));
	const struct w_grammar *grammar = form_of_node(command, "cli.prog");
	const struct w_param *inner = param_of(grammar, "command");

	(void)state;
	assert_int_equal(
	    param_of(grammar, "e")->inner, W_INNER_REMOTE | W_INNER_JOINED);
	assert_int_equal(
	    param_of(grammar, "x")->inner, W_INNER_PLACED | W_INNER_ELSEWHERE);
	assert_int_equal(inner->inner, W_INNER_APPENDED);
	assert_int_equal(inner->placeholder_count, 1);
	assert_string_equal(grammar->params[inner->placeholders[0]].key, "I");
	w_command_free(command);
}

static void
order_and_numbers_have_their_parameters(void **state)
{
	struct w_command *command =
	    describe(PROGRAM("style: leading\n"
			     "ordered: expression\n"
			     "number: name\n"
			     "dashes: no\n"
			     "options:\n"
			     "  -L: {first: true}\n"
			     "  -name <glob>: its name\n"
			     "  '(': begins\n"
			     "operands: {path* <path:read>: {default: .}}\n"));
	const struct w_grammar *grammar = form_of_node(command, "cli.prog");

	(void)state;
	assert_string_equal(
	    grammar->params[grammar->sequence].key, "expression");
	assert_int_equal(
	    grammar->params[grammar->sequence].kind, W_PARAM_SEQUENCE);
	assert_string_equal(grammar->params[grammar->number].key, "name");
	assert_int_equal(param_of(grammar, "L")->slot, W_SLOT_BEFORE_OPERANDS);
	assert_int_equal(param_of(grammar, "path")->slot, W_SLOT_LEADING);
	assert_int_equal(param_of(grammar, "name")->slot, W_SLOT_FLAGS);
	assert_true(param_of(grammar, "name")->is_step);
	assert_false(param_of(grammar, "path")->is_step);
	assert_false(grammar->has_end_of_options);
	w_command_free(command);
}

static void
an_equals_sign_behind_a_letter_can_be_left_out(void **state)
{
	struct w_command *command =
	    describe("command: k\nshort_equals: yes\noptions: {-n: }\n"
		     "commands: {get: {options: {'-o, --output <text>': , "
		     "'-count <integer>': }, effects: net}}\n");
	const struct w_grammar *grammar = form_of_node(command, "cli.k.get");
	const struct w_param *param = param_of(grammar, "output");

	(void)state;
	assert_int_equal(param->names[0].spellings,
	    W_SPELL_SEPARATE | W_SPELL_JOINED | W_SPELL_EQUALS);
	assert_int_equal(param_of(grammar, "count")->names[0].spellings,
	    W_SPELL_SEPARATE | W_SPELL_EQUALS);
	w_command_free(command);
}

static void
a_value_can_be_a_word_of_its_own_only(void **state)
{
	struct w_command *command =
	    describe(PROGRAM("options: {'-o, --output <text>': {separate: "
			     "true}, -x <text>: }\n"));
	const struct w_grammar *grammar = form_of_node(command, "cli.prog");

	(void)state;
	assert_int_equal(
	    param_of(grammar, "output")->names[0].spellings, W_SPELL_SEPARATE);
	assert_int_equal(param_of(grammar, "output")->names[1].spellings,
	    W_SPELL_SEPARATE | W_SPELL_EQUALS);
	assert_int_equal(param_of(grammar, "x")->names[0].spellings,
	    W_SPELL_SEPARATE | W_SPELL_JOINED);
	w_command_free(command);
}

/* A description can be rendered by, as a binding can. */
static void
forms_render(void **state)
{
	struct w_command *command = describe(store_text);
	const struct w_render_plan plan = {
	    .grammar = form_of_node(command, "cli.store.list"),
	    .words = (const char *const[]){"store", "list", NULL}};
	static const char json[] =
	    "{\"thing\":[\"a\",\"-b\"],\"patch\":true,\"C\":[\"d\"]}";
	yyjson_doc *args = yyjson_read(json, sizeof(json) - 1, 0);
	struct w_words words = {0};
	writ_error err = {0};
	static const char *const wanted[] = {
	    "store", "-C", "d", "list", "--patch", "a", "./-b"};

	(void)state;
	if (w_render(&plan, yyjson_doc_get_root(args), &words, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(words.count, 7);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(words.items[i], wanted[i]);
	w_words_done(&words);
	yyjson_doc_free(args);
	w_command_free(command);
}

/* What is not asked for is not looked at. */
static void
a_form_is_made_when_it_is_asked_for(void **state)
{
	static const char text[] = "command: a\n"
				   "commands:\n"
				   "  good: {effects: []}\n"
				   "  bad:\n"
				   "    options: {-x <txt>: }\n"
				   "    effects: []\n";
	struct w_command *command = NULL;
	const struct w_grammar *grammar = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_command_read_text(text, sizeof(text) - 1, false, &command, &err),
	    WRIT_OK);
	grammar = form_of_node(command, "cli.a.good");
	assert_ptr_equal(grammar, form_of_node(command, "cli.a.good"));
	grammar = NULL;
	assert_int_equal(w_command_grammar(w_command_find(command, "cli.a.bad"),
			     &grammar, &err),
	    WRIT_E_INVALID);
	assert_null(grammar);
	assert_int_equal(err.line, 5);
	assert_int_equal(err.column, 19);
	w_command_free(command);
	not_described(text, 5, 19, "there is no type 'txt'", "'text'");
}

static void
a_tree_of_json_is_borrowed(void **state)
{
	static const char json[] =
	    "{\"command\":\"a\",\"options\":{\"-x\":5},\"effects\":[]}";
	yyjson_doc *doc = yyjson_read(json, sizeof(json) - 1, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	struct w_command *command = NULL;
	yyjson_val *at = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_command_new(root, true, &command, &at, &err), WRIT_E_INVALID);
	assert_ptr_equal(
	    at, yyjson_obj_get(yyjson_obj_get(root, "options"), "-x"));
	assert_int_equal(
	    w_command_new(root, false, &command, NULL, &err), WRIT_OK);
	assert_ptr_equal(w_command_description(command), root);
	w_command_free(command);
	yyjson_doc_free(doc);
}

#define THREADS 8

static void *
ask(void *command)
{
	const struct w_grammar *grammar =
	    form_of_node(command, "cli.store.list");

	return (void *)(uintptr_t)grammar;
}

static void
threads_get_the_same_form(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		struct w_command *command = NULL;
		pthread_t threads[THREADS];
		void *forms[THREADS];

		assert_int_equal(w_command_read_text(store_text,
				     strlen(store_text), false, &command, NULL),
		    WRIT_OK);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(
			    pthread_create(&threads[i], NULL, ask, command), 0);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(
			    pthread_join(threads[i], &forms[i]), 0);
		for (int i = 1; i < THREADS; i++)
			assert_ptr_equal(forms[i], forms[0]);
		w_command_free(command);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_description_is_a_tree),
	    cmocka_unit_test(a_child_is_found_by_each_of_its_names),
	    cmocka_unit_test(a_form_has_the_options_of_all_levels_above),
	    cmocka_unit_test(what_holds_for_a_program_holds_below_it),
	    cmocka_unit_test(global_options_may_stand_anywhere),
	    cmocka_unit_test(a_program_can_be_another_by_another_name),
	    cmocka_unit_test(effects_have_targets_and_conditions),
	    cmocka_unit_test(a_global_option_may_speak_of_what_is_not_below),
	    cmocka_unit_test(parameters_say_more_in_a_map),
	    cmocka_unit_test(a_header_may_be_a_secret),
	    cmocka_unit_test(inner_commands_say_how_they_are_run),
	    cmocka_unit_test(order_and_numbers_have_their_parameters),
	    cmocka_unit_test(an_equals_sign_behind_a_letter_can_be_left_out),
	    cmocka_unit_test(a_value_can_be_a_word_of_its_own_only),
	    cmocka_unit_test(forms_render),
	    cmocka_unit_test(a_form_is_made_when_it_is_asked_for),
	    cmocka_unit_test(a_tree_of_json_is_borrowed),
	    cmocka_unit_test(threads_get_the_same_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
