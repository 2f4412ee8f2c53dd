/* tb-recorder-mappings.c: executable mappings of each process, shared after a fork and cleared at
 * an exec, in which tb-recorder-stacks looks up code addresses; each is passed to the session
 * writer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

/* After a fork the processes share a space until one of them maps something. The generation of a
 * space is part of the key of cached call stacks; it changes whenever an address may refer to
 * something else than before. */

/* Far above the number of executable mappings on a real machine (the kernel allows a process 65530
 * mappings of all kinds). */
#define MAX_MAPPINGS_A_SPACE 65536u
#define MAX_MAPPINGS ((gsize) 4 << 20)

TbSpace *
tb_space_ref (TbSpace *self)
{
  self->n_users++;
  return self;
}

void
tb_space_unref (TbSpace *self)
{
  if (--self->n_users > 0)
    return;
  *self->total -= self->mappings->len;
  g_array_unref (self->mappings);
  g_free (self);
}

static TbSpace *
space_new (TbRecorder *recorder, GArray *mappings)
{
  TbSpace *self = g_new0 (TbSpace, 1);

  self->n_users = 1;
  self->generation = ++recorder->generations;
  self->mappings = mappings != NULL ? g_array_copy (mappings)
                                    : g_array_new (FALSE, FALSE, sizeof (TbSpaceMapping));
  self->total = &recorder->n_mappings;
  *self->total += self->mappings->len;
  return self;
}

/* The first mapping that ends after the address. */
static guint
find_first_ending_after (const TbSpace *self, guint64 address)
{
  guint low = 0, high = self->mappings->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->mappings, TbSpaceMapping, middle).end <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const TbSpaceMapping *
tb_space_find (TbSpace *self, guint64 address)
{
  guint i = find_first_ending_after (self, address);

  if (i < self->mappings->len && g_array_index (self->mappings, TbSpaceMapping, i).start <= address)
    return &g_array_index (self->mappings, TbSpaceMapping, i);
  self->had_unmapped = TRUE;
  return NULL;
}

static gboolean
is_mapped_already (const TbSpace *self, const TbSpaceMapping *mapping)
{
  guint i = find_first_ending_after (self, mapping->start);
  const TbSpaceMapping *old;

  if (i == self->mappings->len)
    return FALSE;
  old = &g_array_index (self->mappings, TbSpaceMapping, i);
  return old->start <= mapping->start && old->end >= mapping->end && old->module == mapping->module
         && old->offset + (mapping->start - old->start) == mapping->offset;
}

/* Inserts the mapping, replacing those it overlaps. Returns whether it overlapped any. */
static gboolean
insert_mapping (TbSpace *self, const TbSpaceMapping *mapping)
{
  guint first = find_first_ending_after (self, mapping->start);
  guint last = first;
  TbSpaceMapping parts[3];
  guint n_parts = 0;

  while (last < self->mappings->len
         && g_array_index (self->mappings, TbSpaceMapping, last).start < mapping->end)
    last++;
  if (last > first && g_array_index (self->mappings, TbSpaceMapping, first).start < mapping->start)
    {
      parts[n_parts] = g_array_index (self->mappings, TbSpaceMapping, first);
      parts[n_parts++].end = mapping->start;
    }
  parts[n_parts++] = *mapping;
  if (last > first && g_array_index (self->mappings, TbSpaceMapping, last - 1).end > mapping->end)
    {
      const TbSpaceMapping *cut = &g_array_index (self->mappings, TbSpaceMapping, last - 1);

      parts[n_parts] = *cut;
      parts[n_parts].start = mapping->end;
      parts[n_parts++].offset = cut->offset + (mapping->end - cut->start);
    }
  if (last > first)
    g_array_remove_range (self->mappings, first, last - first);
  g_array_insert_vals (self->mappings, first, parts, n_parts);
  *self->total += n_parts;
  *self->total -= last - first;
  return last > first;
}

/* Anonymous executable memory is one module per process. */
static guint32
get_own_module (TbRecorder *self, guint32 process_id, guint32 module)
{
  TbProcessRecord *process = &g_array_index (self->processes.records, TbProcessRecord, process_id);
  TbModuleRecord *record = &g_array_index (self->modules.records, TbModuleRecord, module);

  if (record->kind == TB_MODULE_FILE && record->process == TB_ID_NONE)
    {
      record->process = process_id;
      tb_recorder_put_module (self, module);
    }
  if (record->kind != TB_MODULE_JIT)
    return module;
  if (process->jit_module != TB_ID_NONE)
    return process->jit_module;
  if (record->process == TB_ID_NONE)
    {
      record->process = process_id;
      tb_recorder_put_module (self, module);
      process->jit_module = module;
    }
  else if (record->process == process_id)
    process->jit_module = module;
  else
    process->jit_module = tb_recorder_find_module (self, TB_MODULE_JIT, record->path,
                                                   record->build_id, -1, process_id);
  return process->jit_module;
}

/* Gives the process a space that it does not share, so that it can be changed. */
static TbSpace *
get_own_space (TbRecorder *self, TbProcessRecord *process)
{
  TbSpace *space = process->space;

  if (space == NULL)
    return process->space = space_new (self, NULL);
  if (space->n_users == 1)
    return space;
  process->space = space_new (self, space->mappings);
  tb_space_unref (space);
  return process->space;
}

void
tb_recorder_map (TbRecorder *self, const TbEvent *event)
{
  guint32 process_id;
  TbProcessRecord *process;
  TbSpaceMapping mapping;
  TbSpace *space;

  if (event->module < self->modules.records->len
      && g_array_index (self->modules.records, TbModuleRecord, event->module).kind
             == TB_MODULE_KERNEL)
    return; /* the kernel's frames are addresses and need no mapping */
  process_id = tb_recorder_get_process (self, event->host, event->pid);
  if (event->b == 0 || event->a > G_MAXUINT64 - event->b)
    return; /* contains no address */
  if (process_id == TB_ID_NONE || event->module >= self->modules.records->len)
    {
      tb_recorder_count_mismatch (self, process_id == TB_ID_NONE ? TB_MISMATCH_ADDRESS_SPACE
                                                                 : TB_MISMATCH_REFERENCE);
      return;
    }
  mapping = (TbSpaceMapping) {
    .start = event->a,
    .end = event->a + event->b,
    .module = get_own_module (self, process_id, event->module),
    .order = self->mapping_order++,
  };
  process = &g_array_index (self->processes.records, TbProcessRecord, process_id);
  mapping.offset
      = g_array_index (self->modules.records, TbModuleRecord, mapping.module).kind == TB_MODULE_FILE
            ? event->c
            : event->a;
  if (process->space != NULL && is_mapped_already (process->space, &mapping))
    return;
  if (self->n_mappings >= MAX_MAPPINGS
      || (process->space != NULL && process->space->mappings->len >= MAX_MAPPINGS_A_SPACE))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_MAPPINGS);
      return;
    }
  space = get_own_space (self, process);
  if (insert_mapping (space, &mapping) || space->had_unmapped)
    {
      space->generation = ++self->generations;
      space->had_unmapped = FALSE;
    }
  tb_session_writer_put_mapping (self->writer, process_id, event->time, mapping.start, event->b,
                                 event->c, mapping.module);
}

/* Clears the space at an exec. Mappings with an order of at least first_order belong to the new
 * program already. */
void
tb_recorder_clear_space (TbRecorder *self, TbProcessRecord *process, guint32 first_order)
{
  TbSpace *space = process->space;
  g_autoptr (GArray) kept = NULL;

  if (space == NULL)
    return;
  for (guint i = 0; i < space->mappings->len; i++)
    if (g_array_index (space->mappings, TbSpaceMapping, i).order >= first_order)
      {
        if (kept == NULL)
          kept = g_array_new (FALSE, FALSE, sizeof (TbSpaceMapping));
        g_array_append_val (kept, g_array_index (space->mappings, TbSpaceMapping, i));
      }
  process->space = kept != NULL ? space_new (self, kept) : NULL;
  tb_space_unref (space);
}
