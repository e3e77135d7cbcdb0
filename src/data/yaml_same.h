/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_SAME_H
#define W_DATA_YAML_SAME_H

#include "base/buf.h"
#include "data/yaml.h"

/* Fails with WRIT_E_INVALID if the text is not the same tree: the same values,
 * and keys in the same order. */
writ_status w_yaml_check_same(const struct w_yaml *before,
    const struct w_buf *after, const struct w_json_limits *limits,
    writ_error *err);

#endif /* W_DATA_YAML_SAME_H */
