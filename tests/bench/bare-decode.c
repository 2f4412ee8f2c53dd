/* bare-decode.c: lower bound of the time to read a perf.data file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It decodes what a session needs of each sample, and sorts. Import speed is reported as a ratio to
 * this time, which holds on any machine. The files have one byte order and no compression, and
 * their events have the same fixed fields.
 */

#include "config.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb-perf-file.h"

typedef struct
{
  gint64 time;
  gint32 tid;
  guint32 cpu;
  guint64 chain;
} Sample;

static guint64
hash_chain (const guint8 *at, guint64 n)
{
  guint64 hash = n;

  for (guint64 i = 0; i < n; i++)
    hash = (hash ^ tb_perf_u64 (at + i * 8, FALSE)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash;
}

static int
compare (const void *a, const void *b)
{
  const Sample *one = a, *other = b;

  return one->time < other->time ? -1 : one->time > other->time;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) input = argc == 2 ? g_file_new_for_commandline_arg (argv[1]) : NULL;
  g_autoptr (TbPerfFile) file = input ? tb_perf_file_open (input, NULL, &error) : NULL;
  g_autofree Sample *samples = NULL;
  const TbPerfLayout *layout;
  gsize n = 0, capacity = 1 << 20;
  gint64 start = g_get_monotonic_time ();

  if (file == NULL)
    {
      fprintf (stderr, "bare-decode: %s\n",
               error ? error->message : "usage: bare-decode PERF.DATA");
      return 1;
    }
  layout = &tb_perf_file_get_attr (file, 0)->layout;
  samples = g_new (Sample, capacity);
  for (const guint8 *at = file->bytes + file->data_from, *end = file->bytes + file->data_to;
       end - at >= 8;)
    {
      guint16 size = tb_perf_u16 (at + 6, FALSE);

      __builtin_prefetch (at + 1024);
      if (size < 8 || size > end - at)
        break;
      if (tb_perf_u32 (at, FALSE) == PERF_RECORD_SAMPLE)
        {
          guint64 id = tb_perf_u64 (at + layout->id, FALSE);
          const TbPerfAttr *attr = tb_perf_file_find_attr (file, id);
          TbPerfSample sample;

          if (n == capacity)
            samples = g_renew (Sample, samples, capacity *= 2);
          if (attr != NULL && tb_perf_attr_read_sample (attr, at, size, FALSE, &sample))
            samples[n++] = (Sample) { tb_perf_u64 (at + layout->time, FALSE),
                                      tb_perf_u32 (at + layout->task + 4, FALSE),
                                      tb_perf_u32 (at + layout->cpu, FALSE),
                                      hash_chain (sample.chain, sample.n_chain) };
        }
      at += size;
    }
  /* glibc's qsort() is a merge sort, and the samples are a few long runs. */
  qsort (samples, n, sizeof *samples, compare);
  printf ("seconds %.6f samples %zu\n", (g_get_monotonic_time () - start) / 1e6, n);
  return 0;
}
