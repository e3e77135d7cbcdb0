/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_WRIT_H
#define WRIT_WRIT_H

#include <writ/approval.h>
#include <writ/audit.h>
#include <writ/config.h>
#include <writ/doctor.h>
#include <writ/draft.h>
#include <writ/engine.h>
#include <writ/error.h>
#include <writ/file.h>
#include <writ/module.h>
#include <writ/policy.h>
#include <writ/result.h>
#include <writ/run.h>
#include <writ/sandbox.h>
#include <writ/session.h>
#include <writ/tool.h>
#include <writ/undo.h>
#include <writ/watch.h>

WRIT_BEGIN_DECLS

/* The version of the loaded library, "0.1.0". */
WRIT_API const char *writ_version(void);

WRIT_END_DECLS

#endif /* WRIT_WRIT_H */
