/* tb-perf-import.c: import of the records of a perf.data file into a session: walk over all records
 * (also compressed ones), sorting by time, each passed on to tb-perf-records.c or
 * tb-perf-samples.c, which convert it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "tb-perf-import-private.h"

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>

#include "tb-perf-chain.h"
#include "tb-perf-file-locks.h"
#include "tb-perf-network.h"
#include "tb-perf-polls.h"
#include "tb-perf-sample-times.h"
#include "tb-perf-simpleperf.h"
#include "tb-perf-jit.h"
#include "tb-perf-symbols.h"
#include "tb-perf-tracepoint.h"
#include "tb-perf-unwind.h"

/* perf writes the content of the buffer of each CPU, one after the other, and a "finished round"
 * record after a pass over all of them. Later records are not earlier than the latest record of the
 * previous round. The walk over the records therefore only collects the time and position of each
 * record. At the end of a round, the records that no other can precede any more are sorted (they
 * consist of a few sorted runs, one per CPU) and decoded in place. */

/* Each header leads to the next one. Memory prefetched this far ahead has arrived when its header
 * is reached, and is also in the cache for the decoding soon after. */
#define PREFETCH_AHEAD 3072
#define MAX_PREFETCH 4096
#define CACHE_LINE 64
#define ADVANCE_EVERY 1024
/* Limit of decompressed records that wait: protects against files without rounds and decompression
 * bombs. */
#define MAX_INFLATED ((gsize) 256 << 20)
#define MAX_INFLATED_IN_FOLDER ((gsize) 4 << 30)
/* Number of records that wait for the user parts of their stacks, which may come much later. */
#define MAX_HELD ((gsize) 8 << 20)
/* Maximum time of a record after the last sample according to the file. */
#define TIME_SLACK (G_GINT64_CONSTANT (3600) * 1000000000)

typedef enum
{
  WALK_DONE,    /* at the end of the bytes, or of the complete records */
  WALK_DAMAGED, /* the next bytes are not a record */
  WALK_FAILED,  /* cancelled, or the recorder failed */
} WalkResult;

static void
sort_pending (TbPerfImport *self)
{
  TbPerfPending *from = self->pending, *to = self->scratch;
  GArray *runs = self->runs;
  gsize n = self->n_pending;

  g_array_set_size (runs, 0);
  for (gsize i = 0; i < n; i++)
    if (i == 0 || from[i].time < from[i - 1].time)
      g_array_append_val (runs, i);
  while (runs->len > 1)
    {
      guint n_merged = 0;

      for (guint run = 0; run < runs->len; run += 2)
        {
          gsize start = g_array_index (runs, gsize, run);
          gsize middle = run + 1 < runs->len ? g_array_index (runs, gsize, run + 1) : n;
          gsize end = run + 2 < runs->len ? g_array_index (runs, gsize, run + 2) : n;
          gsize left = start, right = middle, out = start;

          while (left < middle && right < end)
            to[out++] = from[right].time < from[left].time ? from[right++] : from[left++];
          if (left < middle)
            memcpy (to + out, from + left, (middle - left) * sizeof *to);
          else
            memcpy (to + out, from + right, (end - right) * sizeof *to);
          g_array_index (runs, gsize, n_merged++) = start;
        }
      g_array_set_size (runs, n_merged);
      from = to;
      to = from == self->scratch ? self->pending : self->scratch;
    }
  self->pending = from;
  self->scratch = to;
}

/* The records of a folder are all collected before the first of them is decoded. */
static void
report_progress (TbPerfImport *self)
{
  const TbPerfFile *file = self->file;
  double share = self->flushed_share;

  if (self->progress == NULL)
    return;
  if (!file->has_parts && file->data_to > file->data_from)
    share = (double) (self->position - file->data_from) / (file->data_to - file->data_from);
  self->progress (share, _ ("Reading records"), self->progress_data);
}

static gboolean
advance (TbPerfImport *self, gint64 time, GError **error)
{
  if (!tb_recorder_advance (self->recorder, time, error))
    return FALSE;
  tb_perf_arena_advance (&self->arena, time);
  if (self->inflate != NULL)
    tb_perf_inflate_advance (self->inflate, time);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  report_progress (self);
  return TRUE;
}

/* Records without a time describe the state at the start: they get the time of the first record
 * that has one. */
static void
decode (TbPerfImport *self, const TbPerfPending *pending)
{
  const guint8 *record = pending->record;
  guint32 type = tb_perf_u32 (record, self->swap);
  gsize size = tb_perf_u16 (record + 6, self->swap);
  gboolean listed = pending->time <= 0;
  gint64 time = MAX (pending->time, self->first_time);

  if (G_UNLIKELY (time < self->flushed))
    {
      if (type == PERF_RECORD_SAMPLE)
        {
          self->n_late++;
          return;
        }
      time = self->flushed;
    }
  if (G_UNLIKELY (self->jit_time <= time))
    tb_perf_jit_advance (self, time);
  if (G_LIKELY (type == PERF_RECORD_SAMPLE))
    tb_perf_import_sample (self, record, size, time);
  else
    {
      self->has_switch_records |= type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE;
      tb_perf_import_record (self, record, size, time, listed);
    }
}

/* perf lists existing tasks after it has begun to record. Tasks that begin in between are reported
 * twice. Tasks that end in between are not listed, although they existed. */
static void
find_new_threads (TbPerfImport *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) ended = g_hash_table_new (NULL, NULL);

  self->new_threads = g_hash_table_new (NULL, NULL);
  for (gsize i = 0; i < self->n_pending; i++)
    {
      const guint8 *record = self->pending[i].record;
      guint32 type = tb_perf_u32 (record, self->swap);
      gboolean listed = self->pending[i].time <= 0;
      gpointer tid;

      tb_perf_switches_find_scope (self->switches, type);
      if ((type != PERF_RECORD_FORK && type != PERF_RECORD_EXIT && type != PERF_RECORD_COMM)
          || tb_perf_u16 (record + 6, self->swap) < 24)
        continue;
      tid = GUINT_TO_POINTER (
          tb_perf_u32 (record + (type == PERF_RECORD_COMM ? 12 : 16), self->swap));
      if (type == PERF_RECORD_EXIT && !g_hash_table_contains (known, tid))
        tb_perf_import_add_existing_thread (self, record);
      if (type == PERF_RECORD_EXIT)
        g_hash_table_add (ended, tid);
      else if (type == PERF_RECORD_FORK && !listed && !g_hash_table_contains (ended, tid))
        g_hash_table_add (self->new_threads, tid);
      g_hash_table_add (known, tid);
    }
}

/* Descriptions that are later than all events do not extend the recording. */
static void
end_descriptions (TbPerfImport *self)
{
  for (gsize i = self->n_pending; i > 0 && self->pending[i - 1].time > self->latest; i--)
    self->pending[i - 1].time = self->latest;
}

/* Passes all records up to and including the time limit to the recorder. */
static gboolean
flush (TbPerfImport *self, gint64 limit, GError **error)
{
  gsize i = 0;

  if (self->n_pending == 0 || (self->first_time < 0 && limit != G_MAXINT64))
    return TRUE;
  sort_pending (self);
  tb_perf_namespace_detect (self->namespace);
  if (self->is_container && limit != G_MAXINT64)
    return TRUE;
  self->first_time = MAX (self->first_time, 0);
  if (limit == G_MAXINT64)
    end_descriptions (self);
  if (self->is_container)
    tb_perf_namespace_learn (self->namespace);
  if (self->new_threads == NULL)
    find_new_threads (self);
  for (; i < self->n_pending && self->pending[i].time <= limit; i++)
    {
      if (i + 8 < self->n_pending)
        {
          __builtin_prefetch (self->pending[i + 8].record);
          __builtin_prefetch (self->pending[i + 8].record + 64);
          __builtin_prefetch (self->pending[i + 8].record + 128);
        }
      decode (self, &self->pending[i]);
      if (i % ADVANCE_EVERY == ADVANCE_EVERY - 1)
        {
          gint64 now = MAX (self->pending[i].time, self->flushed);

          self->flushed_share = (double) i / self->n_pending;
          if (!advance (self, now, error))
            return FALSE;
          self->flushed = now;
        }
    }
  if (i > 0)
    self->flushed = MAX (self->flushed, self->pending[i - 1].time);
  self->n_pending -= i;
  memmove (self->pending, self->pending + i, self->n_pending * sizeof *self->pending);
  return advance (self, self->flushed, error);
}

static gboolean
end_round (TbPerfImport *self, GError **error)
{
  gint64 limit = self->round_end;

  if (self->file->has_parts) /* the other files have records of any time */
    return TRUE;
  if (self->is_container) /* the IDs of threads are joined by all records */
    return TRUE;
  self->round_end = self->latest;
  if (self->deferred != NULL && self->n_pending < MAX_HELD)
    return TRUE;
  return limit > 0 ? flush (self, limit, error) : TRUE;
}

/* Records of these types describe what is there. perf inject, simpleperf and perf itself also write
 * them for other times than that of the recording, such as when a JIT compiler began. */
static gboolean
is_description (guint32 type)
{
  switch (type)
    {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
    case PERF_RECORD_NAMESPACES:
    case PERF_RECORD_KSYMBOL:
    case PERF_RECORD_BPF_EVENT:
    case PERF_RECORD_CGROUP:
    case PERF_RECORD_TEXT_POKE:
      return TRUE;
    default:
      return FALSE;
    }
}

static inline void
push (TbPerfImport *self, gint64 time, const guint8 *record)
{
  if (G_UNLIKELY (self->n_pending == self->capacity))
    {
      self->capacity = MAX (self->capacity * 2, 4096);
      self->pending = g_renew (TbPerfPending, self->pending, self->capacity);
      self->scratch = g_renew (TbPerfPending, self->scratch, self->capacity);
    }
  self->pending[self->n_pending++] = (TbPerfPending) { time, record };
  self->latest_record = MAX (self->latest_record, time);
}

/* Likewise, and extends the time of the recording, unless the record only describes what is
 * there. */
static inline void
push_timed (TbPerfImport *self, gint64 time, const guint8 *record, guint32 type)
{
  push (self, time, record);
  if (G_UNLIKELY (type != PERF_RECORD_SAMPLE && is_description (type)))
    return;
  self->latest = MAX (self->latest, time);
  if (G_UNLIKELY (time > 0 && (self->first_time < 0 || time < self->first_time))
      && self->flushed == 0)
    self->first_time = time;
}

/* "perf record --per-thread" leaves the time out: it is only known that such a sample came after
 * the records before it. */
static gboolean
has_attr_without_time (TbPerfImport *self, const guint8 *record, gsize size)
{
  TbPerfAttr *attr = NULL;

  if (self->file->attrs->len == 1)
    attr = tb_perf_file_get_attr (self->file, 0);
  else if (self->id_offset != TB_PERF_ABSENT && size >= self->id_offset + 8u)
    attr = tb_perf_file_find_attr (self->file, tb_perf_u64 (record + self->id_offset, self->swap));
  return attr != NULL && attr->layout.time == TB_PERF_ABSENT;
}

static gint64
read_time (TbPerfImport *self, const guint8 *record, gsize size, guint32 type)
{
  guint16 at = self->time_offset;

  if (G_LIKELY (type == PERF_RECORD_SAMPLE))
    {
      if (G_UNLIKELY (at == TB_PERF_ABSENT && self->id_offset != TB_PERF_ABSENT
                      && size >= self->id_offset + 8u))
        {
          TbPerfAttr *attr
              = tb_perf_file_find_attr (self->file,
                                        tb_perf_u64 (record + self->id_offset, self->swap));

          at = attr != NULL ? attr->layout.time : TB_PERF_ABSENT;
        }
      if (G_UNLIKELY (at == TB_PERF_ABSENT && has_attr_without_time (self, record, size)))
        {
          self->n_without_time++;
          return self->latest;
        }
      return at != TB_PERF_ABSENT && size >= at + 8u
                 ? (gint64) tb_perf_u64 (record + at, self->swap)
                 : -1;
    }
  at = tb_perf_import_get_tail (self, record, size)->tail_time;
  if (at != TB_PERF_ABSENT && size >= (gsize) TB_PERF_HEADER_SIZE + at)
    return tb_perf_u64 (record + size - at, self->swap);
  /* Older kernels wrote no trailer; only these records had a time. */
  if ((type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT) && size >= 32)
    return tb_perf_u64 (record + 24, self->swap);
  if ((type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE) && size >= 16)
    return tb_perf_u64 (record + 8, self->swap);
  return self->latest;
}

static gsize
get_max_inflated (const TbPerfImport *self)
{
  return self->file->has_parts || self->is_container ? MAX_INFLATED_IN_FOLDER : MAX_INFLATED;
}

/* Adds the user part of a call stack, which the samples of its thread refer to. */
static void
add_deferred (TbPerfImport *self, const guint8 *record, gsize size, gint64 time)
{
  const TbPerfLayout *layout = tb_perf_import_get_tail (self, record, size);
  gint32 tid = 0;

  if (layout->tail_task != TB_PERF_ABSENT
      && size >= TB_PERF_HEADER_SIZE + (gsize) layout->tail_task)
    tid = tb_perf_u32 (record + size - layout->tail_task + 4, self->swap);
  if (layout->trailer < size)
    tb_perf_deferred_add (self->deferred, record, size - layout->trailer, time, tid, self->swap);
}

static WalkResult walk (TbPerfImport *self,
                        const guint8 *from,
                        gsize size,
                        gsize *walked,
                        gboolean inside,
                        GError **error);

static WalkResult
walk_compressed (TbPerfImport *self, const guint8 *at, gsize size, GError **error)
{
  WalkResult result = WALK_DONE;
  const guint8 *from;
  gboolean failed;
  gsize n, walked;

  if (self->inflate == NULL)
    self->inflate = tb_perf_inflate_new ();
  tb_perf_inflate_feed (self->inflate, at, size);
  while (result == WALK_DONE && tb_perf_inflate_next (self->inflate, &from, &n, &failed))
    {
      result = walk (self, from, n, &walked, TRUE, error);
      tb_perf_inflate_consume (self->inflate, walked, self->latest_record);
      if (result == WALK_DONE && tb_perf_inflate_get_size (self->inflate) > get_max_inflated (self)
          && !flush (self, G_MAXINT64, error))
        result = WALK_FAILED;
    }
  if (result == WALK_DONE && failed)
    self->n_undecompressed++;
  return result;
}

/* Handles records that perf wrote, not the kernel. *payload: bytes after the record that are not
 * included in its size. */
static WalkResult
walk_user_record (TbPerfImport *self,
                  const guint8 *record,
                  gsize size,
                  guint32 type,
                  gboolean inside,
                  guint64 *payload,
                  GError **error)
{
  *payload = 0;
  switch (type)
    {
    case TB_PERF_RECORD_FINISHED_ROUND:
      return end_round (self, error) ? WALK_DONE : WALK_FAILED;
    case TB_PERF_RECORD_COMPRESSED:
      return inside ? WALK_DAMAGED
                    : walk_compressed (self, record + TB_PERF_HEADER_SIZE,
                                       size - TB_PERF_HEADER_SIZE, error);
    case TB_PERF_RECORD_COMPRESSED2:
      {
        guint64 length = size >= 16 ? tb_perf_u64 (record + 8, self->swap) : G_MAXUINT64;

        if (inside || length > size - 16)
          return WALK_DAMAGED;
        return walk_compressed (self, record + 16, length, error);
      }
    case TB_PERF_RECORD_AUXTRACE:
      self->skipped[type]++;
      *payload = tb_perf_file_get_payload (self->file, record, size);
      return WALK_DONE;
    case TB_PERF_RECORD_TRACING_DATA:
      *payload = tb_perf_file_get_payload (self->file, record, size);
      return WALK_DONE;
    case TB_PERF_RECORD_STAT:
    case TB_PERF_RECORD_EVENT_UPDATE:
      tb_perf_totals_read (self->totals, record, size);
      return WALK_DONE;
    case TB_PERF_RECORD_ID_INDEX:
      tb_perf_switches_read_id_index (self->switches, record, size);
      self->skipped[type]++;
      return WALK_DONE;
    case TB_PERF_RECORD_ATTR:
    case TB_PERF_RECORD_FEATURE:
    case TB_PERF_RECORD_BUILD_ID:
      /* In a stream these were read before all others. */
      return WALK_DONE;
    default:
      if (!tb_perf_simpleperf_is_record (type)) /* those are read before all others */
        self->skipped[MIN (type, TB_PERF_N_RECORDS)]++;
      return WALK_DONE;
    }
}

/* Size of the record at the start of left bytes; 0 if it is not a record, G_MAXSIZE if it is
 * incomplete. */
static inline gsize
get_record_size (TbPerfImport *self, const guint8 *record, gsize left, guint32 *type)
{
  gsize size = tb_perf_u16 (record + 6, self->swap);

  *type = tb_perf_u32 (record, self->swap);
  /* perf 6.15 and 6.16 wrote a size of 0 for a full 64 KiB. */
  if (G_UNLIKELY (size == 0 && *type == TB_PERF_RECORD_COMPRESSED2 && left >= 16
                  && tb_perf_u64 (record + 8, self->swap) <= 65536 - 16))
    size = 65536;
  if (G_UNLIKELY (tb_perf_simpleperf_is_record (*type)))
    size = tb_perf_simpleperf_get_size (record, self->swap);
  if (G_UNLIKELY (size < TB_PERF_HEADER_SIZE))
    return 0;
  return size <= left ? size : G_MAXSIZE;
}

static WalkResult
walk (TbPerfImport *self,
      const guint8 *from,
      gsize size,
      gsize *walked,
      gboolean inside,
      GError **error)
{
  const guint8 *at = from, *end = from + size;
  WalkResult result = WALK_DONE;

  while (end - at >= TB_PERF_HEADER_SIZE)
    {
      guint64 payload;
      guint32 type;
      gsize length;

      length = get_record_size (self, at, end - at, &type);
      for (gsize line = 0; line < MIN (length, MAX_PREFETCH); line += CACHE_LINE)
        __builtin_prefetch (at + PREFETCH_AHEAD + line);
      if (G_UNLIKELY (length == 0))
        result = WALK_DAMAGED;
      if (G_UNLIKELY (length == 0 || length == G_MAXSIZE))
        break;
      if (G_LIKELY (type < TB_PERF_RECORD_USER_FIRST))
        {
          gint64 time = read_time (self, at, length, type);

          if (G_UNLIKELY (time == 0 && self->listing_is_last))
            {
              at += length;
              continue;
            }
          if (G_UNLIKELY (type == TB_PERF_RECORD_CALLCHAIN_DEFERRED && self->deferred != NULL)
              && time >= 0 && time <= self->time_limit)
            add_deferred (self, at, length, time);
          if (G_UNLIKELY (time < 0 || time > self->time_limit))
            {
              if (type == PERF_RECORD_SAMPLE && !inside
                  && tb_perf_import_keep_sum (self, at, length))
                ;
              else if (type == PERF_RECORD_SAMPLE)
                self->n_malformed++;
              else
                push (self, MAX (self->latest, 0), at);
            }
          else
            {
              push_timed (self, time, at, type);
            }
          at += length;
          continue;
        }
      if (!inside)
        self->position = at - self->section;
      result = walk_user_record (self, at, length, type, inside, &payload, error);
      if (result != WALK_DONE)
        break;
      at += length;
      if (payload > (guint64) (end - at))
        break;
      at += payload;
    }
  *walked = at - from;
  return result;
}

/* If the recording kept only the most recent events (perf record --overwrite), the list of existing
 * tasks is at its end. */
static void
walk_listing (TbPerfImport *self)
{
  const guint8 *at = self->file->bytes + self->file->data_from;
  const guint8 *end = self->file->bytes + self->file->data_to;

  while (end - at >= TB_PERF_HEADER_SIZE)
    {
      guint32 type;
      gsize size = get_record_size (self, at, end - at, &type);
      guint64 payload = 0;

      if (size == 0 || size == G_MAXSIZE)
        return;
      if (type < TB_PERF_RECORD_USER_FIRST && type != PERF_RECORD_SAMPLE
          && read_time (self, at, size, type) == 0)
        push (self, 0, at);
      else if (type >= TB_PERF_RECORD_USER_FIRST)
        payload = tb_perf_file_get_payload (self->file, at, size);
      at += size;
      if (payload > (guint64) (end - at))
        return;
      at += payload;
    }
}

/* A range of bytes that consists of records. */
typedef struct
{
  const char *name; /* of its file */
  const guint8 *bytes;
  guint64 from;
  guint64 to;
} Section;

/* Adds a warning about the record at offset, at which reading ends. */
static void
warn_of_end (TbPerfImport *self, const Section *section, WalkResult result, guint64 offset)
{
  const guint8 *at = section->bytes + offset;
  guint64 left = section->to - offset;

  if (result == WALK_DAMAGED)
    {
      self->is_damaged = TRUE;
      tb_recorder_add_warning (self->recorder,
                               _ ("%s: at offset %" PRIu64
                                  ": expected a record of at least %u bytes, found one "
                                  "of type %u and %u bytes: the file was read up to there."),
                               section->name, offset, TB_PERF_HEADER_SIZE,
                               tb_perf_u32 (at, self->swap), tb_perf_u16 (at + 6, self->swap));
    }
  else
    tb_recorder_add_warning (self->recorder,
                             _ ("%s: at offset %" PRIu64 ": the last record is cut short: the file "
                                "has %" PRIu64 " bytes of it."),
                             section->name, offset, left);
}

static gboolean
only_zeros (const guint8 *at, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (at[i] != 0)
      return FALSE;
  return TRUE;
}

static gboolean
run_section (TbPerfImport *self, const Section *section, GError **error)
{
  TbPerfFile *file = self->file;
  WalkResult result;
  guint64 offset;
  gsize walked = 0;

  self->section = section->bytes;
  result = walk (self, section->bytes + section->from, section->to - section->from, &walked, FALSE,
                 error);
  offset = section->from + walked;
  if (result == WALK_FAILED)
    return FALSE;
  self->position = offset;
  if (offset < section->to)
    {
      guint64 left = section->to - offset;

      /* Zeros are space that a killed perf had allocated in the file but not written. */
      if (!file->cut_short || !only_zeros (section->bytes + offset, left))
        warn_of_end (self, section, result, offset);
      file->cut_short = TRUE;
    }
  if (self->inflate != NULL && tb_perf_inflate_get_left (self->inflate) > 0
      && result != WALK_DAMAGED)
    {
      file->cut_short = TRUE;
      tb_recorder_add_warning (self->recorder,
                               _ ("%s: the compressed records end within a "
                                  "record."),
                               section->name);
    }
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Each file of a folder has a stream of compressed records of its own. */
static gboolean
run_parts (TbPerfImport *self, GError **error)
{
  for (guint i = 0; i < self->file->parts->len; i++)
    {
      const TbPerfPart *part = &g_array_index (self->file->parts, TbPerfPart, i);
      Section section = { part->name, part->map.bytes, 0, part->map.size };
      gint64 latest = self->latest;

      if (part->map.size == 0)
        continue;
      if (self->inflate != NULL)
        tb_perf_inflate_restart (self->inflate);
      self->latest = 0;
      if (!run_section (self, &section, error))
        return FALSE;
      self->latest = MAX (self->latest, latest);
    }
  return TRUE;
}

static gboolean
run (TbPerfImport *self, GError **error)
{
  TbPerfFile *file = self->file;
  Section section = { file->name, file->bytes, file->data_from, file->data_to };

  if (self->listing_is_last)
    walk_listing (self);
  if (!run_section (self, &section, error) || !run_parts (self, error)
      || !flush (self, G_MAXINT64, error))
    return FALSE;
  tb_perf_import_end_listing (self, self->flushed);
  tb_perf_import_end_losses (self);
  tb_perf_import_add_sums (self);
  /* Advances beyond the last event: no waiting event may point into the file when it is closed. */
  return advance (self, self->flushed + 1, error);
}

gint64
tb_perf_import_update_cpu_time (TbPerfImport *self, guint cpu, gint64 time)
{
  gint64 before;

  if (cpu >= self->n_cpu_times)
    return -1;
  before = self->cpu_times[cpu];
  self->cpu_times[cpu] = time;
  return before;
}

/* Finds the common offsets of all events. Usually they are the same for all. */
static void
find_common_offsets (TbPerfImport *self)
{
  const TbPerfLayout *first = &tb_perf_file_get_attr (self->file, 0)->layout;

  self->time_offset = first->time;
  self->id_offset = self->file->attrs->len > 1 ? first->id : TB_PERF_ABSENT;
  /* A damaged time must not be accepted: all later records would be too late. */
  self->time_limit = G_MAXINT64 / 2;
  if (self->file->last_sample > 0 && self->file->last_sample < G_MAXINT64 / 4)
    self->time_limit = self->file->last_sample + TIME_SLACK;
  for (guint i = 0; i < self->file->attrs->len; i++)
    if (tb_perf_attr_has (tb_perf_file_get_attr (self->file, i), TB_PERF_FLAG_WRITE_BACKWARD))
      self->listing_is_last = TRUE;
  for (guint i = 1; i < self->file->attrs->len; i++)
    if (tb_perf_file_get_attr (self->file, i)->layout.time != self->time_offset)
      self->time_offset = TB_PERF_ABSENT;
}

static void
clear (TbPerfImport *self)
{
  g_free (self->pending);
  g_free (self->scratch);
  g_array_unref (self->runs);
  g_clear_pointer (&self->inflate, tb_perf_inflate_free);
  tb_perf_totals_free (self->totals);
  tb_perf_arena_clear (&self->arena);
  g_free (self->cpu_times);
  g_free (self->named);
  g_clear_pointer (&self->tracepoints, g_ptr_array_unref);
  g_clear_pointer (&self->sockets, tb_perf_sockets_free);
  g_clear_pointer (&self->file_locks, tb_perf_file_locks_free);
  g_clear_pointer (&self->sample_times, tb_perf_sample_times_free);
  g_clear_pointer (&self->returning, g_hash_table_unref);
  g_clear_pointer (&self->switches, tb_perf_switches_free);
  g_clear_pointer (&self->namespace, tb_perf_namespace_free);
  g_hash_table_unref (self->devices);
  g_clear_pointer (&self->new_threads, g_hash_table_unref);
  g_hash_table_unref (self->starting);
  g_free (self->command_program);
  g_hash_table_unref (self->found_build_ids);
  g_clear_object (&self->unwinder);
  tb_perf_jit_free (self->jit);
  g_clear_pointer (&self->deferred, tb_perf_deferred_free);
  g_clear_pointer (&self->counts, g_hash_table_unref);
  g_clear_pointer (&self->sums, g_array_unref);
  g_clear_pointer (&self->processes, g_hash_table_unref);
  g_array_unref (self->irqs);
  g_string_free (self->text, TRUE);
  g_free (self->syscall_texts);
  g_free (self->poll_calls);
  g_clear_pointer (&self->polls, tb_perf_polls_free);
}

gboolean
tb_perf_import_run (TbPerfFile *file,
                    TbRecorder *recorder,
                    TbProgressFunc progress,
                    gpointer data,
                    GCancellable *cancellable,
                    GError **error)
{
  TbPerfImport self = {
    .file = file,
    .recorder = recorder,
    .progress = progress,
    .progress_data = data,
    .cancellable = cancellable,
    .swap = file->swap,
    .first_time = -1,
    .position = file->data_from,
  };
  gboolean done;

  self.runs = g_array_new (FALSE, FALSE, sizeof (gsize));
  self.totals = tb_perf_totals_new (file);
  self.n_cpu_times = TB_CPU_ALL;
  self.cpu_times = g_new0 (gint64, self.n_cpu_times);
  self.named = g_malloc0 (TB_PERF_MAX_NAMED / 8);
  self.devices = g_hash_table_new (NULL, NULL);
  self.starting = g_hash_table_new (NULL, NULL);
  self.found_build_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self.irqs = g_array_new (FALSE, TRUE, sizeof (TbPerfIrq));
  self.text = g_string_new (NULL);
  tb_perf_import_set_facts (&self);
  find_common_offsets (&self);
  tb_perf_import_prepare_samples (&self);
  self.switches = tb_perf_switches_new (&self);
  self.namespace = tb_perf_namespace_new (&self);
  self.unwinder = tb_perf_unwind_new (&self);
  self.jit = tb_perf_jit_new ();
  self.jit_time = G_MAXINT64;
  done = run (&self, error);
  if (self.n_without_time > 0)
    tb_recorder_set_fact (recorder, "samples-without-time", "1");
  tb_perf_switches_end (self.switches);
  tb_perf_namespace_end (self.namespace);
  tb_perf_import_set_command (&self);
  tb_perf_symbols_set_facts (file->symbols, recorder);
  tb_perf_jit_set_facts (self.jit, recorder);
  if (done)
    tb_perf_import_warn (&self);
  else
    /* No waiting event may point into memory that is freed now. */
    tb_recorder_advance (recorder, self.flushed + 1, NULL);
  clear (&self);
  return done;
}
