/* tb-latency-blocks.c: basic blocks and source lines at which root causes of a drill-down spent
 * their own time: requests samples of them from the agent, waits for enough, finds blocks and
 * lines (tb-latency-source-line.c), names the line, adds both to JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * They are found from samples during the calls of the peak. Basic blocks come from the disassembly,
 * source lines from debug information where the file has it.
 */

#include "config.h"

#include "tb-latency-drill-private.h"
#include "tb-latency-source-line.h"

/* Number of samples that suffices to find most of the time, and the maximum time to wait for
 * them */
#define MIN_SAMPLES 50
#define MAX_WAIT (G_GINT64_CONSTANT (1000000000)) /* ns */
#define MAX_PLACES 1024
#define MAX_SHOWN 8

/* A basic block of a function that is slow by itself */
typedef struct
{
  guint block; /* 0…n */
  guint64 from;
  guint64 to;
  guint64 count;
  TbLatencyPlace most;
} Block;

static gboolean
has_cause_inside (TbLatencyDrill *self, guint32 id)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id
        && get_node (self, i)->is_root_cause)
      return TRUE;
  return FALSE;
}

gboolean
tb_latency_drill_is_leaf (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);

  if (!node->is_used || node->kind != TB_LATENCY_FUNCTION || node->function == NULL || node->is_cut
      || node->is_abandoned || !tb_latency_function_get_code (node->function)->is_known)
    return FALSE;
  return node->is_self_cause
         || ((node->is_root_cause || id == F0_NODE) && node->phase == TB_LATENCY_DECIDED
             && !has_cause_inside (self, id));
}

static void
begin (TbLatencyDrill *self)
{
  self->times.decided = self->times.narrowed = get_time ();
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      TbLatencyNode *node = get_node (self, i);

      if (!tb_latency_drill_is_leaf (self, i))
        continue;
      node->is_narrowing = TRUE;
      node->places = g_array_new (FALSE, FALSE, sizeof (TbLatencyPlace));
      tb_latency_drill_send_node (self, i,
                                  TB_CAPTURE_LATENCY_SAMPLED
                                      | (node->disturbances != 0 ? TB_CAPTURE_LATENCY_OPEN : 0),
                                  node->parent != G_MAXUINT32 && node->key != 0 ? node->key : 0,
                                  node->key != 0 && node->site != G_MAXUINT ? node->site + 1 : 0);
    }
}

static guint64
count_samples (const TbLatencyNode *node)
{
  guint64 n = 0;

  for (guint i = 0; node->places != NULL && i < node->places->len; i++)
    n += g_array_index (node->places, TbLatencyPlace, i).count;
  return n;
}

gboolean
tb_latency_drill_narrow_leaves (TbLatencyDrill *self)
{
  if (self->times.narrowed == 0)
    begin (self);
  if (get_time () - self->times.narrowed >= MAX_WAIT)
    return TRUE;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->is_narrowing
        && count_samples (get_node (self, i)) < MIN_SAMPLES)
      return FALSE;
  return TRUE;
}

/* Ignores samples in callees and in interrupting kernel code. */
void
tb_latency_drill_take_place (TbLatencyDrill *self, const TbCaptureLatencyAddress *place)
{
  TbLatencyNode *node = get_node (self, MIN (place->node, TB_CAPTURE_LATENCY_MAX_NODES - 1));
  TbLatencyPlace found = { 0, place->count };

  if (place->node >= self->tree->n_nodes || !node->is_used || !node->is_narrowing || self->is_over
      || tb_latency_drill_find_place (self, place->pid, place->address, &found.address)
             != node->function)
    return;
  for (guint i = 0; i < node->places->len; i++)
    if (g_array_index (node->places, TbLatencyPlace, i).address == found.address)
      {
        g_array_index (node->places, TbLatencyPlace, i).count += found.count;
        return;
      }
  if (node->places->len < MAX_PLACES)
    g_array_append_val (node->places, found);
}

/* --- blocks and lines --- */

static guint
find_block (const TbLatencyCode *code, guint64 address)
{
  guint first = 0, last = code->blocks->len;

  while (last - first > 1)
    {
      guint middle = (first + last) / 2;

      if (g_array_index (code->blocks, guint64, middle) <= address)
        first = middle;
      else
        last = middle;
    }
  return first;
}

static int
compare_blocks (gconstpointer a, gconstpointer b)
{
  const Block *one = a, *other = b;

  if (one->count != other->count)
    return one->count > other->count ? -1 : 1;
  return (one->block > other->block) - (one->block < other->block);
}

static void
add_place (Block *block, const TbLatencyPlace *place)
{
  block->count += place->count;
  if (place->count > block->most.count)
    block->most = *place;
}

/* (element-type Block) (transfer full): the blocks with samples, most samples first */
static GArray *
find_blocks (const TbLatencyNode *node)
{
  const TbLatencyCode *code = node->function->code;
  const TbLatencySymbol *symbol = node->function->symbol;
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Block));
  g_autofree Block *blocks = g_new0 (Block, code->blocks->len + 1);

  for (guint i = 0; i < node->places->len && code->blocks->len > 0; i++)
    {
      const TbLatencyPlace *place = &g_array_index (node->places, TbLatencyPlace, i);

      add_place (&blocks[find_block (code, place->address)], place);
    }
  for (guint i = 0; i < code->blocks->len; i++)
    {
      blocks[i].block = i;
      blocks[i].from = g_array_index (code->blocks, guint64, i);
      blocks[i].to = i + 1 < code->blocks->len ? g_array_index (code->blocks, guint64, i + 1)
                                               : symbol->address + symbol->size;
      if (blocks[i].count > 0)
        g_array_append_val (found, blocks[i]);
    }
  g_array_sort (found, compare_blocks);
  return found;
}

const char *
tb_latency_drill_name_place (TbLatencyNode *node)
{
  g_autoptr (GArray) blocks = NULL;

  if (node->place != NULL || node->places == NULL)
    return node->place;
  blocks = find_blocks (node);
  if (blocks->len > 0)
    node->place = tb_latency_find_line (node->function->image,
                                        g_array_index (blocks, Block, 0).most.address);
  return node->place;
}

void
tb_latency_places_describe (JsonBuilder *builder, const TbLatencyNode *node)
{
  g_autoptr (GArray) blocks = find_blocks (node);
  guint64 n = count_samples (node), entry = node->function->symbol->address;

  json_builder_set_member_name (builder, "samples");
  json_builder_add_int_value (builder, (gint64) n);
  json_builder_set_member_name (builder, "blocks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < blocks->len && i < MAX_SHOWN; i++)
    {
      const Block *block = &g_array_index (blocks, Block, i);
      g_autofree char *line = tb_latency_find_line (node->function->image, block->most.address);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "block");
      json_builder_add_int_value (builder, block->block + 1);
      json_builder_set_member_name (builder, "from");
      json_builder_add_int_value (builder, (gint64) (block->from - entry));
      json_builder_set_member_name (builder, "to");
      json_builder_add_int_value (builder, (gint64) (block->to - entry));
      json_builder_set_member_name (builder, "samples");
      json_builder_add_int_value (builder, (gint64) block->count);
      json_builder_set_member_name (builder, "share");
      json_builder_add_double_value (builder, (double) block->count / (double) MAX (n, 1));
      json_builder_set_member_name (builder, "line");
      if (line != NULL)
        json_builder_add_string_value (builder, line);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
