/* tb-latency-messages.c: records that a drill-down sends to the agent: probes to attach or detach,
 * nodes to measure
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <unistd.h>

#include "tb-latency-drill-private.h"

gboolean
tb_latency_drill_send (TbLatencyDrill *self, TbCaptureRecord *record, GError **error)
{
  record->cpu = TB_CAPTURE_CPU_NONE;
  return self->send (record, self->send_data, error);
}

TbCaptureRecord
tb_latency_make_probe (const TbLatencyFunction *function,
                       guint group,
                       TbCaptureLatencyProbeKind kind,
                       guint64 address)
{
  const TbLatencyImage *image = function->image;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PROBE };

  record.latency_probe = (TbCaptureLatencyProbe) { .device = image->device,
                                                   .inode = image->inode,
                                                   .group = group,
                                                   .function = function->id,
                                                   .pid = getpid (),
                                                   .kind = kind };
  tb_latency_image_get_offset (image, address, &record.latency_probe.offset);
  if (tb_latency_image_is_kernel (image) && kind == TB_CAPTURE_LATENCY_SITE)
    record.latency_probe.kind = TB_CAPTURE_LATENCY_KERNEL_SITE;
  record.tail = image->build_id;
  record.tail_length = (guint32) image->build_id_length;
  return record;
}

void
tb_latency_drill_request_attach (TbLatencyDrill *self, guint32 group)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_ATTACH, .latency_group = { group } };

  if (tb_latency_drill_send (self, &record, NULL))
    g_queue_push_tail (&self->probes.pending_groups, GUINT_TO_POINTER (group + 1));
}

void
tb_latency_drill_detach (TbLatencyDrill *self, guint32 group)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_DETACH, .latency_group = { group } };

  tb_latency_drill_send (self, &record, NULL);
}

/* Whether a site is the first or last call of its block */
static gboolean
is_edge (const TbLatencyCode *code, guint i, gboolean is_last)
{
  const TbLatencySite *sites = (const TbLatencySite *) code->sites->data;

  if (is_last)
    return i + 1 == code->sites->len || sites[i + 1].block != sites[i].block;
  return i == 0 || sites[i - 1].block != sites[i].block;
}

/* Whether a probe is needed there, and whether a call or block begins there */
static gboolean
is_needed (const TbLatencyFunction *function,
           const TbLatencyPoint *point,
           const guint8 *wanted,
           gboolean *begins)
{
  const TbLatencyCode *code = function->code;
  gboolean needed = FALSE;

  *begins = point->site != G_MAXUINT
            && (function->is_by_blocks ? is_edge (code, point->site, FALSE)
                                       : wanted == NULL || wanted[point->site]);
  for (guint i = 0; i < code->sites->len && !needed; i++)
    needed = g_array_index (code->sites, TbLatencySite, i).end == point->address
             && (function->is_by_blocks ? is_edge (code, i, TRUE) : wanted == NULL || wanted[i]);
  return needed || *begins;
}

static void
describe_site (const TbLatencyFunction *function,
               const TbLatencyPoint *point,
               TbCaptureLatencyProbe *probe)
{
  const TbLatencySite *site = &g_array_index (function->code->sites, TbLatencySite, point->site);

  probe->index = function->is_by_blocks ? function->code->sites->len + site->block : point->site;
  probe->operand = site->operand;
  probe->value = site->value;
  probe->flags = TB_CAPTURE_LATENCY_BEGINS | (site->is_tail ? TB_CAPTURE_LATENCY_TAIL : 0)
                 | (site->target == 0 && site->operand != 0 && !function->is_by_blocks
                        ? TB_CAPTURE_LATENCY_INDIRECT
                        : 0)
                 | (point->height >= 0 ? TB_CAPTURE_LATENCY_HAS_HEIGHT : 0);
  probe->height = (guint32) MAX (point->height, 0);
}

void
tb_latency_drill_send_points (TbLatencyDrill *self,
                              TbLatencyFunction *function,
                              const guint8 *wanted)
{
  const TbLatencyCode *code = tb_latency_function_get_code (function);

  function->n_probes = function->n_single_stepped = 0;
  for (guint i = 0; i < code->points->len; i++)
    {
      const TbLatencyPoint *point = &g_array_index (code->points, TbLatencyPoint, i);
      TbCaptureRecord record
          = tb_latency_make_probe (function, function->id, TB_CAPTURE_LATENCY_SITE, point->address);
      gboolean begins;

      if (!is_needed (function, point, wanted, &begins))
        continue;
      function->n_probes++;
      function->n_single_stepped += !point->is_cheap;
      record.latency_probe.site = function->first_site + i;
      if (begins)
        describe_site (function, point, &record.latency_probe);
      tb_latency_drill_send (self, &record, NULL);
    }
}

void
tb_latency_drill_send_node (TbLatencyDrill *self,
                            guint32 id,
                            guint32 flags,
                            guint64 target,
                            guint32 site)
{
  TbLatencyNode *node = get_node (self, id);
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_NODE };

  record.latency_node
      = (TbCaptureLatencyNode) { .target = target,
                                 .id = id,
                                 .parent = node->parent != G_MAXUINT32 ? node->parent : 0,
                                 .first_child = node->first_child,
                                 .function = node->function != NULL ? node->function->id : 0,
                                 .disturbances = node->disturbances,
                                 .flags = flags,
                                 .site = site };
  if ((flags & TB_CAPTURE_LATENCY_RESET) != 0)
    node->generation++;
  tb_latency_drill_send (self, &record, NULL);
}
