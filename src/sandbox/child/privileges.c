/* SPDX-License-Identifier: Apache-2.0 */

/* Drops everything that goes beyond an ordinary user. The user id itself is set
 * elsewhere. */

#include <errno.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/securebits.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

#define SECUREBITS                                                       \
	(SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | \
	    SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |    \
	    SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

long
w_enter_keyring(void)
{
	long ret = w_sys2(__NR_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0);

	return ret < 0 && ret != -ENOSYS && ret != -EDQUOT ? ret : 0;
}

/* Without CAP_SETPCAP the set cannot be changed; then no_new_privs protects. A
 * number above the kernel's last capability gives EINVAL. */
long
w_enter_no_bounds(void)
{
	enum {
		CAPABILITIES_MAX = 64
	};

	for (long cap = 0; cap < CAPABILITIES_MAX; cap++) {
		long ret = w_sys5(__NR_prctl, PR_CAPBSET_DROP, cap, 0, 0, 0);

		if (ret == -EINVAL || ret == -EPERM)
			break;
		if (ret < 0)
			return ret;
	}
	return 0;
}

long
w_enter_no_privileges(void)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	long ret = w_sys5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (ret < 0)
		return ret;
	ret = w_sys5(
	    __NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (ret < 0)
		return ret;
	/* EPERM means no CAP_SETPCAP: an ordinary user has no special treatment
	 * to lose, and root's is blocked by no_new_privs alone. */
	ret = w_sys5(__NR_prctl, PR_SET_SECUREBITS, SECUREBITS, 0, 0, 0);
	if (ret < 0 && ret != -EPERM)
		return ret;
	return w_sys2(__NR_capset, &header, none);
}
