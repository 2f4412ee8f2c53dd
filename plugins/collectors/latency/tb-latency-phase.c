/* tb-latency-phase.c: phase within which alone calls are measured: search for its marks in the
 * program's files, and their request to the agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "extend/options/tb-option.h"
#include "symbols/tb-static-probes.h"
#include "agent-client/probes/tb-annotations.h"
#include "tb-latency-drill-private.h"

/* FNV-1a, as in the BPF programs */
static guint32
hash_name (const char *name)
{
  guint32 hash = 0x811c9dc5u;

  for (guint i = 0; name[i] != '\0' && i < TB_CAPTURE_LATENCY_MAX_PHASE - 1; i++)
    hash = (hash ^ (guint8) name[i]) * 0x01000193u;
  return hash;
}

/* Returns 0 if it is no mark of a phase. */
static guint16
get_flags (const TbStaticProbe *probe)
{
  if (probe->n_operands == 0)
    return 0;
  return g_str_equal (probe->name, "phase_begin") ? TB_CAPTURE_LATENCY_PHASE_BEGINS
         : g_str_equal (probe->name, "phase_end") ? TB_CAPTURE_LATENCY_PHASE_ENDS
                                                  : 0;
}

static void
add_marks (TbLatencyDrill *self, const char *path, GPtrArray *probes)
{
  g_autoptr (TbLatencyImage) image = NULL;

  for (guint i = 0; i < probes->len; i++)
    {
      const TbStaticProbe *probe = g_ptr_array_index (probes, i);
      TbLatencyPhaseMark mark = { .offset = probe->offset, .flags = get_flags (probe) };

      if (mark.flags == 0
          || !tb_annotations_fill_operand (&probe->operands[0], &mark.operand, &mark.value))
        continue;
      if (image == NULL)
        image = tb_latency_image_open (path, NULL);
      if (image == NULL)
        return;
      mark.image = image;
      g_array_append_val (self->phase.marks, mark);
    }
  if (image != NULL)
    g_ptr_array_add (self->images, g_steal_pointer (&image));
}

gboolean
tb_latency_drill_set_phase (TbLatencyDrill *self,
                            const char *phase,
                            GPtrArray *files,
                            GError **error)
{
  if (strlen (phase) >= TB_CAPTURE_LATENCY_MAX_PHASE)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("invalid phase: use a name of at most %u "
                      "bytes"),
                   TB_CAPTURE_LATENCY_MAX_PHASE - 1);
      return FALSE;
    }
  self->phase.name = g_strdup (phase);
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = g_ptr_array_index (files, i);
      int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
      g_autoptr (GPtrArray) probes = fd >= 0 ? tb_static_probes_read (fd, "tailback", NULL) : NULL;

      if (probes != NULL)
        add_marks (self, path, probes);
      if (fd >= 0)
        close (fd);
    }
  if (self->phase.marks->len > 0)
    return TRUE;
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
      _ ("unknown phase “%s”: the program has no marks of tailback-annotate.h for its begin or "
         "end"),
      phase);
  return FALSE;
}

/* Their site numbers count down from the maximum; those of functions count up from 0. */
void
tb_latency_drill_send_phase (TbLatencyDrill *self)
{
  for (guint i = 0; i < self->phase.marks->len; i++)
    {
      const TbLatencyPhaseMark *mark = &g_array_index (self->phase.marks, TbLatencyPhaseMark, i);
      TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PROBE,
                                 .tail = mark->image->build_id,
                                 .tail_length = (guint32) mark->image->build_id_length,
                                 .latency_probe = { .device = mark->image->device,
                                                    .inode = mark->image->inode,
                                                    .offset = mark->offset,
                                                    .value = mark->value,
                                                    .operand = mark->operand,
                                                    .group = F0_GROUP,
                                                    .site = TB_CAPTURE_LATENCY_MAX_SITES - 1 - i,
                                                    .height = hash_name (self->phase.name),
                                                    .pid = getpid (),
                                                    .kind = TB_CAPTURE_LATENCY_SITE,
                                                    .flags = mark->flags } };

      tb_latency_drill_send (self, &record, NULL);
    }
}
