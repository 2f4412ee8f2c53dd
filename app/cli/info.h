/* info.h: what a recording holds, as JSON and text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* An object of the format "tailback-info". */
JsonNode *info_to_json (TbTrace *trace, GError **error);
char *info_to_text (TbTrace *trace, guint width, GError **error);

/* info-stacks.c */
typedef struct
{
  guint64 distinct;
  guint64 frames;
  double
      broken; /* share of the events with a stack whose stack could not be walked to its start; NaN unknown */
  double symbolized; /* share of the frames that have a name; NaN unknown */
} InfoStacks;

/* User stacks that were dumped when they were recorded and unwound afterwards. */
typedef struct
{
  guint64 n;
  guint64 bytes;
  guint64 partly;  /* not unwound to their start */
  guint64 undone;  /* wanted, but not made: the sum of the next four */
  guint64 crowded; /* no room in the buffer */
  guint64 unreadable;
  guint64 foreign;   /* of programs of another kind */
  guint64 unmatched; /* made, but not of anything that was recorded */
  guint64 time_ns;   /* what unwinding took */
} InfoDumps;

/* FALSE: the recording has none. */
gboolean info_read_dumps (TbSession *session, InfoDumps *dumps);
gboolean info_measure_stacks (TbSession *session, InfoStacks *stacks, GError **error);

/* info-functions.c */
typedef struct
{
  const char *name;
  guint64 calls;
  guint64 open; /* of them: begun before or not over at the end, so of unknown length */
  gint64 total; /* ns, of the others */
  gint64 longest;
} InfoFunction;

/* (transfer full) (nullable) (element-type InfoFunction): those that were probed and called, the longest in all first */
GArray *info_list_functions (TbSession *session, GError **error);

G_END_DECLS
