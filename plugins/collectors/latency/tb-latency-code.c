/* tb-latency-code.c: analysis of the machine code of a function to be probed: its basic blocks, its
 * call sites and the best locations for their probes; its control flow, in which
 * tb-latency-entry-exit.c finds those for its beginning and end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes of some instructions are ten times as cheap as those of others, which the kernel has to
 * execute out of line. A call is a cheap one. Its end is recorded at the first cheap instruction
 * behind it, as long as no branch bypasses that. If the function itself ends before such an
 * instruction, the call ends with the function.
 */

#include "config.h"

#include <string.h>

#include "agent-client/probes/tb-function-entry.h"
#include "tb-latency-code.h"
#include "tb-latency-entry-exit.h"
#include "tb-latency-disassembly.h"
#include "tb-latency-call-operand.h"
#include "tb-latency-stack-height.h"

#define MAX_STRAIGHT 16 /* instructions behind a call that may count for it */

/* --- probes of calls --- */

#define NO_SITE G_MAXUINT

/* Adds a probe. site: the call that begins there; NO_SITE: none. */
static void
add_point (TbLatencyCode *self, const TbLatencyDisassembly *disassembly, gsize insn, guint site)
{
  TbLatencyPoint point
      = { disassembly->insns[insn].address, site, disassembly->stacks[insn].height,
          tb_latency_disassembly_is_cheap (disassembly, &disassembly->insns[insn]) };

  for (guint i = 0; i < self->points->len; i++)
    {
      TbLatencyPoint *other = &g_array_index (self->points, TbLatencyPoint, i);

      if (other->address != point.address)
        continue;
      if (site != NO_SITE)
        other->site = site;
      return;
    }
  g_array_append_val (self->points, point);
}

/* Where the probe is that records the end of a call. */
typedef enum
{
  END_FURTHER,     /* not at this instruction */
  END_HERE,        /* at this instruction */
  END_AT_RETURN,   /* directly behind the call, although a probe there is not cheap */
  END_OF_FUNCTION, /* nowhere: the call ends with its function, or never */
} EndLocation;

/* Decides by an instruction behind a call, if all instructions in between are END_FURTHER. */
static EndLocation
locate_end (const TbLatencyDisassembly *disassembly, gsize call, gsize i)
{
  const cs_insn *insn = &disassembly->insns[i];
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);

  /* The call does not return. */
  if (insn->id == X86_INS_INT3 || insn->id == X86_INS_UD2)
    return END_OF_FUNCTION;
  if (tb_latency_disassembly_is_cheap (disassembly, insn))
    return END_HERE;
  if (tb_latency_disassembly_is_return (disassembly, insn))
    return END_OF_FUNCTION;
  /* A system call can have no probe. */
  if (tb_latency_insn_is_system_call (insn))
    return i == call + 1 ? END_OF_FUNCTION : END_AT_RETURN;
  if (i > call + MAX_STRAIGHT)
    return END_AT_RETURN;
  /* What follows does not count for the call any more, or is not always executed. */
  if (tb_latency_insn_is_jump (insn) || tb_latency_insn_has_group (insn, CS_GRP_CALL)
      || x86->prefix[0] != 0
      || (insn->id == X86_INS_SUB && tb_latency_insn_writes (insn, X86_REG_RSP)))
    return END_HERE;
  return END_FURTHER;
}

/* Adds a probe at which the call has ended, and returns its address; 0: there is none. */
static guint64
add_end (TbLatencyCode *self, const TbLatencyDisassembly *disassembly, gsize call)
{
  EndLocation location = END_FURTHER;
  gsize end = call;

  while (location == END_FURTHER && ++end < disassembly->n)
    location = locate_end (disassembly, call, end);
  if (location == END_FURTHER || location == END_OF_FUNCTION)
    return 0;
  if (location == END_AT_RETURN)
    end = call + 1;
  add_point (self, disassembly, end, NO_SITE);
  return disassembly->insns[end].address;
}

/* --- call sites --- */

/* A jump through a table stays inside the function. An indirect jump may leave it only if the stack
 * height is that of the entry, and then through a location without an index, or through RAX. */
static gboolean
may_leave (const cs_insn *jump, gint32 height)
{
  const cs_x86_op *op = &tb_latency_insn_get_x86 (jump)->operands[0];

  if (height != 0)
    return FALSE;
  if (op->type == X86_OP_MEM)
    return op->mem.index == X86_REG_INVALID;
  return op->type == X86_OP_REG && op->reg == X86_REG_RAX;
}

/* Whether it is a jump to another function and not to a part of this one that the compiler placed
 * elsewhere */
static gboolean
is_tail_call (const TbLatencyDisassembly *disassembly, gsize i, const TbLatencySymbol *symbol)
{
  const cs_insn *insn = &disassembly->insns[i];
  const TbLatencySymbol *other;
  guint64 target;

  if (insn->id != X86_INS_JMP || tb_latency_disassembly_is_return (disassembly, insn))
    return FALSE;
  if (!tb_latency_insn_get_target (insn, &target))
    return may_leave (insn, disassembly->stacks[i].height);
  if (tb_latency_disassembly_contains (disassembly, target))
    return FALSE;
  other = tb_latency_image_find_at (disassembly->image, target);
  return other == NULL || !g_str_has_prefix (other->name, symbol->name)
         || strstr (other->name + strlen (symbol->name), ".cold") == NULL;
}

static void
add_site (TbLatencyCode *self,
          const TbLatencyDisassembly *disassembly,
          gsize insn,
          gboolean is_tail,
          guint block)
{
  const cs_insn *call = &disassembly->insns[insn];
  TbLatencySite site
      = { .address = call->address, .is_tail = is_tail, .length = call->size, .block = block };

  tb_latency_call_operand_set_target (&site, disassembly, call);
  add_point (self, disassembly, insn, self->sites->len);
  if (!is_tail)
    site.end = add_end (self, disassembly, insn);
  g_array_append_val (self->sites, site);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const TbLatencyPoint *left = a, *right = b;

  return left->address < right->address ? -1 : left->address > right->address;
}

/* Kernel functions begin with a location for tracers, which is a call while one is attached. */
static gboolean
is_trace_call (const TbLatencyDisassembly *disassembly, gsize insn)
{
  return tb_latency_image_is_kernel (disassembly->image)
         && disassembly->insns[insn].id == X86_INS_CALL
         && disassembly->insns[insn].address - disassembly->insns[0].address <= 4;
}

static void
add_sites (TbLatencyCode *self,
           const TbLatencyDisassembly *disassembly,
           const TbLatencySymbol *symbol)
{
  guint block = 0;
  gsize last_start = G_MAXSIZE, start = 0;

  for (gsize i = 0; i < disassembly->n; i++)
    {
      const cs_insn *insn = &disassembly->insns[i];
      gboolean is_tail = is_tail_call (disassembly, i, symbol);

      if (disassembly->starts[i])
        start = i;
      if (!disassembly->stacks[i].is_reached && !tb_latency_insn_has_group (insn, CS_GRP_CALL))
        continue;
      if (insn->id == X86_INS_SYSCALL)
        self->has_syscall = TRUE;
      if (tb_latency_disassembly_is_return (disassembly, insn))
        g_array_append_val (self->ends, insn->address);
      if ((insn->id != X86_INS_CALL && !is_tail) || is_trace_call (disassembly, i))
        continue;
      if (start != last_start)
        block = self->n_blocks++;
      last_start = start;
      add_site (self, disassembly, i, is_tail, block);
    }
  g_array_sort (self->points, compare_points);
}

static void
add_blocks (TbLatencyCode *self, const TbLatencyDisassembly *disassembly)
{
  for (gsize i = 0; i < disassembly->n; i++)
    if (disassembly->starts[i])
      g_array_append_val (self->blocks, disassembly->insns[i].address);
}

/* --- beginning and ends of the function --- */

static TbLatencyStep
make_step (const TbLatencyDisassembly *disassembly, gsize i)
{
  const cs_insn *insn = &disassembly->insns[i];
  TbLatencyStep step = { 0, { G_MAXUINT, G_MAXUINT } };
  gboolean is_over = insn->id == X86_INS_UD2 || insn->id == X86_INS_INT3 || insn->id == X86_INS_HLT;
  guint64 target;

  step.flags = (tb_latency_disassembly_is_cheap (disassembly, insn) ? TB_LATENCY_STEP_CHEAP : 0)
               | (disassembly->stacks[i].is_reached ? TB_LATENCY_STEP_REACHED : 0);
  if (tb_latency_disassembly_is_return (disassembly, insn))
    {
      step.flags |= TB_LATENCY_STEP_RETURN;
      return step;
    }
  /* The function may be left through a call that does not return. */
  if (is_over)
    step.flags |= TB_LATENCY_STEP_DEAD_END;
  if (tb_latency_insn_has_group (insn, CS_GRP_CALL) || tb_latency_insn_is_system_call (insn)
      || (tb_latency_insn_get_x86 (insn)->prefix[0] != 0 && insn->id != X86_INS_ENDBR64))
    step.flags |= TB_LATENCY_STEP_BARRIER;
  if (!is_over && insn->id != X86_INS_JMP && i + 1 < disassembly->n)
    step.next[0] = (guint) i + 1;
  if (!tb_latency_insn_is_jump (insn))
    return step;
  if (tb_latency_insn_get_target (insn, &target)
      && tb_latency_disassembly_find (disassembly, target) < disassembly->n)
    step.next[1] = (guint) tb_latency_disassembly_find (disassembly, target);
  else
    step.flags |= TB_LATENCY_STEP_BARRIER;
  return step;
}

static gboolean
leaves_listing (const TbLatencyDisassembly *disassembly, const cs_insn *insn)
{
  guint64 target;

  return tb_latency_insn_is_jump (insn)
         && (!tb_latency_insn_get_target (insn, &target)
             || tb_latency_disassembly_find (disassembly, target) == disassembly->n);
}

/* Whether the control flow is fully known: the function is left only through its returns. */
static gboolean
is_closed (const TbLatencyDisassembly *disassembly, guint64 size)
{
  const cs_insn *last = &disassembly->insns[disassembly->n - 1];

  for (gsize i = 0; i < disassembly->n; i++)
    {
      const cs_insn *insn = &disassembly->insns[i];
      gboolean is_padding = insn->id == X86_INS_NOP || insn->id == X86_INS_INT3;

      if (disassembly->stacks[i].is_reached ? leaves_listing (disassembly, insn) : !is_padding)
        return FALSE;
    }
  return last->address + last->size - disassembly->insns[0].address == size;
}

static void
add_edges (TbLatencyCode *self,
           const TbLatencyDisassembly *disassembly,
           const TbLatencySymbol *symbol)
{
  g_autofree TbLatencyStep *steps = g_new (TbLatencyStep, disassembly->n);
  g_autoptr (GArray) found = NULL;

  if (!is_closed (disassembly, symbol->size))
    return;
  for (gsize i = 0; i < disassembly->n; i++)
    steps[i] = make_step (disassembly, i);
  for (gsize i = 0; i < disassembly->n; i++)
    if (steps[i].next[1] != G_MAXUINT)
      steps[steps[i].next[1]].flags |= TB_LATENCY_STEP_TARGET;
  found = tb_latency_find_entry_and_exits (steps, (guint) disassembly->n);
  for (guint i = 0; i < found->len; i++)
    {
      guint insn = g_array_index (found, guint, i);
      TbLatencyPoint point
          = { disassembly->insns[insn].address, NO_SITE, disassembly->stacks[insn].height, TRUE };

      g_array_append_val (self->entry_exit, point);
    }
  for (guint i = 0; i < self->entry_exit->len; i++)
    if (g_array_index (self->entry_exit, TbLatencyPoint, i).height < 0)
      g_array_set_size (self->entry_exit, 0);
}

TbLatencyCode *
tb_latency_code_new (const TbLatencyImage *image, const TbLatencySymbol *symbol)
{
  TbLatencyCode *self = g_new0 (TbLatencyCode, 1);
  TbLatencyDisassembly disassembly;

  self->sites = g_array_new (FALSE, FALSE, sizeof (TbLatencySite));
  self->points = g_array_new (FALSE, FALSE, sizeof (TbLatencyPoint));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->entry_exit = g_array_new (FALSE, FALSE, sizeof (TbLatencyPoint));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->is_known = tb_latency_disassembly_init (&disassembly, image, symbol);
  if (self->is_known)
    {
      tb_latency_stack_height_analyze (&disassembly);
      add_sites (self, &disassembly, symbol);
      add_blocks (self, &disassembly);
      add_edges (self, &disassembly, symbol);
    }
  tb_latency_disassembly_clear (&disassembly);
  return self;
}

void
tb_latency_code_free (TbLatencyCode *self)
{
  g_array_unref (self->sites);
  g_array_unref (self->points);
  g_array_unref (self->ends);
  g_array_unref (self->entry_exit);
  g_array_unref (self->blocks);
  g_free (self);
}

guint64
tb_latency_code_find_entry (const TbLatencyImage *image,
                            const TbLatencySymbol *symbol,
                            gboolean *is_cheap_there)
{
  static const guint8 marker[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  gsize length = 0, skipped = 0;
  const guint8 *code = tb_latency_image_get_code (image, symbol->address, &length);

  if (code != NULL && length > sizeof marker && memcmp (code, marker, sizeof marker) == 0)
    skipped = sizeof marker;
  *is_cheap_there = code != NULL && tb_function_entry_is_cheap (code + skipped, length - skipped);
  return symbol->address + skipped;
}
