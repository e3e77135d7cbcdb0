/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_WRIT_H
#define WRIT_WRIT_H

/*
 * All of libwrit: runs commands with limits, in a sandbox, as the policy says,
 * with a record, and with nothing left running.
 *
 *     engine.h    an engine; each thread has its own
 *     run.h       requests, and running them; result.h: how they ended
 *     draft.h     requests from JSON and from words
 *     session.h   walls that several runs share
 *     file.h      files in a wanted state
 *     module.h    commands that are called with JSON
 *     tool.h      the tool that runs commands for an agent
 *     policy.h    what would be decided; approval.h: a person's answers
 *     sandbox.h   profiles; doctor.h: what this machine can do
 *     audit.h     the record
 *     undo.h      what a run changed, and taking it back
 *     watch.h     policies and modules that change
 *     config.h    where things are kept
 *     error.h     the statuses
 *
 * <writ/mcp.h> and <writ/manifest.h> have libraries of their own.
 *
 * Threads: an object belongs to one thread at a time, and what was made of it
 * to the same one; different ones are independent. Functions that take no
 * object may be called from any thread. See libwrit(3) for forks, descriptors
 * and the current directory.
 */

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
