/* SPDX-License-Identifier: Apache-2.0 */

/* Properties of the whole machine. */

#include "os/machine.h"

#include <sys/sysinfo.h>

uint64_t
w_machine_memory(void)
{
	struct sysinfo info;

	return sysinfo(&info) < 0 ? 0 : (uint64_t)info.totalram * info.mem_unit;
}
