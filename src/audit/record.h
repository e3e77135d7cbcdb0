/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_RECORD_H
#define W_AUDIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/redact.h"
#include "base/buf.h"

/*
 * The records of the trail, as payloads for w_log_append(): plain data in,
 * JSON members out. Everything that came from outside passes the redactor.
 *
 * begin
 *   "kind":"begin","run":ID,"trace":TEXT|null,
 *   "who":{"uid":N,"pid":N,"pidns":N,"door":WORD,"agent":TEXT|null},
 *   "argv":[WORD,...],"shell":TEXT|null,"program":PATH,"cwd":PATH,
 *   "env":[NAME,...],"stdin":"null|data|file|fd|pipe","as":{"uid":N,"gid":N},
 *   "limits":{"timeout_ms":N,...},
 *   "policy":null or {"decision":WORD,"rule":PLACE},
 *   "sandbox":{"profile":NAME,"network":WORD,"layers":[...]},
 *   "request":HEX,"redacted":BOOL
 * end
 *   "kind":"end","run":ID,"outcome":WORD,"exit_code":N,"signal":NAME|null,
 *   "limit":WORD|null,"duration_ms":N,"usage":{"user_ms":N,"system_ms":N,
 *   "max_rss_kib":N},"killed":N,"background":N,"tree":WORD,
 *   "layers":[...],"missing":[...],
 *   "stdout":{"bytes":N,"sha256":HEX},"stderr":{...},
 *   "kept":null or {"file":NAME,"bytes":N,"whole":BOOL}
 *   or, when it did not start after all:
 *   "kind":"end","run":ID,"outcome":null,"error":{"code":WORD,"stage":WORD,
 *   "message":TEXT}
 * refused
 *   "kind":"refused","run":ID,"trace":..,"who":{..},"argv":[..],"shell":..,
 *   "cwd":PATH|null as asked,"error":{...},"request":HEX,"redacted":BOOL
 *
 * Words that are not UTF-8 are {"b64":"..."}. "request" is the HMAC of the
 * whole request with its real values, under the key of this state directory.
 */

struct w_record_who {
	uint64_t uid;
	int pid;
	uint64_t pidns;
	const char *door;
	const char *agent;
};

#endif /* W_AUDIT_RECORD_H */
