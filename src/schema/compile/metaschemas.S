/* SPDX-License-Identifier: Apache-2.0 */

/* The schemas of data/schemas as one JSON array, carried inside the library.
 * The header has the name of that file, and is written anew with it. */

#include "schema/metaschemas_name.h"

	.section .rodata
	.balign 16
	.globl w_metaschemas
	.hidden w_metaschemas
	.type w_metaschemas, %object
w_metaschemas:
	.incbin WRIT_METASCHEMAS_FILE
	.globl w_metaschemas_end
	.hidden w_metaschemas_end
w_metaschemas_end:
	.byte 0
	.size w_metaschemas, . - w_metaschemas

	.section .note.GNU-stack, "", %progbits
