/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_SERVICE_H
#define W_MANIFEST_SERVICE_H

#include "manifest/types/typed_step.h"

/*
 * The resource service: a unit of systemd.
 *
 *   ensure   running, stopped
 *
 * What it subscribes to restarts or reloads it when it changed, if it should
 * run and runs already.
 */
enum {
	W_SERVICE_ENABLE,  /* whether it starts with the machine */
	W_SERVICE_REFRESH, /* restart, reload */
	W_SERVICE_SETTLE,  /* it must still run after this long; 1 s */
	W_SERVICE_TIMEOUT, /* of a command of systemctl; 5 min */
};

#endif /* W_MANIFEST_SERVICE_H */
