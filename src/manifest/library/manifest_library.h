/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_LIBRARY_H
#define W_MANIFEST_MANIFEST_LIBRARY_H

#include <writ/manifest.h>

#include "manifest/facts/facts.h"
#include "manifest/manifest.h"
#include "manifest/session/manifest_session.h"

/* What is behind <writ/manifest.h>: a manifest with all that it was read with,
 * which it borrows. */
struct writ_manifest {
	char *text;
	char *file; /* as given, for sessions; NULL: none */
	char *dir;  /* real */
	char *path; /* by which refreshes that are owed know it: absolute, or
		     * "-" */
	struct w_facts_scope *facts;
	struct w_manifest *read;
	struct w_manifest_scope scope;
	struct w_manifest_session *session; /* that it belongs to; NULL */
};

#endif /* W_MANIFEST_MANIFEST_LIBRARY_H */
