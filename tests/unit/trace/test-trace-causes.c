/* test-trace-causes.c: test of the causes of wake-ups, and of the objects of sleeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "trace-events.h"

#define US 1000
#define NONE TB_ID_NONE
#define HARD TB_INTERRUPT_HARD
#define SOFT TB_INTERRUPT_SOFT

enum
{
  VDA,
  VDB,
  ETH,
  CLOCK,
  LINE,
};

/* Thread 1 sleeps from 100 on CPU 0. Thread 2 runs on CPU 1 and is interrupted there. The wake-up
 * is at 500. */
static Events *
begin (char state)
{
  Events *events = events_new (0, 1000, 6);

  events_set_device_class (events, VDA, TB_DEVICE_BLOCK);
  events_set_device_class (events, VDB, TB_DEVICE_BLOCK);
  events_set_device_class (events, ETH, TB_DEVICE_NETWORK);
  events_set_device_class (events, CLOCK, TB_DEVICE_TIMER);
  events_set_device_class (events, LINE, TB_DEVICE_IRQ);
  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  events_switch (events, 100, 0, 1, state, 0);
  events_wakeup (events, 500, 1, 2, 1, 0);
  return events;
}

#define assert_wait(events, expected) assert_life (events, 1, "R0-100 " expected " q500-1000]")

static void
test_thread (void)
{
  g_autoptr (Events) events = begin ('S');

  assert_wait (events, "S100-500<t2");
}

/* (1) the wakee's own request, on a device that completes one in the same handler */
static void
test_own_request (void)
{
  g_autoptr (Events) events = begin ('D');

  events_block (events, 50, 60, 470, VDA, 1, 1, 7);
  events_block (events, 55, 65, 480, VDB, 3, 1, 8); /* of another thread, in the same handler */
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, VDB);
  assert_wait (events, "D100-500:block-io=7<d0");
}

/* (1) or at the same time stamp, even if recorded after the wake-up; only on the same CPU, and only
 * an own request */
static void
assert_recorded_after (guint32 thread, guint16 cpu, const char *expected)
{
  const TbSequenceEvent simultaneous[]
      = { { .time = 500, .kind = TB_ORDER_WAKEUP, .row = 0 },
          { .time = 500, .kind = TB_ORDER_BLOCK_COMPLETE, .row = 1 } };
  g_autoptr (Events) events = begin ('D');

  events_block (events, 55, 65, 480, VDB, 3, 1, 8); /* of another thread, in the same handler */
  events_block (events, 50, 60, 500, VDA, thread, cpu, 7);
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, NONE);
  events_set_order (events, simultaneous, G_N_ELEMENTS (simultaneous));
  assert_life (events, 1, expected);
}

static void
test_own_request_recorded_after (void)
{
  assert_recorded_after (1, 1, "R0-100 D100-500:block-io=7<d0 q500-1000]");
  assert_recorded_after (3, 1, "R0-100 D100-500:block-io<d1 q500-1000]");
  assert_recorded_after (1, 0, "R0-100 D100-500:block-io<d1 q500-1000]");
}

/* (1) also an own request still in service, if its device completed a request of another thread in
 * the same handler: its completion is recorded a little later. */
static void
test_own_request_in_service (void)
{
  g_autoptr (Events) events = begin ('D');
  g_autoptr (Events) before = begin ('D');

  events_block (events, 50, 60, -1, VDA, 1, 1, 7);
  events_block (events, 52, 62, 480, VDA, 3, 1, 8);
  events_block (events, 55, 65, 490, VDB, 3, 1, 9); /* the last one to complete */
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, VDB);
  assert_wait (events, "D100-500:block-io=7<d0");

  /* not if that completion came before the handler */
  events_block (before, 50, 60, -1, VDA, 1, 1, 7);
  events_block (before, 52, 62, 440, VDA, 3, 1, 8);
  events_block (before, 55, 65, 490, VDB, 3, 1, 9);
  events_interrupt (before, 450, 600, 1, HARD, 36, 5, VDB);
  assert_wait (before, "D100-500:block-io<d1");
}

/* (2) otherwise a request completed in the same handler */
static void
test_request_of_other (void)
{
  g_autoptr (Events) events = begin ('S');

  events_block (events, 50, 60, 440, VDA, 3, 1, 7); /* before the handler */
  events_block (events, 55, 65, 480, VDB, 3, 1, 8);
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, NONE);
  assert_wait (events, "S100-500:block-io<d1");
}

/* (2) before (3) */
static void
test_request_before_device (void)
{
  g_autoptr (Events) events = begin ('S');

  events_block (events, 55, 65, 480, VDB, 3, 1, 8);
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, ETH);
  assert_wait (events, "S100-500:block-io<d1");
}

/* (3) before (4) */
static void
test_device_before_softirq (void)
{
  g_autoptr (Events) block = begin ('D');
  g_autoptr (Events) timer = begin ('S');

  events_block (block, 50, 60, -1, VDB, 1, 1, 7); /* its own, in service on a third device */
  events_interrupt (block, 480, 520, 1, SOFT, TB_SOFTIRQ_BLOCK, 6, NONE);
  events_interrupt (block, 450, 600, 1, HARD, 36, 5, ETH);
  assert_wait (block, "D100-500<d2");

  events_interrupt (timer, 480, 520, 1, SOFT, TB_SOFTIRQ_TIMER, 6, NONE);
  events_interrupt (timer, 450, 600, 1, HARD, 36, 5, ETH);
  assert_wait (timer, "S100-500<d2");
}

/* A completion in the enclosing softirq does not explain a hard interrupt within it; a completion
 * in the hard interrupt does. */
static void
test_innermost (void)
{
  static const struct
  {
    gint64 complete;
    const char *life;
  } cases[] = { { 470, "R0-100 S100-500:block-io<d0 q500-1000]" },
                { 490, "R0-100 S100-500:block-io<d1 q500-1000]" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin ('S');

      events_block (events, 55, 65, cases[i].complete, VDB, 3, 1, 8);
      events_interrupt (events, 480, 520, 1, HARD, 36, 5, VDA);
      events_interrupt (events, 450, 600, 1, SOFT, TB_SOFTIRQ_BLOCK, 6, NONE);
      assert_life (events, 1, cases[i].life);
    }
}

/* (3) otherwise the device of the innermost hard interrupt */
static void
test_device_of_interrupt (void)
{
  g_autoptr (Events) events = begin ('S');

  events_interrupt (events, 480, 520, 1, SOFT, TB_SOFTIRQ_RCU, 6, NONE);
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, ETH);
  assert_wait (events, "S100-500<d2");
}

static void
test_nested_interrupts (void)
{
  g_autoptr (Events) events = begin ('S');

  /* the inner one has ended before the wake-up */
  events_interrupt (events, 470, 480, 1, HARD, 37, 6, VDA);
  events_interrupt (events, 450, 600, 1, HARD, 36, 5, ETH);
  assert_wait (events, "S100-500<d2");
}

static void
test_timer_device (void)
{
  g_autoptr (Events) events = begin ('S');

  events_interrupt (events, 450, 600, 1, HARD, 0, 5, CLOCK);
  assert_wait (events, "S100-500<m");
}

/* (4) softirq block: the device with a request of the wakee in service, otherwise the only block
 * device, otherwise "block" */
static void
test_softirq_block (void)
{
  g_autoptr (Events) own = begin ('D');
  g_autoptr (Events) several = begin ('D');
  g_autoptr (Events) one = begin ('D');

  events_interrupt (own, 450, 600, 1, SOFT, TB_SOFTIRQ_BLOCK, 5, NONE);
  events_block (own, 50, 60, -1, VDB, 1, 1, 7);
  assert_wait (own, "D100-500:block-io=7<d1");

  events_interrupt (several, 450, 600, 1, SOFT, TB_SOFTIRQ_IRQ_POLL, 5, NONE);
  assert_wait (several, "D100-500:block-io<block");

  events_set_device_class (one, VDB, TB_DEVICE_OTHER);
  events_interrupt (one, 450, 600, 1, SOFT, TB_SOFTIRQ_BLOCK, 5, NONE);
  assert_wait (one, "D100-500:block-io<d0");
}

static void
test_softirq_network (void)
{
  g_autoptr (Events) peer = begin ('S');
  g_autoptr (Events) unnamed = begin ('S');
  g_autoptr (Events) interface = begin ('S');

  events_network (peer, 300, 1, TB_NETWORK_RECEIVE, NONE, 8); /* before the softirq */
  events_network (peer, 480, 1, TB_NETWORK_RECEIVE, NONE, 9);
  events_network (peer, 490, 0, TB_NETWORK_RECEIVE, NONE, 10); /* on another CPU */
  events_interrupt (peer, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (peer, "S100-500=9<n9");

  events_interrupt (unnamed, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (unnamed, "S100-500<n0");

  events_interrupt (interface, 430, 440, 1, HARD, 11, 5, ETH);
  events_interrupt (interface, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (interface, "S100-500<d2");
}

/* Over loopback the softirq runs inside the sender's call. The sender woke the thread, which its
 * message or its system call shows. */
static void
test_loopback (void)
{
  g_autoptr (Events) by_message = begin ('S');
  g_autoptr (Events) by_call = begin ('S');
  g_autoptr (Events) raised = events_new (0, 1000 * US, 6);

  events_network (by_message, 610, 1, TB_NETWORK_SEND, 2, 9);
  events_interrupt (by_message, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (by_message, "S100-500<t2");

  events_syscall (by_call, 400, 700, 2, TB_SYSCALL_SEND);
  events_interrupt (by_call, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (by_call, "S100-500<t2");

  /* raised by the interrupt just before it: the recorded thread was only interrupted */
  events_switch (raised, 0, 0, 0, 'R', 1);
  events_switch (raised, 0, 1, 0, 'R', 2);
  events_switch (raised, 100, 0, 1, 'S', 0);
  events_wakeup (raised, 500, 1, 2, 1, 0);
  events_syscall (raised, 400, 700, 2, TB_SYSCALL_SEND);
  events_interrupt (raised, 430, 440, 1, HARD, 11, 5, NONE);
  events_interrupt (raised, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_life (raised, 1, "R0-100 S100-500<n0 q500-1000000]");
}

/* A queue that a timer made send, or a thread: it is known only if ticks were recorded. */
static void
test_loopback_through_queue (void)
{
  static const struct
  {
    gint64 tick, transmit; /* in us; 0: none */
    const char *expected;
  } cases[] = {
    { 0, 430, "R0-100000 S100000-500000<n0 q500000-1000000]" },
    { 0, 300, "R0-100000 S100000-500000<t2 q500000-1000000]" },
    { 300, 430, "R0-100000 S100000-500000<t2 q500000-1000000]" },
    { 420, 430, "R0-100000 S100000-500000<n0 q500000-1000000]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = events_new (0, 1000 * US, 6);
      gint64 tick = cases[i].tick * US, transmit = cases[i].transmit * US;

      events_switch (events, 0, 0, 0, 'R', 1);
      events_switch (events, 0, 1, 0, 'R', 2);
      events_switch (events, 100 * US, 0, 1, 'S', 0);
      events_wakeup (events, 500 * US, 1, 2, 1, 0);
      events_network (events, 610 * US, 1, TB_NETWORK_SEND, 2, 9);
      if (tick > 0)
        events_interrupt (events, tick, tick + US, 1, TB_INTERRUPT_TIMER, 236, 5, NONE);
      events_interrupt (events, transmit, transmit + US, 1, SOFT, TB_SOFTIRQ_NET_TX, 5, NONE);
      events_interrupt (events, 440 * US, 600 * US, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
      assert_life (events, 1, cases[i].expected);
    }
}

/* A thread in a write may be the sender. A thread in a read or open was interrupted. If no hard
 * interrupt was recorded, a thread in a write may also have been interrupted, unless it sent a
 * message. */
static void
test_loopback_by_write (void)
{
  static const struct
  {
    TbSyscallClass class;
    gboolean with_hard;
    gboolean with_message;
    gboolean is_sender;
  } cases[] = {
    { TB_SYSCALL_WRITE, TRUE, FALSE, TRUE },   { TB_SYSCALL_WRITE, FALSE, TRUE, TRUE },
    { TB_SYSCALL_WRITE, FALSE, FALSE, FALSE }, { TB_SYSCALL_FILE, TRUE, FALSE, FALSE },
    { TB_SYSCALL_FILE, FALSE, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin ('S');

      events_syscall (events, 400, 700, 2, cases[i].class);
      if (cases[i].with_message)
        events_network (events, 610, 1, TB_NETWORK_SEND, 2, 9);
      if (cases[i].with_hard)
        events_interrupt (events, 30, 40, 0, HARD, 36, 6, VDA); /* on another CPU */
      events_interrupt (events, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
      assert_life (events, 1,
                   cases[i].is_sender ? "R0-100 S100-500<t2 q500-1000]"
                                      : "R0-100 S100-500<n0 q500-1000]");
    }
}

static void
test_timers (void)
{
  static const struct
  {
    TbInterruptKind kind;
    guint32 vector;
  } cases[]
      = { { TB_INTERRUPT_TIMER, 236 }, { SOFT, TB_SOFTIRQ_TIMER }, { SOFT, TB_SOFTIRQ_HRTIMER } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin ('S');

      events_interrupt (events, 450, 600, 1, cases[i].kind, cases[i].vector, 5, NONE);
      assert_wait (events, "S100-500<m");
    }
}

/* As begin(), with flags of the wake-up as its only evidence, except for what is added. */
static Events *
begin_with_flags (guint8 flags)
{
  Events *events = events_new (0, 1000, 6);

  events_set_device_class (events, VDA, TB_DEVICE_BLOCK);
  events_set_device_class (events, ETH, TB_DEVICE_NETWORK);
  events_set_device_class (events, CLOCK, TB_DEVICE_TIMER);
  events_set_device_class (events, LINE, TB_DEVICE_IRQ);
  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_wakeup (events, 500, 1, 2, 1, flags);
  return events;
}

/* Where the handlers of devices were recorded and none is open, the timer of the CPU did it; not
 * where its interrupts were recorded, too, or where handlers were not. */
static void
test_timer_without_handler (void)
{
  static const struct
  {
    guint8 flags;
    TbThreadTraits traits;
    TbInterruptKind kind; /* of an interrupt of another CPU */
    guint32 device;
    const char *expected;
  } cases[] = {
    { TB_WAKEUP_HARDIRQ, 0, HARD, LINE, "S100-500<m" },
    { TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ, 0, HARD, ETH, "S100-500<m" },
    { TB_WAKEUP_HARDIRQ, 0, HARD, NONE, "S100-500<i0" }, /* only interrupts between CPUs */
    { TB_WAKEUP_HARDIRQ, 0, SOFT, NONE, "S100-500<i0" },
    { TB_WAKEUP_HARDIRQ, 0, TB_INTERRUPT_TIMER, NONE, "S100-500<i0" },
    { TB_WAKEUP_HARDIRQ, 0, HARD, CLOCK, "S100-500<i0" },
    { TB_WAKEUP_SOFTIRQ, 0, HARD, LINE, "S100-500<i0" },
    { TB_WAKEUP_HARDIRQ | TB_WAKEUP_LATE, 0, HARD, LINE, "S100-500<?" },
    { TB_WAKEUP_HARDIRQ, TB_THREAD_TRACER, HARD, LINE, "S100-500<i0" },
  };
  g_autoptr (Events) ends = begin_with_flags (TB_WAKEUP_HARDIRQ);

  /* Of the interrupts of timers only the ends were recorded. */
  events_interrupt (ends, 30, 40, 0, HARD, 36, 6, LINE);
  events_interrupt (ends, -1, 520, 1, TB_INTERRUPT_TIMER, 236, 6, NONE);
  assert_wait (ends, "S100-500<m");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin_with_flags (cases[i].flags);
      g_autofree char *expected = g_strdup_printf ("R0-100 %s q500-1000]", cases[i].expected);

      events_interrupt (events, 30, 40, 0, cases[i].kind, 36, 6, cases[i].device);
      events_set_thread_traits (events, 1, cases[i].traits);
      assert_life (events, 1, expected);
    }
}

/* The interrupt of the timer interrupts a softirq, or a handler is open. */
static void
test_timer_in_softirq (void)
{
  g_autoptr (Events) softirq = begin_with_flags (TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ);
  g_autoptr (Events) handler = begin_with_flags (TB_WAKEUP_HARDIRQ);

  events_interrupt (softirq, 30, 40, 0, HARD, 36, 6, LINE);
  events_interrupt (softirq, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (softirq, "S100-500<m");

  events_interrupt (handler, 450, 600, 1, HARD, 36, 6, LINE);
  assert_wait (handler, "S100-500<i6");
}

/* Softirqs were not recorded: the flags show that one interrupted the waker, its messages that it
 * was sending, and the handlers of devices that none of them raised the softirq. */
static void
test_loopback_without_softirqs (void)
{
  static const struct
  {
    gint64 handler; /* on the same CPU; -1: none at all */
    TbNetworkEvent before;
    TbNetworkEvent after;
    const char *expected;
  } cases[] = {
    { 100000, TB_NETWORK_RECEIVE, TB_NETWORK_SEND, "S100000-500000<t2" },
    { 470000, TB_NETWORK_RECEIVE, TB_NETWORK_SEND, "S100000-500000<i0" }, /* raised by it */
    { -1, TB_NETWORK_RECEIVE, TB_NETWORK_SEND, "S100000-500000<i0" },     /* may be raised by one */
    { 100000, TB_NETWORK_RECEIVE, TB_NETWORK_RECEIVE, "S100000-500000<i0" }, /* no sender */
    { 100000, TB_NETWORK_SEND, TB_NETWORK_SEND, "S100000-500000<i0" },       /* may be a timer's */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = events_new (0, 1000 * US, 6);
      g_autofree char *expected
          = g_strdup_printf ("R0-100000 %s q500000-1000000]", cases[i].expected);

      events_set_device_class (events, LINE, TB_DEVICE_IRQ);
      events_switch (events, 0, 0, 0, 'R', 1);
      events_switch (events, 0, 1, 0, 'R', 2);
      events_switch (events, 100 * US, 0, 1, 'S', 0);
      if (cases[i].handler >= 0)
        events_interrupt (events, cases[i].handler - 1000, cases[i].handler, 1, HARD, 36, 6, LINE);
      events_network (events, 495 * US, 1, cases[i].before, 2, 0);
      events_wakeup (events, 500 * US, 1, 2, 1, TB_WAKEUP_SOFTIRQ);
      events_network (events, 510 * US, 1, cases[i].after, 2, 0);
      assert_life (events, 1, expected);
    }
}

/* The softirq in which requests complete was not recorded, though handlers were. */
static void
test_completion_without_softirqs (void)
{
  g_autoptr (Events) own = begin_with_flags (TB_WAKEUP_SOFTIRQ);
  g_autoptr (Events) other = begin_with_flags (TB_WAKEUP_SOFTIRQ);

  events_interrupt (own, 30, 40, 0, HARD, 36, 6, LINE);
  events_block (own, 50, 60, 480, VDA, 1, 1, 7);
  assert_wait (own, "S100-500:block-io=7<d0");

  events_interrupt (other, 30, 40, 0, HARD, 36, 6, LINE);
  events_block (other, 50, 60, 480, VDA, 3, 1, 7);
  assert_wait (other, "S100-500<i0");
}

/* (5) otherwise the interrupt, by name */
static void
test_interrupt_by_name (void)
{
  g_autoptr (Events) hard = begin ('S');
  g_autoptr (Events) line = begin ('S');
  g_autoptr (Events) soft = begin ('S');
  g_autoptr (Events) flags = events_new (0, 1000, 6);

  events_interrupt (hard, 450, 600, 1, HARD, 36, 5, NONE);
  assert_wait (hard, "S100-500<i5");
  events_interrupt (line, 450, 600, 1, HARD, 36, 6, LINE);
  assert_wait (line, "S100-500<i6");
  events_interrupt (soft, 450, 600, 1, SOFT, TB_SOFTIRQ_TASKLET, 7, NONE);
  assert_wait (soft, "S100-500<i7");

  /* only the event's own flags show it */
  events_switch (flags, 0, 0, 0, 'R', 1);
  events_switch (flags, 100, 0, 1, 'S', 0);
  events_wakeup (flags, 500, 1, 2, 1, TB_WAKEUP_HARDIRQ);
  assert_wait (flags, "S100-500<i0");
}

static void
test_ksoftirqd_is_a_thread (void)
{
  g_autoptr (Events) events = begin ('S');

  events_set_thread_traits (events, 2, TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD);
  events_interrupt (events, 450, 600, 1, SOFT, TB_SOFTIRQ_TIMER, 5, NONE);
  assert_wait (events, "S100-500<t2");
}

/* Only the event's own flags give the context, as in a recording without interrupts. */
static void
test_ksoftirqd_by_flags (void)
{
  static const struct
  {
    TbThreadTraits traits;
    guint8 flags;
    gboolean is_waker;
  } cases[] = {
    { TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD, TB_WAKEUP_SOFTIRQ, TRUE },
    { TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD, TB_WAKEUP_HARDIRQ, FALSE }, /* it was interrupted */
    { TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD, TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ, FALSE },
    { TB_THREAD_KERNEL, TB_WAKEUP_SOFTIRQ, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = events_new (0, 1000, 3);

      events_set_thread_traits (events, 2, cases[i].traits);
      events_switch (events, 0, 0, 0, 'R', 1);
      events_switch (events, 0, 1, 0, 'R', 2);
      events_switch (events, 100, 0, 1, 'S', 0);
      events_wakeup (events, 500, 1, 2, 1, cases[i].flags);
      assert_life (events, 1,
                   cases[i].is_waker ? "R0-100 S100-500<t2 q500-1000]"
                                     : "R0-100 S100-500<i0 q500-1000]");
    }
}

/* Only the starts of softirqs were recorded; the flags show the interrupt inside. */
static void
test_interrupted_ksoftirqd (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 6);

  events_set_thread_traits (events, 2, TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD);
  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_wakeup (events, 500, 1, 2, 1, TB_WAKEUP_HARDIRQ);
  events_interrupt (events, 450, 600, 1, SOFT, TB_SOFTIRQ_TASKLET, 5, NONE);
  assert_life (events, 1, "R0-100 S100-500<i5 q500-1000]");
}

/* A wake-up recorded by sched_wakeup only, possibly from another CPU: tests what belongs to the
 * wakee. */
static Events *
begin_late (guint32 waker)
{
  Events *events = events_new (0, 1000, 6);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', waker);
  events_switch (events, 100, 0, 1, 'D', 0);
  events_wakeup (events, 500, 1, waker, 1, TB_WAKEUP_LATE);
  return events;
}

static void
test_late_in_softirq (void)
{
  g_autoptr (Events) ksoftirqd = begin_late (2);
  g_autoptr (Events) by_flags = events_new (0, 1000, 6);
  g_autoptr (Events) sender = begin_late (2);

  events_set_thread_traits (ksoftirqd, 2, TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD);
  events_interrupt (ksoftirqd, 450, 600, 1, SOFT, TB_SOFTIRQ_TIMER, 5, NONE);
  assert_wait (ksoftirqd, "D100-500<?");

  events_set_thread_traits (by_flags, 2, TB_THREAD_KERNEL | TB_THREAD_KSOFTIRQD);
  events_switch (by_flags, 0, 0, 0, 'R', 1);
  events_switch (by_flags, 100, 0, 1, 'D', 0);
  events_wakeup (by_flags, 500, 1, 2, 1, TB_WAKEUP_LATE | TB_WAKEUP_SOFTIRQ);
  assert_wait (by_flags, "D100-500<?");

  events_syscall (sender, 400, 700, 2, TB_SYSCALL_SEND);
  events_interrupt (sender, 450, 600, 1, SOFT, TB_SOFTIRQ_NET_RX, 5, NONE);
  assert_wait (sender, "D100-500<?");
}

/* An own request that completes at that time is the cause of the wake-up. A request of another
 * thread may be the cause of another wake-up. */
static void
test_late_wakeup_with_request (void)
{
  const TbSequenceEvent simultaneous[]
      = { { .time = 500, .kind = TB_ORDER_BLOCK_COMPLETE, .row = 0 },
          { .time = 500, .kind = TB_ORDER_WAKEUP, .row = 0 } };
  g_autoptr (Events) own = begin_late (0);
  g_autoptr (Events) others = begin_late (0);

  events_block (own, 50, 60, 500, VDA, 1, 1, 7);
  events_set_order (own, simultaneous, G_N_ELEMENTS (simultaneous));
  assert_wait (own, "D100-500:block-io=7<d0");

  events_block (others, 50, 60, 500, VDA, 3, 1, 7);
  events_set_order (others, simultaneous, G_N_ELEMENTS (simultaneous));
  assert_wait (others, "D100-500<?");
}

/* A handler without a recorded end does not extend beyond the next switch of its CPU. */
static void
test_unbalanced (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 6);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 3);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_switch (events, 300, 1, 3, 'S', 2);
  events_wakeup (events, 500, 1, 2, 1, 0);
  events_interrupt (events, 200, -1, 1, HARD, 36, 5, NONE);
  events_interrupt (events, -1, 700, 1, HARD, 36, 5, NONE);
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-100 S100-500<t2 q500-1000]");
  g_assert_cmpuint (output.counts.unbalanced_interrupts, ==, 2);
}

/* The thread interrupted by the completion while it goes to sleep may be the wakee itself. */
static void
test_interrupted_wakee (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 3);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_interrupt (events, 90, 96, 0, HARD, 36, 5, VDA);
  events_wakeup (events, 95, 0, 1, 1, TB_WAKEUP_HARDIRQ);
  events_switch (events, 100, 0, 1, 'D', 0);
  events_switch (events, 300, 0, 0, 'R', 1);
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-100 q100-300 R300-1000]");
  g_assert_cmpuint (output.counts.self_wakeups, ==, 0);
}

/* Without interrupt events a wake-up by the idle task is an interrupt. The wakee's own request that
 * just completed shows which one. */
static void
test_without_interrupt_events (void)
{
  g_autoptr (Events) idle = events_new (0, 1000, 3);
  g_autoptr (Events) nowhere = events_new (0, 1000, 3);
  g_autoptr (Events) request = events_new (0, 1000, 3);
  g_autoptr (Events) unknown = events_new (0, 1000, 3);

  events_switch (idle, 0, 0, 0, 'R', 1);
  events_switch (idle, 100, 0, 1, 'S', 0);
  events_wakeup (idle, 500, 1, 0, 1, 0);
  assert_life (idle, 1, "R0-100 S100-500<i0 q500-1000]");

  /* the CPU was not recorded */
  events_switch (nowhere, 0, 0, 0, 'R', 1);
  events_switch (nowhere, 100, 0, 1, 'D', 0);
  events_wakeup (nowhere, 500, TB_CPU_ALL, 0, 1, 0);
  events_block (nowhere, 50, -1, 480, VDB, 1, TB_CPU_ALL, 9);
  assert_life (nowhere, 1, "R0-100 D100-500:block-io=9<i0 q500-1000]");

  events_switch (request, 0, 0, 0, 'R', 1);
  events_switch (request, 100, 0, 1, 'D', 0);
  events_wakeup (request, 500, 1, 0, 1, 0);
  events_block (request, 50, -1, 480, VDB, 1, 1, 9); /* never issued separately */
  assert_life (request, 1, "R0-100 D100-500:block-io=9<d1 q500-1000]");

  events_switch (unknown, 0, 0, 0, 'R', 1);
  events_switch (unknown, 100, 0, 1, 'S', 0);
  events_wakeup (unknown, 500, 1, NONE, 1, 0);
  assert_life (unknown, 1, "R0-100 S100-500<? q500-1000]");
}

static void
test_signals (void)
{
  g_autoptr (Events) stopped = begin ('T');
  g_autoptr (Events) traced = begin ('t');
  g_autoptr (Events) killed = begin ('S');

  assert_wait (stopped, "T100-500<s2");
  assert_wait (traced, "T100-500<t2");
  events_syscall (killed, 450, 550, 2, TB_SYSCALL_KILL);
  assert_wait (killed, "S100-500<s2");
}

static void
test_kinds_of_wait (void)
{
  static const struct
  {
    TbSyscallClass class;
    char state;
    const char *wait;
  } cases[] = {
    { TB_SYSCALL_LOCK, 'S', "S100-500:lock<t2" },
    { TB_SYSCALL_RECEIVE, 'S', "S100-500:socket<t2" },
    { TB_SYSCALL_SEND, 'S', "S100-500:socket<t2" },
    { TB_SYSCALL_POLL, 'S', "S100-500:poll<t2" },
    { TB_SYSCALL_SLEEP, 'S', "S100-500:sleep<t2" },
    { TB_SYSCALL_CHILD, 'S', "S100-500:child<t2" },
    { TB_SYSCALL_SIGNAL_WAIT, 'S', "S100-500:signal<t2" },
    { TB_SYSCALL_SYNC, 'D', "D100-500:block-io<t2" },
    { TB_SYSCALL_FILE, 'D', "D100-500:block-io<t2" },
    { TB_SYSCALL_FILE, 'S', "S100-500<t2" },
    { TB_SYSCALL_WRITE, 'D', "D100-500:block-io<t2" },
    { TB_SYSCALL_WRITE, 'S', "S100-500<t2" },
    { TB_SYSCALL_LOCK, 'D', "D100-500<t2" },
    { TB_SYSCALL_OTHER, 'S', "S100-500<t2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin (cases[i].state);
      g_autofree char *expected = g_strdup_printf ("R0-100 %s q500-1000]", cases[i].wait);

      events_syscall (events, 20, 30, 1, TB_SYSCALL_OTHER);
      events_syscall (events, 90, 600, 1, cases[i].class);
      assert_life (events, 1, expected);
    }
}

/* The peer of the message that the thread handled in the call in which it slept, and no other. */
static void
test_object_of_socket (void)
{
  g_autoptr (Events) events = begin ('S');

  events_syscall (events, 20, 80, 1, TB_SYSCALL_SEND);
  events_syscall (events, 90, 600, 1, TB_SYSCALL_RECEIVE);
  events_network (events, 50, 0, TB_NETWORK_SEND, 1, 8);
  events_network (events, 590, 0, TB_NETWORK_RECEIVE, 1, 9);
  assert_wait (events, "S100-500:socket=9<t2");
}

static void
test_kernel_work (void)
{
  g_autoptr (Events) events = begin ('I');

  events_set_thread_traits (events, 1, TB_THREAD_KERNEL);
  assert_wait (events, "S100-500:work<t2");
}

static void
test_syscall_names (void)
{
  g_assert_cmpint (tb_syscall_class_from_name ("accept"), ==, TB_SYSCALL_RECEIVE);
  g_assert_cmpint (tb_syscall_class_from_name ("epoll_wait"), ==, TB_SYSCALL_POLL);
  g_assert_cmpint (tb_syscall_class_from_name ("futex"), ==, TB_SYSCALL_LOCK);
  g_assert_cmpint (tb_syscall_class_from_name ("clock_nanosleep"), ==, TB_SYSCALL_SLEEP);
  g_assert_cmpint (tb_syscall_class_from_name ("rt_sigtimedwait"), ==, TB_SYSCALL_SIGNAL_WAIT);
  g_assert_cmpint (tb_syscall_class_from_name ("tgkill"), ==, TB_SYSCALL_KILL);
  g_assert_cmpint (tb_syscall_class_from_name ("fdatasync"), ==, TB_SYSCALL_SYNC);
  g_assert_cmpint (tb_syscall_class_from_name ("waitid"), ==, TB_SYSCALL_CHILD);
  g_assert_cmpint (tb_syscall_class_from_name ("read"), ==, TB_SYSCALL_FILE);
  g_assert_cmpint (tb_syscall_class_from_name ("openat"), ==, TB_SYSCALL_FILE);
  g_assert_cmpint (tb_syscall_class_from_name ("write"), ==, TB_SYSCALL_WRITE);
  g_assert_cmpint (tb_syscall_class_from_name ("writev"), ==, TB_SYSCALL_WRITE);
  g_assert_cmpint (tb_syscall_class_from_name ("sendfile"), ==, TB_SYSCALL_WRITE);
  g_assert_cmpint (tb_syscall_class_from_name ("close"), ==, TB_SYSCALL_WRITE);
  g_assert_cmpint (tb_syscall_class_from_name ("getpid"), ==, TB_SYSCALL_OTHER);
  g_assert_cmpint (tb_syscall_class_from_name (""), ==, TB_SYSCALL_OTHER);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace/causes/thread", test_thread);
  g_test_add_func ("/trace/causes/own-request", test_own_request);
  g_test_add_func ("/trace/causes/own-request-told-after", test_own_request_recorded_after);
  g_test_add_func ("/trace/causes/own-request-in-service", test_own_request_in_service);
  g_test_add_func ("/trace/causes/others-request", test_request_of_other);
  g_test_add_func ("/trace/causes/request-before-device", test_request_before_device);
  g_test_add_func ("/trace/causes/device-before-softirq", test_device_before_softirq);
  g_test_add_func ("/trace/causes/innermost", test_innermost);
  g_test_add_func ("/trace/causes/device-of-interrupt", test_device_of_interrupt);
  g_test_add_func ("/trace/causes/nested-interrupts", test_nested_interrupts);
  g_test_add_func ("/trace/causes/timer-device", test_timer_device);
  g_test_add_func ("/trace/causes/softirq-block", test_softirq_block);
  g_test_add_func ("/trace/causes/softirq-network", test_softirq_network);
  g_test_add_func ("/trace/causes/loopback", test_loopback);
  g_test_add_func ("/trace/causes/loopback-through-queue", test_loopback_through_queue);
  g_test_add_func ("/trace/causes/loopback-by-write", test_loopback_by_write);
  g_test_add_func ("/trace/causes/loopback-without-softirqs", test_loopback_without_softirqs);
  g_test_add_func ("/trace/causes/completion-without-softirqs", test_completion_without_softirqs);
  g_test_add_func ("/trace/causes/timer-without-handler", test_timer_without_handler);
  g_test_add_func ("/trace/causes/timer-in-softirq", test_timer_in_softirq);
  g_test_add_func ("/trace/causes/timers", test_timers);
  g_test_add_func ("/trace/causes/interrupt-by-name", test_interrupt_by_name);
  g_test_add_func ("/trace/causes/ksoftirqd", test_ksoftirqd_is_a_thread);
  g_test_add_func ("/trace/causes/ksoftirqd-by-flags", test_ksoftirqd_by_flags);
  g_test_add_func ("/trace/causes/interrupted-ksoftirqd", test_interrupted_ksoftirqd);
  g_test_add_func ("/trace/causes/late-in-softirq", test_late_in_softirq);
  g_test_add_func ("/trace/causes/late-beside-request", test_late_wakeup_with_request);
  g_test_add_func ("/trace/causes/unbalanced", test_unbalanced);
  g_test_add_func ("/trace/causes/interrupted-wakee", test_interrupted_wakee);
  g_test_add_func ("/trace/causes/without-interrupt-events", test_without_interrupt_events);
  g_test_add_func ("/trace/causes/signals", test_signals);
  g_test_add_func ("/trace/causes/kinds-of-wait", test_kinds_of_wait);
  g_test_add_func ("/trace/causes/object-of-socket", test_object_of_socket);
  g_test_add_func ("/trace/causes/kernel-work", test_kernel_work);
  g_test_add_func ("/trace/causes/syscall-names", test_syscall_names);

  return g_test_run ();
}
