/* tb-annotations-memory.c: marks requested from the agent in functions that allocate and free
 * memory, to record where locks are allocated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "tb-annotations-private.h"

static gboolean
add_function (TbAnnotations *self, const TbMemoryFunction *memory, gboolean with_next)
{
  const TbAgentFunction *function = memory->function;
  TbAnnotationsAction action = memory->kind == TB_CAPTURE_MEMORY_FREES
                                   ? TB_ANNOTATIONS_LOCK_FREED
                                   : TB_ANNOTATIONS_LOCK_ALLOCATED;
  const TbAnnotationsMark mark = { (guint8) action, NULL, 0, TB_ANNOTATIONS_MEMORY };
  TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD,
                             .cpu = TB_CAPTURE_CPU_NONE,
                             .tail = function->build_id,
                             .tail_length = (guint32) function->build_id_length };

  record.mark_add.device = function->probe.device;
  record.mark_add.inode = function->probe.inode;
  record.mark_add.offset = function->probe.offset;
  record.mark_add.pid = function->probe.pid;
  record.mark_add.values[0] = memory->kind;
  record.mark_add.values[1] = memory->size;
  record.mark_add.stack
      = (guint16) (TB_CAPTURE_MARK_OF_MEMORY | (with_next ? TB_CAPTURE_MARK_WITH_NEXT : 0));
  record.mark_add.id = tb_annotations_take_number (self, &mark);
  return record.mark_add.id != 0 && tb_agent_process_send (self->process, &record, NULL);
}

void
tb_annotations_add_memory (TbAnnotations *self,
                           const TbMemoryFunctions *memory,
                           GCancellable *cancellable)
{
  const TbMemoryFunction *all = (const TbMemoryFunction *) (gpointer) memory->found->data;

  if (!self->can_probe || self->each_process)
    tb_recorder_add_warning (
        self->recorder, "%s",
        _ ("lock-allocations: where locks are allocated can be recorded only where all processes "
           "may be recorded. Authorize the agent, or run it as root."));
  else if (memory->found->len == 0)
    tb_recorder_add_warning (
        self->recorder, "%s",
        _ ("lock-allocations: no library was found that allocates memory for programs."));
  if (!self->can_probe || self->each_process)
    return;
  for (guint i = 0; i < memory->found->len; i++)
    {
      gboolean with_next = i + 1 < memory->found->len
                           && all[i].function->probe.device == all[i + 1].function->probe.device
                           && all[i].function->probe.inode == all[i + 1].function->probe.inode;

      if (!add_function (self, &all[i], with_next))
        return;
    }
  tb_annotations_wait (self, cancellable);
}
