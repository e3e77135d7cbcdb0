/* SPDX-License-Identifier: Apache-2.0 */

/* The relay program, carried inside the library like the helper. */

	.section .rodata
	.balign 16
	.globl w_relay_image
	.hidden w_relay_image
	.type w_relay_image, %object
w_relay_image:
	.incbin WRIT_RELAY_FILE
	.globl w_relay_image_end
	.hidden w_relay_image_end
w_relay_image_end:
	.byte 0
	.size w_relay_image, . - w_relay_image

	.section .note.GNU-stack, "", %progbits
