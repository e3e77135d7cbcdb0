/* SPDX-License-Identifier: Apache-2.0 */

/* data/schemas/policy.schema.json, carried inside the library. The header has
 * the name of that file, and is written anew with it. */

#include "policy/policy_schema_name.h"

	.section .rodata
	.balign 16
	.globl w_policy_schema_text
	.hidden w_policy_schema_text
	.type w_policy_schema_text, %object
w_policy_schema_text:
	.incbin WRIT_POLICY_SCHEMA_FILE
	.globl w_policy_schema_end
	.hidden w_policy_schema_end
w_policy_schema_end:
	.byte 0
	.size w_policy_schema_text, . - w_policy_schema_text

	.section .note.GNU-stack, "", %progbits
