/* test-annotations.c: test of marks at probed functions, received in any order of entry and return
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "session/file/tb-session.h"
#include "agent-client/probes/tb-annotations.h"

#define LOCK 0x5500a0u
#define OTHER_LOCK 0x5500b0u
#define FUNCTION_OFFSET 0x1230u
#define ENTRY_OFFSET 11u

/* A stand-in for the agent: it confirms every request at once. */
struct _TbAgentProcess
{
  TbCaptureHeader header;
  TbAnnotations *annotations;
  GArray *requests; /* TbCaptureMarkAdd */
  gboolean refuses;
};

gboolean
tb_agent_process_send (TbAgentProcess *self, const TbCaptureRecord *record, GError **error)
{
  TbCaptureRecord answer = { .type = TB_CAPTURE_STATUS,
                             .status = { .kind = TB_CAPTURE_STATUS_PROBED,
                                         .source = TB_CAPTURE_SOURCE_MARKS,
                                         .id = record->mark_add.id,
                                         .code = TB_CAPTURE_CODE_PROBE_EMULATED } };

  g_assert_cmpint (record->type, ==, TB_CAPTURE_MARK_ADD);
  g_array_append_val (self->requests, record->mark_add);
  if (self->refuses)
    {
      answer.status.kind = TB_CAPTURE_STATUS_REFUSED;
      answer.status.code = TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED;
      answer.tail = (const guint8 *) "4711";
      answer.tail_length = sizeof "4711";
    }
  g_assert_true (tb_annotations_take_status (self->annotations, &answer));
  /* An answer for another request must not be accepted. */
  answer.status.id = 1;
  g_assert_false (tb_annotations_take_status (self->annotations, &answer));
  return TRUE;
}

/* The function begins with an instruction that is slow to probe. */
guint64
tb_agent_function_find_entry (const TbAgentFunction *self)
{
  return self->probe.offset + ENTRY_OFFSET;
}

const TbCaptureHeader *
tb_agent_process_get_header (TbAgentProcess *self)
{
  return &self->header;
}

typedef struct
{
  char *folder;
  GFile *file;
  TbRecorder *recorder;
  TbAgentProcess agent;
  TbAnnotations *annotations;
  TbAgentFunction function;
  TbMarkedFunctions marked;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  TbMarkedFunction spins = { TB_FUNCTION_SPINS, &fixture->function, "await_turn" };
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("tailback-annotations-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->file = g_file_new_build_filename (fixture->folder, "test.tailback", NULL);
  fixture->recorder = tb_recorder_new (fixture->file, FALSE, &error);
  g_assert_no_error (error);
  tb_recorder_add_host (fixture->recorder, "h", "", "", 2, 0);
  fixture->agent.header.backend = TB_CAPTURE_BACKEND_BPF;
  fixture->agent.requests = g_array_new (FALSE, FALSE, sizeof (TbCaptureMarkAdd));
  fixture->annotations
      = tb_annotations_new (&fixture->agent, TB_AGENT_DIRECT, FALSE, fixture->recorder);
  fixture->agent.annotations = fixture->annotations;
  fixture->function.probe.offset = FUNCTION_OFFSET;
  fixture->marked.marked = g_array_new (FALSE, FALSE, sizeof spins);
  g_array_append_val (fixture->marked.marked, spins);
  g_assert_true (
      tb_annotations_add_functions (fixture->annotations, &fixture->marked, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->agent.requests->len, ==, 2);
  /* The return probe is set where the function's entry is probed: elsewhere it would need a second
   * trap. */
  for (guint i = 0; i < 2; i++)
    g_assert_cmphex (g_array_index (fixture->agent.requests, TbCaptureMarkAdd, i).offset, ==,
                     FUNCTION_OFFSET + ENTRY_OFFSET);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  tb_annotations_free (fixture->annotations);
  g_object_unref (fixture->recorder);
  g_array_unref (fixture->marked.marked);
  g_array_unref (fixture->agent.requests);
  g_file_delete (fixture->file, NULL, NULL);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_object_unref (fixture->file);
  g_free (fixture->folder);
}

static const TbCaptureMarkAdd *
get_request (Fixture *fixture, gboolean returns)
{
  for (guint i = 0; i < fixture->agent.requests->len; i++)
    {
      const TbCaptureMarkAdd *requests
          = &g_array_index (fixture->agent.requests, TbCaptureMarkAdd, i);

      if (((requests->stack & TB_CAPTURE_MARK_AT_RETURN) != 0) == returns)
        return requests;
    }
  g_assert_not_reached ();
}

/* Emits the mark that the agent would send at entry or return. seen: whether the agent has seen the
 * entry. */
static void
emit_mark (Fixture *fixture, gboolean returns, gint32 tid, guint64 lock, gboolean seen, gint64 time)
{
  const TbCaptureMarkAdd *requests = get_request (fixture, returns);
  TbCaptureMark mark = { .tid = tid, .pid = 10, .probe = requests->id };
  TbEvent event = { .time = time };

  if (seen)
    {
      mark.args[0] = lock;
      mark.args[TB_CAPTURE_MARK_PAIR] = requests->values[TB_CAPTURE_MARK_PAIR];
    }
  g_assert_true (tb_annotations_fill (fixture->annotations, &mark, "", &event));
  tb_recorder_add (fixture->recorder, &event);
}

static TbSession *
finish (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  TbSession *session;

  tb_annotations_finish (fixture->annotations);
  tb_recorder_set_range (fixture->recorder, 100, 10000);
  tb_recorder_finish (fixture->recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (fixture->file, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static void
check_marks (TbSession *session, guint n, const guint64 *locks)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_MARK);
  g_autoptr (GBytes) times = tb_table_get_column (table, TB_MARK_TIME, NULL);
  g_autoptr (GBytes) values = tb_table_get_column (table, TB_MARK_VALUE, NULL);
  const gint64 *time = g_bytes_get_data (times, NULL);
  const guint32 *value = g_bytes_get_data (values, NULL);

  g_assert_cmpuint (tb_table_get_n_rows (table), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *lock = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", locks[i]);

      g_assert_true (i == 0 || time[i - 1] < time[i]);
      g_assert_cmpstr (tb_session_get_string (session, value[i]), ==, locks[i] != 0 ? lock : "");
    }
}

/* Returns NULL if there is no such warning. */
static const char *
find_warning (TbSession *session, const char *about)
{
  const char *const *warnings = tb_session_get_warnings (session);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    if (strstr (warnings[i], about) != NULL)
      return warnings[i];
  return NULL;
}

/* Entry and return are requested as a pair of probes. */
static void
test_requests (Fixture *fixture, gconstpointer data)
{
  const TbCaptureMarkAdd *entry = get_request (fixture, FALSE), *end = get_request (fixture, TRUE);

  g_assert_true ((entry->stack & TB_CAPTURE_MARK_PAIRED) != 0
                 && (end->stack & TB_CAPTURE_MARK_PAIRED) != 0);
  g_assert_cmpuint (entry->values[TB_CAPTURE_MARK_PAIR], !=, 0);
  g_assert_cmpuint (entry->values[TB_CAPTURE_MARK_PAIR], ==, end->values[TB_CAPTURE_MARK_PAIR]);
  g_assert_cmpuint (TB_CAPTURE_OPERAND_GET_KIND (entry->operands[0]), ==,
                    TB_CAPTURE_OPERAND_REGISTER);
  tb_recorder_abandon (fixture->recorder);
}

/* Events of the CPU of the returns are read first, twice. On that CPU another thread has entered
 * the function with another lock. */
static void
test_end_before_begin (Fixture *fixture, gconstpointer data)
{
  static const guint64 locks[] = { LOCK, OTHER_LOCK, LOCK, LOCK, OTHER_LOCK, LOCK };
  g_autoptr (TbSession) session = NULL;

  emit_mark (fixture, FALSE, 12, OTHER_LOCK, TRUE, 200);
  emit_mark (fixture, TRUE, 11, LOCK, TRUE, 300);
  emit_mark (fixture, TRUE, 11, LOCK, TRUE, 600);
  emit_mark (fixture, FALSE, 11, LOCK, TRUE, 100);
  emit_mark (fixture, FALSE, 11, LOCK, TRUE, 400);
  emit_mark (fixture, TRUE, 12, OTHER_LOCK, TRUE, 500);
  session = finish (fixture);
  check_marks (session, 6, locks);
  g_assert_null (find_warning (session, "lock"));
}

/* The first entry was before the recording began. The lock may also be NULL. */
static void
test_unseen (Fixture *fixture, gconstpointer data)
{
  static const guint64 locks[] = { 0, LOCK, LOCK, 0, 0, 0 };
  g_autoptr (TbSession) session = NULL;

  emit_mark (fixture, TRUE, 11, 0, FALSE, 100);
  emit_mark (fixture, FALSE, 11, LOCK, TRUE, 200);
  emit_mark (fixture, TRUE, 11, LOCK, TRUE, 300);
  emit_mark (fixture, TRUE, 12, 0, FALSE, 400);
  emit_mark (fixture, FALSE, 12, 0, TRUE, 500);
  emit_mark (fixture, TRUE, 12, 0, TRUE, 600);
  session = finish (fixture);
  check_marks (session, 6, locks);
  g_assert_nonnull (find_warning (session, "lock"));
  g_assert_true (g_str_has_prefix (find_warning (session, "lock"), "2 "));
}

/* The answer to the mark contains the reason, which becomes a sentence. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char reason[] = "process 4711 is not recorded.";
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;

  fixture->agent.refuses = TRUE;
  g_assert_false (
      tb_annotations_add_functions (fixture->annotations, &fixture->marked, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_true (g_str_has_suffix (error->message, reason));
  session = finish (fixture);
  g_assert_true (
      g_str_has_prefix (find_warning (session, reason), "2 marks of programs were not recorded: "));
}

static void
add (const char *path, void (*test) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/annotations/asked", test_requests);
  add ("/annotations/end-before-begin", test_end_before_begin);
  add ("/annotations/unseen", test_unseen);
  add ("/annotations/refused", test_refused);
  return g_test_run ();
}
