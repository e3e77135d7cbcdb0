/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_FENCE_H
#define W_SANDBOX_FENCE_H

#include "sandbox/confine_collect.h"

/*
 * Only some programs: what w_narrow's execute comes to. Four walls, of which
 * each stands for what the others leave open:
 *
 * 1. Executing. Landlock gives the right to the listed files alone, to what
 *    their first lines name, to their loaders and helpers: whatever path, link
 *    or descriptor leads to another file.
 * 2. Mapping. A loader that is started by hand maps whatever it can read. So
 *    every mount is noexec but those of programs and of libraries, and nothing
 *    that can be written to is among them.
 * 3. Reading. Directories of programs are closed (struct w_confine): their
 *    names can be listed, but of their files only the listed ones be opened. A
 *    program among libraries is hidden.
 * 4. Memory. Files in memory that could be executed cannot be made: the filter
 *    sees to that, as no path leads to them.
 *
 * What remains is an interpreter that is listed: it does what its script says.
 *
 * Comes after the lists are there, before their rights are merged. Adds to
 * grants, guarded, hidden and closed; nothing that the profile does not let be
 * executed becomes so.
 */
writ_status w_fence_build(struct w_confine_work *work, writ_error *err);

/* Whether there is to be one. */
bool w_fence_is_wanted(const struct w_confine_work *work);

/* ---- for the parts of fence.c ---- */

enum {
	W_FENCE_PROGRAMS_MAX = 4096
};

struct w_fence {
	struct w_confine_work *work;
	struct w_places programs; /* may be executed; helpers may be
				     directories */
	struct w_places areas;    /* directories of code that may be mapped */
	struct w_places searched; /* areas in which programs may lie */
};

/* Files and directories that can be found, and that the profile lets be
 * executed or read. */
writ_status w_fence_add_program(
    struct w_fence *fence, const char *path, writ_error *err);
writ_status w_fence_add_area(
    struct w_fence *fence, const char *path, bool is_searched, writ_error *err);

/* fence_kin.c: what belongs to programs of that name, besides what the file
 * itself says. */
writ_status w_fence_add_kin(
    struct w_fence *fence, const char *path, writ_error *err);

/* fence_close.c: closes the directories of programs. */
writ_status w_fence_close(struct w_fence *fence, writ_error *err);

/* fence_search.c: hides the programs among libraries. */
writ_status w_fence_search(struct w_fence *fence, writ_error *err);

#endif /* W_SANDBOX_FENCE_H */
