/* test-agent-status.c: test of the sentences for the agent's status codes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "agent-client/client/tb-agent-status-sentences.h"
#include "agent-client/client/tb-agent-status.h"

static guint
count_placeholders (const char *sentence)
{
  guint n = 0;

  for (const char *at = sentence; (at = strchr (at, '%')) != NULL; at += 2, n++)
    g_assert_cmpint (at[1], ==, 's');
  return n;
}

/* Adds a distinct argument for a part of a sentence; returns its text in that sentence. */
static char *
add_part (TbCaptureMessage *message, TbAgentPart part, guint number)
{
  g_autofree char *text = g_strdup_printf ("part%u", number),
                  *decimal = g_strdup_printf ("%u", 71 + number);
  g_autofree char *ns = g_strdup_printf ("%u000000", 71 + number);

  switch (part)
    {
    case TB_AGENT_PART_TEXT:
      tb_capture_message_add (message, text);
      return g_steal_pointer (&text);
    case TB_AGENT_PART_NUMBER:
      tb_capture_message_add (message, decimal);
      return g_steal_pointer (&decimal);
    case TB_AGENT_PART_MILLISECONDS:
      tb_capture_message_add (message, ns);
      return g_strdup_printf ("%u.000", 71 + number);
    case TB_AGENT_PART_MICROSECONDS:
      tb_capture_message_add (message, ns);
      return g_strdup_printf ("%u000", 71 + number);
    case TB_AGENT_PART_YES_OR_NO:
      tb_capture_message_add (message, number % 2 == 0 ? "0" : "1");
      return g_strdup (number % 2 == 0 ? "no" : "yes");
    case TB_AGENT_PART_ERROR:
      return g_strdup ("Text file busy");
    case TB_AGENT_PART_CAUSE:
      tb_capture_message_add_cause (message,
                                    TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROGRAM_REFUSED, 0, text));
      return g_strdup_printf ("the kernel refuses the program (%s)", text);
    case TB_AGENT_PART_CAUSES:
    case TB_AGENT_PART_REFUSALS:
      for (guint i = 0; i < 2; i++)
        tb_capture_message_add_cause (message, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROGRAM_REFUSED,
                                                                   0, text));
      return g_strdup_printf (
          "the kernel refuses the program (%s)%sthe kernel refuses the program (%s)", text,
          part == TB_AGENT_PART_CAUSES ? ", " : "; ", text);
    case TB_AGENT_PART_SOFTIRQS:
      for (guint i = 0; i < 2; i++)
        {
          tb_capture_message_add (message, i == 0 ? "3" : "12");
          tb_capture_message_add (message, decimal);
          tb_capture_message_add (message, ns);
        }
      return g_strdup_printf ("network receive ×%s (%s.000 ms), number 12 ×%s (%s.000 ms)", decimal,
                              decimal, decimal, decimal);
    default:
      g_error ("no such part: %c", (int) part);
    }
}

/* The sentence with its parts filled in. */
static char *
make_expected (const char *sentence, const GPtrArray *parts)
{
  g_auto (GStrv) words = g_strsplit (sentence, "%s", -1);
  g_autoptr (GString) text = g_string_new (words[0]);

  g_assert_cmpuint (g_strv_length (words), ==, parts->len + 1);
  for (guint i = 0; i < parts->len; i++)
    g_string_append_printf (text, "%s%s", (const char *) g_ptr_array_index (parts, i),
                            words[i + 1]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_sentences (void)
{
  for (guint code = 1; code < TB_CAPTURE_N_CODES; code++)
    {
      const TbAgentSentence sentence = tb_agent_sentence_get (code);
      g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *text = NULL, *expected = NULL;
      TbCaptureMessage message;

      /* Of earlier versions */
      if (code == 11 || code == 40 || code == 98)
        {
          g_assert_null (sentence.sentence);
          continue;
        }
      g_test_message ("code %u: %s", code, sentence.sentence);
      g_assert_nonnull (sentence.sentence);
      g_assert_nonnull (sentence.parts);
      g_assert_cmpuint (count_placeholders (sentence.sentence), ==, strlen (sentence.parts));
      TB_CAPTURE_SET_MESSAGE (&message, code, ETXTBSY);
      for (guint i = 0; sentence.parts[i] != '\0'; i++)
        g_ptr_array_add (parts, add_part (&message, (TbAgentPart) sentence.parts[i], i));
      text = tb_agent_message_describe (&message);
      expected = make_expected (sentence.sentence, parts);
      g_assert_cmpstr (text, ==, expected);
      g_assert_null (strchr (text, '%'));
      /* A part that takes all remaining arguments must come last. */
      for (guint i = 0; i + 1 < parts->len; i++)
        g_assert_null (strchr ("lLq", sentence.parts[i]));
    }
  g_assert_null (tb_agent_sentence_get (TB_CAPTURE_CODE_NONE).sentence);
  g_assert_null (tb_agent_sentence_get (TB_CAPTURE_N_CODES).sentence);
}

/* Some whole sentences. */
static void
test_whole_sentences (void)
{
  static const struct
  {
    TbCaptureStatusCode code;
    int error;
    const char *arguments[12];
    const char *expected;
  } cases[] = {
    { TB_CAPTURE_CODE_BPF_NOT_PERMITTED,
      EPERM,
      { "8", "1", "1", "2" },
      "BPF programs cannot be loaded (not permitted: CAP_BPF is missing, and "
      "unprivileged_bpf_disabled is 2): locks, files and peers have no names without BPF programs. "
      "Authorize the agent, or run it as root or with cap_bpf and cap_perfmon." },
    { TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE,
      EACCES,
      { "70", "13", "1", "3" },
      "The whole system cannot be recorded. perf_event_paranoid is 3 and CAP_PERFMON is missing: "
      "only your own processes are recorded, without wakers and devices. Authorize the agent, or "
      "run it as root." },
    { TB_CAPTURE_CODE_TRACEPOINT_MISSING,
      EMFILE,
      { "irq:irq_handler_exit", "10", "24", "0", "19", "0", "0" },
      "No tracepoint irq:irq_handler_exit (too many open files: raise the limit (ulimit -n)): how "
      "long "
      "interrupts take is unknown." },
    { TB_CAPTURE_CODE_KERNEL_PROBE, 0, { "fentry" }, "fentry" },
    { TB_CAPTURE_CODE_WAKINGS_NOT_WATCHED,
      ENOENT,
      { NULL },
      "wake-ups cannot be recorded: No such file or directory" },
    { TB_CAPTURE_CODE_SYSCALLS_THINNED,
      0,
      { "12", "1234567" },
      "System calls that were left out, as requested: 12, each shorter than 1.235 ms." },
    { TB_CAPTURE_CODE_NONE, 0, { "nothing" }, "" },
  };

  g_assert_cmpint (TB_CAPTURE_CODE_BPF_DISABLED, ==, 8);
  g_assert_cmpint (TB_CAPTURE_CODE_PERF_PARANOID, ==, 70);
  g_assert_cmpint (TB_CAPTURE_CODE_TOO_MANY_FILES, ==, 10);
  g_assert_cmpint (TB_CAPTURE_CODE_WITHOUT_IRQ_EXITS, ==, 19);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = NULL;
      TbCaptureMessage message;

      tb_capture_message_set (&message, cases[i].code, cases[i].error, cases[i].arguments);
      text = tb_agent_message_describe (&message);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

/* A message about refused BPF programs states the consequence and the remedy, but not the fallback:
 * that is outside the agent's scope. */
static void
test_refused_programs (void)
{
  static const TbCaptureStatusCode codes[]
      = { TB_CAPTURE_CODE_NO_BTF, TB_CAPTURE_CODE_BPF_NOT_PERMITTED, TB_CAPTURE_CODE_BPF_REFUSED,
          TB_CAPTURE_CODE_BPF_NOT_AVAILABLE };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      const char *sentence = tb_agent_sentence_get (codes[i]).sentence;

      g_assert_nonnull (strstr (sentence, "have no names without BPF programs. "));
      g_assert_null (strstr (sentence, "instead"));
      g_assert_true (g_str_has_suffix (sentence, "."));
    }
}

static TbCaptureRecord
make_status (TbCaptureStatusKind kind, guint32 id, const TbCaptureMessage *message)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STATUS, .status = { .kind = kind, .id = id } };

  tb_capture_message_write (message, &record);
  return record;
}

static void
assert_status (TbCaptureStatusKind kind,
               guint32 id,
               const TbCaptureMessage *message,
               const char *expected)
{
  TbCaptureRecord record = make_status (kind, id, message);
  g_autofree char *text = tb_agent_status_describe (&record);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_probes (void)
{
  assert_status (TB_CAPTURE_STATUS_REFUSED, 4711,
                 TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_SUCH_PROBE, 0),
                 "Probe 4711: there is no such probe.");
  assert_status (TB_CAPTURE_STATUS_REFUSED, 0,
                 TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_SUCH_GROUP, 0),
                 "there is no such group of probes");
  assert_status (TB_CAPTURE_STATUS_PROBED, 4711,
                 TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROBE_REMOVED, 0), "removed");
}

/* The message names the kind of probe, and why cheaper kinds failed. */
static void
test_kernel_probe (void)
{
  g_autofree char *method = NULL, *causes = NULL, *none = NULL, *text = NULL;
  TbCaptureMessage message, refused;
  TbCaptureRecord record;

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_KERNEL_PROBE_FALLBACK, 0, "kprobe");
  TB_CAPTURE_SET_MESSAGE (&refused, TB_CAPTURE_CODE_KERNEL_PROBE_REFUSED, 0, "fentry");
  tb_capture_message_add_cause (&refused, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NOT_IN_KERNEL, 0));
  tb_capture_message_add_cause (&message, &refused);
  TB_CAPTURE_SET_MESSAGE (&refused, TB_CAPTURE_CODE_KERNEL_PROBE_REFUSED, 0, "fprobe");
  tb_capture_message_add_cause (&refused, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, ENOMEM));
  tb_capture_message_add_cause (&message, &refused);
  record = make_status (TB_CAPTURE_STATUS_PROBED, 0, &message);
  method = tb_agent_status_describe_part (&record, 0);
  g_assert_cmpstr (method, ==, "kprobe");
  causes = tb_agent_status_describe_part (&record, 1);
  g_assert_cmpstr (causes, ==,
                   "fentry: this kernel does not have it; fprobe: Cannot allocate memory");
  text = tb_agent_status_describe (&record);
  g_assert_cmpstr (text, ==,
                   "kprobe: fentry: this kernel does not have it; fprobe: Cannot allocate memory");
  g_assert_null (tb_agent_status_describe_part (&record, 2));
  record.status.code = TB_CAPTURE_CODE_KERNEL_PROBE;
  none = tb_agent_status_describe_part (&record, 1);
  g_assert_null (none);
}

/* Messages that no agent of this version sends: other codes, too few arguments, endless lists of
 * causes, invalid UTF-8. */
static void
test_hostile (void)
{
  static const struct
  {
    TbCaptureStatusCode code;
    const char *arguments[16];
    const char *expected;
  } cases[] = {
    { 60000,
      { "x" },
      "The agent reports the unknown code 60000: the agent is newer than this program." },
    { TB_CAPTURE_CODE_PERF_NOT_OPENED,
      { "60000", "0", "1", "x" },
      "perf events of the system cannot be opened: unknown cause 60000." },
    { TB_CAPTURE_CODE_PERF_NOT_OPENED, { NULL }, "perf events of the system cannot be opened: ." },
    { TB_CAPTURE_CODE_TRACEPOINT_MISSING,
      { "a:b", "60000", "0", "99999999999999999999", "19", "0", "0" },
      "No tracepoint a:b (unknown cause 60000): how long interrupts take is unknown." },
    { TB_CAPTURE_CODE_TRACEPOINT_MISSING,
      { "a:b", "60000", "0", "18446744073709551615", "19", "0", "0" },
      "No tracepoint a:b (unknown cause 60000): ." },
    { TB_CAPTURE_CODE_SYSCALLS_THINNED,
      { "many", "-1" },
      "System calls that were left out, as requested: many, each shorter than 0.000 ms." },
    { TB_CAPTURE_CODE_ERROR, { NULL }, "Success" },
    { TB_CAPTURE_CODE_FUNCTION_PROBES_WORK, { "1" }, "fentry: yes, kprobe: no" },
    { TB_CAPTURE_CODE_NO_BTF,
      { "\xff%s" },
      "No BTF at \xef\xbf\xbd%s: locks, files and peers have no names without BPF programs. Use a "
      "kernel "
      "with "
      "CONFIG_DEBUG_INFO_BTF." },
  };
  TbCaptureMessage message;
  g_autofree char *deep = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = NULL;

      tb_capture_message_set (&message, cases[i].code, 0, cases[i].arguments);
      text = tb_agent_message_describe (&message);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE, 0);
  while (message.n_arguments + 3u <= TB_CAPTURE_MAX_ARGUMENTS)
    {
      tb_capture_message_add (&message, TB_CAPTURE_NUMBER (TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE));
      tb_capture_message_add (&message, "0");
      tb_capture_message_add (&message, "60");
    }
  deep = tb_agent_message_describe (&message);
  g_assert_true (g_str_has_suffix (deep, "The whole system cannot be recorded. …"));
  g_assert_cmpuint (strlen (deep), <, 300);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-status/sentences", test_sentences);
  g_test_add_func ("/agent-status/words", test_whole_sentences);
  g_test_add_func ("/agent-status/refused-programs", test_refused_programs);
  g_test_add_func ("/agent-status/probes", test_probes);
  g_test_add_func ("/agent-status/kernel-probe", test_kernel_probe);
  g_test_add_func ("/agent-status/hostile", test_hostile);
  return g_test_run ();
}
