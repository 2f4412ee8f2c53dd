/* test-perf-data-file-locks.c: test of the tracepoints of file locks in perf.data files: their
 * requests and results, and the names of the locked files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-checks.h"
#include "perf-data-scenario.h"

#define MMAP_DATA (1 << 13)
#define DEVICE (8u << 20 | 1)
#define TO_THE_END G_MAXINT64

enum
{
  READ,
  WRITE,
  RELEASE
};

/* The fields before and since Linux 6.9; here with the same offsets. */
#define LOCK_FORMAT(name, id, prefix)                                                              \
  "name: " name "\nID: " id "\n" COMMON                                                            \
  "\tfield:struct file_lock * fl;\toffset:8;\tsize:8;\tsigned:0;\n"                                \
  "\tfield:unsigned long i_ino;\toffset:16;\tsize:8;\tsigned:0;\n"                                 \
  "\tfield:dev_t s_dev;\toffset:24;\tsize:4;\tsigned:0;\n"                                         \
  "\tfield:unsigned char " prefix "type;\toffset:28;\tsize:1;\tsigned:0;\n"                        \
  "\tfield:fl_owner_t " prefix "owner;\toffset:32;\tsize:8;\tsigned:0;\n"                          \
  "\tfield:loff_t fl_start;\toffset:40;\tsize:8;\tsigned:1;\n"                                     \
  "\tfield:loff_t fl_end;\toffset:48;\tsize:8;\tsigned:1;\n"                                       \
  "\tfield:int ret;\toffset:56;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n"

enum
{
  FLOCK,
  FCNTL,
  SUMMARY,
  CLOSE,
  CONTEXT
};

static const struct
{
  const char *name;
  const char *format;
  const char *old_format;
} tracepoints[] = {
  { "filelock:flock_lock_inode", LOCK_FORMAT ("flock_lock_inode", "400", ""),
    LOCK_FORMAT ("flock_lock_inode", "400", "fl_") },
  { "filelock:posix_lock_inode", LOCK_FORMAT ("posix_lock_inode", "401", ""),
    LOCK_FORMAT ("posix_lock_inode", "401", "fl_") },
  { "filelock:fcntl_setlk", LOCK_FORMAT ("fcntl_setlk", "402", ""),
    LOCK_FORMAT ("fcntl_setlk", "402", "fl_") },
  { "filelock:locks_remove_posix", LOCK_FORMAT ("locks_remove_posix", "403", ""),
    LOCK_FORMAT ("locks_remove_posix", "403", "fl_") },
  { "filelock:locks_get_lock_context", LOCK_FORMAT ("locks_get_lock_context", "404", ""),
    LOCK_FORMAT ("locks_get_lock_context", "404", "fl_") },
};

/* A recording of some of the tracepoints, by bit. */
static Writer *
begin (gboolean big_endian, gboolean is_old, guint which)
{
  Writer *writer = writer_new (big_endian, WRITER_FILE, WRITER_PLAIN);

  writer->feature_bits = ALL_FEATURES;
  for (guint i = 0; i < G_N_ELEMENTS (tracepoints); i++)
    if (which >> i & 1)
      {
        writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 400 + i, 1, USUAL | PERF_SAMPLE_RAW,
                         tracepoints[i].name);
        writer_add_format (writer, "filelock",
                           is_old ? tracepoints[i].old_format : tracepoints[i].format);
      }
  return writer;
}

typedef struct
{
  guint tracepoint;
  guint64 time;
  guint64 inode;
  guint8 mode;
  guint64 owner;
  gint64 from;
  gint64 to;
  gint32 result;
} Lock;

static void
add_lock (Writer *writer, const Lock *lock)
{
  SampleHead head = { 1, 7, 8, lock->time, 0, NULL, 0 };

  for (guint i = 0; i < writer->n_attrs; i++)
    {
      if (writer->attrs[i].config != 400 + lock->tracepoint)
        continue;
      begin_sample (writer, &writer->attrs[i], &head, PERF_RECORD_MISC_KERNEL);
      begin_raw (writer, 400 + lock->tracepoint, 0, 8);
      put_u64 (writer, 0x1234);
      put_u64 (writer, lock->inode);
      put_u32 (writer, DEVICE);
      put_u8 (writer, lock->mode);
      for (guint k = 0; k < 3; k++)
        put_u8 (writer, 0xee);
      put_u64 (writer, lock->owner);
      put_u64 (writer, lock->from);
      put_u64 (writer, lock->to);
      put_u32 (writer, lock->result);
      end_tracepoint (writer);
    }
}

static void
add_mapping (Writer *writer, guint16 misc, guint64 inode, const char *path, guint64 time)
{
  writer_begin (writer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | misc);
  put_u32 (writer, 7);
  put_u32 (writer, 7);
  put_u64 (writer, 0x7f0000);
  put_u64 (writer, 0x2000);
  put_u64 (writer, 0);
  put_u32 (writer, DEVICE >> 20);
  put_u32 (writer, DEVICE & 0xfffff);
  put_u64 (writer, inode);
  put_u64 (writer, 0);
  put_u32 (writer, misc & MMAP_DATA ? 1 : 5);
  put_u32 (writer, 2);
  put_text (writer, path);
  writer_put_trailer (writer, &writer->attrs[0], 7, 7, time, 0);
  writer_end (writer);
}

static const Lock story[] = {
  { FLOCK, 110, 50, WRITE, 1, 0, TO_THE_END, 0 }, { FLOCK, 120, 50, READ, 2, 0, TO_THE_END, -11 },
  { FLOCK, 130, 50, WRITE, 3, 0, TO_THE_END, 1 }, { FLOCK, 140, 50, RELEASE, 1, 0, TO_THE_END, 0 },
  { FCNTL, 150, 60, WRITE, 4, 10, 19, 0 },        { SUMMARY, 151, 60, WRITE, 4, 10, 19, 0 },
  { FCNTL, 160, 60, WRITE, 5, 10, 10, -37 },      { FCNTL, 170, 70, RELEASE, 4, 0, 5, 0 },
  { CLOSE, 171, 70, RELEASE, 4, 0, 5, 0 },        { FCNTL, 180, 80, 3, 4, 0, 5, 0 },
  { FCNTL, 190, 0, READ, 0, 0, 0, -22 },
};

/* What was recorded, from both kinds of kernels; what another tracepoint repeats is left out, as is
 * what is no request. */
static void
test_requests (void)
{
  for (guint form = 0; form < 4; form++)
    {
      g_autoptr (Writer) writer = begin (form & 1, form >> 1, 0xf);
      g_autoptr (TbRecorder) recorder = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (story); i++)
        add_lock (writer, &story[i]);
      recorder = import_writer (writer);
      g_assert_cmpstr (recorder_log_get_text (recorder), ==,
                       "110 0 7/8 file-lock flags=1 1 0 9223372036854775807 'file:[8:1:50]'\n"
                       "120 0 7/8 file-lock flags=16 2 0 9223372036854775807 'file:[8:1:50]'\n"
                       "130 0 7/8 file-lock flags=33 3 0 9223372036854775807 'file:[8:1:50]'\n"
                       "140 0 7/8 file-lock flags=2 1 0 9223372036854775807 'file:[8:1:50]'\n"
                       "150 0 7/8 file-lock code=1 flags=1 4 10 19 'file:[8:1:60]'\n"
                       "160 0 7/8 file-lock code=1 flags=49 5 10 10 'file:[8:1:60]'\n"
                       "170 0 7/8 file-lock code=1 flags=2 4 0 5 'file:[8:1:70]'\n");
    }
}

/* Without the tracepoint that has every request, the ends of calls have the results. */
static void
test_summaries (void)
{
  g_autoptr (Writer) writer = begin (FALSE, FALSE, 1 << SUMMARY | 1 << CLOSE);
  g_autoptr (TbRecorder) recorder = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (story); i++)
    add_lock (writer, &story[i]);
  recorder = import_writer (writer);
  g_assert_cmpstr (recorder_log_get_text (recorder), ==,
                   "151 0 7/8 file-lock code=1 flags=1 4 10 19 'file:[8:1:60]'\n"
                   "171 0 7/8 file-lock code=1 flags=2 4 0 5 'file:[8:1:70]'\n");
}

/* A mapping, of code or of data, has the path of a file that is locked later. A file keeps the name
 * under which it was locked first. */
static void
test_paths (void)
{
  g_autoptr (Writer) writer = begin (FALSE, FALSE, 1 << FCNTL);
  g_autoptr (TbRecorder) recorder = NULL;
  const char *text;

  add_mapping (writer, 0, 50, "/usr/bin/program", 90);
  add_mapping (writer, MMAP_DATA, 60, "/srv/data", 91);
  add_mapping (writer, MMAP_DATA, 0, "/no/file", 92);

  for (guint i = 0; i < 3; i++)
    add_lock (writer, &(Lock) { FCNTL, 100 + i, 50 + 10 * i, WRITE, 1, 0, 9, 0 });
  add_mapping (writer, MMAP_DATA, 70, "/srv/late", 160);
  add_lock (writer, &(Lock) { FCNTL, 170, 70, RELEASE, 1, 0, 9, 0 });
  recorder = import_writer (writer);
  text = recorder_log_get_text (recorder);
  assert_contains (text, "100 0 7/8 file-lock code=1 flags=1 1 0 9 '/usr/bin/program'\n");
  assert_contains (text, "101 0 7/8 file-lock code=1 flags=1 1 0 9 '/srv/data'\n");
  assert_contains (text, "102 0 7/8 file-lock code=1 flags=1 1 0 9 'file:[8:1:70]'\n");
  assert_contains (text, "170 0 7/8 file-lock code=1 flags=2 1 0 9 'file:[8:1:70]'\n");
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MAPPING), ==, 1);
}

/* The tracepoint of the file's own list of locks is no request. */
static void
test_marks (void)
{
  g_autoptr (Writer) writer = begin (FALSE, FALSE, 1 << CONTEXT);
  g_autoptr (TbRecorder) recorder = NULL;

  add_lock (writer, &(Lock) { CONTEXT, 100, 50, WRITE, 1, 0, 9, 0 });
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_FILE_LOCK), ==, 0);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MARK), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-file-locks/requests", test_requests);
  g_test_add_func ("/perf-data-file-locks/summaries", test_summaries);
  g_test_add_func ("/perf-data-file-locks/paths", test_paths);
  g_test_add_func ("/perf-data-file-locks/marks", test_marks);
  return g_test_run ();
}
