/* test-sequence.c: test that events are read from the tables in the order in which they were added
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every event has a number of its own in its row, by which it is identified.
 */

#include "config.h"

#include "../../test-mode.h"
#include "recorder-fixture.h"
#include "session/sequence/tb-sequence.h"

#define N_THREADS 4
#define N_CPUS 3
#define MAX_OPEN 5

/* Numbers of open operations, the innermost last. */
typedef struct
{
  guint numbers[MAX_OPEN];
  guint n;
} Open;

typedef struct
{
  RecorderFixture *fixture;
  GRand *rand;
  GPtrArray *added; /* "time kind number" */
  gint64 time;
  guint next;
  Open interrupts[N_CPUS];
  Open calls[N_THREADS];
  Open syscalls[N_THREADS];
  Open inserted[N_THREADS];
  Open issued[N_THREADS];
} Source;

static char *
describe (gint64 time, guint kind, guint64 number)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %u %" G_GUINT64_FORMAT, time, kind, number);
}

static void
note (Source *self, TbOrderKind kind, guint64 number)
{
  g_ptr_array_add (self->added, describe (self->time, kind, number));
}

static guint
choose (Source *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static guint32
intern_number (Source *self, guint number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);

  return recorder_fixture_intern (self->fixture, text);
}

static void
add (Source *self, guint cpu, guint thread, TbEvent event)
{
  event.time = self->time;
  event.cpu = (guint16) cpu;
  event.tid = 100 + (gint32) thread;
  event.pid = 100;
  recorder_fixture_add (self->fixture, event);
}

static guint
take (Source *self, Open *open, gboolean any)
{
  guint at = any ? choose (self, open->n) : open->n - 1, number = open->numbers[at];

  open->n--;
  for (; at < open->n; at++)
    open->numbers[at] = open->numbers[at + 1];
  return number;
}

static void
interrupt (Source *self, guint cpu, guint thread)
{
  Open *open = &self->interrupts[cpu];
  gboolean enters = open->n == 0 || (open->n < MAX_OPEN && choose (self, 2) == 0);
  guint number = enters ? self->next : take (self, open, FALSE);

  if (enters)
    open->numbers[open->n++] = number;
  add (self, cpu, thread,
       (TbEvent) { .kind = enters ? TB_EVENT_IRQ_ENTRY : TB_EVENT_IRQ_EXIT,
                   .a = number,
                   .device = TB_ID_NONE });
  note (self, enters ? TB_ORDER_INTERRUPT_ENTER : TB_ORDER_INTERRUPT_EXIT, number);
}

static void
call (Source *self, guint cpu, guint thread)
{
  Open *open = &self->calls[thread];
  gboolean enters = open->n == 0 || (open->n < MAX_OPEN && choose (self, 2) == 0);
  guint number = enters ? self->next : take (self, open, FALSE);

  if (enters)
    open->numbers[open->n++] = number;
  add (self, cpu, thread,
       (TbEvent) { .kind = enters ? TB_EVENT_CALL : TB_EVENT_RETURN,
                   .text = intern_number (self, number) });
  note (self, enters ? TB_ORDER_CALL_ENTER : TB_ORDER_CALL_EXIT, number);
}

static void
call_system (Source *self, guint cpu, guint thread)
{
  Open *open = &self->syscalls[thread];
  gboolean enters = open->n == 0;
  guint number = enters ? self->next : take (self, open, FALSE);

  if (enters)
    open->numbers[open->n++] = number;
  add (self, cpu, thread,
       (TbEvent) { .kind = enters ? TB_EVENT_SYS_ENTER : TB_EVENT_SYS_EXIT,
                   .text = intern_number (self, number) });
  note (self, enters ? TB_ORDER_SYSCALL_ENTER : TB_ORDER_SYSCALL_EXIT, number);
}

/* Requests of one thread continue in any order. */
static void
request (Source *self, guint cpu, guint thread)
{
  Open *inserted = &self->inserted[thread], *issued = &self->issued[thread];
  TbEvent event = { .text = recorder_fixture_intern (self->fixture, "W"), .b = 512 };

  if (issued->n > 0 && choose (self, 2) == 0)
    {
      event.kind = TB_EVENT_IO_COMPLETE;
      event.a = take (self, issued, TRUE);
      note (self, TB_ORDER_BLOCK_COMPLETE, event.a);
    }
  else if (inserted->n > 0 && issued->n < MAX_OPEN && choose (self, 2) == 0)
    {
      event.kind = TB_EVENT_IO_ISSUE;
      event.a = take (self, inserted, TRUE);
      issued->numbers[issued->n++] = (guint) event.a;
      note (self, TB_ORDER_BLOCK_ISSUE, event.a);
    }
  else if (inserted->n < MAX_OPEN && choose (self, 2) == 0)
    {
      event.kind = TB_EVENT_IO_INSERT;
      event.a = self->next;
      inserted->numbers[inserted->n++] = self->next;
      note (self, TB_ORDER_BLOCK_INSERT, event.a);
    }
  else if (issued->n < MAX_OPEN)
    {
      event.kind = TB_EVENT_IO_ISSUE;
      event.a = self->next;
      issued->numbers[issued->n++] = self->next;
      note (self, TB_ORDER_BLOCK_INSERT, event.a);
      note (self, TB_ORDER_BLOCK_ISSUE, event.a);
    }
  else
    return;
  event.device = tb_recorder_intern_device (self->fixture->recorder, 0, "vda", "block", "254:0");
  add (self, cpu, thread, event);
}

static void
lose (Source *self, guint cpu, guint thread)
{
  while (self->interrupts[cpu].n > 0)
    note (self, TB_ORDER_INTERRUPT_EXIT, take (self, &self->interrupts[cpu], FALSE));
  add (self, cpu, thread,
       (TbEvent) { .kind = TB_EVENT_LOST, .a = self->next, .b = (guint64) self->time });
  note (self, TB_ORDER_LOST, self->next);
}

/* No switch happens in an interrupt handler: open handlers end first. */
static void
go_to_next (Source *self, guint cpu, guint thread)
{
  if (choose (self, 2) == 0)
    {
      note (self, TB_ORDER_SLEEP, self->next);
      add (self, cpu, thread,
           (TbEvent) { .kind = TB_EVENT_SLEEP,
                       .code = TB_SLEEP_POLL,
                       .a = self->next,
                       .module = TB_ID_NONE });
    }
  while (self->interrupts[cpu].n > 0)
    note (self, TB_ORDER_INTERRUPT_EXIT, take (self, &self->interrupts[cpu], FALSE));
  note (self, TB_ORDER_SWITCH, 10000 + self->next);
  add (self, cpu, thread,
       (TbEvent) { .kind = TB_EVENT_SWITCH,
                   .code = 'S',
                   .a = 10000 + self->next,
                   .b = 10000 + self->next });
}

static void
add_random_event (Source *self)
{
  guint cpu = choose (self, N_CPUS), thread = choose (self, N_THREADS);

  self->next++;
  switch (choose (self, 11))
    {
    case 0:
      interrupt (self, cpu, thread);
      break;
    case 1:
      call (self, cpu, thread);
      break;
    case 2:
      call_system (self, cpu, thread);
      break;
    case 3:
      request (self, cpu, thread);
      break;
    case 4:
      if (choose (self, 8) == 0)
        lose (self, cpu, thread);
      break;
    case 5:
      go_to_next (self, cpu, thread);
      break;
    case 6:
      add (self, cpu, thread, (TbEvent) { .kind = TB_EVENT_SAMPLE, .a = self->next });
      note (self, TB_ORDER_SAMPLE, self->next);
      break;
    case 7:
      add (self, cpu, thread, (TbEvent) { .kind = TB_EVENT_NET_SEND, .a = self->next });
      note (self, TB_ORDER_NETWORK, self->next);
      break;
    case 8:
      add (self, cpu, thread,
           (TbEvent) { .kind = TB_EVENT_MARK, .text = intern_number (self, self->next) });
      note (self, TB_ORDER_MARK, self->next);
      break;
    case 9:
      add (self, cpu, thread,
           (TbEvent) { .kind = TB_EVENT_FORK, .a = 20000 + self->next, .b = 100 });
      note (self, TB_ORDER_PROCESS, 20000 + self->next);
      break;
    default:
      add (self, cpu, thread, (TbEvent) { .kind = TB_EVENT_WAKEUP, .a = 30000 + self->next });
      note (self, TB_ORDER_WAKEUP, 30000 + self->next);
      break;
    }
}

static void
source_free (Source *self)
{
  recorder_fixture_free (self->fixture);
  g_rand_free (self->rand);
  g_ptr_array_unref (self->added);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

static Source *
record (guint32 seed, gboolean keep, guint n_events)
{
  Source *self = g_new0 (Source, 1);

  self->fixture = recorder_fixture_new ();
  self->rand = g_rand_new_with_seed (seed);
  self->added = g_ptr_array_new_with_free_func (g_free);
  self->time = 1000;
  tb_recorder_add_host (self->fixture->recorder, "", NULL, NULL, 0, 0);
  if (keep)
    tb_recorder_store_order (self->fixture->recorder);
  for (guint i = 0; i < n_events; i++)
    {
      if (choose (self, 4) == 0)
        self->time += choose (self, 3);
      add_random_event (self);
    }
  recorder_fixture_finish (self->fixture);
  return self;
}

static guint64
parse_text (RecorderFixture *fixture, guint32 string)
{
  return g_ascii_strtoull (tb_session_get_string (fixture->session, string), NULL, 10);
}

/* The number of an event. */
static guint64
read_number (RecorderFixture *fixture, const TbSequenceEvent *event)
{
  guint32 row = event->row;

  switch (event->kind)
    {
    case TB_ORDER_PROCESS:
      return (guint64) recorder_fixture_get_thread (fixture, U32 (PROCESS, THREAD, row))->tid;
    case TB_ORDER_SWITCH:
      return (guint64) recorder_fixture_get_thread (fixture, U32 (SWITCH, NEXT, row))->tid;
    case TB_ORDER_WAKEUP:
      return (guint64) recorder_fixture_get_thread (fixture, U32 (WAKEUP, WAKEE, row))->tid;
    case TB_ORDER_SAMPLE:
      return (guint64) I64 (SAMPLE, WEIGHT, row);
    case TB_ORDER_NETWORK:
      return (guint64) I64 (NETWORK, SOCKET, row);
    case TB_ORDER_MARK:
      return parse_text (fixture, U32 (MARK, NAME, row));
    case TB_ORDER_SLEEP:
      return (guint64) I64 (SLEEP, ADDRESS, row);
    case TB_ORDER_LOST:
      return (guint64) I64 (LOST, COUNT, row);
    case TB_ORDER_INTERRUPT_ENTER:
    case TB_ORDER_INTERRUPT_EXIT:
      return U32 (INTERRUPT, VECTOR, row);
    case TB_ORDER_SYSCALL_ENTER:
    case TB_ORDER_SYSCALL_EXIT:
      return parse_text (fixture, U32 (SYSCALL, NUMBER, row));
    case TB_ORDER_CALL_ENTER:
    case TB_ORDER_CALL_EXIT:
      return parse_text (fixture, U32 (CALL, FUNCTION, row));
    default:
      return (guint64) I64 (BLOCK, SECTOR, row);
    }
}

static GPtrArray *
list (RecorderFixture *fixture)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSequence) sequence = tb_sequence_new (fixture->session, TRUE, &error);
  const TbSequenceEvent *events;
  gint64 before = -1;
  guint n;

  g_assert_no_error (error);
  while ((events = tb_sequence_next (sequence, &n)) != NULL)
    {
      g_assert_cmpuint (n, >, 0);
      g_assert_cmpint (events[0].time, >, before);
      before = events[0].time;
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpint (events[i].time, ==, before);
          g_ptr_array_add (found,
                           describe (before, events[i].kind, read_number (fixture, &events[i])));
        }
    }
  g_assert_cmpuint (found->len, ==, tb_sequence_get_length (sequence));
  return found;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
assert_same (GPtrArray *one, GPtrArray *two)
{
  for (guint i = 0; i < one->len && i < two->len; i++)
    g_assert_cmpstr (one->pdata[i], ==, two->pdata[i]);
  g_assert_cmpuint (one->len, ==, two->len);
}

static void
test_recorded_order (void)
{
  for (guint i = 0; i < test_rounds (60, 12); i++)
    {
      g_autoptr (Source) source = record ((guint32) g_test_rand_int (), TRUE,
                                          1 + (guint) g_test_rand_int_range (0, 1500));
      g_autoptr (GPtrArray) found = list (source->fixture);

      assert_same (found, source->added);
    }
}

/* Every event appears once, and the derived order depends on nothing else. */
static void
test_derived_order (void)
{
  for (guint i = 0; i < test_rounds (20, 4); i++)
    {
      guint32 seed = (guint32) g_test_rand_int ();
      g_autoptr (Source) source = record (seed, FALSE, 1000);
      g_autoptr (Source) again = record (seed, FALSE, 1000);
      g_autoptr (GPtrArray) found = list (source->fixture), other = list (again->fixture);

      g_assert_cmpuint (recorder_fixture_get_n_rows (source->fixture, TB_TABLE_ORDER), ==, 0);
      assert_same (found, other);
      g_ptr_array_sort (found, compare_texts);
      g_ptr_array_sort (source->added, compare_texts);
      assert_same (found, source->added);
    }
}

/* Asserts the order of the events at one time. */
static void
assert_kinds (RecorderFixture *fixture, gint64 time, const TbOrderKind *kinds, guint n_kinds)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSequence) sequence = tb_sequence_new (fixture->session, TRUE, &error);
  const TbSequenceEvent *events;
  guint n;

  g_assert_no_error (error);
  while ((events = tb_sequence_next (sequence, &n)) != NULL)
    if (events[0].time == time)
      {
        g_assert_cmpuint (n, ==, n_kinds);
        for (guint i = 0; i < n; i++)
          g_assert_cmpuint (events[i].kind, ==, kinds[i]);
        return;
      }
  g_assert_not_reached ();
}

/* An interrupt that ends when the next one begins does not enclose it. A wake-up in the second one
 * comes between its ends. */
static void
test_interrupts (void)
{
  static const TbOrderKind kinds[]
      = { TB_ORDER_MARK, TB_ORDER_INTERRUPT_EXIT, TB_ORDER_INTERRUPT_ENTER, TB_ORDER_WAKEUP };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  TbRecorder *recorder = fixture->recorder;

  tb_recorder_add_host (recorder, "", NULL, NULL, 0, 0);
  recorder_fixture_switch (fixture, 5, 0, 0, 'R', 11);
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 10, .kind = TB_EVENT_IRQ_ENTRY, .a = 7, .device = TB_ID_NONE });
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 20, .kind = TB_EVENT_IRQ_EXIT, .a = 7, .device = TB_ID_NONE });
  recorder_fixture_add (fixture, (TbEvent) { .time = 20,
                                             .kind = TB_EVENT_SOFTIRQ_ENTRY,
                                             .a = TB_SOFTIRQ_BLOCK });
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 20, .kind = TB_EVENT_WAKEUP, .tid = 11, .pid = 11, .a = 12 });
  recorder_fixture_add (fixture, (TbEvent) { .time = 20,
                                             .kind = TB_EVENT_MARK,
                                             .tid = 11,
                                             .pid = 11,
                                             .text = recorder_fixture_intern (fixture, "work") });
  recorder_fixture_add (fixture, (TbEvent) { .time = 30,
                                             .kind = TB_EVENT_SOFTIRQ_EXIT,
                                             .a = TB_SOFTIRQ_BLOCK });
  recorder_fixture_finish (fixture);
  assert_kinds (fixture, 20, kinds, G_N_ELEMENTS (kinds));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/sequence/told", test_recorded_order);
  g_test_add_func ("/session/sequence/made-up", test_derived_order);
  g_test_add_func ("/session/sequence/interrupts", test_interrupts);
  return g_test_run ();
}
