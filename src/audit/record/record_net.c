/* SPDX-License-Identifier: Apache-2.0 */

/* The records of connections to hosts. */

#include "audit/record/record.h"
#include "data/json.h"
#include "log/log_format.h"

void
w_record_add_net(struct w_buf *buf, const struct w_record_net *net)
{
	char began[W_LOG_TIME_LEN + 1];

	w_log_time_format(net->began_us, began);
	w_buf_add_str(buf, "\"kind\":\"net\"");
	w_json_add_text_member(buf, "run", net->run_id);
	w_json_add_path_member(buf, "session", net->session);
	w_json_add_text_member(buf, "what", net->what);
	w_json_add_path_member(buf, "name", net->name);
	w_json_add_text_member(buf, "address", net->address);
	w_record_add_number(buf, "port", net->port);
	w_json_add_text_member(buf, "verdict", net->verdict);
	w_json_add_path_member(buf, "rule", net->rule);
	w_json_add_text_member(buf, "reason", net->reason);
	w_json_add_path_member(buf, "other", net->other);
	w_json_add_text_member(buf, "began", began);
	w_record_add_number(buf, "duration_us", net->duration_us);
	w_record_add_number(buf, "sent", net->sent);
	w_record_add_number(buf, "received", net->received);
	w_json_add_bool_member(buf, "name_unchecked", net->is_unchecked);
	w_json_add_bool_member(buf, "proxied", net->is_proxied);
	if (net->lost > 0)
		w_record_add_number(buf, "lost", net->lost);
}
