/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_NAME_H
#define W_FLEET_FLEET_NAME_H

#include <stdbool.h>

#include "base/encode.h"

/*
 * Names that become parts of subjects, of files and of stream names: hosts,
 * collectives and keys. Lower-case letters, digits and '-', the first one a
 * letter or digit. So no name can be a wildcard, a path or another subject.
 */
#define W_FLEET_NAME_MAX 63
bool w_fleet_name_valid(const char *name);

/* Whether it is the id of a request: 26 characters of a run id. */
bool w_fleet_id_valid(const char *id);

/* A new id; false: no random bytes. */
bool w_fleet_id_new(char out[W_ID_LEN + 1]);

#endif /* W_FLEET_FLEET_NAME_H */
