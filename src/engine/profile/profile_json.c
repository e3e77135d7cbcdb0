/* SPDX-License-Identifier: Apache-2.0 */

/* A profile as a JSON object. */

#include "data/json_fields.h"
#include "engine/profile/shown_profile.h"

/* Far beyond the limits of the profile reader. */
#define TEXT_MAX   ((size_t)16 << 20)

#define AT(member) W_JSON_AT(writ_profile, member)
#define LIMIT(member)                                                       \
	{                                                                   \
#member, W_JSON_UINT, AT(member), .flags = W_JSON_ZERO_NULL \
	}

static const struct w_json_field limit_fields[] = {
    LIMIT(timeout_ms),
    LIMIT(idle_timeout_ms),
    LIMIT(max_output),
    LIMIT(cpu_ms),
    LIMIT(memory),
    LIMIT(processes),
    LIMIT(open_files),
    LIMIT(file_size),
    LIMIT(tmp_size),
    {"tmp", W_JSON_STRING, AT(tmp)},
    {.key = NULL},
};

static const struct w_json_field profile_fields[] = {
    {"name", W_JSON_STRING, AT(name)},
    {"origin", W_JSON_STRING, AT(origin)},
    {"description", W_JSON_STRING, AT(description)},
    {"walls", W_JSON_STRING, AT(walls)},
    {"network", W_JSON_STRING, AT(network)},
    {"hosts", W_JSON_LIST, AT(hosts), .flags = W_JSON_OMIT_EMPTY},
    {"layers", W_JSON_LIST, AT(layers)},
    {"read", W_JSON_LIST, AT(read)},
    {"write", W_JSON_LIST, AT(write)},
    {"execute", W_JSON_LIST, AT(execute)},
    {"hide", W_JSON_LIST, AT(hide)},
    {"protect", W_JSON_LIST, AT(protect)},
    {"limits", W_JSON_OBJECT, .fields = limit_fields},
    {"lacks", W_JSON_LIST, AT(lacks), .flags = W_JSON_OMIT_EMPTY},
    {.key = NULL},
};

writ_status
writ_profile_json(const writ_profile *profile, char **out_text, size_t *out_len,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_json_add_object(&buf, profile_fields, profile);
	return w_json_take(&buf, "profile", out_text, out_len, err);
}
