/* tb-trace-names.c: untranslated names of thread states, kinds of waits and causes, for JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace.h"

static const char *const state_names[TB_N_STATES] = {
  [TB_STATE_UNKNOWN] = "unknown",
  [TB_STATE_RUNNING] = "running",
  [TB_STATE_RUNNABLE] = "runnable",
  [TB_STATE_INTERRUPTIBLE] = "interruptible",
  [TB_STATE_UNINTERRUPTIBLE] = "uninterruptible",
  [TB_STATE_STOPPED] = "stopped",
};

static const char *const wait_names[TB_N_WAITS] = {
  [TB_WAIT_UNKNOWN] = "unknown",   [TB_WAIT_LOCK] = "lock",
  [TB_WAIT_PIPE] = "pipe",         [TB_WAIT_SOCKET] = "socket",
  [TB_WAIT_POLL] = "poll",         [TB_WAIT_SLEEP] = "sleep",
  [TB_WAIT_BLOCK_IO] = "block-io", [TB_WAIT_PAGE_FAULT] = "page-fault",
  [TB_WAIT_CHILD] = "child",       [TB_WAIT_SIGNAL] = "signal",
  [TB_WAIT_WORK] = "work",         [TB_WAIT_OTHER] = "other",
  [TB_WAIT_BUSY] = "busy",
};

static const char *const cause_names[TB_N_CAUSES] = {
  [TB_CAUSE_NONE] = "none",     [TB_CAUSE_THREAD] = "thread",       [TB_CAUSE_DEVICE] = "device",
  [TB_CAUSE_TIMER] = "timer",   [TB_CAUSE_INTERRUPT] = "interrupt", [TB_CAUSE_NETWORK] = "network",
  [TB_CAUSE_SIGNAL] = "signal", [TB_CAUSE_UNKNOWN] = "unknown",
};

/**
 * tb_state_get_name:
 * @state: a state
 *
 * The name of a state in JSON: "running", "interruptible".
 *
 * Returns: a static string
 */
const char *
tb_state_get_name (TbState state)
{
  g_return_val_if_fail ((guint) state < TB_N_STATES, "unknown");

  return state_names[state];
}

/**
 * tb_wait_kind_get_name:
 * @kind: a kind of wait
 *
 * The name of a kind of wait in JSON: "lock", "block-io".
 *
 * Returns: a static string
 */
const char *
tb_wait_kind_get_name (TbWaitKind kind)
{
  g_return_val_if_fail ((guint) kind < TB_N_WAITS, "unknown");

  return wait_names[kind];
}

/**
 * tb_cause_kind_get_name:
 * @kind: a kind of cause
 *
 * The name of a kind of cause in JSON: "thread", "timer".
 *
 * Returns: a static string
 */
const char *
tb_cause_kind_get_name (TbCauseKind kind)
{
  g_return_val_if_fail ((guint) kind < TB_N_CAUSES, "unknown");

  return cause_names[kind];
}
