/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Descriptions of commands: what is refused says why and where. What is
 * accepted is a tree whose nodes find each other, and every form of it keeps
 * what rendering and parsing rely on.
 */

#include "command/description/command.h"

#include "check.h"
#include "command/description/dotted_id.h"
#include "command/render/render.h"

static void
check_places(
    const struct w_grammar *grammar, const size_t *places, size_t count)
{
	for (size_t i = 0; i < count; i++)
		CHECK(places[i] < grammar->count);
}

static bool
has_place(const size_t *places, size_t count, size_t place)
{
	for (size_t i = 0; i < count; i++) {
		if (places[i] == place)
			return true;
	}
	return false;
}

static void
check_effects(const struct w_grammar *grammar, const struct w_effect *effects,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CHECK(w_effect_word(effects[i].bit)[0] != '\0');
		CHECK((effects[i].bit & (effects[i].bit - 1)) == 0);
		if (effects[i].kind == W_TARGET_TEXT)
			CHECK(effects[i].text != NULL);
		if (effects[i].kind == W_TARGET_PARAM)
			CHECK(grammar->params[effects[i].param].values != NULL);
	}
}

static void
check_option(const struct w_grammar *grammar, const struct w_param *param)
{
	bool has_flag = false;

	CHECK(param->flag != NULL && strlen(param->flag) == param->flag_len);
	CHECK(param->name_count > 0 && param->arity > 0);
	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];

		CHECK(strlen(name->token) == name->len && name->len > 0);
		CHECK(name->spellings != 0);
		CHECK((name->spellings == W_SPELL_BARE) ==
		      (param->values == NULL));
		has_flag |= strcmp(name->token, param->flag) == 0;
		if (!param->is_global)
			CHECK(w_hash_table_get(&grammar->names, name->token,
				  name->len) == param);
	}
	CHECK(has_flag);
	if (param->attach != W_ATTACH_SEPARATE)
		CHECK(param->values != NULL && param->arity == 1);
}

static void
check_param(const struct w_grammar *grammar, size_t place)
{
	const struct w_param *param = &grammar->params[place];

	CHECK(strlen(param->key) == param->key_len && param->key_len > 0);
	CHECK(w_grammar_find(grammar, param->key, param->key_len) == param);
	CHECK(param->schema == NULL);
	if (param->kind == W_PARAM_OPTION)
		check_option(grammar, param);
	if (param->kind == W_PARAM_OPERAND)
		CHECK(param->values != NULL && param->min_count <= 1);
	if (param->kind == W_PARAM_SEQUENCE)
		CHECK(grammar->sequence == place);
	CHECK(param->types != 0);
	check_places(grammar, param->requires, param->require_count);
	check_places(grammar, param->unless, param->unless_count);
	check_places(grammar, param->only, param->only_count);
	check_places(grammar, param->placeholders, param->placeholder_count);
	for (size_t i = 0; i < param->conflict_count; i++) {
		const struct w_param *peer =
		    &grammar->params[param->conflicts[i]];

		CHECK(has_place(peer->conflicts, peer->conflict_count, place));
	}
	for (size_t i = 0; i < param->case_count; i++)
		check_effects(grammar, param->cases[i].effects,
		    param->cases[i].effect_count);
}

static void
check_form(const struct w_grammar *grammar)
{
	size_t seen = 0;

	for (size_t i = 0; i < grammar->count; i++) {
		CHECK(grammar->order[i] < grammar->count);
		seen += grammar->order[i];
		check_param(grammar, i);
	}
	CHECK(grammar->count == 0 ||
	      seen == grammar->count * (grammar->count - 1) / 2);
	for (size_t i = 0; i < grammar->operand_count; i++)
		CHECK(grammar->params[grammar->operands[i]].index == i);
	for (size_t i = 0; i < grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &grammar->rules[i];

		check_places(grammar, rule->has, rule->has_count);
		check_places(grammar, rule->all, rule->all_count);
		check_places(grammar, rule->lacks, rule->lacks_count);
		check_effects(grammar, rule->effects, rule->effect_count);
		for (size_t k = 0; k < rule->except_count; k++)
			check_places(grammar, &rule->excepts[k].param, 1);
	}
	CHECK(grammar->number == W_GRAMMAR_NONE ||
	      grammar->number < grammar->count);
}

/* All switches at once: an argv, or a reason. */
static void
check_rendering(const struct w_grammar *grammar, const char *program)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *args = yyjson_mut_obj(doc);
	const struct w_render_plan plan = {
	    .grammar = grammar, .words = (const char *const[]){program, NULL}};
	struct w_words words = {0};
	writ_error err = {.status = WRIT_OK};

	yyjson_mut_doc_set_root(doc, args);
	for (size_t i = 0; i < grammar->count; i++) {
		if (grammar->params[i].types == W_TYPE_BOOLEAN)
			CHECK(yyjson_mut_obj_add_bool(
			    doc, args, grammar->params[i].key, true));
	}
	yyjson_doc *copy = yyjson_mut_doc_imut_copy(doc, NULL);
	CHECK(copy != NULL);
	writ_status status =
	    w_render(&plan, yyjson_doc_get_root(copy), &words, &err);
	if (status != WRIT_OK)
		check_error(&err, status);
	w_words_done(&words);
	yyjson_doc_free(copy);
	yyjson_mut_doc_free(doc);
}

/* Recursion is bounded by the depth that descriptions may have. */
static void
check_node(const struct w_command *command, const struct w_command_node *node)
{
	const struct w_grammar *grammar = NULL;
	writ_error err = {.status = WRIT_OK};

	CHECK(w_dotted_id_valid(node->id));
	CHECK(w_command_find(command, node->id) == node);
	CHECK(w_command_grammar(node, &grammar, &err) == WRIT_OK);
	check_form(grammar);
	CHECK(!node->is_runnable || grammar->are_effects_known);
	check_rendering(grammar, w_command_root(command)->name);
	for (size_t i = 0; i < node->child_count; i++) {
		const struct w_command_node *child = &node->children[i];

		CHECK(child->parent == node && child->depth == node->depth + 1);
		CHECK(w_command_child(node, child->name, strlen(child->name)) ==
		      child);
		check_node(command, child);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct w_command *command = NULL;
	struct w_command *quick = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_command_read_text(text, size, true, &command, &err);

	if (status != WRIT_OK) {
		check_error(&err, status);
		/* What is no document has no places. */
		CHECK(strcmp(err.stage, "command") != 0 ||
		      size > W_COMMAND_BYTES_MAX ||
		      (err.line > 0 && err.column > 0));
	} else {
		if (w_command_same_as(command) == NULL)
			check_node(command, w_command_root(command));
		CHECK(w_command_read_text(text, size, false, &quick, &err) ==
		      WRIT_OK);
	}
	w_command_free(quick);
	w_command_free(command);
	free(text);
	return 0;
}
