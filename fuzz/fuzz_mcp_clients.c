/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings of agent programs, made of any bytes: a server is in them or not.
 * And an entry that is written, whatever its option says, is found again; one
 * that is put into such settings is there, and can be dropped again.
 */

#include "cli/mcp/install_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define TEXT_MAX ((size_t)1 << 20)

static bool
look(const struct w_install_entry *entry, const void *bytes, size_t len,
    writ_status *out_status)
{
	bool is_there = false;
	writ_error err;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_buf_add(&text, bytes, len);
	*out_status = w_install_entry_is_in(entry, &text, &is_there, &err);
	return is_there;
}

static void
check_written(const struct w_install_entry *entry)
{
	writ_status status = WRIT_OK;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (!w_install_entry_can_be_written(entry))
		return;
	w_install_entry_add_text(entry, &text);
	if (text.failed)
		return;
	CHECK(look(entry, text.data, text.len, &status));
	CHECK(status == WRIT_OK);
}

/* Puts an entry into any text, and drops it: the text has it, and then not. */
static void
check_put(const struct w_install_entry *entry, const void *bytes, size_t len)
{
	const enum w_client_settings_format format = entry->host->format;
	bool is_there = false;
	writ_error err;
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf now;
	W_AUTO_SPLICE struct w_client_settings_splice put;
	W_AUTO_SPLICE struct w_client_settings_splice drop;
	W_AUTO_SPLICE struct w_client_settings_splice shell;

	w_buf_init(&json, TEXT_MAX);
	w_buf_init(&text, TEXT_MAX);
	w_buf_init(&now, TEXT_MAX);
	w_client_settings_splice_init(&put);
	w_client_settings_splice_init(&drop);
	w_client_settings_splice_init(&shell);
	w_buf_add(&text, bytes, len);
	if (!w_install_entry_can_be_written(entry))
		return;
	const struct w_client_settings_value value =
	    w_install_entry_value(entry, &json);
	if (json.failed || text.failed ||
	    w_client_settings_put(format, &text, &value, &put, &err) != WRIT_OK)
		return;
	w_client_settings_splice_add(&now, &text, &put);
	CHECK(w_client_settings_find(format, &now, &value, &is_there, &err) ==
	      WRIT_OK);
	CHECK(is_there);
	if (w_client_settings_drop(format, &now, &value, &drop, &err) ==
	    WRIT_OK)
		CHECK(drop.was_len > 0);
	if (entry->host->shell_value.json != NULL)
		(void)w_client_settings_put(
		    format, &text, &entry->host->shell_value, &shell, &err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = 0;
	writ_status status = WRIT_OK;

	while (w_install_hosts[count].name != NULL)
		count++;
	if (size == 0)
		return 0;
	char *option = strndup((const char *)data + 1, size - 1);
	CHECK(option != NULL);
	const struct w_install_entry entry = {
	    .host = &w_install_hosts[data[0] % count],
	    .name = "writ",
	    .path = "/usr/bin/writ",
	    .options = &option,
	    .option_count = 1,
	};
	bool is_there = look(&entry, data + 1, size - 1, &status);
	CHECK(!is_there || status == WRIT_OK);
	check_written(&entry);
	check_put(&entry, data + 1, size - 1);
	free(option);
	return 0;
}
