/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RESULT_JSON_H
#define W_ENGINE_RESULT_JSON_H

#include <stdbool.h>

#include <writ/result.h>

/* The object of a result, or of a live run. Free *out_json with free(). */
writ_status w_result_json(const writ_result *result, bool is_running,
    char **out_json, size_t *out_len, writ_error *err);

#endif /* W_ENGINE_RESULT_JSON_H */
