/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_YAML_H
#define W_POLICY_POLICY_YAML_H

#include "policy/read/policy_reader.h"

/* The parts of which policy_yaml.c makes a policy's text: each a line, or some,
 * whose keys stand in that column. */

/* What is said besides rules; of roots nothing, which is a rule as well. */
void w_show_terms(
    struct w_buf *buf, const struct w_policy_terms *terms, size_t column);

/* A key that stands for a rule, with the value between begin and end. A key of
 * its map in which that value is; has_more: others follow in any case. */
void w_show_begin(struct w_buf *buf, const struct w_rule *rule, const char *key,
    const char *value_key, bool has_more);
void w_show_end(struct w_buf *buf, const struct w_rule *rule, bool has_more);
void w_show_shell(
    struct w_buf *buf, const struct w_rule *rule, const char *program);
void w_show_roots(struct w_buf *buf, const struct w_rule *rule,
    const struct w_policy_terms *terms);

/* "- allow: ..." for each that is plain; the list ends with NULL. */
void w_show_rules(
    struct w_buf *buf, const struct w_rule *const *rules, size_t column);
void w_show_agent(struct w_buf *buf, const struct w_policy_agent *agent);

#endif /* W_POLICY_POLICY_YAML_H */
