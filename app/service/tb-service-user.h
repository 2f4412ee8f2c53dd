/* tb-service-user.h: account of the user on whose behalf the service acts, and the change of a
 * child process to that user
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

typedef struct
{
  uid_t uid;
  gid_t gid;
  gid_t *groups; /* all groups of the user */
  int n_groups;
  char *name;
  char *home;
  char *shell;
} TbServiceUser;

/* NULL with error if there is no such account. */
TbServiceUser *tb_service_user_new (uid_t uid, GError **error);
void tb_service_user_free (TbServiceUser *self);
/* In a child process, before its exec: only async-signal-safe calls. FALSE: the process still has
 * rights of the service and must exit. */
gboolean tb_service_user_become (const TbServiceUser *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbServiceUser, tb_service_user_free)

G_END_DECLS
