/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROGRAM_ALLOWLIST_H
#define W_SANDBOX_PROGRAM_ALLOWLIST_H

#include "sandbox/profile/profile_resolver.h"

/*
 * Only some programs: what w_restriction's execute comes to. Four walls, of
 * which each stands for what the others leave open:
 *
 * 1. Executing. Landlock gives the right to the listed files alone, to what
 *    their first lines name, to their loaders and helpers: whatever path, link
 *    or descriptor leads to another file.
 * 2. Mapping. A loader that is started by hand maps whatever it can read. So
 *    every mount is noexec but those of programs and of libraries, and nothing
 *    that can be written to is among them.
 * 3. Reading. Directories of programs are closed (struct w_resolved_profile):
 * their names can be listed, but of their files only the listed ones be opened.
 * A program among libraries is hidden.
 * 4. Memory. Files in memory that could be executed cannot be made: the filter
 *    sees to that, as no path leads to them.
 *
 * What remains is an interpreter that is listed: it does what its script says.
 *
 * Comes after the lists are there, before their rights are merged. Adds to
 * grants, guarded, hidden and closed; nothing that the profile does not let be
 * executed becomes so.
 */
writ_status w_allowlist_build(
    struct w_profile_resolver *resolver, writ_error *err);

/* Whether there is to be one. */
bool w_allowlist_is_wanted(const struct w_profile_resolver *resolver);

/* ---- for the parts of program_allowlist.c ---- */

enum {
	W_ALLOWLIST_PROGRAMS_MAX = 4096
};

struct w_allowlist {
	struct w_profile_resolver *resolver;
	struct w_real_paths programs; /* may be executed; helpers may be
				     directories */
	struct w_real_paths areas; /* directories of code that may be mapped */
	struct w_real_paths searched; /* areas in which programs may lie */
};

/* Files and directories that can be found, and that the profile lets be
 * executed or read. */
writ_status w_allowlist_add_program(
    struct w_allowlist *allowlist, const char *path, writ_error *err);
writ_status w_allowlist_add_area(struct w_allowlist *allowlist,
    const char *path, bool is_searched, writ_error *err);

/* program_dependencies.c: what belongs to programs of that name, besides what
 * the file itself says. */
writ_status w_allowlist_add_dependencies(
    struct w_allowlist *allowlist, const char *path, writ_error *err);

/* closed_directories.c: closes the directories of programs. */
writ_status w_allowlist_close_dirs(
    struct w_allowlist *allowlist, writ_error *err);

/* hidden_programs.c: hides the programs among libraries. */
writ_status w_allowlist_hide_programs(
    struct w_allowlist *allowlist, writ_error *err);

#endif /* W_SANDBOX_PROGRAM_ALLOWLIST_H */
