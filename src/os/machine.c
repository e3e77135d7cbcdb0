/* SPDX-License-Identifier: Apache-2.0 */

/* Properties of the whole machine. */

#include "os/machine.h"

#include <stdatomic.h>
#include <sys/sysinfo.h>

uint64_t
w_machine_memory(void)
{
	/* Memory that is added to a machine while it runs is not looked for. */
	static _Atomic uint64_t known;
	struct sysinfo info;
	uint64_t bytes = atomic_load(&known);

	if (bytes == 0 && sysinfo(&info) == 0) {
		bytes = (uint64_t)info.totalram * info.mem_unit;
		atomic_store(&known, bytes);
	}
	return bytes;
}
