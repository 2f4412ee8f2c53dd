/* tb-contexts-counters.h: counters of a recording whose samples show calling contexts (clock,
 * events, waits): list with sums, search by name, and as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Name of the counter of waits by the option, whatever the recording calls it. */
#define TB_CONTEXTS_WAITS "waits"

typedef enum
{
  TB_CONTEXTS_COUNTER_CLOCK,  /* the clock whose samples show CPU time */
  TB_CONTEXTS_COUNTER_TIME,   /* another clock */
  TB_CONTEXTS_COUNTER_EVENTS, /* a number of events */
  TB_CONTEXTS_COUNTER_WAITS,  /* time of waits */
} TbContextsCounterKind;

typedef struct
{
  TbContextsCounterKind kind;
  const char *name; /* of the session, or constant */
  guint32 string;   /* its name in the table of counters; TB_STRING_NONE: the clock */
  guint64 n_samples;
  guint64 n_sums; /* those of the samples that are sums, which have no time */
  double sum;     /* of the weights */
} TbContextsCounter;

/* Lists the counters, the clock first, the others by their number of samples. NULL: an error while
 * reading. */
GArray *tb_contexts_list_counters (TbTrace *trace, GError **error);
/* Finds a counter by its name. FALSE: there is none, and error is set. */
gboolean tb_contexts_find_counter (const GArray *counters,
                                   const char *name,
                                   TbContextsCounter *found,
                                   GError **error);
/* Adds the list as “counters”. chosen: name of the shown one, NULL: none */
void
tb_contexts_counters_to_json (const GArray *counters, const char *chosen, JsonBuilder *builder);

G_END_DECLS
