/* tb-column-rules-private.h: check that the values of a decoded column follow the rule of its role
 * (ids in range, times valid and ascending, known kinds), since session files are not trusted
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema-private.h"

G_BEGIN_DECLS

/* Number of entities of each kind that ids refer to. */
typedef struct
{
  guint32 n_threads;
  guint32 n_devices;
  guint32 n_modules;
  guint32 n_strings;
  guint64 n_stacks;
  guint64 n_frames;
  guint64 n_wakeups;
  guint64 n_sleeps;
} TbIdLimits;

/* Returns NULL if the values are valid, otherwise a static string that describes the violation.
 * first_row is the row number of values[0]. */
const char *tb_column_rules_check (TbColumnRole role,
                                   gconstpointer values,
                                   gsize n,
                                   guint64 first_row,
                                   const TbIdLimits *limits);

G_END_DECLS
