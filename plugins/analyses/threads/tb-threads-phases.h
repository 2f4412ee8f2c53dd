/* tb-threads-phases.h: what threads said of themselves, over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

/* Of one thread: intervals that ascend and do not overlap. */
typedef struct
{
  GArray *start; /* gint64 */
  GArray *end;   /* gint64 */
  GArray *name;  /* guint32 string */
} TbSaid;

typedef struct
{
  TbSaid phases; /* the innermost at each time */
  TbSaid marks;  /* as short as can be */
} TbThreadSaid;

/* By thread, TbThreadSaid; those that said nothing in the time of the summary are not in it. NULL on failure. */
GHashTable *tb_threads_find_said (TbThreadsSummary *summary, GError **error);
