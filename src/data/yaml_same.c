/* SPDX-License-Identifier: Apache-2.0 */

/* Whether a formatted text means what it meant before. */

#include "data/yaml_same.h"

#include <stdlib.h>
#include <string.h>

#define STAGE "format"

static void
free_yaml(struct w_yaml **yaml)
{
	w_yaml_free(*yaml);
}

static writ_status
compare_trees(
    const struct w_yaml *one, const struct w_yaml *other, writ_error *err)
{
	char *a = yyjson_val_write(w_yaml_root(one), 0, NULL);
	char *b = yyjson_val_write(w_yaml_root(other), 0, NULL);
	const bool is_short = a == NULL || b == NULL;
	const bool is_same = !is_short && strcmp(a, b) == 0;

	free(a);
	free(b);
	if (is_short)
		return w_fail_nomem(err, STAGE);
	return is_same ? WRIT_OK
		       : w_fail(err, WRIT_E_INVALID, STAGE, 0,
			     "the text cannot be formatted without changing "
			     "what it means");
}

writ_status
w_yaml_check_same(const struct w_yaml *before, const struct w_buf *after,
    const struct w_json_limits *limits, writ_error *err)
{
	struct w_yaml *yaml __attribute__((cleanup(free_yaml))) = NULL;
	struct w_json_limits wide = *limits;
	writ_error ignored = {.status = WRIT_OK};

	wide.bytes_max =
	    after->len > wide.bytes_max ? after->len : wide.bytes_max;
	writ_status status =
	    w_yaml_read(after->data, after->len, &wide, &yaml, &ignored);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the text cannot be formatted without changing what it "
		    "means");
	return compare_trees(before, yaml, err);
}
