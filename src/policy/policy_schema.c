/* SPDX-License-Identifier: Apache-2.0 */

/* The built-in JSON Schema of the policy language. */

#include "policy/policy.h"

extern const char w_policy_schema_text[];
extern const char w_policy_schema_end[];

const char *
w_policy_schema(size_t *out_len)
{
	*out_len = (size_t)(w_policy_schema_end - w_policy_schema_text);
	return w_policy_schema_text;
}
