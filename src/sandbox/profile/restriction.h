/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_RESTRICTION_H
#define W_SANDBOX_RESTRICTION_H

#include <stdbool.h>

/*
 * How a decision restricts a profile: the same walls with fewer rights. All
 * borrowed, absolute, resolved and existing; lists end with NULL. All zeros: no
 * restriction. Profiles without walls cannot be restricted.
 */
struct w_restriction {
	/*
	 * Replaces what the profile and the request make writable, in walls
	 * that have writable paths at all; what they protect and hide stays so.
	 * A listed file can be changed in place; to create, remove or replace
	 * it, its directory must be listed. Silently skipped: what is protected
	 * or hidden, and what is private to the sandbox (/tmp as a whole,
	 * anything in /dev).
	 */
	bool has_write;
	const char *const *write;
	bool writes_home; /* and, in a session, what the layer over HOME has */
	/* The project's directories: what is protected in them is so wherever
	 * in them the command works, and whatever is listed above. */
	const char *const *roots; /* NULL: none */

	/* Only these programs may be executed, and of all programs only these
	 * be read: files. The builder of the walls adds their interpreters and
	 * loaders. helpers: directories or files that belong to them
	 * (git-core). What the profile does not make executable stays so. See
	 * program_allowlist.h. */
	bool has_execute;
	const char *const *execute;
	const char *const *helpers; /* NULL: none */

	/* Hidden besides: what is not there any more is passed over. */
	const char *const *hide; /* NULL: nothing */

	/* The settings of a repository that the command is understood to
	 * change: in its place is a link to the copy. Ignored where the profile
	 * does not protect them. */
	const char *settings;      /* NULL: none */
	const char *settings_copy; /* the file in a listed directory; NULL:
				      none */
};

#endif /* W_SANDBOX_RESTRICTION_H */
