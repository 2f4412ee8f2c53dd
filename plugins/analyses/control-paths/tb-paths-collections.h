/* tb-paths-collections.h: how long garbage collections of a program took in the base path, and the
 * thread that did most of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-summary.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 ns; /* with the time in which a collection was kept off the CPU */
  guint n_threads;
  guint32 thread; /* did more than half of them; TB_ID_NONE: no thread did */
} TbPathsCollections;

/* all_of_name: of all programs with the name of this one. */
TbPathsCollections
tb_paths_find_collections (TbPathsSummary *summary, guint32 program, gboolean all_of_name);

G_END_DECLS
