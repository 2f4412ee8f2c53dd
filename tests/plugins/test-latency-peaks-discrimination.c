/* test-latency-peaks-discrimination.c: test that each variable which may discriminate slow calls
 * from fast ones on the same path is found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

#define US G_GINT64_CONSTANT (1000)
#define N_CALLS 400
#define TID 7

/* What differs in slow calls; NULL and 0: nothing. */
typedef struct
{
  const char *variable;
  const char *value; /* text in the report */
  const char *call;  /* system call of slow and fast calls */
  const char *preceding;
  guint cpu;
  guint64 args[6]; /* added to those of fast calls */
  gint64 result;   /* likewise */
  guint n_others;  /* variables that predict the same */
} Case;

static const Case cases[] = {
  { "result", "0", "read", .result = -4096 },
  { "size", "64 KiB", "read", .args[2] = 61440 },
  { "file", "descriptor 7 of server 7", "read", .args[0] = 4 },
  { "argument-4", "1048576", "madvise", .args[3] = 1048576 },
  { "argument-1", "7", "prctl", .args[0] = 4 },
  { "flags", "0x1003", "openat", .args[2] = 3 },
  { "file", "descriptor 7 of server 7", "fsync", .args[0] = 4 },
  /* an address comes along, which predicts as well */
  { "size", "64 KiB", "write", .args[1] = 0x7f0000001000, .args[2] = 61440 },
  /* a file and a CPU predict the same: the file comes first */
  { "file", "descriptor 7 of server 7", "read", .args[0] = 4, .cpu = 2, .n_others = 1 },
  { "preceding-call", "fsync", "read", .preceding = "fsync" },
  { "cpu", "2", "read", .cpu = 2 },
};

typedef struct
{
  TbRecorder *recorder;
  gint64 time;
  guint16 cpu;
  guint n_args;
  guint64 (*args)[TB_WHOLE_SYSCALL_WORDS]; /* of events not yet written */
} Recording;

static void
call (Recording *self, const char *name, gint64 length, const guint64 *args, gint64 result)
{
  TbEvent event = { .kind = TB_EVENT_WHOLE_SYSCALL, .cpu = self->cpu, .tid = TID, .pid = TID };
  guint64 *words = self->args[self->n_args++];

  for (guint i = 0; i < 6; i++)
    words[i] = args[i];
  words[TB_WHOLE_SYSCALL_ENTER] = (guint64) self->time;
  words[TB_WHOLE_SYSCALL_RESULT] = (guint64) result;
  self->time += length;
  event.time = self->time;
  event.text = tb_recorder_intern_string (self->recorder, name, -1);
  event.args = words;
  tb_recorder_add (self->recorder, &event);
  self->time += 5 * US;
}

static void
go_to (Recording *self, guint16 cpu)
{
  TbEvent off = { .kind = TB_EVENT_SWITCH,
                  .time = self->time,
                  .cpu = self->cpu,
                  .tid = TID,
                  .pid = TID,
                  .code = 'R' };
  TbEvent on = { .kind = TB_EVENT_SWITCH,
                 .time = self->time + 1 * US,
                 .cpu = cpu,
                 .code = 'R',
                 .a = TID,
                 .b = TID };

  if (cpu == self->cpu)
    return;
  if (self->cpu != 0)
    tb_recorder_add (self->recorder, &off);
  tb_recorder_add (self->recorder, &on);
  self->cpu = cpu;
  self->time += 2 * US;
}

/* At random, a quarter of the calls are slow. Apart from their length they run like fast ones. */
static void
add_calls (Recording *self, const Case *of)
{
  static const guint64 none[6] = { 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < N_CALLS; i++)
    {
      gboolean is_slow = i >= 8 && g_rand_int_range (rand, 0, 4) == 0;
      guint64 args[6] = { 3, 0x10000, 4096, 0, 0, 0 };

      for (guint k = 0; k < 6 && is_slow; k++)
        args[k] += of->args[k];
      go_to (self, is_slow && of->cpu != 0 ? (guint16) of->cpu : 1);
      call (self, is_slow && of->preceding != NULL ? of->preceding : "close", 1 * US, none, 0);
      call (self, of->call, is_slow ? 800 * US : 3 * US, args, 4096 + (is_slow ? of->result : 0));
    }
}

static TbTrace *
record (const Case *of)
{
  TbRecorder *recorder = recording_new ("apart");
  Recording self = { .recorder = recorder, .time = 1000 * US };
  g_autofree guint64 (*args)[TB_WHOLE_SYSCALL_WORDS] = g_malloc0 (2 * N_CALLS * sizeof *args);
  TbEvent existing = { .kind = TB_EVENT_EXISTING, .time = self.time, .tid = TID, .pid = TID };

  self.args = args;
  existing.text = tb_recorder_intern_string (recorder, "server", -1);
  tb_recorder_add (recorder, &existing);
  add_calls (&self, of);
  return recording_open (recorder);
}

/* The variable explains the peak completely, and is listed first. */
static void
test_variable (gconstpointer data)
{
  const Case *of = data;
  g_autoptr (TbTrace) trace = record (of);
  g_autofree char *operation = g_strdup_printf ("syscall:%s", of->call);
  g_autoptr (TbReport) report = peaks_analyze (trace, operation);
  JsonObject *peak, *first;
  TbFinding *finding;

  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 2);
  peak = peaks_get_peak (report, 1);
  g_assert_cmpuint (summary_count (peak, "distinguishing"), ==, 1 + of->n_others);
  first = summary_get_element (peak, "distinguishing", 0);
  g_assert_cmpstr (json_object_get_string_member (first, "variable"), ==, of->variable);
  g_assert_cmpstr (json_object_get_string_member (first, "value"), ==, of->value);
  g_assert_cmpfloat (json_object_get_double_member (first, "information"), >, 0.95);
  g_assert_cmpfloat (json_object_get_double_member (first, "share_in_peak"), ==, 1);
  g_assert_cmpfloat (json_object_get_double_member (first, "share_elsewhere"), ==, 0);
  finding = peaks_get_finding (report, 1);
  finding_assert_string (finding, "attribute", of->variable);
  finding_assert_string (finding, "attribute_value", of->value);
  finding_assert_number (finding, "attribute_share", 1);
  finding_assert_number (finding, "attribute_other_share", 0);
}

/* Nothing but addresses of memory differs, in known calls and in an unknown one. */
static void
test_addresses (void)
{
  static const Case addresses[] = { { .call = "read", .args[1] = 0x1000 },
                                    { .call = "madvise", .args[0] = 0x2000 },
                                    { .call = "unknown", .args[4] = 0x7f1234567000 } };

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (TbTrace) trace = record (&addresses[i]);
      g_autofree char *operation = g_strdup_printf ("syscall:%s", addresses[i].call);
      g_autoptr (TbReport) report = peaks_analyze (trace, operation);

      g_test_message ("%s", addresses[i].call);
      g_assert_cmpuint (summary_count (peaks_get_peak (report, 1), "distinguishing"), ==, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name
          = g_strdup_printf ("/latency-peaks/apart/%u-%s/%s", i, cases[i].call, cases[i].variable);

      g_test_add_data_func (name, &cases[i], test_variable);
    }
  g_test_add_func ("/latency-peaks/apart/addresses", test_addresses);
  return recording_run_tests ();
}
