/* tb-perf-file.h: a perf.data file (or stream): byte order, events and their ids, features, names;
 * the position of its records, which TbPerfImport reads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-perf-attr.h"
#include "tb-perf-tracepoint-format.h"
#include "tb-perf-input.h"

G_BEGIN_DECLS

/* Records that the perf tool writes, in addition to those of perf_event_open(2). */
typedef enum
{
  TB_PERF_RECORD_CALLCHAIN_DEFERRED = 22, /* of the kernel, since Linux 6.19 */
  TB_PERF_RECORD_USER_FIRST = 64,
  TB_PERF_RECORD_ATTR = 64,
  TB_PERF_RECORD_EVENT_TYPE,
  TB_PERF_RECORD_TRACING_DATA,
  TB_PERF_RECORD_BUILD_ID,
  TB_PERF_RECORD_FINISHED_ROUND,
  TB_PERF_RECORD_ID_INDEX,
  TB_PERF_RECORD_AUXTRACE_INFO,
  TB_PERF_RECORD_AUXTRACE,
  TB_PERF_RECORD_AUXTRACE_ERROR,
  TB_PERF_RECORD_THREAD_MAP,
  TB_PERF_RECORD_CPU_MAP,
  TB_PERF_RECORD_STAT_CONFIG,
  TB_PERF_RECORD_STAT,
  TB_PERF_RECORD_STAT_ROUND,
  TB_PERF_RECORD_EVENT_UPDATE,
  TB_PERF_RECORD_TIME_CONV,
  TB_PERF_RECORD_FEATURE,
  TB_PERF_RECORD_COMPRESSED,
  TB_PERF_RECORD_FINISHED_INIT,
  TB_PERF_RECORD_COMPRESSED2,
  TB_PERF_RECORD_BPF_METADATA,
  TB_PERF_RECORD_SCHEDSTAT_CPU,
  TB_PERF_RECORD_SCHEDSTAT_DOMAIN,
  TB_PERF_N_RECORDS,
} TbPerfRecordType;

#define TB_PERF_HEADER_SIZE 8 /* header of a record: u32 type, u16 misc, u16 size */

/* Open-addressing table from event ids to attributes. */
typedef struct
{
  guint64 *ids;
  guint16 *attrs; /* index + 1, 0 if the slot is free */
  gsize mask;
  gsize n;
} TbPerfIds;

/**
 * TbPerfPart:
 *
 * A further file of records, without a header, in a folder that "perf record --threads" wrote.
 */
typedef struct
{
  char *name;
  TbPerfInput map;
} TbPerfPart;

typedef struct _TbPerfSymbols TbPerfSymbols;

/**
 * TbPerfFile:
 * @data_from: offset of the first record, @data_to the offset after the last
 * @has_parts: most records are in further files of the folder
 * @parts: (element-type TbPerfPart): those of them that were found
 * @attrs: (element-type TbPerfAttr)
 * @build_ids: path → hexadecimal digits
 * @first_sample: time of the first sample, @last_sample of the last one; 0 if unknown
 * @written: time of the last change of the file, in ns of the wall clock; 0 if unknown
 * @clock_wall: wall-clock time at the time @clock_own of the file's clock; 0 if unknown
 */
typedef struct
{
  char *name;
  const guint8 *bytes;
  gsize size;
  gboolean swap;
  gboolean is_pipe;
  TbPerfInput map; /* %NULL bytes if they are the caller's */
  gboolean cut_short;
  guint64 data_from;
  guint64 data_to;
  gboolean has_parts;
  GArray *parts;
  GArray *attrs;
  TbPerfIds ids;
  TbPerfFormats *formats;
  GHashTable *build_ids;
  TbPerfSymbols *symbols; /* names that came with the file */
  char *host_name;
  char *os_release;
  char *arch;
  char *perf_version;
  gboolean is_simpleperf; /* recorded by Android's simpleperf */
  char *simpleperf_version;
  GStrv command_line; /* perf's own, NULL if unknown */
  guint n_cpus;
  guint64 first_sample;
  guint64 last_sample;
  guint64 clock_wall;
  guint64 clock_own;
  gint64 written;
  GPtrArray *warnings;
} TbPerfFile;

/* Maps the file, or the files of a folder, and reads all data outside the records. */
TbPerfFile *tb_perf_file_open (GFile *file, GCancellable *cancellable, GError **error);
/* Likewise for bytes in memory, which must live as long as the returned object. */
TbPerfFile *
tb_perf_file_open_bytes (const guint8 *bytes, gsize size, const char *name, GError **error);
/* Adds a further file of records. Takes ownership of the name and the mapping. */
void tb_perf_file_add_part (TbPerfFile *self, char *name, TbPerfInput map);
void tb_perf_file_free (TbPerfFile *self);

/* Returns 0…100: the confidence that these are the first bytes of a perf.data file. */
int tb_perf_file_sniff (const guint8 *head, gsize length);

static inline TbPerfAttr *
tb_perf_file_get_attr (const TbPerfFile *self, guint index)
{
  return &g_array_index (self->attrs, TbPerfAttr, index);
}

/* Returns the attribute of an event id, NULL if there is none. */
static inline TbPerfAttr *
tb_perf_file_find_attr (const TbPerfFile *self, guint64 id)
{
  gsize at = (gsize) (id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 20) & self->ids.mask;

  while (self->ids.attrs[at] != 0)
    {
      if (self->ids.ids[at] == id)
        return tb_perf_file_get_attr (self, self->ids.attrs[at] - 1);
      at = (at + 1) & self->ids.mask;
    }
  return NULL;
}

/* Reads file-wide data (events, features, build IDs, names) from a record of the perf tool; other
 * records are ignored. */
void tb_perf_file_apply (TbPerfFile *self, const guint8 *record, gsize size);
/* Adds an ID of the event with that index; ignored if there is no such event. */
void tb_perf_file_add_id (TbPerfFile *self, guint64 id, guint64 attr);
/* Number of bytes that follow a record and are not included in its size, such as AUX data. */
guint64 tb_perf_file_get_payload (const TbPerfFile *self, const guint8 *record, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPerfFile, tb_perf_file_free)

G_END_DECLS
