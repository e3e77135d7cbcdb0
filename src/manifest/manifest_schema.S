/* SPDX-License-Identifier: Apache-2.0 */

/* data/schemas/manifest.schema.json, carried inside the library. The header has
 * the name of that file, and is written anew with it. */

#include "manifest/manifest_schema_name.h"

	.section .rodata
	.balign 16
	.globl w_manifest_schema_text
	.hidden w_manifest_schema_text
	.type w_manifest_schema_text, %object
w_manifest_schema_text:
	.incbin WRIT_MANIFEST_SCHEMA_FILE
	.globl w_manifest_schema_end
	.hidden w_manifest_schema_end
w_manifest_schema_end:
	.byte 0
	.size w_manifest_schema_text, . - w_manifest_schema_text

	.section .note.GNU-stack, "", %progbits
