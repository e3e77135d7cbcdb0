/* SPDX-License-Identifier: Apache-2.0 */

/* The built-in metaschemas, parsed on first use, which is rare. */

#include "schema/compile/metaschemas.h"

#include <stddef.h>
#include <string.h>

extern const char w_metaschemas[];
extern const char w_metaschemas_end[];

yyjson_val *
w_metaschema_find(yyjson_doc **doc, const char *uri, bool *out_failed)
{
	size_t i;
	size_t count;
	yyjson_val *root;

	*out_failed = false;
	if (strstr(uri, "://json-schema.org/draft") == NULL)
		return NULL;
	if (*doc == NULL)
		*doc = yyjson_read(w_metaschemas,
		    (size_t)(w_metaschemas_end - w_metaschemas), 0);
	*out_failed = *doc == NULL;
	yyjson_arr_foreach(yyjson_doc_get_root(*doc), i, count, root)
	{
		const char *id = yyjson_get_str(yyjson_obj_get(root, "$id"));
		size_t len = strcspn(id, "#");
		if (strlen(uri) == len && memcmp(uri, id, len) == 0)
			return root;
	}
	return NULL;
}
