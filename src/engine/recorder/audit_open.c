/* SPDX-License-Identifier: Apache-2.0 */

/* Opens the audit trail of the settings. */

#include <string.h>

#include <writ/audit.h>
#include <writ/config.h>

#include "audit/audit.h"
#include "audit/record/key_file.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/size.h"
#include "engine/config/config_state.h"

static void
free_config(writ_config **config)
{
	writ_config_free(*config);
}

/* 0 would mean unlimited. */
static void
bound(uint64_t *out_bound, uint64_t value)
{
	*out_bound = value > 0 ? value : 1;
}

/* Values were checked when they were set. */
static void
read_bounds(struct w_audit_settings *settings, const writ_config *config)
{
	uint64_t value;

	if (w_duration_parse(writ_config_get(config, "outputs_age"), &value,
		NULL) == WRIT_OK)
		bound(&settings->output_age_ms, value);
	if (w_size_parse(writ_config_get(config, "outputs_size"), &value,
		NULL) == WRIT_OK)
		bound(&settings->output_bytes, value);
	if (w_size_parse(writ_config_get(config, "audit_segment"), &value,
		NULL) == WRIT_OK)
		bound(&settings->segment_max, value);
}

static writ_status
open_with(const writ_config *config, const writ_audit_options *options,
    writ_audit **out_audit, writ_error *err)
{
	struct w_audit_settings settings = {
	    .state_dir = options->state_dir != NULL
			     ? options->state_dir
			     : writ_config_get(config, "state_dir"),
	    .no_index = options->no_index,
	};
	const char *key_file = options->key_file != NULL
				   ? options->key_file
				   : writ_config_get(config, "audit_key");
	struct w_chain_key key;
	writ_status status = WRIT_OK;

	read_bounds(&settings, config);
	if (key_file != NULL && strcmp(key_file, W_SETTING_NONE) != 0) {
		status = w_chain_key_read(key_file, &key, err);
		settings.key = key.bytes;
		settings.key_len = key.len;
	}
	if (status == WRIT_OK)
		status = w_audit_new(&settings, out_audit, err);
	explicit_bzero(&key, sizeof(key));
	return status;
}

writ_status
writ_audit_open(
    const writ_audit_options *options, writ_audit **out_audit, writ_error *err)
{
	writ_audit_options given = WRIT_AUDIT_OPTIONS_INIT;
	__attribute__((cleanup(free_config))) writ_config *config = NULL;

	if (options != NULL)
		memcpy(&given, options,
		    options->size < sizeof(given) ? options->size
						  : sizeof(given));
	writ_status status = writ_config_new(&config, err);
	if (status != WRIT_OK)
		return status;
	return open_with(config, &given, out_audit, err);
}
