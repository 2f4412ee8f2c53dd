/* tb-selection-private.h: struct of TbSelection: trace, time range and threads of a selected part
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"

G_BEGIN_DECLS

struct _TbSelection
{
  GObject parent_instance;

  TbTrace *trace;
  gint64 from;
  gint64 to;
  guint8 *threads; /* by thread id; NULL: the threads of the scope are selected */
  TbSelectionScope scope;
};

G_END_DECLS
