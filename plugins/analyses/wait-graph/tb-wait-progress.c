/* tb-wait-progress.c: how far a part of what is to be done is, as a share of all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-progress.h"

void
tb_wait_progress_tell (double share, const char *what, gpointer data)
{
  const TbWaitProgress *self = data;

  if (self->told != NULL)
    self->told (self->from + self->share * share, what, self->data);
}
