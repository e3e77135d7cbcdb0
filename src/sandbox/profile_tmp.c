#include "sandbox/profile.h"
#include <string.h>
writ_status
w_profile_find(const char *name, const char *const *dirs,
    struct w_profile *out_profile, writ_error *err)
{
	static const char *const w[] = {
	    "none", "env", "readonly", "workspace", "strict"};
	(void)dirs;
	for (int i = 0; i < 5; i++)
		if (strcmp(w[i], name) == 0)
			return w_profile_builtin(
			    (enum w_walls)i, out_profile, err);
	return w_fail(
	    err, WRIT_E_INVALID, "sandbox", 0, "no profile '%s'", name);
}
