/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_CONFINE_COLLECT_H
#define W_SANDBOX_CONFINE_COLLECT_H

#include "sandbox/place.h"

/* The state of resolving one profile. */
struct w_confine_work {
	const struct w_profile *profile;
	const struct w_confine_context *context;
	struct w_confine *confine;
	struct w_place_base base;
	char *home;            /* settled */
	char *state_dir;       /* settled, or NULL */
	char *spill_dir;       /* likewise; NULL too where it needs no hiding */
	struct w_places roots; /* narrowed: what was writable before */
	struct w_glance glance;
};

/* The steps, in this order; each fills one sorted list of the confinement. */
writ_status w_confine_collect_hidden(
    struct w_confine_work *work, writ_error *err);
writ_status w_confine_collect_grants(
    struct w_confine_work *work, writ_error *err);
/* Also refuses what must never be writable. */
writ_status w_confine_collect_guarded(
    struct w_confine_work *work, writ_error *err);

/* Between the grants and the guarded; and after those. See narrow.h. */
writ_status w_confine_narrow_write(
    struct w_confine_work *work, writ_error *err);
void w_confine_narrow_guarded(struct w_confine_work *work);
bool w_confine_is_narrowed(const struct w_confine_work *work);

/* Whether any grant around the path is writable; rights are not yet merged. */
bool w_confine_is_writable(const struct w_confine *confine, const char *path);

/* Needs the lists above, made final. */
writ_status w_confine_collect_sockets(
    struct w_confine_work *work, writ_error *err);

writ_status w_confine_refuse_hidden(const struct w_confine_work *work,
    const char *what, const char *path, const char *hidden, writ_error *err);

#endif /* W_SANDBOX_CONFINE_COLLECT_H */
