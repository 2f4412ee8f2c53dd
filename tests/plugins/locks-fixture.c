/* locks-fixture.c: recordings of waits for locks: of two processes, each wait on a CPU of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "locks-fixture.h"
#include "story.h"

/* The timer interrupt begins or ends. */
static void
add_timer (LocksFixture *self, gint64 time, TbEventKind kind)
{
  TbEvent event = recording_make_event (time, kind, 7, 0);

  event.code = TB_INTERRUPT_TIMER;
  tb_recorder_add (self->recorder, &event);
}

guint32
locks_make_stack (LocksFixture *self, const char *function)
{
  const guint32 frames[]
      = { tb_recorder_intern_named_frame (self->recorder, "main", "app", FALSE),
          tb_recorder_intern_named_frame (self->recorder, function, "libc", FALSE) };
  const guint8 flags[] = { 0, 0 };

  return tb_recorder_intern_stack (self->recorder, frames, flags, G_N_ELEMENTS (frames));
}

void
locks_wait (LocksFixture *self,
            gint32 pid,
            gint32 tid,
            gint64 from,
            gint64 to,
            guint64 address,
            TbSleepKind kind,
            gint32 waker)
{
  guint16 cpu = (guint16) (tid % 8);
  TbEvent event
      = { .time = from, .kind = TB_EVENT_SLEEP, .cpu = cpu, .tid = tid, .pid = pid, .code = kind };

  event.text = self->futex;
  event.text2 = kind == TB_SLEEP_SHARED_LOCK ? self->shared
                : kind == TB_SLEEP_FILE_LOCK ? self->file
                : kind == TB_SLEEP_SEMAPHORE ? TB_STRING_NONE
                                             : self->heap;
  event.a = address;
  event.b = waker == 0          ? (guint64) (to - from)
            : self->timeout > 0 ? (guint64) self->timeout
                                : (guint64) TB_TIMEOUT_NONE;
  event.c = 0x40;
  event.device = self->operation;
  event.module = TB_ID_NONE;
  recording_switch (self->recorder, from - LOCKS_MS, cpu, 0, 'R', tid);
  tb_recorder_add (self->recorder, &event);
  recording_switch_with_stack (self->recorder, from, cpu, tid, 'S', 0, self->stack);
  if (waker == 0)
    add_timer (self, to - 10, TB_EVENT_IRQ_ENTRY);
  recording_wake (self->recorder, to, 7, waker, tid);
  if (waker == 0)
    add_timer (self, to + 10, TB_EVENT_IRQ_EXIT);
  recording_switch (self->recorder, to + 100, cpu, 0, 'R', tid);
  recording_switch (self->recorder, to + 200, cpu, tid, 'S', 0);
}

LocksFixture
locks_begin (void)
{
  LocksFixture self = { .recorder = recording_new ("locks") };

  self.heap = tb_recorder_intern_string (self.recorder, "[heap]", -1);
  self.shared = tb_recorder_intern_string (self.recorder, "/dev/shm/ring", -1);
  self.file = tb_recorder_intern_string (self.recorder, "/var/tmp/t.db", -1);
  self.futex = tb_recorder_intern_string (self.recorder, "futex", -1);
  tb_recorder_add_host (self.recorder, "host", "", "x86_64", 8, 0);
  recording_name (self.recorder, 10, "owner", 10);
  for (gint32 tid = 11; tid <= 13; tid++)
    recording_name (self.recorder, tid, "worker", 10);
  recording_name (self.recorder, 20, "other", 20);
  return self;
}

TbTrace *
locks_end (LocksFixture *self)
{
  tb_recorder_set_range (self->recorder, 0, 100 * LOCKS_MS);
  return recording_open (self->recorder);
}
