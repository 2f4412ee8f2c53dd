/* tb-latency-code.c: disassembly of a function: its call sites and the best locations for their
 * probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes of some instructions are ten times as cheap as those of others, which the kernel has to
 * execute out of line. A call is a cheap one. Its end is recorded at the first cheap instruction
 * behind it, as long as no branch bypasses that. If the function itself ends before such an
 * instruction, the call ends with the function.
 */

#include "config.h"

#include <capstone/capstone.h>
#include <string.h>

#include "capture/tb-capture-format.h"
#include "agent-client/probes/tb-function-entry.h"
#include "tb-latency-code.h"
#include "tb-latency-edges.h"

#define MAX_CODE (G_GUINT64_CONSTANT (1) << 20)
#define MAX_STRAIGHT 16 /* instructions behind a call that may count for it */
#define UNKNOWN (-1)
#define NOT_REACHED (-2)

typedef struct
{
  csh handle;
  cs_insn *insns;
  gsize n;
  gint32 *heights; /* stack height before each instruction */
  gint32 *frames;  /* stack height at which the frame pointer is, or UNKNOWN */
  guint8 *starts;  /* 1: begins a basic block */
  const TbLatencyImage *image;
} Listing;

/* Probes of the kernel itself cost the same everywhere. */
static gboolean
is_cheap (const Listing *self, const cs_insn *insn)
{
  return tb_latency_image_is_kernel (self->image)
         || tb_function_entry_is_cheap (insn->bytes, insn->size);
}

static gboolean
is_in (const Listing *self, guint64 address)
{
  return self->n > 0 && address >= self->insns[0].address
         && address < self->insns[self->n - 1].address + self->insns[self->n - 1].size;
}

static gsize
find_insn (const Listing *self, guint64 address)
{
  gsize low = 0, high = self->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->insns[middle].address < address)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n && self->insns[low].address == address ? low : self->n;
}

static const cs_x86 *
get_x86 (const cs_insn *insn)
{
  return &insn->detail->x86;
}

static gboolean
has_group (const cs_insn *insn, guint8 group)
{
  for (guint i = 0; i < insn->detail->groups_count; i++)
    if (insn->detail->groups[i] == group)
      return TRUE;
  return FALSE;
}

static gboolean
is_jump (const cs_insn *insn)
{
  return has_group (insn, CS_GRP_JUMP);
}

static gboolean
get_direct_target (const cs_insn *insn, guint64 *target)
{
  const cs_x86 *x86 = get_x86 (insn);

  if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
    return FALSE;
  *target = (guint64) x86->operands[0].imm;
  return TRUE;
}

/* The name of the kernel's replacement for a return or an indirect call, where the processor must
 * not speculate; NULL: none */
static const char *
get_thunk (const Listing *self, const cs_insn *insn)
{
  const TbLatencySymbol *symbol;
  guint64 target;

  if (!tb_latency_image_is_kernel (self->image)
      || (insn->id != X86_INS_JMP && insn->id != X86_INS_CALL)
      || !get_direct_target (insn, &target))
    return NULL;
  symbol = tb_latency_image_find_at (self->image, target);
  if (symbol == NULL
      || (!g_str_has_prefix (symbol->name, "__x86_indirect_thunk_")
          && !g_str_has_suffix (symbol->name, "return_thunk")))
    return NULL;
  return symbol->name;
}

static gboolean
is_return (const Listing *self, const cs_insn *insn)
{
  const char *thunk = get_thunk (self, insn);

  return has_group (insn, CS_GRP_RET)
         || (thunk != NULL && g_str_has_suffix (thunk, "return_thunk"));
}

/* The register of a call through a thunk: "__x86_indirect_thunk_rax" */
static x86_reg
get_thunk_register (const char *thunk)
{
  static const struct
  {
    const char *name;
    x86_reg reg;
  } registers[] = { { "rax", X86_REG_RAX }, { "rbx", X86_REG_RBX }, { "rcx", X86_REG_RCX },
                    { "rdx", X86_REG_RDX }, { "rsi", X86_REG_RSI }, { "rdi", X86_REG_RDI },
                    { "rbp", X86_REG_RBP }, { "r8", X86_REG_R8 },   { "r9", X86_REG_R9 },
                    { "r10", X86_REG_R10 }, { "r11", X86_REG_R11 }, { "r12", X86_REG_R12 },
                    { "r13", X86_REG_R13 }, { "r14", X86_REG_R14 }, { "r15", X86_REG_R15 } };

  for (guint i = 0; i < G_N_ELEMENTS (registers); i++)
    if (g_str_equal (thunk + strlen ("__x86_indirect_thunk_"), registers[i].name))
      return registers[i].reg;
  return X86_REG_INVALID;
}

static gboolean
writes (const cs_insn *insn, x86_reg reg)
{
  const cs_x86 *x86 = get_x86 (insn);

  for (guint i = 0; i < x86->op_count; i++)
    if (x86->operands[i].type == X86_OP_REG && x86->operands[i].reg == reg
        && (x86->operands[i].access & CS_AC_WRITE) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_register (const cs_insn *insn, guint operand, x86_reg reg)
{
  const cs_x86_op *op = &get_x86 (insn)->operands[operand];

  return operand < get_x86 (insn)->op_count && op->type == X86_OP_REG && op->reg == reg;
}

/* Applies the effect of an instruction to the stack height and the frame pointer. */
static void
step (const cs_insn *insn, gint32 *height, gint32 *frame)
{
  const cs_x86 *x86 = get_x86 (insn);

  switch (insn->id)
    {
    case X86_INS_PUSH:
    case X86_INS_PUSHFQ:
      *height += *height >= 0 ? 8 : 0;
      return;
    case X86_INS_POP:
    case X86_INS_POPFQ:
      *height -= *height >= 0 ? 8 : 0;
      if (writes (insn, X86_REG_RBP))
        *frame = UNKNOWN;
      if (writes (insn, X86_REG_RSP))
        *height = UNKNOWN;
      return;
    case X86_INS_LEAVE:
      *height = *frame >= 0 ? *frame - 8 : UNKNOWN;
      *frame = UNKNOWN;
      return;
    case X86_INS_CALL:
      return;
    default:
      break;
    }
  if (insn->id == X86_INS_MOV && is_register (insn, 0, X86_REG_RBP)
      && is_register (insn, 1, X86_REG_RSP))
    *frame = *height;
  else if (writes (insn, X86_REG_RBP))
    *frame = UNKNOWN;
  if (!writes (insn, X86_REG_RSP))
    return;
  if ((insn->id == X86_INS_SUB || insn->id == X86_INS_ADD) && x86->op_count == 2
      && x86->operands[1].type == X86_OP_IMM && *height >= 0)
    *height += (gint32) (insn->id == X86_INS_SUB ? x86->operands[1].imm : -x86->operands[1].imm);
  else if (insn->id == X86_INS_LEA && x86->operands[1].mem.index == X86_REG_INVALID
           && x86->operands[1].mem.base == X86_REG_RSP && *height >= 0)
    *height -= (gint32) x86->operands[1].mem.disp;
  else if (insn->id == X86_INS_LEA && x86->operands[1].mem.index == X86_REG_INVALID
           && x86->operands[1].mem.base == X86_REG_RBP && *frame >= 0)
    *height = *frame - (gint32) x86->operands[1].mem.disp;
  else if (insn->id == X86_INS_MOV && is_register (insn, 1, X86_REG_RBP) && *frame >= 0)
    *height = *frame;
  else
    *height = UNKNOWN;
}

static void
flow_to (Listing *self, gsize to, gint32 height, gint32 frame, GArray *work)
{
  if (to >= self->n)
    return;
  if (self->heights[to] == NOT_REACHED)
    {
      self->heights[to] = height;
      self->frames[to] = frame;
    }
  else if ((self->heights[to] == height || self->heights[to] == UNKNOWN)
           && (self->frames[to] == frame || self->frames[to] == UNKNOWN))
    return;
  else
    {
      self->heights[to] = self->heights[to] == height ? height : UNKNOWN;
      self->frames[to] = self->frames[to] == frame ? frame : UNKNOWN;
    }
  g_array_append_val (work, to);
}

/* Follows all control-flow paths from the entry. Each instruction changes twice at most. */
static void
find_heights (Listing *self)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 0; i < self->n; i++)
    self->heights[i] = self->frames[i] = NOT_REACHED;
  flow_to (self, 0, 0, UNKNOWN, work);
  while (work->len > 0)
    {
      gsize at = g_array_index (work, gsize, work->len - 1);
      gint32 height = self->heights[at], frame = self->frames[at];
      const cs_insn *insn = &self->insns[at];
      guint64 target;

      g_array_set_size (work, work->len - 1);
      step (insn, &height, &frame);
      if (is_jump (insn) && get_direct_target (insn, &target))
        flow_to (self, find_insn (self, target), height, frame, work);
      if (!has_group (insn, CS_GRP_RET) && insn->id != X86_INS_JMP)
        flow_to (self, at + 1, height, frame, work);
    }
}

static void
find_blocks (Listing *self)
{
  self->starts[0] = 1;
  for (gsize i = 0; i < self->n; i++)
    {
      guint64 target;

      if (!is_jump (&self->insns[i]))
        continue;
      if (i + 1 < self->n)
        self->starts[i + 1] = 1;
      if (get_direct_target (&self->insns[i], &target) && find_insn (self, target) < self->n)
        self->starts[find_insn (self, target)] = 1;
    }
}

/* DWARF number of a register */
static guint
get_dwarf_register (x86_reg reg)
{
  static const x86_reg registers[]
      = { X86_REG_RAX, X86_REG_RDX, X86_REG_RCX, X86_REG_RBX, X86_REG_RSI, X86_REG_RDI,
          X86_REG_RBP, X86_REG_RSP, X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
          X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15 };

  for (guint i = 0; i < G_N_ELEMENTS (registers); i++)
    if (registers[i] == reg)
      return i;
  return reg == X86_REG_RIP ? TB_CAPTURE_REGISTER_IP : TB_CAPTURE_REGISTER_NONE;
}

/* Sets the memory location or register that contains the target of a call; from: the instruction
 * with the probe */
static gboolean
set_operand (TbLatencySite *site, const cs_insn *insn, guint64 from)
{
  const cs_x86_op *op = &get_x86 (insn)->operands[0];
  guint shift = 0, base, index;

  if (get_x86 (insn)->op_count != 1)
    return FALSE;
  if (op->type == X86_OP_REG)
    {
      site->operand = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0,
                                          get_dwarf_register (op->reg), TB_CAPTURE_REGISTER_NONE);
      return get_dwarf_register (op->reg) != TB_CAPTURE_REGISTER_NONE;
    }
  if (op->type != X86_OP_MEM || op->mem.segment != X86_REG_INVALID)
    return FALSE;
  while ((1 << shift) < op->mem.scale && shift < 3)
    shift++;
  base = op->mem.base != X86_REG_INVALID ? get_dwarf_register (op->mem.base)
                                         : TB_CAPTURE_REGISTER_NONE;
  index = op->mem.index != X86_REG_INVALID ? get_dwarf_register (op->mem.index)
                                           : TB_CAPTURE_REGISTER_NONE;
  site->value = (guint64) op->mem.disp;
  /* The offset is relative to the end of its instruction; the probe has its own address. */
  if (op->mem.base == X86_REG_RIP)
    site->value += insn->address + insn->size - from;
  site->operand = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_MEMORY, 3, 0, shift, base, index);
  return TRUE;
}

/* If the call's target is a stub that jumps through the dynamic linker's table, the call counts as
 * an indirect one through that table. */
static void
look_through_stub (TbLatencySite *site, const TbLatencyImage *image, csh handle)
{
  gsize length = 0;
  const guint8 *code = tb_latency_image_get_code (image, site->target, &length);
  cs_insn *insns = NULL;
  size_t n;

  if (code == NULL || tb_latency_image_find_at (image, site->target) != NULL)
    return;
  n = cs_disasm (handle, code, MIN (length, 32), site->target, 2, &insns);
  for (size_t i = 0; i < n; i++)
    {
      if (insns[i].id == X86_INS_ENDBR64)
        continue;
      if (insns[i].id == X86_INS_JMP && get_x86 (&insns[i])->op_count == 1
          && get_x86 (&insns[i])->operands[0].type == X86_OP_MEM
          && set_operand (site, &insns[i], site->address))
        site->target = 0;
      break;
    }
  if (n > 0)
    cs_free (insns, n);
}

static void
add_point (TbLatencyCode *self, const Listing *listing, gsize insn, guint site)
{
  TbLatencyPoint point
      = { listing->insns[insn].address, site, MAX (listing->heights[insn], UNKNOWN),
          is_cheap (listing, &listing->insns[insn]) };

  for (guint i = 0; i < self->points->len; i++)
    {
      TbLatencyPoint *other = &g_array_index (self->points, TbLatencyPoint, i);

      if (other->address != point.address)
        continue;
      if (site != G_MAXUINT)
        other->site = site;
      return;
    }
  g_array_append_val (self->points, point);
}

/* The kernel executes a probed instruction out of line. A process forked by a system call there has
 * no memory in that place and dies. */
static gboolean
is_system_call (const cs_insn *insn)
{
  return insn->id == X86_INS_SYSCALL || insn->id == X86_INS_SYSENTER
         || has_group (insn, CS_GRP_INT);
}

/* Adds a probe at which the call has ended, and returns its address. */
static guint64
add_end (TbLatencyCode *self, const Listing *listing, gsize call)
{
  for (gsize i = call + 1; i < listing->n; i++)
    {
      const cs_insn *insn = &listing->insns[i];

      /* The call does not return. */
      if (insn->id == X86_INS_INT3 || insn->id == X86_INS_UD2)
        return 0;
      if (is_cheap (listing, insn))
        {
          add_point (self, listing, i, G_MAXUINT);
          return insn->address;
        }
      /* The call ends with its function. */
      if (is_return (listing, insn))
        return 0;
      if (is_system_call (insn) && i == call + 1)
        return 0;
      if (is_jump (insn) || has_group (insn, CS_GRP_CALL) || is_system_call (insn)
          || get_x86 (insn)->prefix[0] != 0 || i > call + MAX_STRAIGHT
          || (insn->id == X86_INS_SUB && writes (insn, X86_REG_RSP)))
        {
          if (is_system_call (insn) || i > call + MAX_STRAIGHT)
            i = call + 1;
          add_point (self, listing, i, G_MAXUINT);
          return listing->insns[i].address;
        }
    }
  return 0;
}

/* Whether it is a jump to another function and not to a part of this one that the compiler placed
 * elsewhere */
static gboolean
is_tail_call (const Listing *listing,
              const cs_insn *insn,
              gint32 height,
              const TbLatencyImage *image,
              const TbLatencySymbol *symbol)
{
  const TbLatencySymbol *other;
  guint64 target;

  if (insn->id != X86_INS_JMP || is_return (listing, insn))
    return FALSE;
  /* A jump through a table stays inside the function. Only if the stack height is that of the
   * entry, an indirect jump may leave it. */
  if (!get_direct_target (insn, &target))
    return height == 0 && get_x86 (insn)->operands[0].type == X86_OP_MEM
               ? get_x86 (insn)->operands[0].mem.index == X86_REG_INVALID
               : height == 0 && get_x86 (insn)->operands[0].type == X86_OP_REG
                     && get_x86 (insn)->operands[0].reg == X86_REG_RAX;
  if (is_in (listing, target))
    return FALSE;
  other = tb_latency_image_find_at (image, target);
  return other == NULL || !g_str_has_prefix (other->name, symbol->name)
         || strstr (other->name + strlen (symbol->name), ".cold") == NULL;
}

static void
add_site (TbLatencyCode *self,
          const Listing *listing,
          gsize insn,
          gboolean is_tail,
          guint block,
          const TbLatencyImage *image)
{
  const cs_insn *call = &listing->insns[insn];
  TbLatencySite site
      = { .address = call->address, .is_tail = is_tail, .length = call->size, .block = block };
  const char *thunk = get_thunk (listing, call);

  if (thunk != NULL)
    {
      guint reg = get_dwarf_register (get_thunk_register (thunk));

      if (reg != TB_CAPTURE_REGISTER_NONE)
        site.operand = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0, reg,
                                           TB_CAPTURE_REGISTER_NONE);
    }
  else if (get_direct_target (call, &site.target))
    look_through_stub (&site, image, listing->handle);
  else if (!set_operand (&site, call, call->address))
    site.operand = 0;
  add_point (self, listing, insn, self->sites->len);
  if (!is_tail)
    site.end = add_end (self, listing, insn);
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
is_trace_call (const Listing *listing, gsize insn)
{
  return tb_latency_image_is_kernel (listing->image) && listing->insns[insn].id == X86_INS_CALL
         && listing->insns[insn].address - listing->insns[0].address <= 4;
}

static void
read_listing (TbLatencyCode *self,
              const Listing *listing,
              const TbLatencyImage *image,
              const TbLatencySymbol *symbol)
{
  guint block = 0;
  gsize last_start = G_MAXSIZE, start = 0;

  for (gsize i = 0; i < listing->n; i++)
    {
      const cs_insn *insn = &listing->insns[i];
      gboolean is_tail = is_tail_call (listing, insn, listing->heights[i], image, symbol);

      if (listing->starts[i])
        start = i;
      if (listing->heights[i] == NOT_REACHED && !has_group (insn, CS_GRP_CALL))
        continue;
      if (insn->id == X86_INS_SYSCALL)
        self->has_syscall = TRUE;
      if (is_return (listing, insn))
        g_array_append_val (self->ends, insn->address);
      if ((insn->id != X86_INS_CALL && !is_tail) || is_trace_call (listing, i))
        continue;
      if (start != last_start)
        block = self->n_blocks++;
      last_start = start;
      add_site (self, listing, i, is_tail, block, image);
    }
  for (gsize i = 0; i < listing->n; i++)
    if (listing->starts[i])
      g_array_append_val (self->blocks, listing->insns[i].address);
  g_array_sort (self->points, compare_points);
}

static TbLatencyStep
make_step (const Listing *listing, gsize i)
{
  const cs_insn *insn = &listing->insns[i];
  TbLatencyStep step = { 0, { G_MAXUINT, G_MAXUINT } };
  gboolean is_over = insn->id == X86_INS_UD2 || insn->id == X86_INS_INT3 || insn->id == X86_INS_HLT;
  guint64 target;

  step.flags = (is_cheap (listing, insn) ? TB_LATENCY_STEP_CHEAP : 0)
               | (listing->heights[i] != NOT_REACHED ? TB_LATENCY_STEP_REACHED : 0);
  if (is_return (listing, insn))
    {
      step.flags |= TB_LATENCY_STEP_RETURN;
      return step;
    }
  /* The function may be left through a call that does not return. */
  if (is_over)
    step.flags |= TB_LATENCY_STEP_DEAD_END;
  if (has_group (insn, CS_GRP_CALL) || is_system_call (insn)
      || (get_x86 (insn)->prefix[0] != 0 && insn->id != X86_INS_ENDBR64))
    step.flags |= TB_LATENCY_STEP_BARRIER;
  if (!is_over && insn->id != X86_INS_JMP && i + 1 < listing->n)
    step.next[0] = (guint) i + 1;
  if (is_jump (insn) && get_direct_target (insn, &target)
      && find_insn (listing, target) < listing->n)
    step.next[1] = (guint) find_insn (listing, target);
  else if (is_jump (insn))
    step.flags |= TB_LATENCY_STEP_BARRIER;
  return step;
}

/* Whether the control flow is fully known: the function is left only through its returns. */
static gboolean
is_closed (const Listing *listing, guint64 size)
{
  const cs_insn *last = &listing->insns[listing->n - 1];

  for (gsize i = 0; i < listing->n; i++)
    {
      const cs_insn *insn = &listing->insns[i];
      guint64 target;

      if (listing->heights[i] == NOT_REACHED
              ? insn->id != X86_INS_NOP && insn->id != X86_INS_INT3
              : is_jump (insn)
                    && (!get_direct_target (insn, &target)
                        || find_insn (listing, target) == listing->n))
        return FALSE;
    }
  return last->address + last->size - listing->insns[0].address == size;
}

static void
add_edges (TbLatencyCode *self, const Listing *listing, const TbLatencySymbol *symbol)
{
  g_autofree TbLatencyStep *steps = g_new (TbLatencyStep, listing->n);
  g_autoptr (GArray) found = NULL;

  if (!is_closed (listing, symbol->size))
    return;
  for (gsize i = 0; i < listing->n; i++)
    steps[i] = make_step (listing, i);
  for (gsize i = 0; i < listing->n; i++)
    if (steps[i].next[1] != G_MAXUINT)
      steps[steps[i].next[1]].flags |= TB_LATENCY_STEP_TARGET;
  found = tb_latency_edges_find (steps, (guint) listing->n);
  for (guint i = 0; i < found->len; i++)
    {
      guint insn = g_array_index (found, guint, i);
      TbLatencyPoint point
          = { listing->insns[insn].address, G_MAXUINT, listing->heights[insn], TRUE };

      g_array_append_val (self->edges, point);
    }
  for (guint i = 0; i < self->edges->len; i++)
    if (g_array_index (self->edges, TbLatencyPoint, i).height < 0)
      g_array_set_size (self->edges, 0);
}

TbLatencyCode *
tb_latency_code_new (const TbLatencyImage *image, const TbLatencySymbol *symbol)
{
  TbLatencyCode *self = g_new0 (TbLatencyCode, 1);
  gsize length = 0;
  const guint8 *code = tb_latency_image_get_code (image, symbol->address, &length);
  Listing listing = { .image = image };

  self->sites = g_array_new (FALSE, FALSE, sizeof (TbLatencySite));
  self->points = g_array_new (FALSE, FALSE, sizeof (TbLatencyPoint));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TbLatencyPoint));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint64));
#if defined __x86_64__
  if (code == NULL || cs_open (CS_ARCH_X86, CS_MODE_64, &listing.handle) != CS_ERR_OK)
    return self;
  cs_option (listing.handle, CS_OPT_DETAIL, CS_OPT_ON);
  listing.n = cs_disasm (listing.handle, code, MIN (length, MIN (symbol->size, MAX_CODE)),
                         symbol->address, 0, &listing.insns);
  if (listing.n > 0)
    {
      listing.heights = g_new (gint32, listing.n);
      listing.frames = g_new (gint32, listing.n);
      listing.starts = g_new0 (guint8, listing.n);
      find_heights (&listing);
      find_blocks (&listing);
      read_listing (self, &listing, image, symbol);
      add_edges (self, &listing, symbol);
      self->is_known = TRUE;
      cs_free (listing.insns, listing.n);
      g_free (listing.heights);
      g_free (listing.frames);
      g_free (listing.starts);
    }
  cs_close (&listing.handle);
#endif
  return self;
}

void
tb_latency_code_free (TbLatencyCode *self)
{
  g_array_unref (self->sites);
  g_array_unref (self->points);
  g_array_unref (self->ends);
  g_array_unref (self->edges);
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
