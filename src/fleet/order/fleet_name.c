/* SPDX-License-Identifier: Apache-2.0 */

/* Which names and ids there can be. */

#include "fleet/order/fleet_name.h"

#include <string.h>
#include <sys/random.h>

#include "fleet/host/fleet_file.h"

bool
w_fleet_name_valid(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const size_t len = strspn(name, letters);

	return len > 0 && len <= W_FLEET_NAME_MAX && name[len] == '\0' &&
	       name[0] != '-';
}

bool
w_fleet_id_valid(const char *id)
{
	static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

	return strspn(id, letters) == W_ID_LEN && id[W_ID_LEN] == '\0';
}

bool
w_fleet_id_new(char out[W_ID_LEN + 1])
{
	uint8_t random[10];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	w_id_format(w_fleet_now_ms(), random, out);
	return true;
}
