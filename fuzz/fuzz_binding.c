/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Binding files: every element that is accepted is a module whose program is
 * no relative path, it is written and read back as the same, and what is
 * refused says why and where.
 */

#include "module/binding/binding.h"

#include "check.h"
#include "command/description/dotted_id.h"

#define WRITTEN_MAX ((size_t)1 << 20)

struct seen {
	bool is_thorough;
	size_t elements;
	char *json; /* of the one that was written */
};

static void
check_problem(void *ctx, const writ_error *problem)
{
	(void)ctx;
	check_error(problem, problem->status);
	CHECK(problem->line > 0 && problem->column > 0);
}

static writ_status
take_again(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct seen *seen = ctx;
	char *json = yyjson_val_write(element, 0, NULL);

	(void)err;
	CHECK(json != NULL && line > 0 && column > 0);
	CHECK(seen->elements++ == 0);
	CHECK(strcmp(json, seen->json) == 0);
	free(json);
	return WRIT_OK;
}

/* The members in the order in which they are written. */
static char *
in_order(yyjson_val *element)
{
	struct w_buf buf;

	w_buf_init(&buf, WRITTEN_MAX);
	w_binding_add_yaml(&buf, &element, 1);
	CHECK(!buf.failed);
	return w_buf_take(&buf, NULL);
}

static void
check_writing(yyjson_val *element, bool is_thorough)
{
	char *text = in_order(element);
	struct seen again = {.is_thorough = is_thorough};
	const struct w_binding_sink sink = {
	    .ctx = &again, .element = take_again, .problem = check_problem};
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *copy = yyjson_mut_obj(doc);
	static const char *const order[] = {"module_id", "target", "argv",
	    "command", "description", "documentation", "tags", "version",
	    "annotations", "examples", "metadata", "display", "input_schema",
	    "output_schema"};
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	for (size_t place = 0; place < sizeof(order) / sizeof(order[0]);
	     place++) {
		val = yyjson_obj_get(element, order[place]);
		if (val != NULL)
			CHECK(yyjson_mut_obj_add_val(doc, copy, order[place],
			    yyjson_val_mut_copy(doc, val)));
	}
	yyjson_obj_foreach(element, i, count, key, val)
	{
		if (yyjson_mut_obj_get(copy, yyjson_get_str(key)) == NULL)
			CHECK(yyjson_mut_obj_add_val(doc, copy,
			    yyjson_get_str(key),
			    yyjson_val_mut_copy(doc, val)));
	}
	again.json = yyjson_mut_val_write(copy, 0, NULL);
	CHECK(again.json != NULL);
	CHECK(w_binding_read_text(
		  text, strlen(text), is_thorough, &sink, NULL) == WRIT_OK);
	CHECK(again.elements == 1);
	free(again.json);
	yyjson_mut_doc_free(doc);
	free(text);
}

static writ_status
take_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	const struct seen *seen = ctx;
	struct w_module *module = NULL;

	(void)err;
	CHECK(line > 0 && column > 0);
	CHECK(w_module_new(element, &module, NULL, NULL) == WRIT_OK);
	CHECK(w_dotted_id_valid(module->id));
	CHECK(module->words.count > 0);
	CHECK(module->words.items[0][0] == '/' ||
	      strchr(module->words.items[0], '/') == NULL);
	CHECK(module->grammar != NULL && module->input_schema != NULL);
	w_module_free(module);
	check_writing(element, seen->is_thorough);
	return WRIT_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct seen seen = {.is_thorough = size % 2 == 0};
	const struct w_binding_sink sink = {
	    .ctx = &seen, .element = take_element, .problem = check_problem};
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_binding_read_text(text, size, seen.is_thorough, &sink, &err);

	if (status != WRIT_OK)
		check_error(&err, status);
	free(text);
	return 0;
}
