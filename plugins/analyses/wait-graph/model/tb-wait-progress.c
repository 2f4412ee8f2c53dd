/* tb-wait-progress.c: progress of one step of the analysis, as a share of the progress of the whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-progress.h"

void
tb_wait_progress_report (double share, const char *what, gpointer data)
{
  const TbWaitProgress *self = data;

  if (self->func != NULL)
    self->func (self->from + self->share * share, what, self->data);
}
