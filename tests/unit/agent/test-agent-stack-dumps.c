/* test-agent-stack-dumps.c: test of which unreadable stack dumps are reported as not done
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/core/tb-agent-stack-dumps.h"

/* no thread has this TID */
#define TID 4194001

typedef struct
{
  TbAgentStackDumps dumps;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->dumps = (TbAgentStackDumps) { 0 };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  tb_agent_stack_dumps_clear (&self->dumps);
}

static void
unread (Fixture *self, pid_t tid, guint64 time)
{
  tb_agent_stack_dumps_count (&self->dumps, tid, time, TB_AGENT_DUMP_EMPTY);
}

static void
done (Fixture *self, pid_t tid, guint64 time)
{
  tb_agent_stack_dumps_count (&self->dumps, tid, time, TB_AGENT_DUMP_DONE);
}

static guint64
settle (Fixture *self)
{
  tb_agent_stack_dumps_settle (&self->dumps);
  g_assert_cmpuint (self->dumps.n_empty_dumps, ==, 0);
  return self->dumps.failed[TB_CAPTURE_DUMP_UNREADABLE];
}

/* A process that does nothing until it is killed. */
static pid_t
start_process (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      pause ();
      _exit (0);
    }
  g_assert_cmpint (pid, >, 0);
  return pid;
}

static void
test_living (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    unread (self, getpid (), 10 + i);
  g_assert_cmpuint (settle (self), ==, 3);
}

static void
test_still_alive (Fixture *self, gconstpointer data)
{
  unread (self, TID, 10);
  unread (self, TID, 11);
  unread (self, TID, 30); /* received before earlier ones */
  done (self, TID, 20);
  unread (self, TID, 31);
  g_assert_cmpuint (settle (self), ==, 2);
}

static void
test_reasons (Fixture *self, gconstpointer data)
{
  tb_agent_stack_dumps_count (&self->dumps, TID, 10, TB_AGENT_DUMP_FOREIGN);
  tb_agent_stack_dumps_count (&self->dumps, TID, 11, TB_AGENT_DUMP_NONE);
  g_assert_cmpuint (settle (self), ==, 0);
  g_assert_cmpuint (self->dumps.failed[TB_CAPTURE_DUMP_FOREIGN], ==, 1);
  g_assert_cmpuint (self->dumps.failed[TB_CAPTURE_DUMP_NO_ROOM], ==, 0);
}

/* The process has ended: one is still a zombie, the other one has been reaped. */
static void
test_ended (Fixture *self, gconstpointer data)
{
  pid_t zombie = start_process (), reaped = start_process ();
  siginfo_t info;

  unread (self, zombie, 10);
  unread (self, reaped, 11);
  tb_agent_stack_dumps_note_exit (&self->dumps, reaped, 12);
  kill (zombie, SIGKILL);
  kill (reaped, SIGKILL);
  g_assert_cmpint (waitid (P_PID, (id_t) zombie, &info, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpint (waitpid (reaped, NULL, 0), ==, reaped);
  g_assert_cmpuint (settle (self), ==, 0);
  g_assert_cmpint (waitpid (zombie, NULL, 0), ==, zombie);
}

/* A new thread that has not written to its stack yet has no stack ('u'). Later it has one; 'm' is
 * an unreadable dump in the middle of its life. All orders in which two CPUs may be read. */
static void
test_new (Fixture *self, gconstpointer data)
{
  static const char *const orders[]
      = { "fudml", "fudlm", "fduml", "fdmul", "udmflx", "udfx", "fuxd", "ufd", "fxud", "fxudml" };
  static const guint undone[] = { 1, 0, 1, 1, 0, 0, 0, 0, 0, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      self->dumps.failed[TB_CAPTURE_DUMP_UNREADABLE] = 0;
      for (const char *at = orders[i]; *at != '\0'; at++)
        switch (*at)
          {
          case 'f':
            tb_agent_stack_dumps_note_fork (&self->dumps, TID + (pid_t) i);
            break;
          case 'u':
            unread (self, TID + (pid_t) i, 10);
            break;
          case 'd':
            done (self, TID + (pid_t) i, 20);
            break;
          case 'm':
            unread (self, TID + (pid_t) i, 30);
            break;
          case 'l':
            done (self, TID + (pid_t) i, 40);
            break;
          default:
            tb_agent_stack_dumps_note_exit (&self->dumps, TID + (pid_t) i, 50);
            break;
          }
      g_assert_cmpuint (settle (self), ==, undone[i]);
    }
}

/* A thread that still has its parent's memory has no stack of its own either. */
static void
test_still_new (Fixture *self, gconstpointer data)
{
  tb_agent_stack_dumps_note_fork (&self->dumps, getpid ());
  unread (self, getpid (), 60);
  g_assert_cmpuint (settle (self), ==, 0);
}

/* The TID was in use before, by a thread that has ended. */
static void
test_reused_tid (Fixture *self, gconstpointer data)
{
  unread (self, TID, 10);
  tb_agent_stack_dumps_note_fork (&self->dumps, TID);
  done (self, TID, 30);
  g_assert_cmpuint (settle (self), ==, 0);
  tb_agent_stack_dumps_note_fork (&self->dumps, TID);
  tb_agent_stack_dumps_note_exec (&self->dumps, TID, 41);
  tb_agent_stack_dumps_note_exit (&self->dumps, TID, 50);
  g_assert_cmpuint (settle (self), ==, 0);
}

static void
end_later (Fixture *self, guint64 time)
{
  tb_agent_stack_dumps_note_exit (&self->dumps, TID + 1, time);
}

/* State of threads that ended long ago is dropped. A reused TID keeps only the state of its new
 * thread. */
static void
test_forgotten (Fixture *self, gconstpointer data)
{
  for (pid_t i = 0; i < 1000; i++)
    {
      tb_agent_stack_dumps_note_fork (&self->dumps, TID + i);
      tb_agent_stack_dumps_note_exec (&self->dumps, TID + i, 41);
      tb_agent_stack_dumps_note_exit (&self->dumps, TID + i, 50);
    }
  tb_agent_stack_dumps_note_fork (&self->dumps, TID + 7);
  end_later (self, 10 * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpuint (self->dumps.forked.n_used, ==, 1000);
  end_later (self, 11 * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpuint (self->dumps.forked.n_used, ==, 2); /* that one, and the last to end */
  unread (self, TID + 7, 60);
  done (self, TID + 7, 70);
  g_assert_cmpuint (settle (self), ==, 0);
  for (guint i = 0; i < 10000; i++)
    end_later (self, (12 + i) * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpuint (self->dumps.max_ends, <=, 2048);
}

/* All orders in which two CPUs may be read. */
static void
test_between_programs (Fixture *self, gconstpointer data)
{
  static const char *const orders[] = { "ouxn", "ouNx", "xoun", "oxnu", "uxno" };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (const char *at = orders[i]; *at != '\0'; at++)
      switch (*at)
        {
        case 'o':
          done (self, TID + (pid_t) i, 10);
          break;
        case 'u':
          unread (self, TID + (pid_t) i, 20);
          break;
        case 'x':
          tb_agent_stack_dumps_note_exec (&self->dumps, TID + (pid_t) i, 30);
          break;
        default:
          done (self, TID + (pid_t) i, 40);
          break;
        }
  g_assert_cmpuint (settle (self), ==, 0);
  /* There was a stack before the exec. */
  unread (self, TID, 110);
  done (self, TID, 120);
  tb_agent_stack_dumps_note_exec (&self->dumps, TID, 130);
  g_assert_cmpuint (settle (self), ==, 1);
}

/* The number of dumps checked is bounded; the others count. */
static void
test_many (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 5000; i++)
    unread (self, TID + (pid_t) i, 10);
  g_assert_cmpuint (self->dumps.n_empty_dumps, ==, 4096);
  g_assert_cmpuint (settle (self), ==, 5000 - 4096);
}

static void
add (const char *path, void (*test) (Fixture *self, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/agent/dumps/living", test_living);
  add ("/agent/dumps/lived-on", test_still_alive);
  add ("/agent/dumps/reasons", test_reasons);
  add ("/agent/dumps/forgotten", test_forgotten);
  add ("/agent/dumps/ended", test_ended);
  add ("/agent/dumps/new", test_new);
  add ("/agent/dumps/still-new", test_still_new);
  add ("/agent/dumps/number-again", test_reused_tid);
  add ("/agent/dumps/between-programs", test_between_programs);
  add ("/agent/dumps/many", test_many);
  return g_test_run ();
}
