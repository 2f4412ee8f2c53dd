/* tb-latency-kernel.c: kernel functions of a drill-down (callees, handlers of system calls):
 * requests to the agent to read their code; functions in its answers are added to the kernel's
 * image
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-latency-drill-private.h"

/* Maximum number of functions, which no drill-down reaches in practice */
#define MAX_FUNCTIONS 16384
#define MAX_SIZE (G_GUINT64_CONSTANT (1) << 20)

/* Functions through which the kernel returns or makes indirect calls on some processors */
static const char *const thunks[] = {
  "__x86_return_thunk",       "srso_return_thunk",        "srso_alias_return_thunk",
  "retbleed_return_thunk",    "__x86_indirect_thunk_rax", "__x86_indirect_thunk_rbx",
  "__x86_indirect_thunk_rcx", "__x86_indirect_thunk_rdx", "__x86_indirect_thunk_rsi",
  "__x86_indirect_thunk_rdi", "__x86_indirect_thunk_rbp", "__x86_indirect_thunk_r8",
  "__x86_indirect_thunk_r9",  "__x86_indirect_thunk_r10", "__x86_indirect_thunk_r11",
  "__x86_indirect_thunk_r12", "__x86_indirect_thunk_r13", "__x86_indirect_thunk_r14",
  "__x86_indirect_thunk_r15",
};

/* In these functions another thread runs, which is recorded as a wait; their own callees are of no
 * interest. */
static gboolean
is_scheduler_function (const char *name)
{
  static const char *const names[] = { "schedule",
                                       "__schedule",
                                       "io_schedule",
                                       "io_schedule_timeout",
                                       "schedule_timeout",
                                       "schedule_hrtimeout",
                                       "schedule_hrtimeout_range",
                                       "schedule_hrtimeout_range_clock",
                                       "schedule_preempt_disabled",
                                       "preempt_schedule",
                                       "preempt_schedule_common",
                                       "__cond_resched" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return TRUE;
  return FALSE;
}

TbLatencyImage *
tb_latency_drill_get_kernel (TbLatencyDrill *self)
{
  if (self->kernel.image == NULL)
    {
      self->kernel.image = tb_latency_image_new_kernel ();
      g_ptr_array_add (self->images, self->kernel.image);
    }
  return self->kernel.image;
}

static void
request_function (TbLatencyDrill *self, const char *name, guint64 address)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_READ, .latency_read = { address } };

  record.tail = (const guint8 *) name;
  record.tail_length = name != NULL ? (guint32) MIN (strlen (name), 127) : 0;
  tb_latency_drill_send (self, &record, NULL);
}

void
tb_latency_drill_read_kernel (TbLatencyDrill *self, const char *name)
{
  if (!self->kernel.has_thunks)
    for (guint i = 0; i < G_N_ELEMENTS (thunks); i++)
      request_function (self, thunks[i], 0);
  self->kernel.has_thunks = TRUE;
  request_function (self, name, 0);
}

void
tb_latency_drill_read_callees (TbLatencyDrill *self, const TbLatencyFunction *function)
{
  const TbLatencyCode *code = function->code;

  if (!tb_latency_image_is_kernel (function->image))
    return;
  for (guint i = 0; i < code->sites->len; i++)
    {
      guint64 target = g_array_index (code->sites, TbLatencySite, i).target;

      if (target != 0 && tb_latency_image_find_at (function->image, target) == NULL)
        request_function (self, NULL, target);
    }
}

/* "__x64_sys_read" executes the system call read. */
static char *
name_handler (const char *call)
{
#if defined __x86_64__
  return g_strconcat ("__x64_sys_", call, NULL);
#else
  return NULL;
#endif
}

void
tb_latency_drill_read_handler (TbLatencyDrill *self, guint64 number)
{
  const char *call = tb_latency_get_call_name (number);
  g_autofree char *handler = call != NULL ? name_handler (call) : NULL;

  if (handler != NULL)
    tb_latency_drill_read_kernel (self, handler);
}

TbLatencyFunction *
tb_latency_drill_find_handler (TbLatencyDrill *self, const TbLatencyNode *node)
{
  const char *call = tb_latency_get_call_name (node->key & ~TB_CAPTURE_LATENCY_SYSCALL);
  g_autofree char *handler = call != NULL ? name_handler (call) : NULL;
  const TbLatencySymbol *symbol = handler != NULL && self->kernel.image != NULL
                                      ? tb_latency_image_find (self->kernel.image, handler, NULL)
                                      : NULL;

  return symbol != NULL ? tb_latency_drill_get_function (self, self->kernel.image, symbol) : NULL;
}

void
tb_latency_drill_take_code (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  const TbCaptureLatencyCode *code = &record->latency_code;
  TbLatencyImage *kernel = tb_latency_drill_get_kernel (self);
  g_autofree char *name = NULL;
  gsize length;

  if (code->name_length == 0 || code->name_length > record->tail_length || code->size == 0
      || code->size > MAX_SIZE || code->address > G_MAXUINT64 - code->size
      || kernel->functions->len >= MAX_FUNCTIONS
      || tb_latency_image_find_at (kernel, code->address) != NULL)
    return;
  name = g_utf8_make_valid ((const char *) record->tail, code->name_length);
  length = is_scheduler_function (name) ? 0
                                        : MIN (record->tail_length - code->name_length, code->size);
  tb_latency_image_add_function (kernel, name, code->address, code->size,
                                 record->tail + code->name_length, length);
  if (self->kernel.name != NULL && g_str_equal (name, self->kernel.name)
      && get_node (self, F0_NODE)->function == NULL)
    get_node (self, F0_NODE)->function
        = tb_latency_drill_get_function (self, kernel,
                                         tb_latency_image_find_at (kernel, code->address));
}
