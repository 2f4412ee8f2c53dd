/* tb-agent-unwind-rules.c: interpreter of the call frame instructions of a function, which gives a
 * rule for each of its parts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only what finds the return address and the frame pointer of x86-64 is kept. The files are those
 * of any user, so every length is checked, and each instruction takes at least a byte.
 */

#include <string.h>

#include "agent/base/tb-agent-unwind-rules.h"
#include "agent/bpf/programs/tb-bpf-unwind-table.h"

#define REGISTER_BP 6
#define REGISTER_SP 7
#define REGISTER_IP 16
#define MAX_REMEMBERED 16

typedef enum
{
  CFA_UNKNOWN,
  CFA_BY_SP,
  CFA_BY_BP,
  CFA_BY_PLT,
  CFA_BY_WORD, /* at a distance below the frame pointer */
} Cfa;

typedef enum
{
  SAME,  /* still in its register */
  SAVED, /* at an offset from the canonical frame address */
  AT_BP, /* where the frame pointer points to */
  NONE,  /* undefined */
  UNKNOWN,
} Place;

typedef struct
{
  Cfa cfa;
  int64_t distance;
  Place bp;
  int64_t bp_offset;
  Place ip;
  int64_t ip_offset;
} State;

typedef struct
{
  const TbAgentUnwindCommon *common;
  TbAgentBytes bytes;
  State state;
  State initial;
  State remembered[MAX_REMEMBERED];
  unsigned n_remembered;
  uint64_t address;
} Interpreter;

uint64_t
tb_agent_bytes_take (TbAgentBytes *self, size_t size)
{
  uint64_t value = 0;

  if ((size_t) (self->end - self->at) < size || size > sizeof value)
    {
      self->failed = 1;
      return 0;
    }
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t) self->at[i] << 8 * i;
  self->at += size;
  return value;
}

static uint64_t
take_leb (TbAgentBytes *self, unsigned *n_bits)
{
  uint64_t value = 0, byte;

  *n_bits = 0;
  do
    {
      byte = tb_agent_bytes_take (self, 1);
      if (*n_bits < 64)
        value |= (byte & 0x7f) << *n_bits;
      *n_bits += 7;
    }
  while ((byte & 0x80) != 0);
  return value;
}

uint64_t
tb_agent_bytes_take_leb (TbAgentBytes *self)
{
  unsigned n_bits;

  return take_leb (self, &n_bits);
}

int64_t
tb_agent_bytes_take_signed_leb (TbAgentBytes *self)
{
  unsigned n_bits;
  uint64_t value = take_leb (self, &n_bits);

  if (n_bits < 64 && (value >> (n_bits - 1) & 1) != 0)
    value |= ~(uint64_t) 0 << n_bits;
  return (int64_t) value;
}

TbAgentBytes
tb_agent_bytes_take_part (TbAgentBytes *self, uint64_t size)
{
  TbAgentBytes part = { self->at, self->at, 0 };

  if (size > (uint64_t) (self->end - self->at))
    {
      self->failed = part.failed = 1;
      return part;
    }
  self->at += size;
  part.end = self->at;
  return part;
}

static void
define_cfa (State *state, uint64_t base, int64_t distance)
{
  state->cfa = base == REGISTER_SP ? CFA_BY_SP : base == REGISTER_BP ? CFA_BY_BP : CFA_UNKNOWN;
  state->distance = distance;
}

static void
set_place (State *state, uint64_t number, Place place, int64_t offset)
{
  if (number == REGISTER_BP)
    {
      state->bp = place;
      state->bp_offset = offset;
    }
  else if (number == REGISTER_IP)
    {
      state->ip = place;
      state->ip_offset = offset;
    }
}

static void
restore (Interpreter *self, uint64_t number)
{
  const State *initial = &self->initial;

  if (number == REGISTER_BP)
    set_place (&self->state, number, initial->bp, initial->bp_offset);
  else if (number == REGISTER_IP)
    set_place (&self->state, number, initial->ip, initial->ip_offset);
}

/* The overflow of hostile numbers is harmless, but it must be defined. */
static int64_t
scale (const Interpreter *self, int64_t factor)
{
  return (int64_t) ((uint64_t) factor * (uint64_t) self->common->data_factor);
}

/* The expressions that compilers and linkers use: a jump table, whose entries push a number at
 * their end, and a function that aligned its stack and stored where it was before. */
static void
define_cfa_by_expression (State *state, TbAgentBytes expression)
{
  static const uint8_t table[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
  size_t size = (size_t) (expression.end - expression.at);
  const uint8_t *at = expression.at;

  state->cfa = CFA_UNKNOWN;
  if (size == sizeof table && memcmp (at, table, 6) == 0 && at[6] >= 0x30 && at[6] <= 0x3f
      && memcmp (at + 7, table + 7, sizeof table - 7) == 0)
    {
      state->cfa = CFA_BY_PLT;
      state->distance = at[6] - 0x30;
    }
  /* DW_OP_breg6 (rbp), a negative number of one byte, DW_OP_deref */
  else if (size == 3 && at[0] == 0x76 && at[1] > 0x40 && at[1] < 0x80 && at[2] == 0x06)
    {
      state->cfa = CFA_BY_WORD;
      state->distance = 0x80 - at[1];
    }
}

static void
set_place_by_expression (State *state, uint64_t number, TbAgentBytes expression)
{
  int at_bp
      = expression.end - expression.at == 2 && expression.at[0] == 0x76 && expression.at[1] == 0;

  set_place (state, number, at_bp ? AT_BP : UNKNOWN, 0);
}

/* Instructions that define the canonical frame address, 0x0c to 0x0f, and the signed ones. */
static int
interpret_cfa (Interpreter *self, unsigned code)
{
  TbAgentBytes *bytes = &self->bytes;
  State *state = &self->state;
  uint64_t number;

  switch (code)
    {
    case 0x0c: /* DW_CFA_def_cfa */
      number = tb_agent_bytes_take_leb (bytes);
      define_cfa (state, number, (int64_t) tb_agent_bytes_take_leb (bytes));
      return 1;
    case 0x0d: /* DW_CFA_def_cfa_register */
      define_cfa (state, tb_agent_bytes_take_leb (bytes), state->distance);
      return 1;
    case 0x0e: /* DW_CFA_def_cfa_offset */
      state->distance = (int64_t) tb_agent_bytes_take_leb (bytes);
      return 1;
    case 0x0f: /* DW_CFA_def_cfa_expression */
      define_cfa_by_expression (state,
                                tb_agent_bytes_take_part (bytes, tb_agent_bytes_take_leb (bytes)));
      return 1;
    case 0x12: /* DW_CFA_def_cfa_sf */
      number = tb_agent_bytes_take_leb (bytes);
      define_cfa (state, number, scale (self, tb_agent_bytes_take_signed_leb (bytes)));
      return 1;
    case 0x13: /* DW_CFA_def_cfa_offset_sf */
      state->distance = scale (self, tb_agent_bytes_take_signed_leb (bytes));
      return 1;
    default:
      return 0;
    }
}

/* Instructions for where a register of the caller is */
static int
interpret_place (Interpreter *self, unsigned code)
{
  TbAgentBytes *bytes = &self->bytes;
  State *state = &self->state;
  uint64_t number;

  if (!((code >= 0x05 && code <= 0x09) || code == 0x10 || code == 0x11
        || (code >= 0x14 && code <= 0x16)))
    return 0;
  number = tb_agent_bytes_take_leb (bytes);
  switch (code)
    {
    case 0x05: /* DW_CFA_offset_extended */
      set_place (state, number, SAVED, scale (self, (int64_t) tb_agent_bytes_take_leb (bytes)));
      break;
    case 0x06: /* DW_CFA_restore_extended */
      restore (self, number);
      break;
    case 0x07: /* DW_CFA_undefined */
      set_place (state, number, NONE, 0);
      break;
    case 0x08: /* DW_CFA_same_value */
      set_place (state, number, SAME, 0);
      break;
    case 0x10: /* DW_CFA_expression */
      set_place_by_expression (state, number,
                               tb_agent_bytes_take_part (bytes, tb_agent_bytes_take_leb (bytes)));
      break;
    case 0x11: /* DW_CFA_offset_extended_sf */
      set_place (state, number, SAVED, scale (self, tb_agent_bytes_take_signed_leb (bytes)));
      break;
    case 0x16: /* DW_CFA_val_expression */
      tb_agent_bytes_take_part (bytes, tb_agent_bytes_take_leb (bytes));
      set_place (state, number, UNKNOWN, 0);
      break;
    default: /* DW_CFA_register, DW_CFA_val_offset and its signed form have one more number */
      tb_agent_bytes_take_leb (bytes);
      set_place (state, number, UNKNOWN, 0);
      break;
    }
  return 1;
}

/* Returns 0 for an instruction that is not supported. */
static int
interpret_state (Interpreter *self, unsigned code)
{
  switch (code)
    {
    case 0x00: /* DW_CFA_nop */
      return 1;
    case 0x0a: /* DW_CFA_remember_state */
      if (self->n_remembered == MAX_REMEMBERED)
        return 0;
      self->remembered[self->n_remembered++] = self->state;
      return 1;
    case 0x0b: /* DW_CFA_restore_state */
      if (self->n_remembered == 0)
        return 0;
      self->state = self->remembered[--self->n_remembered];
      return 1;
    case 0x2e: /* DW_CFA_GNU_args_size */
      tb_agent_bytes_take_leb (&self->bytes);
      return 1;
    default:
      return interpret_cfa (self, code) || interpret_place (self, code);
    }
}

/* The number of bytes of the part that an instruction ends; -1: it ends none. */
static int64_t
take_advance (Interpreter *self, unsigned code)
{
  uint64_t n;

  if (code >> 6 == 1) /* DW_CFA_advance_loc */
    n = code & 0x3f;
  else if (code >= 0x02 && code <= 0x04) /* DW_CFA_advance_loc1 to 4 */
    n = tb_agent_bytes_take (&self->bytes, (size_t) 1 << (code - 2));
  else
    return -1;
  return (int64_t) (n * (self->common->code_factor & 0xffff));
}

static uint32_t
make_rule (const Interpreter *self)
{
  const State *state = &self->state;
  uint64_t distance = (uint64_t) state->distance, saved = 0;
  TbBpfUnwindKind kind;

  if (self->common->is_signal)
    return TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_SIGNAL, 0, 0);
  if (state->ip == NONE)
    return TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_END, 0, 0);
  if (state->cfa == CFA_UNKNOWN || state->ip != SAVED || state->ip_offset != -8)
    return TB_BPF_UNWIND_UNKNOWN;
  if (state->cfa == CFA_BY_PLT)
    return state->bp == SAME ? TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_PLT, distance, 0)
                             : TB_BPF_UNWIND_UNKNOWN;
  if (distance % 8 != 0 || distance / 8 > TB_BPF_UNWIND_MAX_DISTANCE)
    return TB_BPF_UNWIND_UNKNOWN;
  if (state->cfa == CFA_BY_WORD)
    return state->bp == AT_BP ? TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_WORD, distance / 8, 0)
                              : TB_BPF_UNWIND_UNKNOWN;
  if (state->bp == SAVED)
    {
      saved = -(uint64_t) state->bp_offset;
      if (saved == 0 || saved % 8 != 0 || saved / 8 > TB_BPF_UNWIND_MAX_SAVED)
        return TB_BPF_UNWIND_UNKNOWN;
    }
  else if (state->bp != SAME)
    return TB_BPF_UNWIND_UNKNOWN;
  kind = state->cfa == CFA_BY_SP ? TB_BPF_UNWIND_BY_SP : TB_BPF_UNWIND_BY_BP;
  return TB_BPF_UNWIND_RULE (kind, distance / 8, saved / 8);
}

/* Interprets instructions up to the end of a part or to their own end. Returns the length of the
 * part, 0 at the end, -1 if an instruction is not supported. */
static int64_t
interpret_part (Interpreter *self)
{
  while (self->bytes.at < self->bytes.end && !self->bytes.failed)
    {
      unsigned code = (unsigned) tb_agent_bytes_take (&self->bytes, 1);
      int64_t length = take_advance (self, code);

      if (length > 0)
        return self->bytes.failed ? -1 : length;
      if (length == 0)
        continue;
      if (code >> 6 == 2) /* DW_CFA_offset */
        set_place (&self->state, code & 0x3f, SAVED,
                   scale (self, (int64_t) tb_agent_bytes_take_leb (&self->bytes)));
      else if (code >> 6 == 3) /* DW_CFA_restore */
        restore (self, code & 0x3f);
      else if (!interpret_state (self, code))
        return -1;
    }
  return self->bytes.failed ? -1 : 0;
}

void
tb_agent_unwind_interpret (const TbAgentUnwindCommon *common,
                           TbAgentBytes instructions,
                           uint64_t begin,
                           uint64_t end,
                           TbAgentUnwindFunc take,
                           void *data)
{
  Interpreter self = { .common = common, .bytes = common->instructions, .address = begin };
  int64_t length = interpret_part (&self);

  if (length != 0)
    {
      take (begin, TB_BPF_UNWIND_UNKNOWN, data);
      return;
    }
  self.initial = self.state;
  self.bytes = instructions;
  do
    {
      length = interpret_part (&self);
      take (self.address, length < 0 ? TB_BPF_UNWIND_UNKNOWN : make_rule (&self), data);
      self.address += length > 0 ? (uint64_t) length : 0;
    }
  while (length > 0 && self.address < end);
}
