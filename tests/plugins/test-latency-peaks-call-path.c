/* test-latency-peaks-call-path.c: test of the limit to calls through a call path, on random stacks
 * against a plain check of each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

#define ROUNDS 12
#define CALLS 60
#define TRIES 8
#define MAX_STACK 6

typedef enum
{
  AT_ENTRY, /* the call has a stack at its entry */
  AT_WAIT,  /* the call waits, with a stack */
  AT_SAMPLE,
  PROBED, /* its callers are probed */
  NOWHERE,
  N_SOURCES,
} Source;

typedef struct
{
  Source source;
  guint n;
  char functions[MAX_STACK]; /* letters from 'a' on */
  int length;
} Call;

static char *
make_stack (const Call *call)
{
  GString *stack = g_string_new ("main@app");

  for (guint i = 0; i < call->n; i++)
    g_string_append_printf (stack, ";%c@%s", call->functions[i],
                            call->functions[i] < 'c' ? "app" : "lib.so");
  return g_string_free (stack, FALSE);
}

static void
add_call (Story *story, Call *call, int time)
{
  g_autofree char *stack = make_stack (call);
  g_autofree char *inner
      = g_strconcat (stack, ";read@libc.so.6;entry_SYSCALL_64@[kernel];a@[kernel];b@[kernel]",
                     NULL);

  for (guint i = 0; i < call->n && call->source == PROBED; i++)
    {
      char name[] = { call->functions[i], '\0' };

      story_call (story, time + (int) i, 0, 11, name);
    }
  time += 10;
  if (call->source == AT_ENTRY)
    story_add (story, time, "0,sys_enter,,,,,,,11,,,read,%s,,", stack);
  else
    story_enter (story, time, 0, 11, "read");
  if (call->source == AT_WAIT)
    {
      story_switch_with_stack (story, time + 2, 0, 11, "S", 0, inner);
      story_wake (story, time + call->length - 3, 1, 12, 11);
      story_switch (story, time + call->length - 2, 0, 0, "R", 11);
    }
  if (call->source == AT_SAMPLE)
    story_sample (story, time + 2, 0, 11, inner);
  story_leave (story, time + call->length, 0, 11);
  time += call->length + 1;
  for (guint i = call->n; i > 0 && call->source == PROBED; i--)
    {
      char name[] = { call->functions[i - 1], '\0' };

      story_return (story, time + (int) (call->n - i), 0, 11, name);
    }
}

static gboolean
has_path (const Call *call, const char *path)
{
  guint at = 0;

  for (guint i = 0; i < call->n; i++)
    at += path[at] != '\0' && path[at] == call->functions[i];
  return path[at] == '\0';
}

/* 1: through the path, 0: not, −1: unknown. Probed functions need not appear on a stack. */
static int
matches_path (const Call *call, const char *path, const char *probed)
{
  char seen[8] = "";

  if (call->source < PROBED)
    return has_path (call, *path == 'm' ? path + 1 : path);
  if (call->source == PROBED && has_path (call, path))
    return 1;
  for (guint i = 0; path[i] != '\0'; i++)
    if (strchr (probed, path[i]) != NULL)
      seen[strlen (seen)] = path[i];
  if (call->source == NOWHERE)
    return *seen != '\0' ? 0 : -1;
  return has_path (call, seen) ? -1 : 0;
}

/* "m" stands for main. */
static char *
format_path (const char *path, gboolean with_call)
{
  GString *text = g_string_new (NULL);
  const char *separator = g_test_rand_bit () ? "/" : " → ";

  for (guint i = 0; path[i] != '\0'; i++)
    {
      g_string_append (text, i > 0 ? separator : "");
      if (path[i] == 'm')
        g_string_append (text, "main");
      else
        g_string_append_printf (text, "%c%s", path[i],
                                g_test_rand_bit () ? ""
                                : path[i] < 'c'    ? "@app"
                                                   : "@lib.so");
    }
  if (with_call)
    g_string_append_printf (text, "%sread", separator);
  return g_string_free (text, FALSE);
}

static TbReport *
analyze (TbTrace *trace, const char *path, GError **error)
{
  return peaks_try_analyze (trace, "syscall:read", "call-path", path, error);
}

static void
compare (TbTrace *trace, const Call *calls, const char *path, const char *probed)
{
  g_autofree char *text = format_path (path, g_test_rand_bit ());
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = analyze (trace, text, &error);
  gint64 n = 0, total = 0, unknown = 0;
  JsonObject *summary;

  for (guint i = 0; i < CALLS; i++)
    {
      int through = matches_path (&calls[i], path, probed);

      n += through == 1;
      total += through == 1 ? calls[i].length * G_GINT64_CONSTANT (1000) : 0;
      unknown += through < 0;
    }
  if (n == 0)
    {
      g_assert_null (report);
      g_assert_nonnull (strstr (error->message, "known to have come through"));
      return;
    }
  g_assert_no_error (error);
  summary = report_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, n);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, total);
  g_assert_cmpint (json_object_get_int_member (summary, "pathless_calls"), ==, unknown);
  g_assert_cmpuint (summary_count (summary, "call_path"), >=, strlen (path));
  g_assert_cmpuint (findings_count (report, "calls-of-unknown-path"), ==, unknown > 0);
  if (unknown > 0)
    finding_assert_integer (findings_get (report, "calls-of-unknown-path"), "count", unknown);
}

static void
test_random (void)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      Story *story = story_new ("reader waker");
      g_autoptr (TbTrace) trace = NULL;
      Call calls[CALLS];
      char probed[8] = "";
      int time = 100;

      story_switch (story, 50, 0, 0, "R", 11);
      story_switch (story, 50, 1, 0, "R", 12);
      for (guint i = 0; i < CALLS; i++)
        {
          calls[i].source = (Source) g_test_rand_int_range (0, N_SOURCES);
          calls[i].n = (guint) g_test_rand_int_range (0, MAX_STACK);
          calls[i].length = g_test_rand_int_range (8, 500);
          for (guint k = 0; k < calls[i].n; k++)
            {
              calls[i].functions[k] = (char) ('a' + g_test_rand_int_range (0, 5));
              /* Calls of function e are never probed. */
              if (calls[i].source == PROBED && calls[i].functions[k] == 'e')
                calls[i].functions[k] = 'd';
              if (calls[i].source == PROBED && strchr (probed, calls[i].functions[k]) == NULL)
                probed[strlen (probed)] = calls[i].functions[k];
            }
          add_call (story, &calls[i], time);
          time += 1000;
        }
      trace = story_open (story);
      for (guint i = 0; i < TRIES; i++)
        {
          char path[5] = "";
          int n = g_test_rand_int_range (1, 4);

          for (int k = 0; k < n; k++)
            path[k] = k == 0 && g_test_rand_int_range (0, 3) == 0
                          ? 'm'
                          : (char) ('a' + g_test_rand_int_range (0, 5));
          compare (trace, calls, path, probed);
        }
    }
}

/* Waits and inferred functions are limited to call paths, too. Unknown names are rejected. A
 * truncated stack proves nothing. */
static void
test_other_operations (void)
{
  Story *story = story_new ("reader waker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) locks = NULL;
  g_autoptr (TbReport) table = NULL;
  g_autoptr (GError) error = NULL;
  int time = 100;

  story_switch (story, 50, 0, 0, "R", 11);
  story_switch (story, 50, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      story_add (story, time, "0,sleep,,lock,,,,,11,,0,futex=bkl,,64,0");
      story_switch_with_stack (story, time, 0, 11, "S", 0,
                               i % 3 == 0 ? "main;serve;take" : "main;idle;take");
      story_wake (story, time + 500, 1, 12, 11);
      story_switch (story, time + 501, 0, 0, "R", 11);
    }
  trace = story_open (story);
  locks = peaks_try_analyze (trace, "lock:bkl", "call-path", "serve", &error);
  g_assert_no_error (error);
  g_assert_cmpint (json_object_get_int_member (report_get_summary (locks), "calls"), ==, 10);
  table = peaks_try_analyze (trace, "", "call-path", "main/serve", &error);
  g_assert_no_error (error);
  g_assert_cmpint (json_object_get_int_member (peaks_find_operation (report_get_summary (table),
                                                                     "lock:bkl"),
                                               "calls"),
                   ==, 10);
  g_assert_null (peaks_try_analyze (trace, "lock:bkl", "call-path", " / ", &error));
  g_assert_nonnull (strstr (error->message, "invalid call path"));
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/way/random", test_random);
  g_test_add_func ("/latency-peaks/way/others", test_other_operations);
  return recording_run_tests ();
}
