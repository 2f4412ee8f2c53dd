/* tb-trace-causes-requests.c: block I/O requests in service (by thread and device) and lately
 * completed (by CPU), from which the device that caused a wake-up is found
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-causes-private.h"

#define MAX_DEVICES_OF_THREAD 16

static gint64
issue_time (const TbBlockColumns *blocks, guint32 row)
{
  /* A request that completed without an issue event counts as issued when it was inserted. */
  return blocks->issue[row] >= 0 ? blocks->issue[row] : blocks->insert[row];
}

static void
init_issuers (TbCauses *causes)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree gint64 *keys = g_new (gint64, MAX (blocks->n, 1));

  causes->issuers = g_new0 (TbIssuer, MAX (blocks->n, 1));
  causes->issuer_of_row = g_new (guint32, MAX (blocks->n, 1));
  causes->issuer_of_thread = g_new (guint32, MAX (causes->input->n_threads, 1));
  memset (causes->issuer_of_thread, 0xff, sizeof (guint32) * causes->input->n_threads);

  for (gsize row = 0; row < blocks->n; row++)
    {
      guint32 thread = blocks->thread[row];
      gpointer found;

      causes->issuer_of_row[row] = TB_ID_NONE;
      if (thread >= causes->input->n_threads)
        continue;
      keys[row] = (gint64) ((guint64) thread << 32 | blocks->device[row]);
      if (g_hash_table_lookup_extended (known, &keys[row], NULL, &found))
        {
          causes->issuer_of_row[row] = GPOINTER_TO_UINT (found);
          continue;
        }
      causes->issuers[causes->n_issuers] = (TbIssuer) { .device = blocks->device[row],
                                                        .next = causes->issuer_of_thread[thread],
                                                        .last_complete = -1 };
      causes->issuer_of_thread[thread] = causes->n_issuers;
      causes->issuer_of_row[row] = causes->n_issuers;
      g_hash_table_insert (known, &keys[row], GUINT_TO_POINTER (causes->n_issuers));
      causes->n_issuers++;
    }
}

static void
find_only_block_device (TbCauses *causes)
{
  const TbTraceInput *input = causes->input;
  guint n = 0;

  causes->only_block_device = TB_ID_NONE;
  for (guint device = 0; input->device_classes != NULL && device < input->n_devices; device++)
    if (input->device_classes[device] == TB_DEVICE_BLOCK)
      {
        causes->only_block_device = device;
        n++;
      }
  if (n > 1)
    causes->only_block_device = TB_ID_NONE;
}

void
tb_causes_init_requests (TbCauses *causes)
{
  init_issuers (causes);
  find_only_block_device (causes);
}

void
tb_causes_issue (TbCauses *causes, guint32 row)
{
  guint32 issuer = causes->issuer_of_row[row];

  if (issuer != TB_ID_NONE)
    causes->issuers[issuer].in_service++;
}

void
tb_causes_complete (TbCauses *causes, guint32 row)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  guint32 issuer = causes->issuer_of_row[row];
  gint64 time = blocks->complete[row];

  if (issuer != TB_ID_NONE)
    {
      if (issue_time (blocks, row) >= 0 && causes->issuers[issuer].in_service > 0)
        causes->issuers[issuer].in_service--;
      causes->issuers[issuer].last_complete = time;
    }
  if (blocks->cpu[row] < causes->n_cpus)
    {
      TbCpu *cpu = &causes->cpus[blocks->cpu[row]];

      cpu->completions[cpu->n_completions++ % TB_N_COMPLETIONS]
          = (TbCompletion) { time, blocks->device[row] };
    }
}

/* Whether one of the wakee's own requests completes at the same time on that CPU, though its event
 * follows the wake-up. */
static gboolean
find_completing (const TbCauses *causes, guint16 cpu, guint32 wakee, gint64 time, guint32 *device)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  const TbStream *stream = causes->completing;

  for (gsize i = stream != NULL ? stream->i : 0;
       stream != NULL && i < stream->n && i < stream->i + TB_N_COMPLETIONS; i++)
    {
      gsize row = stream->order != NULL ? stream->order[i] : i;

      if (blocks->complete[row] != time)
        break;
      if (blocks->thread[row] == wakee && blocks->cpu[row] == cpu)
        {
          *device = blocks->device[row];
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
tb_causes_find_completion (TbCauses *causes,
                           const TbCpu *cpu,
                           guint32 wakee,
                           gint64 since,
                           gboolean own_only,
                           guint32 *device)
{
  guint n = MIN (cpu->n_completions, TB_N_COMPLETIONS);
  gboolean found = FALSE;

  for (guint i = 1; i <= n; i++)
    {
      const TbCompletion *completion
          = &cpu->completions[(cpu->n_completions - i) % TB_N_COMPLETIONS];
      guint32 issuer
          = wakee < causes->input->n_threads ? causes->issuer_of_thread[wakee] : TB_ID_NONE;

      if (completion->time < since)
        break;
      for (guint devices = 0; issuer != TB_ID_NONE && devices < MAX_DEVICES_OF_THREAD; devices++)
        {
          const TbIssuer *own = &causes->issuers[issuer];

          if (own->device == completion->device
              && (own->in_service > 0 || own->last_complete >= since))
            {
              *device = completion->device;
              return TRUE;
            }
          issuer = own->next;
        }
      if (!found && !own_only)
        {
          *device = completion->device;
          found = TRUE;
        }
    }
  return found;
}

gboolean
tb_causes_find_request (TbCauses *causes,
                        const TbCpu *cpu,
                        guint32 wakeup,
                        gint64 since,
                        gboolean own_only,
                        guint32 *device)
{
  const TbWakeupColumns *wakeups = &causes->input->wakeups;
  guint32 wakee = wakeups->wakee[wakeup];

  return tb_causes_find_completion (causes, cpu, wakee, since, TRUE, device)
         || find_completing (causes, wakeups->cpu[wakeup], wakee, wakeups->time[wakeup], device)
         || (!own_only && tb_causes_find_completion (causes, cpu, wakee, since, FALSE, device));
}

guint32
tb_causes_find_device_in_service (TbCauses *causes, guint32 wakee)
{
  guint32 issuer = wakee < causes->input->n_threads ? causes->issuer_of_thread[wakee] : TB_ID_NONE;

  for (guint devices = 0; issuer != TB_ID_NONE && devices < MAX_DEVICES_OF_THREAD; devices++)
    {
      if (causes->issuers[issuer].in_service > 0)
        return causes->issuers[issuer].device;
      issuer = causes->issuers[issuer].next;
    }
  return causes->only_block_device;
}
