/* test-agent-file-locks.c: test of the tracepoints of file locks: their translation into records,
 * and the paths of files by their numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/perf/tb-agent-perf-file-locks.h"

/* The fields that are read, one behind the other */
typedef struct
{
  guint32 device;
  gint32 result;
  guint64 inode;
  guint64 owner;
  gint64 from;
  gint64 to;
  guint8 type;
  guint8 padding[7];
} Raw;

#define FIELD(member) { G_STRUCT_OFFSET (Raw, member), sizeof ((Raw *) NULL)->member, 0, 0 }

typedef struct
{
  TbAgent agent;
  char *folder;
  char *path;
  int file;
  Raw raw;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  const TbAgentField fields[] = { FIELD (device), FIELD (inode), FIELD (owner), FIELD (type),
                                  FIELD (from),   FIELD (to),    FIELD (result) };
  TbAgent *agent = &self->agent;
  struct stat status;

  agent->output = tb_agent_output_new (memfd_create ("stream", MFD_CLOEXEC), 1 << 20, 0);
  for (guint event = TB_AGENT_FLOCK; event <= TB_AGENT_FCNTL_LOCK; event++)
    memcpy (agent->perf.setup[event].fields, fields, sizeof fields);
  self->folder = g_dir_make_tmp ("tailback-test-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->path = g_build_filename (self->folder, "locked file", NULL);
  self->file = g_open (self->path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_assert_cmpint (self->file, >=, 0);
  g_assert_cmpint (fstat (self->file, &status), ==, 0);
  self->raw = (Raw) { .device = major (status.st_dev) << 20 | minor (status.st_dev),
                      .inode = status.st_ino,
                      .owner = 7,
                      .from = 10,
                      .to = 19,
                      .type = F_WRLCK };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->file >= 0)
    close (self->file);
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
  tb_agent_map_clear (&self->agent.perf.locked_files);
  tb_agent_output_close (self->agent.output);
}

static TbCaptureRecord
translate (Fixture *self, TbAgentEvent event, guint64 time)
{
  TbCaptureRecord record = { .time = time };

  g_assert_true (tb_agent_file_locks_translate (&self->agent, event, &record,
                                                (const guint8 *) &self->raw, sizeof self->raw,
                                                getpid ()));
  g_assert_cmpint (record.type, ==, TB_CAPTURE_FILE_LOCK);
  return record;
}

static guint32
intern (Fixture *self, const char *text)
{
  return tb_agent_output_intern_string (self->agent.output, text, strlen (text));
}

/* The description of a tracepoint has other names of its fields since Linux 6.9. */
static void
test_fields (void)
{
  static const char before[] = "\tfield:fl_owner_t fl_owner;\toffset:40;\tsize:8;\tsigned:0;\n"
                               "\tfield:loff_t fl_start;\toffset:64;\tsize:8;\tsigned:1;\n";
  static const char since[] = "\tfield:fl_owner_t owner;\toffset:48;\tsize:8;\tsigned:0;\n"
                              "\tfield:loff_t fl_start;\toffset:72;\tsize:8;\tsigned:1;\n";

  g_assert_cmpint (tb_agent_file_locks_find_field (before, "owner").offset, ==, 40);
  g_assert_cmpint (tb_agent_file_locks_find_field (since, "owner").offset, ==, 48);
  g_assert_cmpint (tb_agent_file_locks_find_field (before, "fl_start").offset, ==, 64);
  g_assert_cmpint (tb_agent_file_locks_find_field (since, "fl_start").offset, ==, 72);
  g_assert_cmpint (tb_agent_file_locks_find_field (since, "type").size, ==, 0);
}

static void
test_results (Fixture *self, gconstpointer data)
{
  static const struct
  {
    int result;
    int expected;
  } results[] = { { 0, TB_CAPTURE_LOCK_DONE },
                  { 1, TB_CAPTURE_LOCK_WAITS },
                  { -EAGAIN, TB_CAPTURE_LOCK_REFUSED },
                  { -ENOLCK, TB_CAPTURE_LOCK_FAILED } };
  TbCaptureRecord record;

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      self->raw.result = results[i].result;
      record = translate (self, TB_AGENT_FCNTL_LOCK, 1);
      g_assert_cmpint (record.file_lock.result, ==, results[i].expected);
    }
  g_assert_cmpint (record.file_lock.call, ==, TB_CAPTURE_LOCK_FCNTL);
  g_assert_cmpint (record.file_lock.mode, ==, TB_CAPTURE_LOCK_EXCLUSIVE);
  g_assert_cmpuint (record.file_lock.owner, ==, 7);
  g_assert_cmpuint (record.file_lock.from, ==, 10);
  g_assert_cmpuint (record.file_lock.to, ==, 19);
  self->raw.type = F_UNLCK;
  record = translate (self, TB_AGENT_FLOCK, 1);
  g_assert_cmpint (record.file_lock.call, ==, TB_CAPTURE_LOCK_FLOCK);
  g_assert_cmpint (record.file_lock.mode, ==, TB_CAPTURE_LOCK_RELEASE);
  /* No request for a lock has another type, nor is a record valid that is too short. */
  self->raw.type = 3;
  g_assert_false (tb_agent_file_locks_translate (&self->agent, TB_AGENT_FLOCK, &record,
                                                 (const guint8 *) &self->raw, sizeof self->raw,
                                                 getpid ()));
  self->raw.type = F_WRLCK;
  g_assert_false (tb_agent_file_locks_translate (&self->agent, TB_AGENT_FLOCK, &record,
                                                 (const guint8 *) &self->raw,
                                                 G_STRUCT_OFFSET (Raw, type), getpid ()));
}

/* A path stays known when the file is closed, as it is where a process exits. */
static void
test_path (Fixture *self, gconstpointer data)
{
  TbCaptureRecord record = translate (self, TB_AGENT_FLOCK, 1);

  g_assert_cmpuint (record.file_lock.file, ==, intern (self, self->path));
  close (self->file);
  self->file = -1;
  record = translate (self, TB_AGENT_FLOCK, G_GINT64_CONSTANT (5000000000));
  g_assert_cmpuint (record.file_lock.file, ==, intern (self, self->path));
}

/* A file that no descriptor shows has its numbers; it is looked for again some time later. */
static void
test_unknown_path (Fixture *self, gconstpointer data)
{
  g_autofree char *numbers
      = g_strdup_printf ("file:[%u:%u:%" G_GUINT64_FORMAT "]", self->raw.device >> 20,
                         self->raw.device & 0xfffff, self->raw.inode);
  TbCaptureRecord record;

  close (self->file);
  record = translate (self, TB_AGENT_FLOCK, 1);
  g_assert_cmpuint (record.file_lock.file, ==, intern (self, numbers));
  self->file = g_open (self->path, O_RDWR | O_CLOEXEC);
  record = translate (self, TB_AGENT_FLOCK, 1000);
  g_assert_cmpuint (record.file_lock.file, ==, intern (self, numbers));
  record = translate (self, TB_AGENT_FLOCK, 100000000);
  g_assert_cmpuint (record.file_lock.file, ==, intern (self, self->path));
}

/* What fstat() shows of a file may be other numbers than those of the kernel, as in overlayfs: then
 * /proc/PID/fdinfo and the mounts have them. */
static void
test_path_by_info (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-test-XXXXXX", NULL);
  g_autofree char *process = g_build_filename (folder, "process", NULL);
  g_autofree char *fd = g_build_filename (process, "fd", NULL);
  g_autofree char *fdinfo = g_build_filename (process, "fdinfo", NULL);
  g_autofree char *link = g_build_filename (fd, "9", NULL);
  g_autofree char *info = g_build_filename (fdinfo, "9", NULL);
  g_autofree char *mounts = g_build_filename (process, "mountinfo", NULL);
  char path[64];

  g_assert_cmpint (g_mkdir (process, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fd, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fdinfo, 0700), ==, 0);
  g_assert_cmpint (symlink ("/no/such/file", link), ==, 0);
  g_assert_true (
      g_file_set_contents (info, "pos:\t0\nflags:\t02\nmnt_id:\t31\nino:\t1234\n", -1, NULL));
  g_assert_true (g_file_set_contents (mounts,
                                      "3 1 8:1 / / rw - ext4 /dev/a rw\n"
                                      "31 3 0:52 / /data rw - overlay overlay rw\n",
                                      -1, NULL));
  g_assert_cmpuint (tb_agent_file_locks_find_path (process, 52, 1234, path, sizeof path), ==, 13);
  g_assert_cmpmem (path, 13, "/no/such/file", 13);
  g_assert_cmpuint (tb_agent_file_locks_find_path (process, 53, 1234, path, sizeof path), ==, 0);
  g_assert_cmpuint (tb_agent_file_locks_find_path (process, 52, 123, path, sizeof path), ==, 0);
  g_assert_cmpuint (tb_agent_file_locks_find_path (process, 52, 1234, path, 13), ==, 0);
  g_assert_cmpuint (tb_agent_file_locks_find_path (folder, 52, 1234, path, sizeof path), ==, 0);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (g_unlink (i == 0 ? link : i == 1 ? info : mounts), ==, 0);
  g_rmdir (fd);
  g_rmdir (fdinfo);
  g_rmdir (process);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/file-locks/fields", test_fields);
  g_test_add ("/agent/file-locks/results", Fixture, NULL, set_up, test_results, tear_down);
  g_test_add ("/agent/file-locks/path", Fixture, NULL, set_up, test_path, tear_down);
  g_test_add ("/agent/file-locks/unknown-path", Fixture, NULL, set_up, test_unknown_path,
              tear_down);
  g_test_add_func ("/agent/file-locks/path-by-info", test_path_by_info);
  return g_test_run ();
}
