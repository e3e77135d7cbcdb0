/* SPDX-License-Identifier: Apache-2.0 */

/* The results of the doctor as one JSON object. */

#include <string.h>

#include <writ/doctor.h>

#include "base/buf.h"
#include "data/json.h"

#define DOCTOR_JSON_MAX ((size_t)1 << 16)

/* "name":"value", or null for an empty value. */
static void
doctor_json_add_text(struct w_buf *buf, const char *name, const char *value)
{
	w_json_add_text_member(buf, name, value[0] == '\0' ? NULL : value);
}

static void
add_layer(struct w_buf *buf, const writ_doctor_layer *layer)
{
	const char *error = strerrorname_np(layer->sys_errno);

	w_buf_add_fmt(buf, "{\"name\":\"%s\"", layer->name);
	w_json_add_bool_member(buf, "available", layer->is_available);
	w_json_add_bool_member(buf, "needed", layer->is_needed);
	doctor_json_add_text(buf, "detail", layer->detail);
	doctor_json_add_text(
	    buf, "errno", layer->sys_errno == 0 || error == NULL ? "" : error);
	doctor_json_add_text(buf, "step", layer->step);
	doctor_json_add_text(buf, "cause", layer->cause);
	doctor_json_add_text(buf, "setting", layer->setting);
	doctor_json_add_text(buf, "remedy", layer->remedy);
	doctor_json_add_text(buf, "needs", layer->needs);
	w_buf_add_char(buf, '}');
}

static void
doctor_json_add_profile(struct w_buf *buf, const writ_doctor_profile *profile)
{
	w_buf_add_fmt(buf, "{\"name\":\"%s\"", profile->name);
	w_json_add_bool_member(buf, "available", profile->is_available);
	w_json_add_bool_member(buf, "best_effort", profile->is_possible);
	w_buf_add_str(buf, ",\"missing\":[");
	for (size_t i = 0; profile->missing[i] != NULL; i++)
		w_buf_add_fmt(
		    buf, "%s\"%s\"", i == 0 ? "" : ",", profile->missing[i]);
	w_buf_add_str(buf, "]}");
}

static void
add_machine(struct w_buf *buf, const writ_doctor *doctor)
{
	const writ_doctor_machine *machine = writ_doctor_about(doctor);

	w_buf_add_char(buf, '{');
	w_json_add_bool_member(buf, "ok", writ_doctor_has(doctor, "workspace"));
	doctor_json_add_text(buf, "kernel", machine->kernel);
	w_buf_add_fmt(buf, ",\"uid\":%u", machine->uid);
	w_json_add_bool_member(buf, "privileged", machine->is_privileged);
	doctor_json_add_text(buf, "container", machine->container);
	doctor_json_add_text(buf, "ci", machine->ci);
}

writ_status
writ_doctor_json(const writ_doctor *doctor, char **out_json, size_t *out_len)
{
	W_AUTO_BUF struct w_buf buf;
	size_t count;

	w_buf_init(&buf, DOCTOR_JSON_MAX);
	add_machine(&buf, doctor);
	const writ_doctor_layer *layers = writ_doctor_layers(doctor, &count);
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(&buf, i == 0 ? ",\"layers\":[" : ",");
		add_layer(&buf, &layers[i]);
	}
	const writ_doctor_profile *profiles =
	    writ_doctor_profiles(doctor, &count);
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(&buf, i == 0 ? "],\"profiles\":[" : ",");
		doctor_json_add_profile(&buf, &profiles[i]);
	}
	w_buf_add_str(&buf, "]}");
	return w_json_take(&buf, "json", out_json, out_len, NULL);
}
