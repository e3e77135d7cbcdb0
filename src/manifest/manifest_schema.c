/* SPDX-License-Identifier: Apache-2.0 */

/* The embedded JSON Schema of manifests. */

#include "manifest/manifest.h"

extern const char w_manifest_schema_text[];
extern const char w_manifest_schema_end[];

const char *
w_manifest_schema(size_t *out_len)
{
	*out_len = (size_t)(w_manifest_schema_end - w_manifest_schema_text);
	return w_manifest_schema_text;
}
