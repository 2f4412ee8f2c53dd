/* tb-peaks-saved-json.c: checked reading of a saved drill-down from untrusted JSON, and how far its
 * latencies may differ from present ones by chance and probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "report/histogram/tb-histogram-distance.h"
#include "tb-peaks-function-names.h"
#include "tb-peaks-saved-json.h"

/* Typical variation of latencies on one machine, in bins. */
#define MACHINE_VARIATION 0.5
#define MAX_COUNT (G_GINT64_CONSTANT (1) << 48)

static gboolean
is_of_type (JsonNode *node, GType type)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

gint64
tb_peaks_saved_get_integer (JsonObject *object, const char *member, gint64 otherwise)
{
  JsonNode *node = json_object_get_member (object, member);

  return is_of_type (node, G_TYPE_INT64) ? json_node_get_int (node) : otherwise;
}

guint64
tb_peaks_saved_get_count (JsonObject *object, const char *member)
{
  return (guint64) CLAMP (tb_peaks_saved_get_integer (object, member, 0), 0, MAX_COUNT);
}

const char *
tb_peaks_saved_get_string (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return is_of_type (node, G_TYPE_STRING) ? json_node_get_string (node) : "";
}

gboolean
tb_peaks_saved_get_boolean (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return is_of_type (node, G_TYPE_BOOLEAN) && json_node_get_boolean (node);
}

JsonArray *
tb_peaks_saved_get_array (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

JsonObject *
tb_peaks_saved_get_object (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

guint
tb_peaks_saved_get_length (JsonArray *array)
{
  return array != NULL ? json_array_get_length (array) : 0;
}

JsonObject *
tb_peaks_saved_get_element (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gboolean
tb_peaks_saved_get_row (JsonArray *array, guint i, gint64 *numbers, guint n)
{
  JsonNode *node = json_array_get_element (array, i);
  JsonArray *row = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (tb_peaks_saved_get_length (row) < n)
    return FALSE;
  for (guint j = 0; j < n; j++)
    {
      JsonNode *number = json_array_get_element (row, j);

      if (!is_of_type (number, G_TYPE_INT64))
        return FALSE;
      numbers[j] = json_node_get_int (number);
      if (numbers[j] < 0)
        return FALSE;
    }
  return TRUE;
}

JsonObject *
tb_peaks_saved_find_state (JsonNode *root)
{
  JsonObject *object
      = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonObject *inner
      = tb_peaks_saved_get_object (tb_peaks_saved_get_object (object, "summary"), "state");

  if (inner != NULL)
    object = inner;
  return object != NULL
                 && g_str_equal (tb_peaks_saved_get_string (object, "format"),
                                 TB_PEAKS_SAVED_FORMAT)
             ? object
             : NULL;
}

gboolean
tb_peaks_saved_is_of (JsonObject *state, const char *operation)
{
  return tb_peaks_is_same_operation (tb_peaks_saved_get_string (state, "operation"), operation);
}

static guint64 *
read_bins (JsonArray *bins, guint n)
{
  guint64 *counts = g_new0 (guint64, n);
  gint64 row[2];

  for (guint i = 0; i < tb_peaks_saved_get_length (bins); i++)
    if (tb_peaks_saved_get_row (bins, i, row, 2) && row[0] < n && row[1] < MAX_COUNT)
      counts[row[0]] = (guint64) row[1];
  return counts;
}

guint64 *
tb_peaks_saved_read_counts (JsonObject *state, guint n)
{
  JsonArray *before = tb_peaks_saved_get_array (state, TB_PEAKS_SAVED_BINS_AT_CHOICE);

  return read_bins (before != NULL ? before : tb_peaks_saved_get_array (state, "bins"), n);
}

guint64 *
tb_peaks_saved_read_probed_calls (JsonObject *state, guint n)
{
  return read_bins (tb_peaks_saved_get_array (state, TB_PEAKS_SAVED_PROBED_CALLS), n);
}

int
tb_peaks_saved_find_reach (const TbPeaksBins *bins,
                           gint64 call_ns,
                           const guint64 *counts,
                           const guint64 *probed)
{
  double effect = 2 * (double) call_ns;

  if (call_ns <= 0)
    return -1;
  for (guint bin = bins->n; probed != NULL && bin-- > 0;)
    if (counts[bin] > 0
        && (double) bins->edges[bin] <= effect * (1 + (double) probed[bin] / (double) counts[bin]))
      return (int) MAX (bin, tb_peaks_bins_find (bins, (gint64) MIN (effect, 0x1p62)));
  return (int) tb_peaks_bins_find (bins, (gint64) MIN (effect, 0x1p62));
}

guint64 *
tb_peaks_saved_pool (const guint64 *counts, guint n, int reach)
{
  guint64 *pooled = g_memdup2 (counts, n * sizeof *counts);

  for (int bin = 0; bin < MIN (reach, (int) n - 1); bin++)
    {
      pooled[MIN (reach, (int) n - 1)] += pooled[bin];
      pooled[bin] = 0;
    }
  return pooled;
}

double
tb_peaks_saved_get_limit (const guint64 *earlier, guint n, guint64 calls)
{
  return MAX (tb_histogram_get_chance_distance (earlier, n, G_MAXUINT64, calls), MACHINE_VARIATION);
}
