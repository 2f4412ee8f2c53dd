/* test-agent-marks.c: test of programs' marks and their arguments, recorded by BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/tailback-annotate.h"
#include "source-run.h"
#include "symbols/tb-static-probes.h"

#define N_ROUNDS 50u

/* DWARF register numbers. */
#if defined __aarch64__
#  define FIRST_ARGUMENT 0
#else
#  define FIRST_ARGUMENT 5
#endif

/* Sources of arguments. Their names are those in the notes. */
gint32 mark_numbers[4] = { 7, -7, 0x12345678, -1 };

/* Emits the same marks again and again. Operands of unusual forms are written by hand. */
__attribute__ ((noinline, noclone)) static void
emit_marks (guint round, const char *hidden)
{
  tailback_phase_begin ("load");
  tailback_spin_begin (&mark_numbers[round % 4]);
  tailback_release (&mark_numbers[1]);
  tailback_false_wakeup ();
  tailback_work_done ("request", round);
  tailback_work_done (NULL, 1);
  tailback_phase_end (hidden);
#if defined __x86_64__
  TAILBACK_ANNOTATE_PROBE ("operands", "-4@mark_numbers+4(%%rip) 4@4(%0) 8@$-5", "r"(mark_numbers));
  TAILBACK_ANNOTATE_PROBE ("operands", "-1@%b0 2@8(%1,%2,4) 1@$511", "r"(255u), "r"(mark_numbers),
                           "r"(0ul));
#endif
}

/* A process that emits the marks on request, with a text in memory that was never touched. */
static pid_t
start_emitter (int *to, int *from, const char *file)
{
  int in[2], out[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (in), ==, 0);
  g_assert_cmpint (pipe (out), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      close (in[1]);
      while (read (in[0], &byte, 1) == 1)
        {
          int fd = open (file, O_RDONLY);

          for (guint i = 0; i < N_ROUNDS; i++)
            {
              char *hidden = mmap (NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

              emit_marks (i, hidden);
              if (i + 1 < N_ROUNDS)
                munmap (hidden, 4096);
            }
          if (write (out[1], &byte, 1) != 1)
            break;
        }
      _exit (0);
    }
  close (in[0]);
  close (out[1]);
  *to = in[1];
  *from = out[0];
  return pid;
}

static const guint of_size[] = { 0, 0, 1, 0, 2, 0, 0, 0, 3 };

/* Adds a mark for each note of this program. The ID of a mark is `first` plus the index of its
 * note. */
static guint
add_marks (AgentRun *run, GPtrArray *probes, guint32 first, pid_t pid, guint kind)
{
  struct stat status;
  guint n = 0;

  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  for (guint i = 0; i < probes->len; i++)
    {
      const TbStaticProbe *probe = g_ptr_array_index (probes, i);
      TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD, .cpu = TB_CAPTURE_CPU_NONE };
      TbCaptureStatus answer_status;
      int answer;

      record.mark_add.device = status.st_dev;
      record.mark_add.inode = status.st_ino;
      record.mark_add.offset = probe->offset;
      record.mark_add.id = first + i;
      record.mark_add.pid = pid;
      record.mark_add.text
          = g_str_has_prefix (probe->name, "phase") || strcmp (probe->name, "work_done") == 0;
      record.mark_add.stack = strcmp (probe->name, "spin_begin") == 0;
      for (guint j = 0; j < MIN (probe->n_operands, (guint) TB_CAPTURE_MARK_ARGS); j++)
        {
          const TbProbeOperand *operand = &probe->operands[j];

          record.mark_add.operands[j]
              = TB_CAPTURE_OPERAND (operand->kind, of_size[operand->size], operand->is_signed,
                                    operand->shift, operand->base, operand->index);
          record.mark_add.values[j] = (guint64) operand->value;
        }
      agent_run_send (run, &record);
      answer = agent_run_wait_source (run, TB_CAPTURE_SOURCE_MARKS);
      answer_status = agent_run_get_status (run, answer);
      g_test_message ("%s: code %u", probe->name, answer_status.code);
      g_assert_cmpuint (answer_status.kind, ==, kind);
      g_assert_cmpuint (answer_status.id, ==, first + i);
      if (kind == TB_CAPTURE_STATUS_REFUSED)
        g_assert_cmpuint (answer_status.code, ==, TB_CAPTURE_CODE_PROBE_EXISTS);
      else
        g_assert_true (answer_status.code == TB_CAPTURE_CODE_PROBE_EMULATED
                       || answer_status.code == TB_CAPTURE_CODE_PROBE_SINGLE_STEPPED);
      n++;
    }
  return n;
}

static void
check_mark (AgentRun *run,
            const TbCaptureRecord *record,
            const TbStaticProbe *probe,
            guint round,
            guint which)
{
  const TbCaptureMark *mark = &record->mark;
  const char *text = agent_run_get_string (run, mark->text);

  if (strcmp (probe->name, "phase_begin") == 0)
    g_assert_cmpstr (text, ==, "load");
  else if (strcmp (probe->name, "phase_end") == 0 && mark->text != 0)
    g_assert_cmpstr (text, ==, "hidden");
  else if (strcmp (probe->name, "spin_begin") == 0)
    {
      g_assert_cmpuint (mark->args[0], ==, (guintptr) &mark_numbers[round % 4]);
      g_assert_cmpuint (mark->stack, !=, 0);
    }
  else if (strcmp (probe->name, "release") == 0)
    g_assert_cmpuint (mark->args[0], ==, (guintptr) &mark_numbers[1]);
  else if (strcmp (probe->name, "work_done") == 0)
    {
      g_assert_cmpstr (mark->text != 0 ? text : "", ==, which == 0 ? "request" : "");
      g_assert_cmpuint (mark->args[1], ==, which == 0 ? round : 1);
    }
  else if (strcmp (probe->name, "operands") == 0)
    {
      g_assert_cmpint ((gint64) mark->args[0], ==, which == 0 ? -7 : -1);
      g_assert_cmpuint (mark->args[1], ==, which == 0 ? (guint32) -7 : 0x5678);
      g_assert_cmpint ((gint64) mark->args[2], ==, which == 0 ? -5 : 255);
    }
}

static GPtrArray *
read_own (void)
{
  int fd = g_open ("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
  GPtrArray *probes = tb_static_probes_read (fd, "tailback", NULL);

  close (fd);
  g_assert_nonnull (probes);
  return probes;
}

/* Every mark is recorded as often as it was emitted, with its arguments. */
static void
test_marks (void)
{
  g_autofree char *file = NULL;
  g_autoptr (GPtrArray) probes = NULL;
  g_autofree guint *n_seen = NULL;
  int to, from, fd, n_nameless = 0;
  TbCaptureRecord start;
  AgentRun *run;
  pid_t pid;
  char byte = 0;

  if (!agent_run_is_privileged ())
    return;
  if (!TAILBACK_ANNOTATE_ACTIVE)
    {
      g_test_skip ("programs cannot be annotated on this machine");
      return;
    }
  fd = g_file_open_tmp ("tailback-marks-XXXXXX", &file, NULL);
  g_assert_cmpint (write (fd, "hidden", 7), ==, 7);
  close (fd);
  probes = read_own ();
  g_assert_cmpuint (probes->len, >=, 7);
  n_seen = g_new0 (guint, probes->len);
  pid = start_emitter (&to, &from, file);
  start = source_run_make_start (TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_SCOPE_PROCESS, pid);
  run = source_run_begin (&start);
  /* The notes are found through this process, and the marks in the other one. */
  add_marks (run, probes, 1000, getpid (), TB_CAPTURE_STATUS_PROBED);
  add_marks (run, probes, 1000, getpid (), TB_CAPTURE_STATUS_REFUSED);
  emit_marks (0, NULL);
  g_assert_cmpint (write (to, &byte, 1), ==, 1);
  g_assert_cmpint (read (from, &byte, 1), ==, 1);
  source_run_end (run);
  close (to);
  waitpid (pid, NULL, 0);
  close (from);
  g_unlink (file);

  AGENT_RUN_FOREACH (run, record)
  {
    const TbStaticProbe *probe;
    guint number = record->mark.probe - 1000, which = 0;

    if (record->type != TB_CAPTURE_MARK)
      continue;
    g_assert_cmpuint (number, <, probes->len);
    g_assert_cmpint (record->mark.pid, ==, pid);
    probe = g_ptr_array_index (probes, number);
    for (guint i = 0; i < number; i++)
      which += strcmp (((TbStaticProbe *) g_ptr_array_index (probes, i))->name, probe->name) == 0;
    check_mark (run, record, probe, n_seen[number]++, which);
    n_nameless += strcmp (probe->name, "phase_end") == 0 && record->mark.text == 0;
  }
  for (guint i = 0; i < probes->len; i++)
    g_assert_cmpuint (n_seen[i], ==, N_ROUNDS);
  /* A text that is unmapped before the agent reads it is lost, which is reported. The last one
   * stays mapped. */
  g_assert_cmpint (n_nameless, <, N_ROUNDS);
  if (n_nameless > 0)
    g_assert_cmpint (agent_run_find_warning (run, TB_CAPTURE_CODE_MARKS_WITHOUT_NAMES), ==,
                     n_nameless);
  agent_run_free (run);
}

static void
test_refused (void)
{
  g_autoptr (GPtrArray) probes = NULL;
  TbCaptureRecord start, record = { .type = TB_CAPTURE_MARK_ADD, .cpu = TB_CAPTURE_CPU_NONE };
  struct stat status;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  if (!TAILBACK_ANNOTATE_ACTIVE)
    {
      g_test_skip ("programs cannot be annotated on this machine");
      return;
    }
  probes = read_own ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_SCOPE_PROCESS, getpid ());
  run = source_run_begin (&start);
  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  for (guint i = 0; i < 6; i++)
    {
      static const TbCaptureStatusCode codes[]
          = { TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION, TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION,
              TB_CAPTURE_CODE_FILE_NOT_MAPPED,       TB_CAPTURE_CODE_UNKNOWN_REGISTER,
              TB_CAPTURE_CODE_NO_CODE_AT_OFFSET,     TB_CAPTURE_CODE_UNKNOWN_REGISTER };
      int answer;

      record.mark_add = (TbCaptureMarkAdd) { .device = status.st_dev,
                                             .inode = status.st_ino + (i == 2),
                                             .offset = ((TbStaticProbe *) probes->pdata[0])->offset,
                                             .id = i + 1,
                                             .pid = i == 0 ? 0 : getpid () };
      record.mark_add.text = i == 1 ? TB_CAPTURE_MARK_ARGS + 1 : 0;
      record.mark_add.operands[0]
          = i == 3   ? TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0, 77,
                                           TB_CAPTURE_REGISTER_NONE)
            : i == 5 ? TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_MEMORY, 3, 0, 0, 1, 99)
                     : 0;
      if (i == 4)
        record.mark_add.offset = G_MAXUINT64;
      agent_run_send (run, &record);
      answer = agent_run_wait_source (run, TB_CAPTURE_SOURCE_MARKS);
      g_assert_cmpuint (agent_run_get_status (run, answer).kind, ==, TB_CAPTURE_STATUS_REFUSED);
      g_assert_cmpuint (agent_run_get_status (run, answer).id, ==, i + 1);
      agent_run_assert_code (run, answer, codes[i], NULL);
    }
  source_run_end (run);
  agent_run_free (run);
}

#define N_CALLS 200u

static void
pin (guint cpu)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (cpu % g_get_num_processors (), &set);
  (void) sched_setaffinity (0, sizeof set, &set);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const TbCaptureRecord *x = a, *y = b;

  return (x->time > y->time) - (x->time < y->time);
}

/* A function that returns with changed arguments, calls itself with others, and changes CPUs in
 * between. */
__attribute__ ((noinline, noclone)) static guintptr
mark_call (guintptr lock, guint depth)
{
  guintptr result = lock;

  pin (depth % 2);
  if (depth > 0)
    result += mark_call (lock + 16, depth - 1);
  pin ((depth + 1) % 2);
  return result;
}

/* Offset of a function in the program's file. */
static guint64
find_offset (guintptr address)
{
  guint64 offset = 0;
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[512];

  while (fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long start, end, in_file;

      if (sscanf (line, "%lx-%lx %*s %lx", &start, &end, &in_file) == 3 && address >= start
          && address < end)
        offset = address - start + in_file;
    }
  fclose (maps);
  g_assert_cmpuint (offset, !=, 0);
  return offset;
}

static void
add_pair (AgentRun *run, guint32 first)
{
  struct stat status;

  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD, .cpu = TB_CAPTURE_CPU_NONE };
      int answer;

      record.mark_add.device = status.st_dev;
      record.mark_add.inode = status.st_ino;
      record.mark_add.offset = find_offset ((guintptr) mark_call);
      record.mark_add.id = first + i;
      record.mark_add.pid = getpid ();
      record.mark_add.stack = TB_CAPTURE_MARK_PAIRED | (i == 1 ? TB_CAPTURE_MARK_AT_RETURN : 0);
      for (guint j = 0; j < TB_CAPTURE_MARK_ARGS; j++)
        record.mark_add.operands[j]
            = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_CONSTANT, 3, 0, 0, TB_CAPTURE_REGISTER_NONE,
                                  TB_CAPTURE_REGISTER_NONE);
      if (i == 0)
        record.mark_add.operands[0] = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0,
                                                          FIRST_ARGUMENT, TB_CAPTURE_REGISTER_NONE);
      record.mark_add.values[TB_CAPTURE_MARK_PAIR] = first;
      agent_run_send (run, &record);
      answer = agent_run_wait_source (run, TB_CAPTURE_SOURCE_MARKS);
      g_assert_cmpuint (agent_run_get_status (run, answer).kind, ==, TB_CAPTURE_STATUS_PROBED);
      g_assert_cmpuint (agent_run_get_status (run, answer).id, ==, first + i);
    }
}

/* The arguments of a call are recorded at its return, too, for each call its own. */
static void
test_returns (void)
{
  gint32 depths[2] = { 0, 0 };
  guint n_returns = 0, n_before = 0, n_elsewhere = 0, n_open = 0;
  guint64 open[8] = { 0 };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (TbCaptureRecord));
  TbCaptureRecord start;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  start = source_run_make_start (TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_SCOPE_PROCESS, getpid ());
  run = source_run_begin (&start);
  add_pair (run, 7);
  for (guint i = 0; i < N_CALLS; i++)
    mark_call (0x1000 * (i + 1), i % 4);
  source_run_end (run);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type != TB_CAPTURE_MARK)
      continue;
    depths[record->mark.probe - 7]++;
    n_before += depths[1] > depths[0];
    g_array_append_val (marks, *record);
  }
  g_array_sort (marks, compare_times);
  for (guint i = 0; i < marks->len; i++)
    {
      const TbCaptureRecord *record = &g_array_index (marks, TbCaptureRecord, i);

      g_assert_cmpuint (record->mark.args[TB_CAPTURE_MARK_PAIR], ==, 7);
      if (record->mark.probe == 7)
        {
          g_assert_cmpuint (n_open, <, G_N_ELEMENTS (open));
          open[n_open++] = record->mark.args[0];
          continue;
        }
      g_assert_cmpuint (n_open, >, 0);
      g_assert_cmpuint (record->mark.args[0], ==, open[--n_open]);
      n_elsewhere += i > 0 && g_array_index (marks, TbCaptureRecord, i - 1).cpu != record->cpu;
      n_returns++;
    }
  g_assert_cmpuint (n_open, ==, 0);
  g_assert_cmpuint (n_returns, ==, N_CALLS / 4 * (1 + 2 + 3 + 4));
  g_test_message (
      "%u of %u returns on another cpu than what was before them, %u recorded before their entries",
      n_elsewhere, n_returns, n_before);
  if (g_get_num_processors () > 1)
    g_assert_cmpuint (n_elsewhere, >, 0);
  agent_run_free (run);
}

/* A probe of an allocating function without a description of its arguments is rejected. */
static void
test_memory_refused (void)
{
  static const struct
  {
    guint64 kind, size;
    gboolean nowhere;
    TbCaptureStatusCode code;
  } cases[]
      = { { 0, 0, FALSE, TB_CAPTURE_CODE_MARK_WITHOUT_MEANING },
          { TB_CAPTURE_N_MEMORY_KINDS, 0, FALSE, TB_CAPTURE_CODE_MARK_WITHOUT_MEANING },
          { TB_CAPTURE_MEMORY_ALLOCATES, 3, FALSE, TB_CAPTURE_CODE_MARK_WITHOUT_MEANING },
          { TB_CAPTURE_MEMORY_ALLOCATES_ARRAY, 0, FALSE, TB_CAPTURE_CODE_MARK_WITHOUT_MEANING },
          { TB_CAPTURE_MEMORY_FREES, 0, TRUE, TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION } };
  TbCaptureRecord start;
  struct stat status;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  start = source_run_make_start (TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_SCOPE_PROCESS, getpid ());
  run = source_run_begin (&start);
  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD, .cpu = TB_CAPTURE_CPU_NONE };
      int answer;

      record.mark_add = (TbCaptureMarkAdd) { .device = status.st_dev,
                                             .inode = status.st_ino,
                                             .offset = find_offset ((guintptr) mark_call),
                                             .values = { cases[i].kind, cases[i].size },
                                             .id = i + 1,
                                             .pid = cases[i].nowhere ? 0 : getpid (),
                                             .stack = TB_CAPTURE_MARK_OF_MEMORY };
      agent_run_send (run, &record);
      answer = agent_run_wait_source (run, TB_CAPTURE_SOURCE_MARKS);
      g_assert_cmpuint (agent_run_get_status (run, answer).kind, ==, TB_CAPTURE_STATUS_REFUSED);
      g_assert_cmpuint (agent_run_get_status (run, answer).id, ==, i + 1);
      agent_run_assert_code (run, answer, cases[i].code, NULL);
    }
  source_run_end (run);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/marks/recorded", test_marks);
  g_test_add_func ("/agent/marks/refused", test_refused);
  g_test_add_func ("/agent/marks/returns", test_returns);
  g_test_add_func ("/agent/marks/memory-refused", test_memory_refused);
  return g_test_run ();
}
