/* SPDX-License-Identifier: Apache-2.0 */

/* A described command as an element of a binding file, so that it is listed,
 * shown and called like any other module. */

#include "module/binding/command_binding.h"

#include "base/auto.h"
#include "base/words.h"
#include "command/grammar/grammar_effects.h"
#include "command/grammar/grammar_schema.h"

#define STAGE "modules"

/* Only these destroy something; code can do anything. */
#define DESTRUCTIVE (W_EFFECT_DELETE | W_EFFECT_IRREVERSIBLE | W_EFFECT_CODE)
/* A request to another host changes nothing here. */
#define READING (W_EFFECT_READ | W_EFFECT_NET)

/* The program and the words that name the node, outermost first. */
static yyjson_mut_val *
words_of(yyjson_mut_doc *doc, const struct w_command_node *node)
{
	yyjson_mut_val *words = yyjson_mut_arr(doc);

	for (; node != NULL; node = node->parent) {
		if (!yyjson_mut_arr_prepend(
			words, yyjson_mut_str(doc, node->name)))
			return NULL;
	}
	return words;
}

/* By the worst effects of its purpose: the caller chooses the arguments. */
static yyjson_mut_val *
annotations_of(yyjson_mut_doc *doc, const struct w_grammar *grammar)
{
	const unsigned effects = w_grammar_purpose(grammar);
	const bool is_readonly = (effects & ~(unsigned)READING) == 0;
	const bool is_open = (effects & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0;
	yyjson_mut_val *map = yyjson_mut_obj(doc);

	if (!yyjson_mut_obj_add_bool(doc, map, "readonly", is_readonly) ||
	    !yyjson_mut_obj_add_bool(
		doc, map, "destructive", (effects & DESTRUCTIVE) != 0) ||
	    !yyjson_mut_obj_add_bool(doc, map, "idempotent", is_readonly) ||
	    !yyjson_mut_obj_add_bool(doc, map, "open_world", is_open))
		return NULL;
	return map;
}

static bool
add_json_flag(yyjson_mut_doc *doc, yyjson_mut_val *root,
    const struct w_command_node *node)
{
	const char *const *flag = w_command_json_flag(node);
	yyjson_mut_val *words = yyjson_mut_arr(doc);

	for (size_t i = 0; flag != NULL && flag[i] != NULL; i++) {
		if (!yyjson_mut_arr_add_str(doc, words, flag[i]))
			return false;
	}
	return flag == NULL ||
	       yyjson_mut_obj_add_val(doc, root, "json_flag", words);
}

static bool
command_binding_fill(yyjson_mut_doc *doc, const struct w_command_node *node,
    const struct w_grammar *grammar)
{
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	const char *version = w_command_version(node->command);

	yyjson_mut_doc_set_root(doc, root);
	return yyjson_mut_obj_add_str(doc, root, "module_id", node->id) &&
	       yyjson_mut_obj_add_str(doc, root, "description", node->about) &&
	       (version == NULL ||
		   yyjson_mut_obj_add_str(doc, root, "version", version)) &&
	       yyjson_mut_obj_add_val(doc, root, "argv", words_of(doc, node)) &&
	       yyjson_mut_obj_add_val(
		   doc, root, "annotations", annotations_of(doc, grammar)) &&
	       yyjson_mut_obj_add_val(
		   doc, root, "input_schema", w_grammar_schema(doc, grammar)) &&
	       add_json_flag(doc, root, node);
}

writ_status
w_binding_from_command(
    const struct w_command_node *node, yyjson_doc **out_doc, writ_error *err)
{
	const struct w_grammar *grammar;
	writ_status status = w_command_grammar(node, &grammar, err);

	if (status != WRIT_OK)
		return status;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_doc *made = NULL;
	if (doc != NULL && command_binding_fill(doc, node, grammar))
		made = yyjson_mut_doc_imut_copy(doc, NULL);
	yyjson_mut_doc_free(doc);
	if (made == NULL)
		return w_fail_nomem(err, STAGE);
	*out_doc = made;
	return WRIT_OK;
}

writ_status
w_module_use_grammar(
    struct w_module *module, const struct w_command_node *node, writ_error *err)
{
	return w_command_grammar(node, &module->by, err);
}
