/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/writ.h>
#include <yyjson.h>

static int
make_doctor(void **state)
{
	writ_doctor *doctor = NULL;
	writ_error err;

	if (writ_doctor_new(&doctor, &err) != WRIT_OK)
		return -1;
	*state = doctor;
	return 0;
}

static int
free_doctor(void **state)
{
	writ_doctor_free(*state);
	return 0;
}

static const writ_doctor_layer *
find_layer(const writ_doctor *doctor, const char *name)
{
	size_t count;
	const writ_doctor_layer *layers = writ_doctor_layers(doctor, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(layers[i].name, name) == 0)
			return &layers[i];
	}
	fail_msg("no layer '%s'", name);
	return NULL;
}

static void
no_text_is_null(void **state)
{
	size_t count;
	const writ_doctor_layer *layers = writ_doctor_layers(*state, &count);

	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		const char *const texts[] = {layers[i].name, layers[i].needs,
		    layers[i].detail, layers[i].step, layers[i].cause,
		    layers[i].setting, layers[i].remedy};

		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
			assert_non_null(texts[t]);
		assert_int_equal(
		    layers[i].is_available, layers[i].cause[0] == '\0');
	}
	const writ_doctor_machine *machine = writ_doctor_about(*state);
	assert_non_null(machine->kernel);
	assert_non_null(machine->container);
	assert_non_null(machine->ci);
	assert_int_equal(machine->uid, geteuid());
}

static void
a_profile_is_missing_just_what_is_not_available(void **state)
{
	size_t count;
	const writ_doctor_profile *profiles =
	    writ_doctor_profiles(*state, &count);

	assert_int_equal(count, 6);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
		    profiles[i].is_available, profiles[i].missing[0] == NULL);
		assert_int_equal(writ_doctor_has(*state, profiles[i].name),
		    profiles[i].is_available);
		for (size_t m = 0; profiles[i].missing[m] != NULL; m++)
			assert_false(find_layer(*state, profiles[i].missing[m])
					 ->is_available);
	}
	assert_false(writ_doctor_has(*state, "no such profile"));
}

static void
the_json_is_one_object_with_the_same_answers(void **state)
{
	char *json = NULL;
	size_t len = 0;

	assert_int_equal(writ_doctor_json(*state, &json, &len), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, 0);
	assert_non_null(doc);
	yyjson_val *root = yyjson_doc_get_root(doc);
	assert_int_equal(yyjson_get_bool(yyjson_obj_get(root, "ok")),
	    writ_doctor_has(*state, "workspace"));

	size_t count, at, max;
	const writ_doctor_layer *layers = writ_doctor_layers(*state, &count);
	yyjson_val *array = yyjson_obj_get(root, "layers");
	yyjson_val *row;
	assert_int_equal(yyjson_arr_size(array), count);
	yyjson_arr_foreach(array, at, max, row)
	{
		assert_string_equal(yyjson_get_str(yyjson_obj_get(row, "name")),
		    layers[at].name);
		assert_int_equal(
		    yyjson_get_bool(yyjson_obj_get(row, "available")),
		    layers[at].is_available);
	}
	yyjson_doc_free(doc);
	free(json);
}

static void
nothing_to_free_is_fine(void **state)
{
	(void)state;
	writ_doctor_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_text_is_null),
	    cmocka_unit_test(a_profile_is_missing_just_what_is_not_available),
	    cmocka_unit_test(the_json_is_one_object_with_the_same_answers),
	    cmocka_unit_test(nothing_to_free_is_fine),
	};

	return cmocka_run_group_tests(tests, make_doctor, free_doctor);
}
