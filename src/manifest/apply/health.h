/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_HEALTH_H
#define W_MANIFEST_HEALTH_H

#include "manifest/apply/resource_step.h"

/*
 * Runs the health checks of a resource, each until it is OK or out of tries,
 * and adds the results to the event. Anything but OK fails the resource. In
 * noop they run read-only.
 */
void w_health_check(struct w_resource_step *step);

#endif /* W_MANIFEST_HEALTH_H */
