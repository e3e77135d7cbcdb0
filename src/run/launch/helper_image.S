/* SPDX-License-Identifier: Apache-2.0 */

/* The helper program, carried inside the library. WRIT_HELPER_FILE is the
 * built program; the build passes its name. */

	.section .rodata
	.balign 16
	.globl w_helper_image
	.hidden w_helper_image
	.type w_helper_image, %object
w_helper_image:
	.incbin WRIT_HELPER_FILE
	.globl w_helper_image_end
	.hidden w_helper_image_end
w_helper_image_end:
	.byte 0
	.size w_helper_image, . - w_helper_image

	.section .note.GNU-stack, "", %progbits
