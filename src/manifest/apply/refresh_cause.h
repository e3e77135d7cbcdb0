/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_REFRESH_CAUSE_H
#define W_MANIFEST_REFRESH_CAUSE_H

#include "manifest/apply/resource_step.h"

/* Whether a resource has to be refreshed, and why. */
struct w_refresh_cause {
	bool is_refresh;  /* a subscribed resource changed, or did before */
	const char *owed; /* since when a refresh is owed that no change of this
			   * session explains; NULL: none */
};

/* Looks at the session first, then at what is owed; sets decided_by of the
 * event. false: the step failed. */
bool w_refresh_find(struct w_resource_step *step,
    const struct w_reference_list *list, struct w_refresh_cause *out_cause);

#endif /* W_MANIFEST_REFRESH_CAUSE_H */
