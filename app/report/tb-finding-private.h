/* tb-finding-private.h: struct of a finding, and of a further place that shows it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-finding.h"

G_BEGIN_DECLS

struct _TbFinding
{
  GObject parent_instance;

  TbSeverity severity;
  char *code;
  char *text;
  JsonObject *values;
  gint64 weight;
  double share;
  gboolean has_range;
  gint64 from;
  gint64 to;
  GArray *threads; /* guint32 */
  char **stack;
  char *figure;
  char *item;
  GPtrArray *places; /* TbFindingPlace */
  const char *fault; /* user-visible; NULL: none */
};

/* Another place that shows the finding. */
typedef struct
{
  char *figure;
  char *item;
} TbFindingPlace;

G_END_DECLS
