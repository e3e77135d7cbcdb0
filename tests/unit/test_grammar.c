/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

#define PROPERTIES(text) "{'properties':{" text "}}"

/* Refused with a message and a suggestion that contain these; at is the text of
 * the key or value at fault, as JSON. */
static void
no_form(const char *schema, const char *part, const char *hint, const char *at)
{
	yyjson_doc *doc = read_quoted(schema);
	struct w_grammar *grammar = NULL;
	yyjson_val *fault = NULL;
	writ_error err = {0};
	writ_status status =
	    w_grammar_new(yyjson_doc_get_root(doc), &grammar, &fault, &err);

	if (status == WRIT_OK)
		fail_msg("not refused: %s", schema);
	assert_int_equal(status, WRIT_E_INVALID);
	assert_null(grammar);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	if (strstr(err.suggestion, hint) == NULL)
		fail_msg("'%s' is not in '%s'", hint, err.suggestion);

	char *text = yyjson_val_write(fault, 0, NULL);
	assert_non_null(text);
	assert_string_equal(text, at);
	free(text);
	yyjson_doc_free(doc);
}

static const struct w_param *
param(const struct form_of *made, const char *key)
{
	const struct w_param *found =
	    w_grammar_find(made->grammar, key, strlen(key));

	if (found == NULL)
		fail_msg("there is no '%s'", key);
	return found;
}

static void
a_property_is_a_long_option_by_itself(void **state)
{
	struct form_of made = make_form(
	    PROPERTIES("'dry_run':{'type':'boolean','description':'help'},"
		       "'n':{'type':'integer'}"));
	const struct w_param *dry = param(&made, "dry_run");

	(void)state;
	assert_string_equal(dry->flag, "--dry-run");
	assert_int_equal(dry->flag_len, 9);
	assert_string_equal(dry->help, "help");
	assert_int_equal(dry->kind, W_PARAM_OPTION);
	assert_int_equal(dry->slot, W_SLOT_FLAGS);
	assert_int_equal(dry->attach, W_ATTACH_SEPARATE);
	assert_int_equal(dry->arity, 1);
	assert_string_equal(param(&made, "n")->flag, "--n");
	assert_null(param(&made, "n")->help);
	free_form(&made);
}

static void
nothing_is_a_form_without_arguments(void **state)
{
	struct w_grammar *grammar = NULL;

	(void)state;
	assert_int_equal(w_grammar_new(NULL, &grammar, NULL, NULL), WRIT_OK);
	assert_int_equal(grammar->count, 0);
	assert_false(grammar->is_open);
	assert_null(w_grammar_find(grammar, "x", 1));
	w_grammar_free(grammar);
}

static void
a_form_is_open_unless_it_is_closed(void **state)
{
	static const struct {
		const char *schema;
		bool is_open;
	} rows[] = {
	    {"{}", true},
	    {"{'additionalProperties':true}", true},
	    {"{'additionalProperties':{'type':'string'}}", true},
	    {"{'additionalProperties':false}", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct form_of made = make_form(rows[i].schema);

		assert_int_equal(made.grammar->is_open, rows[i].is_open);
		free_form(&made);
	}
}

static void
all_keywords_are_understood(void **state)
{
	struct form_of made = make_form(
	    "{'x-apexe-end-of-options':true,'required':['a','gone'],"
	    "'properties':{"
	    "'a':{'type':'string','x-apexe-flag':'-a','x-sensitive':true,"
	    "'x-apexe-flag-position':'before-subcommand',"
	    "'x-apexe-long-running':true,'x-writ-attach':'joined'},"
	    "'b':{'type':['string','boolean'],'x-apexe-value-optional':true,"
	    "'x-apexe-flag-position':'before-operands'},"
	    "'c':{'x-apexe-positional':3,'x-apexe-path':true,"
	    "'x-apexe-operand-position':'before-flags','x-writ-dash':'allow'},"
	    "'d':{'x-apexe-positional':0,'format':'path'},"
	    "'e':{'type':'array','x-writ-arity':3,'x-writ-requires':['a'],"
	    "'x-apexe-conflicts-with':['b']},"
	    "'f':{'type':'array','x-writ-sequence':true,"
	    "'items':{'properties':{'a':{},'d':{}}}}}}");
	const struct w_grammar *grammar = made.grammar;

	(void)state;
	assert_true(grammar->has_end_of_options);
	assert_int_equal(grammar->count, 6);

	const struct w_param *a = param(&made, "a");
	assert_true(a->is_required && a->is_secret && a->is_long_running);
	assert_int_equal(a->slot, W_SLOT_BEFORE_SUBCOMMAND);
	assert_int_equal(a->attach, W_ATTACH_JOINED);

	const struct w_param *b = param(&made, "b");
	assert_true(b->is_value_optional && !b->is_required);
	assert_int_equal(b->slot, W_SLOT_BEFORE_OPERANDS);
	assert_int_equal(b->attach, W_ATTACH_EQUALS);
	assert_int_equal(b->conflict_count, 1);
	assert_int_equal(b->conflicts[0], 4);

	const struct w_param *c = param(&made, "c");
	assert_int_equal(c->kind, W_PARAM_OPERAND);
	assert_int_equal(c->slot, W_SLOT_LEADING);
	assert_int_equal(c->index, 3);
	assert_true(c->is_path && c->may_begin_with_dash);
	assert_null(c->flag);

	const struct w_param *d = param(&made, "d");
	assert_int_equal(d->slot, W_SLOT_TRAILING);
	assert_true(d->is_path && !d->may_begin_with_dash);

	const struct w_param *e = param(&made, "e");
	assert_int_equal(e->arity, 3);
	assert_int_equal(e->require_count, 1);
	assert_int_equal(e->requires[0], 0);
	assert_int_equal(e->conflict_count, 1);
	assert_int_equal(e->conflicts[0], 1);
	assert_int_equal(param(&made, "f")->kind, W_PARAM_SEQUENCE);
	free_form(&made);
}

static void
the_order_is_that_of_the_command_line(void **state)
{
	static const size_t want[] = {4, 5, 6, 2, 1, 7, 3, 0};
	struct form_of made = make_form(
	    PROPERTIES("'last':{'x-apexe-positional':9},"
		       "'flag':{},"
		       "'leading':{'x-apexe-positional':8,"
		       "'x-apexe-operand-position':'before-flags'},"
		       "'middle':{'x-apexe-positional':4},"
		       "'sub':{'x-apexe-flag-position':'before-subcommand'},"
		       "'early':{'x-apexe-flag-position':'before-operands'},"
		       "'head':{'x-apexe-positional':7,"
		       "'x-apexe-operand-position':'before-flags'},"
		       "'steps':{'type':'array','x-writ-sequence':true}"));

	(void)state;
	for (size_t i = 0; i < made.grammar->count; i++)
		assert_int_equal(made.grammar->order[i], want[i]);
	assert_int_equal(made.grammar->operand_count, 4);
	assert_int_equal(made.grammar->operands[0], 3);
	assert_int_equal(made.grammar->operands[1], 6);
	assert_int_equal(made.grammar->operands[2], 2);
	assert_int_equal(made.grammar->operands[3], 0);
	free_form(&made);
}

static void
types_are_found_where_they_are_written(void **state)
{
	static const struct {
		const char *schema;
		unsigned types;
		unsigned item_types;
	} rows[] = {
	    {"{'type':'string'}", W_TYPE_STRING, 0},
	    {"{'type':'number'}", W_TYPE_NUMBER, 0},
	    {"{'type':['integer','null']}", W_TYPE_INTEGER | W_TYPE_NULL, 0},
	    {"{'type':['integer','number']}", W_TYPE_NUMBER, 0},
	    {"{}", W_TYPE_ANY, W_TYPE_ANY},
	    {"true", W_TYPE_ANY, W_TYPE_ANY},
	    {"{'enum':['a',1,null]}",
		W_TYPE_STRING | W_TYPE_INTEGER | W_TYPE_NULL, 0},
	    {"{'const':true}", W_TYPE_BOOLEAN, 0},
	    {"{'enum':[1,'a'],'type':'string'}", W_TYPE_STRING, 0},
	    {"{'$ref':'#/$defs/text'}", W_TYPE_STRING, 0},
	    {"{'$ref':'#/$defs/gone'}", W_TYPE_ANY, W_TYPE_ANY},
	    {"{'$ref':'other.json'}", W_TYPE_ANY, W_TYPE_ANY},
	    {"{'$ref':'#/$defs/loop'}", W_TYPE_ANY, W_TYPE_ANY},
	    {"{'$ref':'#/$defs/bush'}", W_TYPE_ANY, W_TYPE_ANY},
	    {"{'anyOf':[{'type':'boolean'},{'$ref':'#/$defs/text'}]}",
		W_TYPE_BOOLEAN | W_TYPE_STRING, 0},
	    {"{'oneOf':[{'type':'integer'},"
	     "{'type':'array','items':{'type':'integer'}}]}",
		W_TYPE_INTEGER | W_TYPE_ARRAY, W_TYPE_INTEGER},
	    {"{'allOf':[{'type':['string','number']},{'type':'integer'}]}",
		W_TYPE_INTEGER, 0},
	    {"{'type':'array'}", W_TYPE_ARRAY, W_TYPE_ANY},
	    {"{'type':'array','items':{'$ref':'#/$defs/text'}}", W_TYPE_ARRAY,
		W_TYPE_STRING},
	    {"{'type':'array','items':{'type':'string'},'prefixItems':[{}]}",
		W_TYPE_ARRAY, W_TYPE_ANY},
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)snprintf(text, sizeof(text),
		    "{'$defs':{'text':{'type':'string'},"
		    "'loop':{'$ref':'#/$defs/loop'},"
		    "'bush':{'anyOf':[{'$ref':'#/$defs/bush'},"
		    "{'$ref':'#/$defs/bush'}]}},'properties':{'x':%s}}",
		    rows[i].schema);
		struct form_of made = make_form(text);
		const struct w_param *x = param(&made, "x");

		if (x->types != rows[i].types ||
		    x->item_types != rows[i].item_types)
			fail_msg("%s: %u, %u", rows[i].schema, x->types,
			    x->item_types);
		free_form(&made);
	}
}

static void
beside_a_reference_types_count_by_the_dialect(void **state)
{
	static const char *const dialects[] = {
	    "https://json-schema.org/draft/2020-12/schema",
	    "http://json-schema.org/draft-07/schema#",
	};
	static const unsigned want[] = {
	    W_TYPE_STRING, W_TYPE_STRING | W_TYPE_INTEGER};
	char text[256];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(text, sizeof(text),
		    "{'$schema':'%s','definitions':{'a':{'type':['string',"
		    "'integer']}},'properties':{'x':{'type':'string',"
		    "'$ref':'#/definitions/a'}}}",
		    dialects[i]);
		struct form_of made = make_form(text);

		assert_int_equal(param(&made, "x")->types, want[i]);
		free_form(&made);
	}
}

static void
paths_and_secrets_are_found_where_they_are_written(void **state)
{
	struct form_of made = make_form(
	    "{'$defs':{'p':{'x-apexe-path':true}},'properties':{"
	    "'a':{'type':'array','items':{'format':'path'}},"
	    "'b':{'$ref':'#/$defs/p'},"
	    "'c':{'items':{'x-sensitive':true}},"
	    "'d':{'x-apexe-path':false,'format':'uri','x-sensitive':false}}}");

	(void)state;
	assert_true(param(&made, "a")->is_path);
	assert_true(param(&made, "b")->is_path);
	assert_true(param(&made, "c")->is_secret);
	assert_false(param(&made, "d")->is_path);
	assert_false(param(&made, "d")->is_secret);
	free_form(&made);
}

static void
a_mark_anywhere_makes_all_of_it_secret(void **state)
{
	struct form_of made = make_form(
	    "{'$defs':{'pw':{'$anchor':'pw','x-sensitive':true}},"
	    "'properties':{'a':{'properties':{'pw':{'x-sensitive':true}}},"
	    "'b':{'prefixItems':[{},{'x-sensitive':true}]},"
	    "'c':{'$ref':'#pw'},'d':{'anyOf':[{},{'$ref':'#/$defs/pw'}]},"
	    "'e':{'$ref':'#/properties/e'},"
	    "'f':{'if':{},'then':{'additionalProperties':"
	    "{'x-sensitive':true}}},"
	    "'g':{'type':'string'},'h':{'enum':['x-sensitive']}}}");

	(void)state;
	for (const char *key = "abcdef"; *key != '\0'; key++)
		assert_true(
		    param(&made, (const char[]){*key, '\0'})->is_secret);
	assert_false(param(&made, "g")->is_secret);
	assert_false(param(&made, "h")->is_secret);
	assert_false(made.grammar->has_other_secrets);
	free_form(&made);
}

static void
what_is_not_listed_may_be_secret_too(void **state)
{
	static const char *const schemas[] = {
	    "{'properties':{'a':{}},'additionalProperties':"
	    "{'x-sensitive':true}}",
	    "{'properties':{'a':{}},'patternProperties':"
	    "{'^a':{'x-sensitive':true}}}",
	    "{'properties':{'a':{}},'allOf':[{'properties':"
	    "{'a':{'x-sensitive':true}}}]}",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct form_of made = make_form(schemas[i]);

		assert_true(made.grammar->has_other_secrets);
		assert_int_equal(param(&made, "a")->is_secret, i > 0);
		free_form(&made);
	}
}

static void
an_unknown_keyword_is_refused(void **state)
{
	(void)state;
	no_form(PROPERTIES("'a':{'x-apexe-flagg':'-a'}"),
	    "property 'a': unknown keyword 'x-apexe-flagg'",
	    "did you mean 'x-apexe-flag'?", "\"x-apexe-flagg\"");
	no_form(PROPERTIES("'a':{'x-writ-attatch':'joined'}"),
	    "unknown keyword", "'x-writ-attach'", "\"x-writ-attatch\"");
	no_form("{'x-writ-what':1}", "unknown keyword 'x-writ-what'",
	    "x-apexe-end-of-options", "\"x-writ-what\"");
	no_form("{'x-apexe-flag':'-l'}", "of the whole input_schema",
	    "belongs to a property", "\"x-apexe-flag\"");

	struct form_of made =
	    make_form("{'x-other':1,'properties':{'a':{'x-foreign':{}}}}");
	free_form(&made);
}

static void
names_and_types_are_checked(void **state)
{
	(void)state;
	no_form(PROPERTIES("'a':{'x-writ-names':['-b','c']}"),
	    "'c' is not a flag", "-l", "\"c\"");
	no_form(PROPERTIES("'a':{'x-writ-names':'-b'}"), "is a list of flags",
	    "", "\"-b\"");
	no_form(PROPERTIES("'a':{'type':'string','x-writ-type':'pth'}"), "pth",
	    "path", "\"pth\"");
	no_form(PROPERTIES("'a':{'type':'boolean','x-writ-type':'path'}"),
	    "does not go with", "", "\"path\"");
	no_form(PROPERTIES("'a':{'type':'string','x-writ-type':'integer'}"),
	    "does not go with", "", "\"integer\"");
	no_form(PROPERTIES("'a':{'type':'array','x-writ-type':'command'}"),
	    "does not go with", "", "\"command\"");
	no_form(PROPERTIES("'a':{'type':'string','x-writ-type':'secret'}"),
	    "how a secret is marked", "x-sensitive", "\"secret\"");
}

static void
keywords_have_values_of_their_kind(void **state)
{
	(void)state;
	no_form(PROPERTIES("'a':{'x-sensitive':'yes'}"),
	    "x-sensitive is true or false", "", "\"yes\"");
	no_form(PROPERTIES("'a':{'x-apexe-flag':1}"), "is a text", "", "1");
	no_form(PROPERTIES("'a':{'x-apexe-positional':-1}"),
	    "whole number from 0", "", "-1");
	no_form(PROPERTIES("'a':{'x-apexe-positional':1.5}"), "whole number",
	    "", "1.5");
	no_form(PROPERTIES("'a':{'x-apexe-conflicts-with':'b'}"),
	    "is a list of keys", "", "\"b\"");
	no_form(PROPERTIES("'a':{'x-writ-requires':[1]}"), "is a list of keys",
	    "", "[1]");
	no_form(PROPERTIES("'a':{'x-apexe-flag-position':'before-operand'}"),
	    "has no such value", "'before-operands'", "\"before-operand\"");
	no_form(PROPERTIES("'a':{'x-writ-dash':true}"), "has no such value",
	    "'allow'", "true");
	no_form("{'x-apexe-end-of-options':1}", "is true or false", "", "1");
	no_form(PROPERTIES("'a':3"), "its schema is not an object", "", "3");
	no_form("{'properties':[]}", "not an object", "", "[]");
	no_form("[]", "not an object", "", "[]");
}

static void
a_flag_is_a_flag(void **state)
{
	static const char *const wrong[] = {"l", "", "-", "--", "-a b",
	    "--a\\tb", "--a\\u0000b", "a-b", "-\\u007f"};
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		yyjson_val *at = NULL;
		struct w_grammar *grammar = NULL;
		writ_error err = {0};

		(void)snprintf(text, sizeof(text),
		    "{'properties':{'a':{'x-apexe-flag':'%s'}}}", wrong[i]);
		yyjson_doc *doc = read_quoted(text);
		assert_int_equal(w_grammar_new(yyjson_doc_get_root(doc),
				     &grammar, &at, &err),
		    WRIT_E_INVALID);
		assert_non_null(strstr(err.message, "is not a flag"));
		assert_true(yyjson_is_str(at));
		yyjson_doc_free(doc);
	}
	no_form(PROPERTIES("'a b':{}"), "such a key is not an option",
	    "x-apexe-flag", "\"a b\"");
	no_form(PROPERTIES("'':{}"), "such a key is not an option", "", "\"\"");

	struct form_of made = make_form(PROPERTIES(
	    "'a b':{'x-apexe-flag':'-a'},'':{'x-apexe-positional':0}"));
	assert_string_equal(param(&made, "a b")->flag, "-a");
	free_form(&made);
}

static void
keywords_that_do_not_go_together_are_refused(void **state)
{
	(void)state;
	no_form(PROPERTIES("'a':{'x-apexe-flag':'-a','x-apexe-positional':0}"),
	    "cannot be used together", "", "\"-a\"");
	no_form(PROPERTIES("'a':{'x-apexe-operand-position':'before-flags'}"),
	    "says nothing of an option", "", "\"x-apexe-operand-position\"");
	no_form(PROPERTIES("'a':{'x-apexe-positional':0,"
			   "'x-writ-attach':'equals'}"),
	    "says nothing of an operand", "", "\"x-writ-attach\"");
	no_form(PROPERTIES("'a':{'type':'array','x-writ-sequence':true,"
			   "'x-apexe-flag':'-a'}"),
	    "says nothing of a sequence", "", "\"x-apexe-flag\"");
	no_form(
	    PROPERTIES("'a':{'type':'string','x-apexe-value-optional':true}"),
	    "needs a type with boolean", "", "true");
	no_form(PROPERTIES("'a':{'x-apexe-value-optional':true,"
			   "'x-writ-attach':'separate'}"),
	    "must be attached", "", "\"separate\"");
	no_form(PROPERTIES("'a':{'x-writ-attach':'joined'}"),
	    "nothing can be joined to '--a'", "", "\"joined\"");
	no_form(PROPERTIES("'a':{'type':'string','x-writ-arity':2}"),
	    "needs the type array", "", "2");
	no_form(PROPERTIES("'a':{'x-writ-arity':0}"), "whole number from 1", "",
	    "0");
	no_form(PROPERTIES("'a':{'x-writ-arity':2,'x-writ-attach':'equals'}"),
	    "several words cannot be attached", "", "2");
	no_form(PROPERTIES("'a':{'type':'string','x-writ-sequence':true}"),
	    "a sequence needs the type array", "", "true");

	struct form_of made = make_form(
	    PROPERTIES("'a':{'x-apexe-positional':0,'x-writ-sequence':false,"
		       "'x-apexe-value-optional':false}"));
	free_form(&made);
}

static void
two_operands_cannot_have_one_index(void **state)
{
	(void)state;
	no_form(PROPERTIES("'a':{'x-apexe-positional':1},'b':{},"
			   "'c':{'x-apexe-positional':1,"
			   "'x-apexe-operand-position':'before-flags'}"),
	    "properties 'a' and 'c' are both operand 1", "", "1");
}

static void
keys_of_others_must_be_there(void **state)
{
	(void)state;
	no_form(PROPERTIES("'quiet':{'x-apexe-conflicts-with':['verbos']},"
			   "'verbose':{}"),
	    "names 'verbos', which is not a property",
	    "did you mean 'verbose'?", "\"verbos\"");
	no_form(PROPERTIES("'a':{'x-writ-requires':['b']}"),
	    "x-writ-requires names 'b'", "", "\"b\"");
	no_form(PROPERTIES("'a':{'x-apexe-conflicts-with':['a']}"),
	    "names itself", "", "\"a\"");
	no_form(PROPERTIES("'s':{'type':'array','x-writ-sequence':true,"
			   "'items':{'properties':{'b':{}}}}"),
	    "a step of the sequence names 'b'", "", "\"b\"");
	no_form(PROPERTIES("'s':{'type':'array','x-writ-sequence':true},"
			   "'t':{'type':'array','x-writ-sequence':true,"
			   "'items':{'properties':{'s':{}}}}"),
	    "cannot have another in it", "", "\"s\"");
}

static void
an_input_must_be_possible(void **state)
{
	struct form_of open = make_form("{'type':['object','null'],"
					"'required':['b']}");
	struct form_of pattern =
	    make_form("{'required':['b'],'additionalProperties':false,"
		      "'patternProperties':{'^b':{}}}");

	(void)state;
	no_form("{'type':'string'}", "takes no object, which every input is",
	    "type: object", "\"string\"");
	no_form("{'required':['size','b'],'additionalProperties':false,"
		"'properties':{'size':{},'bb':{}}}",
	    "required names 'b', which is not a property", "", "\"b\"");
	no_form("{'required':['verbos'],'additionalProperties':false,"
		"'properties':{'verbose':{}}}",
	    "required names 'verbos'", "did you mean 'verbose'?", "\"verbos\"");
	free_form(&open);
	free_form(&pattern);
}

static void
a_conflict_counts_once_and_both_ways(void **state)
{
	struct form_of made = make_form(
	    PROPERTIES("'a':{'x-apexe-conflicts-with':['c','b','c']},"
		       "'b':{'x-apexe-conflicts-with':['a']},'c':{}"));

	(void)state;
	assert_int_equal(param(&made, "a")->conflict_count, 2);
	assert_int_equal(param(&made, "a")->conflicts[0], 1);
	assert_int_equal(param(&made, "a")->conflicts[1], 2);
	assert_int_equal(param(&made, "b")->conflict_count, 1);
	assert_int_equal(param(&made, "c")->conflict_count, 1);
	free_form(&made);
}

static void
every_key_is_found_among_many(void **state)
{
	struct w_buf schema;

	(void)state;
	w_buf_init(&schema, 1 << 20);
	w_buf_add_str(&schema, "{'properties':{");
	for (unsigned i = 0; i < W_GRAMMAR_PARAMS_MAX; i++)
		w_buf_add_fmt(&schema, "%s'k%u':{}", i > 0 ? "," : "", i);
	struct form_of made;
	w_buf_add_str(&schema, "}}");
	made = make_form(schema.data);
	for (unsigned i = 0; i < W_GRAMMAR_PARAMS_MAX; i++) {
		char key[16];

		(void)snprintf(key, sizeof(key), "k%u", i);
		assert_ptr_equal(param(&made, key), &made.grammar->params[i]);
	}
	assert_null(w_grammar_find(made.grammar, "k", 1));
	assert_null(w_grammar_find(made.grammar, "k4096", 5));
	free_form(&made);

	schema.len -= 2;
	w_buf_add_str(&schema, ",'more':{}}}");
	yyjson_doc *doc = read_quoted(schema.data);
	struct w_grammar *grammar = NULL;
	writ_error err = {0};
	assert_int_equal(
	    w_grammar_new(yyjson_doc_get_root(doc), &grammar, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "4097 properties"));
	yyjson_doc_free(doc);
	w_buf_done(&schema);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_property_is_a_long_option_by_itself),
	    cmocka_unit_test(nothing_is_a_form_without_arguments),
	    cmocka_unit_test(a_form_is_open_unless_it_is_closed),
	    cmocka_unit_test(all_keywords_are_understood),
	    cmocka_unit_test(the_order_is_that_of_the_command_line),
	    cmocka_unit_test(types_are_found_where_they_are_written),
	    cmocka_unit_test(beside_a_reference_types_count_by_the_dialect),
	    cmocka_unit_test(
		paths_and_secrets_are_found_where_they_are_written),
	    cmocka_unit_test(a_mark_anywhere_makes_all_of_it_secret),
	    cmocka_unit_test(what_is_not_listed_may_be_secret_too),
	    cmocka_unit_test(an_unknown_keyword_is_refused),
	    cmocka_unit_test(names_and_types_are_checked),
	    cmocka_unit_test(keywords_have_values_of_their_kind),
	    cmocka_unit_test(a_flag_is_a_flag),
	    cmocka_unit_test(keywords_that_do_not_go_together_are_refused),
	    cmocka_unit_test(two_operands_cannot_have_one_index),
	    cmocka_unit_test(keys_of_others_must_be_there),
	    cmocka_unit_test(an_input_must_be_possible),
	    cmocka_unit_test(a_conflict_counts_once_and_both_ways),
	    cmocka_unit_test(every_key_is_found_among_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
