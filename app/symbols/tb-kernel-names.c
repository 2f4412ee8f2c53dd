/* tb-kernel-names.c: check whether kernel names from a file can be those of the recorded kernel, by
 * its switches and stacks, after moving them to its load address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * perf stores the names of the machine on which it processes a file under the build ID of the
 * recorded kernel. Such names are wrong without exception, so a few facts that hold in every
 * recording suffice to find them: a thread leaves its CPU in the scheduler, and the kernel is
 * entered through its entry code.
 */

#include "config.h"

#include "symbols/tb-kernel-names-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_STACKS_EXAMINED 2048
#define MAX_KERNEL_DEPTH 256
/* The scheduler's function is among so many innermost frames; those of its tracepoint precede. */
#define MAX_TRACEPOINT_FRAMES 8
/* A shorter stack may be the address of a sample alone. */
#define MIN_ENTRY_DEPTH 4
/* Kernels are loaded at multiples of this. */
#define KERNEL_ALIGNMENT 4096

typedef struct
{
  TbAddressNames *names;
  GBytes *columns[5];
  const guint32 *parent;
  const guint32 *frame;
  const guint8 *flags;
  const guint32 *module;
  const guint64 *offset;
  guint32 n_stacks;
  guint32 n_frames;
  const TbModule *modules;
  guint n_modules;
} Check;

static void
check_clear (Check *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Check, check_clear)

static gboolean
check_load (Check *self, TbSession *session)
{
  TbTable *stacks = tb_session_get_table (session, TB_TABLE_STACK);
  TbTable *frames = tb_session_get_table (session, TB_TABLE_FRAME);

  self->columns[0] = tb_table_get_column (stacks, TB_STACK_PARENT, NULL);
  self->columns[1] = tb_table_get_column (stacks, TB_STACK_FRAME, NULL);
  self->columns[2] = tb_table_get_column (stacks, TB_STACK_FLAGS, NULL);
  self->columns[3] = tb_table_get_column (frames, TB_FRAME_MODULE, NULL);
  self->columns[4] = tb_table_get_column (frames, TB_FRAME_OFFSET, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    if (self->columns[i] == NULL)
      return FALSE;
  self->parent = g_bytes_get_data (self->columns[0], NULL);
  self->frame = g_bytes_get_data (self->columns[1], NULL);
  self->flags = g_bytes_get_data (self->columns[2], NULL);
  self->module = g_bytes_get_data (self->columns[3], NULL);
  self->offset = g_bytes_get_data (self->columns[4], NULL);
  self->n_stacks = MIN (tb_table_get_n_rows (stacks), G_MAXUINT32);
  self->n_frames = MIN (tb_table_get_n_rows (frames), G_MAXUINT32);
  self->modules = tb_session_get_modules (session, &self->n_modules);
  return TRUE;
}

/* Whether the innermost frame of the stack is the kernel's. */
static gboolean
is_kernel (const Check *self, guint32 stack)
{
  guint32 frame;

  if (stack == TB_STACK_NONE || stack >= self->n_stacks
      || (self->flags[stack] & TB_STACK_KERNEL) == 0)
    return FALSE;
  frame = self->frame[stack];
  return frame < self->n_frames && self->module[frame] < self->n_modules
         && self->modules[self->module[frame]].kind == TB_MODULE_KERNEL;
}

/* Never NULL. */
static const char *
get_name (const Check *self, guint32 stack)
{
  const char *name = tb_address_names_find (self->names, self->offset[self->frame[stack]]);

  return name != NULL ? name : "";
}

/* Functions of the scheduler, and those of its tracepoint. */
static gboolean
is_scheduler (const char *name)
{
  static const char *const names[]
      = { "__schedule",       "schedule",         "schedule_idle",
          "schedule_timeout", "preempt_schedule", "preempt_schedule_irq",
          "do_task_dead",     "io_schedule",      "preempt_schedule_common",
          "__cond_resched",   "schedule_rtlock",  "preempt_schedule_notrace",
          "schedule_user",    "__schedule_loop",  "schedule_preempt_disabled" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return TRUE;
  return g_str_has_suffix (name, "_sched_switch");
}

/* Functions of x86-64 and AArch64 through which the kernel is entered, and those in which its own
 * threads begin. */
static gboolean
is_entry (const char *name)
{
  static const char *const prefixes[] = {
    "asm_",
    "entry_",
    "ret_from_",
    "secondary_startup",
    "common_startup",
    "start_kernel",
    "start_secondary",
    "x86_64_start_",
    "el0",
    "el1",
    "__secondary_switched",
    "error_",
    "do_syscall_",
    "apic_timer_",
    "common_interrupt",
    "__irqentry_text_",
    "page_fault",
    "async_page_fault",
    "ret_to_user",
    "irq_entries_",
    "primary_entry",
    "__switch_to",
    "__sys_trace", /* AArch64 before Linux 4.19 */
    "nmi",
    "end_repeat_nmi",
    "kthread",
    "rest_init",
    "sysret",
    "system_call",
    "__primary_switch",
    "reschedule_interrupt",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_switch_in_scheduler (const Check *self, guint32 stack)
{
  for (guint i = 0; i < MAX_TRACEPOINT_FRAMES && is_kernel (self, stack); i++)
    {
      if (is_scheduler (get_name (self, stack)))
        return TRUE;
      stack = self->parent[stack];
    }
  return FALSE;
}

/* Whether most switches happened in the scheduler, or there are none with kernel frames. */
static gboolean
check_switches (const Check *self, TbSession *session, const char **wrong)
{
  g_autoptr (GBytes) column = tb_table_get_column (tb_session_get_table (session, TB_TABLE_SWITCH),
                                                   TB_SWITCH_STACK, NULL);
  gsize n = column != NULL ? g_bytes_get_size (column) / sizeof (guint32) : 0;
  const guint32 *stacks = n > 0 ? g_bytes_get_data (column, NULL) : NULL;
  gsize step = MAX (n / MAX_STACKS_EXAMINED, 1);
  guint seen = 0, good = 0;

  for (gsize i = 0; i < n; i += step)
    if (is_kernel (self, stacks[i]))
      {
        gboolean fits = is_switch_in_scheduler (self, stacks[i]);

        seen++;
        good += fits;
        if (!fits)
          *wrong = get_name (self, stacks[i]);
      }
  return good >= seen - good;
}

/* The outermost kernel frame of a stack, TB_STACK_NONE if the stack is too short or too long. */
static guint32
find_entry (const Check *self, guint32 stack)
{
  guint depth = 0;
  guint32 entry = TB_STACK_NONE;

  while (is_kernel (self, stack) && depth++ < MAX_KERNEL_DEPTH)
    {
      entry = stack;
      stack = self->parent[stack];
    }
  return depth >= MIN_ENTRY_DEPTH && depth < MAX_KERNEL_DEPTH ? entry : TB_STACK_NONE;
}

static gboolean
check_entries (const Check *self, const char **wrong)
{
  guint32 step = MAX (self->n_stacks / MAX_STACKS_EXAMINED, 1);
  guint seen = 0, good = 0;

  for (guint64 i = 0; i < self->n_stacks; i += step)
    {
      guint32 entry = find_entry (self, (guint32) i);

      if (entry == TB_STACK_NONE)
        continue;
      seen++;
      if (is_entry (get_name (self, entry)))
        good++;
      else
        *wrong = get_name (self, entry);
    }
  return good >= seen - good;
}

static gboolean
has_known_entries (TbSession *session)
{
  guint n_hosts;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);

  return n_hosts == 1
         && (strcmp (hosts->machine, "x86_64") == 0 || strcmp (hosts->machine, "aarch64") == 0);
}

/* Moves the names by the difference between the recorded start of the kernel and theirs. */
static gboolean
relocate (TbAddressNames *names, TbSession *session)
{
  const char *fact = tb_session_get_fact (session, TB_KERNEL_NAMES_START_FACT);
  const char *space = fact != NULL ? strchr (fact, ' ') : NULL;
  g_autofree char *symbol = space != NULL ? g_strndup (fact, space - fact) : NULL;
  guint64 recorded = space != NULL ? g_ascii_strtoull (space + 1, NULL, 16) : 0;
  guint64 own = symbol != NULL ? tb_address_names_get_kernel_start (names, symbol) : 0;

  if (recorded == 0 || own == 0 || recorded == own)
    return TRUE;
  if ((recorded - own) % KERNEL_ALIGNMENT != 0)
    return FALSE;
  tb_address_names_relocate_kernel (names, recorded - own);
  return TRUE;
}

gboolean
tb_kernel_names_fit (TbAddressNames *names, TbSession *session, const char *source, GError **error)
{
  g_auto (Check) check = { .names = names };
  const char *wrong = "_text";

  if (!relocate (names, session))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _ ("%s has the names of another kernel than the recorded one: the kernel does "
                      "not begin at such an address. Kernel functions have no names; remove that "
                      "file, and open the recording on the machine that recorded it."),
                   source);
      return FALSE;
    }
  if (!check_load (&check, session))
    return TRUE;
  if (check_switches (&check, session, &wrong)
      && (!has_known_entries (session) || check_entries (&check, &wrong)))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               _ ("%s has the names of another kernel than the recorded one: “%s” would be where "
                  "the scheduler or the kernel’s entry must be. Kernel functions have no names; "
                  "remove that file, and open the recording on the machine that recorded it."),
               source, *wrong != '\0' ? wrong : "?");
  return FALSE;
}
