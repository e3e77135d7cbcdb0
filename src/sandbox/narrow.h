/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_NARROW_H
#define W_SANDBOX_NARROW_H

#include <stdbool.h>

/*
 * What a decision leaves of a profile: the same walls, with less in them. All
 * borrowed, absolute, resolved and existing; lists end with NULL. All zero
 * leaves everything.
 */
struct w_narrow {
	/* Instead of what the profile makes writable; what it protects and
	 * hides stays so. Private directories (/tmp) are not meant. */
	bool has_write;
	const char *const *write;

	/* Only these programs may be executed, and of all programs only these
	 * be read: files. Their interpreters and loaders are found by who
	 * builds the walls. Helpers: directories or files that belong to them
	 * (git-core). */
	bool has_execute;
	const char *const *execute;
	const char *const *helpers; /* NULL: none */
};

#endif /* W_SANDBOX_NARROW_H */
