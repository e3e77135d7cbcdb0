/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_RESTRICTION_H
#define W_SANDBOX_RESTRICTION_H

#include <stdbool.h>

/*
 * What a decision leaves of a profile: the same walls, with less in them. All
 * borrowed, absolute, resolved and existing; lists end with NULL. All zero
 * leaves everything. Profiles without walls are not narrowed: they hold
 * nothing.
 */
struct w_restriction {
	/*
	 * Instead of what the profile and the request make writable, in walls
	 * that have writable places at all; what they protect and hide stays
	 * so. A file that is listed can be changed in place; to be made,
	 * removed or replaced by another one, it needs its directory listed.
	 * Left out without a word: what is protected or hidden, and what the
	 * sandbox has to itself (/tmp as a whole, anything in /dev).
	 */
	bool has_write;
	const char *const *write;

	/* Only these programs may be executed, and of all programs only these
	 * be read: files. Their interpreters and loaders are found by who
	 * builds the walls. Helpers: directories or files that belong to them
	 * (git-core). What the profile does not let be executed stays so.
	 * program_allowlist.h says how it is held. */
	bool has_execute;
	const char *const *execute;
	const char *const *helpers; /* NULL: none */
};

#endif /* W_SANDBOX_RESTRICTION_H */
