/* SPDX-License-Identifier: Apache-2.0 */
#include "description.h"

#define PROGRAM(lines) "command: prog\neffects: []\n" lines

/* Line 3, where PROGRAM's own lines begin. */
#define REFUSED(lines, line, column, part, hint) \
	not_described(PROGRAM(lines), line, column, part, hint)

static void
what_a_description_must_say_is_missed(void **state)
{
	(void)state;
	not_described("a: b\n", 1, 1, "unknown key 'a'", "");
	not_described("about: b\ncommand: a\neffects: []\n", 1, 1,
	    "the first key of a description is 'command'", "command: NAME");
	not_described("[a]\n", 1, 1, "a description must be a map", "");
	not_described("command: a\n", 1, 10,
	    "cli.a says nothing about its effects", "effects: []");
	not_described("command: a\ncommands: {b: {about: c}}\n", 2, 23,
	    "cli.a.b says nothing about its effects", "effects: []");
	not_described("command: a\noperands: {c* <text>: }\n"
		      "commands: {b: {effects: []}}\n",
	    1, 10, "cli.a says nothing about its effects", "effects: []");
	not_described("command: a\ncommands: {b: }\n", 2, 15,
	    "a sub-command must be a map, not null", "");
}

static void
keys_that_are_not_known_are_refused(void **state)
{
	(void)state;
	REFUSED("optoins: {}\n", 3, 1, "unknown key 'optoins'", "'options'");
	REFUSED("commands: {a: {groups: {}, effects: []}}\n", 3, 16,
	    "unknown key 'groups'", "");
	REFUSED("commands: {a: {command: b, effects: []}}\n", 3, 16,
	    "unknown key 'command'", "'commands'");
	REFUSED("options: {-a: {abuot: x}}\n", 3, 16,
	    "unknown key of an option 'abuot'", "'about'");
	REFUSED("options: {-a: {unless: x}}\n", 3, 16,
	    "unknown key of an option 'unless'", "");
	REFUSED("operands: {a <text>: {first: true}}\n", 3, 23,
	    "unknown key of an operand 'first'", "");
	REFUSED("when: [{hsa: a, effects: []}]\n", 3, 9,
	    "unknown key of a condition 'hsa'", "'has'");
}

static void
values_of_another_type_are_refused(void **state)
{
	(void)state;
	REFUSED("about: 5\n", 3, 8, "about must be text, not a number",
	    "put it into quotes");
	REFUSED("also: {a: b}\n", 3, 7, "also must be a list of texts", "");
	REFUSED("also: [1]\n", 3, 8, "also must be text", "quotes");
	REFUSED("also:\n", 3, 6, "also must be a list of texts, not null",
	    "write [] for an empty one");
	REFUSED("options: [a]\n", 3, 10, "options must be a map", "");
	REFUSED("when: {a: b}\n", 3, 7, "when must be a list", "");
	REFUSED("when: [a]\n", 3, 8, "a condition must be a map", "");
	REFUSED("options: {-a: 5}\n", 3, 15,
	    "-a must be one line of text, or a map, not a number", "quotes");
	REFUSED("options: {-a <text>: {secret: 1}}\n", 3, 31,
	    "secret must be true or false", "");
	REFUSED("options: {-a <text>: {cases: [a]}}\n", 3, 30,
	    "cases must be a map", "");
	REFUSED("options: {-a: {conflicts: 5}}\n", 3, 27,
	    "a key must be a list of texts", "quotes");
	REFUSED("groups: {g: a}\nuse: g\n", 3, 13, "a group must be a map", "");
	REFUSED("environment: {A: 5}\n", 3, 18,
	    "effects of a variable must be a list of texts", "quotes");
	not_described("command: a\neffects:\n", 2, 9,
	    "effects must be a list of texts, not null", "write [] for");
	not_described("command: a\nabout: \"x\\0y\"\neffects: []\n", 2, 8,
	    "about has a NUL in it", "");
}

static void
sets_that_are_wrong_are_refused(void **state)
{
	(void)state;
	REFUSED("sets: [a]\n", 3, 7, "sets must be a map, not a list", "");
	REFUSED("sets: {a: b}\n", 3, 11, "a must be a list or a map", "");
	REFUSED("sets: {a b: [c]}\n", 3, 8, "'a b' is not the name of a set",
	    "letters, digits and _");
	REFUSED("sets: {1a: [c]}\n", 3, 8, "'1a' is not the name of a set", "");
	REFUSED("sets: {a: [c]}\n", 3, 8, "the set 'a' is used nowhere", "");
	REFUSED("also: $names\nsets: {nams: [c]}\n", 3, 7,
	    "there is no set 'names'", "'nams'");
	REFUSED("also: [b, $names]\n", 3, 11, "there is no set 'names'", "");
	REFUSED("also: $a\nsets: {a: [b, $a]}\n", 4, 15,
	    "the set 'a' uses itself", "");
	REFUSED("also: $a\nsets: {a: [$b], b: [{c: $a}]}\n", 4, 25,
	    "the set 'a' uses itself", "");
	REFUSED("commands: {a: {sets: {}, effects: []}}\n", 3, 16,
	    "unknown key 'sets'", "");
	not_described("[$a]\n", 1, 2, "there is no set 'a'", "");
}

/* What is wrong in a set is shown there, not where it is used. */
static void
mistakes_in_a_set_are_shown_in_it(void **state)
{
	(void)state;
	REFUSED("sets:\n  a:\n    - b\n    - 5\nalso: $a\n", 6, 7,
	    "also must be text", "quotes");
	REFUSED("options: $a\nsets: {a: {-x: {abuot: y}}}\n", 4, 17,
	    "unknown key of an option 'abuot'", "'about'");
	REFUSED("sets: {e: [\"write {fiel}\"]}\noptions:\n"
		"  -f, --file <path>: {effects: $e}\n",
	    3, 12, "'fiel'", "'file'");
	REFUSED("sets: {a: [b]}\nalso: $a\noptoins: {}\n", 5, 1,
	    "unknown key 'optoins'", "'options'");
}

/* A few lines must not become a description without end. */
static void
sets_cannot_grow_without_end(void **state)
{
	char text[16384] = PROGRAM("also: $s0\nsets:\n");
	size_t len = strlen(text);

	(void)state;
	for (int i = 0; i < 30; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "  s%d: [$s%d, $s%d]\n", i, i + 1, i + 1);
	(void)snprintf(text + len, sizeof(text) - len, "  s30: [laugh]\n");
	not_described(text, 35, 9,
	    "with its sets a description of more than 1048576 bytes", "");
	len = strlen(PROGRAM("also: $s0\nsets:\n"));
	for (int i = 0; i < 200; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "  s%d: [$s%d]\n", i, i + 1);
	(void)snprintf(text + len, sizeof(text) - len, "  s200: [a]\n");
	not_described(
	    text, 66, 9, "with its sets nested deeper than 64 levels", "");
}

static void
words_that_it_cannot_be_are_refused(void **state)
{
	(void)state;
	REFUSED("style: gun\n", 3, 8, "style is 'gun'; it can be: gnu, posix",
	    "'gnu'");
	REFUSED("dashes: maybe\n", 3, 9, "dashes is 'maybe'", "");
	REFUSED("globals: before-all\n", 3, 10, "globals is 'before-all'", "");
	REFUSED("options: {-a <program>: {inner: plcaed}}\n", 3, 33,
	    "inner is 'plcaed'", "'placed'");
	REFUSED("operands: {a <text>: {dash: deny}}\n", 3, 29, "dash is 'deny'",
	    "");
}

static void
what_is_there_twice_is_refused(void **state)
{
	(void)state;
	REFUSED("options: {'-a, --all': , '-b, --all': }\n", 3, 26,
	    "two parameters have the key 'all'", "'key:'");
	REFUSED("options: {'-a, --all': , '-a, --any': }\n", 3, 26,
	    "two options have the name '-a'", "");
	REFUSED("options: {--file: }\noperands: {file <text>: }\n", 4, 12,
	    "two parameters have the key 'file'", "'key:'");
	REFUSED("options: {-C: }\n"
		"commands: {a: {options: {-C: }, effects: []}}\n",
	    4, 26, "cli.prog.a: two parameters have the key 'C'", "'key:'");
	REFUSED("use: g\noptions: {-a: }\ngroups: {g: {-a: }}\n", 5, 14,
	    "two parameters have the key 'a'", "'key:'");
	REFUSED("commands: {a: {effects: [], also: b}, b: {effects: []}}\n", 3,
	    39, "two sub-commands have the name 'b'", "");
	REFUSED("commands: {a-b: {effects: []}, a_b: {effects: []}}\n", 3, 11,
	    "'a-b' and 'a_b' have the same id", "");
	REFUSED("ordered: a\noptions: {-a: }\n", 3, 10,
	    "two parameters have the key 'a'", "'key:'");
}

static void
names_that_nothing_has_are_refused(void **state)
{
	(void)state;
	REFUSED("use: [outptu]\ngroups: {output: {-a: }}\n", 3, 7,
	    "there is no group 'outptu'", "'output'");
	REFUSED("groups: {output: {-a: }}\n", 3, 10,
	    "the group 'output' is used nowhere", "");
	REFUSED("default: lits\ncommands: {list: {effects: []}}\n", 3, 10,
	    "there is no sub-command 'lits'", "'list'");
	REFUSED("default: a\n", 3, 10, "there is no sub-command 'a'", "");
	REFUSED("number: lines\noptions: {--line <integer>: }\n", 3, 9,
	    "nothing has the key 'lines'", "'line'");
	REFUSED("options: {--all: {conflicts: [any]}}\n", 3, 31,
	    "nothing has the key 'any'", "");
	REFUSED("options: {--all: {requires: al}}\n", 3, 29,
	    "nothing has the key 'al'", "'all'");
	REFUSED("operands: {a <text>: {unless: b}}\n", 3, 31,
	    "nothing has the key 'b'", "");
	REFUSED("operands: {a <text>: {only: b}}\n", 3, 29,
	    "nothing has the key 'b'", "");
	REFUSED("when: [{has: a, effects: []}]\n", 3, 14,
	    "nothing has the key 'a'", "");
	REFUSED("when: [{except: {a: b}, effects: []}]\n", 3, 18,
	    "nothing has the key 'a'", "");
}

static void
effects_that_are_none_are_refused(void **state)
{
	(void)state;
	not_described("command: a\neffects: [wirte]\n", 2, 11,
	    "there is no effect 'wirte'", "'write'");
	not_described("command: a\neffects: [may nte]\n", 2, 11,
	    "there is no effect 'nte'", "'net'");
	not_described("command: a\neffects: [may write]\n", 2, 11,
	    "only 'net' and 'publish' can follow 'may'", "");
	not_described("command: a\neffects: ['read ']\n", 2, 11,
	    "a target is missing", "");
	not_described("command: a\neffects: ['read {b}']\n", 2, 11,
	    "nothing has the key 'b'", "");
	not_described("command: a\neffects: ['read x{b}']\n", 2, 11,
	    "the target 'x{b}' is not understood", "{KEY}");
	not_described("command: a\noptions: {-b <path>: }\n"
		      "effects: ['read {b}/c']\n",
	    3, 11, "the target '{b}/c' is not understood", "{KEY}");
	not_described("command: a\noptions: {-b <path>: }\n"
		      "effects: ['read {b:dri}']\n",
	    3, 11, "the target '{b:dri}' is not understood", "{KEY:dir}");
	not_described("command: a\noptions: {-b: }\neffects: ['read {b}']\n", 3,
	    11, "'b' has no value", "");
	REFUSED("environment: {A: [cod]}\n", 3, 19, "there is no effect 'cod'",
	    "'code'");
	REFUSED("options: {-a <text>: {cases: {b: [x]}}}\n", 3, 35,
	    "there is no effect 'x'", "");
	REFUSED("when: [{has: a}]\noptions: {-a: }\n", 3, 8,
	    "a condition without effects", "");
	REFUSED("when: [{effects: [net]}]\n", 3, 8, "a condition without has",
	    "'effects' of the command");
	REFUSED("when: [{has: [], effects: [net]}]\n", 3, 14,
	    "there is no key here", "");
}

static void
what_does_not_fit_together_is_refused(void **state)
{
	(void)state;
	REFUSED(
	    "options: {-a: {conflicts: a}}\n", 3, 27, "'a' names itself", "");
	REFUSED("options: {-a: {secret: true}}\n", 3, 24,
	    "a switch has no value", "");
	REFUSED(
	    "options: {-a: {cases: {b: []}}}\n", 3, 23, "'a' has no value", "");
	REFUSED("options: {-a <text>: {inner: here}}\n", 3, 30,
	    "'a' is not a command", "program");
	REFUSED("options: {-a: {first: true}}\n", 3, 23,
	    "first belongs to the style leading", "");
	REFUSED("style: words\noptions: {-a <text>: {last: true}}\n", 4, 29,
	    "last belongs to the styles gnu and posix", "");
	REFUSED("options:\n  -a[=<text>]: {separate: true}\n", 4, 27,
	    "'a' has no value that is a word of its own", "");
	REFUSED("options: {-a: {separate: true}}\n", 3, 26,
	    "'a' has no value that is a word of its own", "");
	REFUSED("number: a\noptions: {-a: }\n", 3, 9,
	    "'a' is not an option with one value", "");
	REFUSED("operands: {a <text>: {default: x}}\n", 3, 32,
	    "'a' is always there", "'a?'");
	REFUSED("dashes: no\noperands: {a* <text>: {after_dashes: true}}\n", 4,
	    38, "does not take '--'", "");
	REFUSED("operands: {a* <text>: {placeholder: b}}\noptions: {-b: }\n", 3,
	    37, "placeholder belongs to the type command", "");
	REFUSED("operands: {a <command>: {placeholder: b}}\noptions: {-b: }\n",
	    3, 39, "'b' is not an option with a value", "");
	REFUSED("when: [{except: {b: x}, effects: []}]\noptions: {-b: }\n", 3,
	    18, "'b' has no value that could match", "");
	REFUSED(
	    "same_as: b\n", 2, 1, "with same_as there can be no effects", "");
	not_described("command: a\nsame_as: a\n", 2, 10,
	    "same_as names the program itself", "");
}

static void
operands_that_cannot_be_told_apart_are_refused(void **state)
{
	(void)state;
	REFUSED("operands: {a* <text>: , b+ <text>: }\n", 3, 25,
	    "operands 'a' and 'b' have any number both", "");
	REFUSED("operands: {a <command>: , b <text>: }\n", 3, 27,
	    "nothing can come after 'a'", "");
	REFUSED("operands: {a? <text>: , b <command>: }\n", 3, 25,
	    "writ cannot tell whether a word is 'a' or begins 'b'",
	    "assignment");
	w_command_free(describe(PROGRAM("operands: {a* <text>: , b <text>: , "
					"c* <path>: {after_dashes: true}}\n")));
	w_command_free(describe(
	    PROGRAM("options: {-e <text>: }\n"
		    "operands: {a* <text>: {unless: e}, b* <text>: }\n")));
	w_command_free(
	    describe(PROGRAM("operands: {a <text>: , b* <assignment>: , "
			     "c? <command>: }\n")));
}

static void
a_spelling_is_refused_at_the_character(void **state)
{
	(void)state;
	REFUSED("options:\n  -o, --output <path:wrte>: x\n", 4, 22,
	    "'wrte' is nothing", "'write'");
	REFUSED("options:\n  '-o <txt>': x\n", 4, 8, "there is no type 'txt'",
	    "'text'");
	REFUSED("options:\n  '-o <file>': x\n", 4, 8, "there is no type 'file'",
	    "write 'path:read' or 'path:write'");
	REFUSED("options:\n  '--all <bool>': x\n", 4, 11,
	    "there is no type 'bool'", "a switch has no value");
	REFUSED("effects: [write {out}]\n", 3, 17, "not valid YAML",
	    "quote text that has { }");
	REFUSED("operands: {file* path>: x}\n", 3, 17, "comes its type",
	    "path:read");
	not_described("{\"command\":\"a\",\"effects\":[],\n"
		      " \"options\":{\"-o <txt>\":null}}",
	    2, 18, "there is no type 'txt'", "'text'");
}

static void
names_of_programs_are_words(void **state)
{
	(void)state;
	not_described("command: a/b\neffects: []\n", 1, 10,
	    "cannot have blanks or '/'", "");
	not_described("command: ''\neffects: []\n", 1, 10, "1 to 64 bytes", "");
	not_described("command: -a\neffects: []\n", 1, 10,
	    "'-a' is not the name of a program", "");
	not_described("command: '..'\neffects: []\n", 1, 10,
	    "'..' is not the name of a program", "");
	REFUSED("also: [a b]\n", 3, 8, "cannot have blanks", "");
	REFUSED("commands: {-S: {effects: []}}\n", 3, 12,
	    "'-S' is not the name of a sub-command", "");
}

static void
there_is_an_end_to_everything(void **state)
{
	char *text = calloc(1, 400000);
	size_t len = 0;

	(void)state;
	assert_non_null(text);
	len = (size_t)sprintf(text, "command: a\neffects: []\ncommands: ");
	for (int i = 0; i < 9; i++)
		len += (size_t)sprintf(text + len, "{b: {commands: ");
	len += (size_t)sprintf(text + len, "{b: {effects: []}}");
	for (int i = 0; i < 9; i++)
		len += (size_t)sprintf(text + len, "}}");
	not_described(text, 3, 135, "nested deeper than 8 levels", "");
	len = (size_t)sprintf(text, "command: a\neffects: []\ncommands:\n");
	for (int i = 0; i < 4100; i++)
		len += (size_t)sprintf(text + len, "  c%d: {effects: []}\n", i);
	not_described(text, 4099, 10, "more than 4096 sub-commands", "");
	len = (size_t)sprintf(text, "command: a\neffects: []\noptions:\n");
	for (int i = 0; i < 4100; i++)
		len += (size_t)sprintf(text + len, "  --c%d: x\n", i);
	not_described(text, 4, 3, "cli.a has more than 4095 parameters", "");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_description_must_say_is_missed),
	    cmocka_unit_test(keys_that_are_not_known_are_refused),
	    cmocka_unit_test(values_of_another_type_are_refused),
	    cmocka_unit_test(sets_that_are_wrong_are_refused),
	    cmocka_unit_test(mistakes_in_a_set_are_shown_in_it),
	    cmocka_unit_test(sets_cannot_grow_without_end),
	    cmocka_unit_test(words_that_it_cannot_be_are_refused),
	    cmocka_unit_test(what_is_there_twice_is_refused),
	    cmocka_unit_test(names_that_nothing_has_are_refused),
	    cmocka_unit_test(effects_that_are_none_are_refused),
	    cmocka_unit_test(what_does_not_fit_together_is_refused),
	    cmocka_unit_test(operands_that_cannot_be_told_apart_are_refused),
	    cmocka_unit_test(a_spelling_is_refused_at_the_character),
	    cmocka_unit_test(names_of_programs_are_words),
	    cmocka_unit_test(there_is_an_end_to_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
