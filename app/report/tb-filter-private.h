/* tb-filter-private.h: struct of a filter with its parsed terms: words, names, states, minimum
 * length
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-filter.h"

G_BEGIN_DECLS

struct _TbFilter
{
  gatomicrefcount references;
  char *text;
  char **words; /* this and all strings below are folded */
  char **processes;
  char **threads;
  char **functions;
  char **modules;
  guint32 states;    /* 1 << TbPaint; 0: any */
  gint64 min_length; /* ns, -1: any */
};

G_END_DECLS
