/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_YAML_H
#define W_POLICY_POLICY_YAML_H

#include "policy/read/policy_reader.h"

/* Parts of policy_yaml.c. Each writes one or more lines whose keys start in the
 * given column. */

/* Settings, without `roots`, which is written as a rule. */
void w_show_terms(
    struct w_buf *buf, const struct w_policy_terms *terms, size_t column);

/* Writes a key that stands for a rule; the caller writes its value between
 * begin and end. value_key: the key for the value if it has to be a map;
 * has_more: more keys follow, so it is a map. */
void w_show_begin(struct w_buf *buf, const struct w_rule *rule, const char *key,
    const char *value_key, bool has_more);
void w_show_end(struct w_buf *buf, const struct w_rule *rule, bool has_more);
void w_show_shell(
    struct w_buf *buf, const struct w_rule *rule, const char *program);
void w_show_roots(struct w_buf *buf, const struct w_rule *rule,
    const struct w_policy_terms *terms);

/* Writes "- allow: ..." for each plain rule; the list ends with NULL. */
void w_show_rules(
    struct w_buf *buf, const struct w_rule *const *rules, size_t column);
void w_show_agent(struct w_buf *buf, const struct w_policy_agent *agent);

/* `project` and `until` of a rule or an expectation; NULL, 0: not set. */
void w_show_bounds(
    struct w_buf *buf, size_t column, const char *project, int64_t until);

#endif /* W_POLICY_POLICY_YAML_H */
