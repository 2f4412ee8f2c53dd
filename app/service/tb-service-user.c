/* tb-service-user.c: account of the user on whose behalf the service acts, and the change of a
 * child process to that user
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "tb-service-user.h"

#define MAX_GROUPS 65536

static gboolean
read_groups (TbServiceUser *self, const char *name)
{
  self->n_groups = 64;
  for (;;)
    {
      int n = self->n_groups;

      self->groups = g_renew (gid_t, self->groups, n);
      if (getgrouplist (name, self->gid, self->groups, &self->n_groups) >= 0)
        return TRUE;
      if (self->n_groups <= n || self->n_groups > MAX_GROUPS)
        return FALSE;
    }
}

TbServiceUser *
tb_service_user_new (uid_t uid, GError **error)
{
  g_autoptr (TbServiceUser) self = g_new0 (TbServiceUser, 1);
  const struct passwd *account;

  errno = 0;
  account = getpwuid (uid);
  if (account == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "user %u has no account: %s",
                   (unsigned) uid, errno != 0 ? g_strerror (errno) : "not found");
      return NULL;
    }
  self->uid = uid;
  self->gid = account->pw_gid;
  self->name = g_strdup (account->pw_name);
  self->home = g_strdup (account->pw_dir);
  self->shell = g_strdup (account->pw_shell);
  if (!read_groups (self, self->name))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the groups of user %u cannot be read",
                   (unsigned) uid);
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
tb_service_user_free (TbServiceUser *self)
{
  g_free (self->groups);
  g_free (self->name);
  g_free (self->home);
  g_free (self->shell);
  g_free (self);
}

gboolean
tb_service_user_become (const TbServiceUser *self)
{
  if (geteuid () == self->uid && getuid () == self->uid)
    return TRUE;
  return setgroups ((size_t) self->n_groups, self->groups) == 0
         && setresgid (self->gid, self->gid, self->gid) == 0
         && setresuid (self->uid, self->uid, self->uid) == 0 && getuid () == self->uid
         && geteuid () == self->uid;
}
