/* tb-probe-operand.c: parser of the argument texts of static probes (USDT) into operands:
 * registers, memory, constants
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Arguments have the syntax of assembler operands. Each is preceded by its size in bytes (negative:
 * signed) and "@".
 */

#include "config.h"

#include <elf.h>
#include <string.h>

#include "symbols/tb-probe-operand-private.h"

#define MAX_NAME 512

typedef struct
{
  const char *at;
  guint machine;
  guint64 instruction;
  TbProbeSymbolFunc find_symbol;
  gpointer data;
} Parser;

/* Names of the parts of a register, widest first. */
static const char *const x86_registers[16][4] = {
  { "rax", "eax", "ax", "al" },      { "rdx", "edx", "dx", "dl" },
  { "rcx", "ecx", "cx", "cl" },      { "rbx", "ebx", "bx", "bl" },
  { "rsi", "esi", "si", "sil" },     { "rdi", "edi", "di", "dil" },
  { "rbp", "ebp", "bp", "bpl" },     { "rsp", "esp", "sp", "spl" },
  { "r8", "r8d", "r8w", "r8b" },     { "r9", "r9d", "r9w", "r9b" },
  { "r10", "r10d", "r10w", "r10b" }, { "r11", "r11d", "r11w", "r11b" },
  { "r12", "r12d", "r12w", "r12b" }, { "r13", "r13d", "r13w", "r13b" },
  { "r14", "r14d", "r14w", "r14b" }, { "r15", "r15d", "r15w", "r15b" },
};

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '$' || c == '@';
}

static gboolean
skip (Parser *self, char c)
{
  if (*self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static void
skip_spaces (Parser *self)
{
  while (*self->at == ' ')
    self->at++;
}

/* Parses a number with its sign. It is used in no other arithmetic here, so an overflow may
 * wrap. */
static gboolean
parse_number (Parser *self, gint64 *value)
{
  const char *at = self->at;
  gboolean negative = *at == '-';
  char *end;
  guint64 number;

  at += *at == '-' || *at == '+';
  if (!g_ascii_isdigit (*at))
    return FALSE;
  number = g_ascii_strtoull (at, &end, 0);
  if (g_ascii_isalnum (*end) || *end == '_')
    return FALSE;
  *value = (gint64) (negative ? 0 - number : number);
  self->at = end;
  return TRUE;
}

static gboolean
parse_x86_register (Parser *self, guint8 *number)
{
  gsize length = 0;

  if (!skip (self, '%'))
    return FALSE;
  while (g_ascii_isalnum (self->at[length]))
    length++;
  for (guint8 i = 0; i < G_N_ELEMENTS (x86_registers); i++)
    for (guint part = 0; part < 4; part++)
      if (strlen (x86_registers[i][part]) == length
          && strncmp (x86_registers[i][part], self->at, length) == 0)
        {
          *number = i;
          self->at += length;
          return TRUE;
        }
  if (length != 3 || strncmp (self->at, "rip", 3) != 0)
    return FALSE;
  *number = TB_PROBE_REGISTER_IP;
  self->at += length;
  return TRUE;
}

static gboolean
parse_arm_register (Parser *self, guint8 *number)
{
  char *end;
  guint64 value;

  if (strncmp (self->at, "sp", 2) == 0 && !is_word (self->at[2]))
    {
      *number = 31;
      self->at += 2;
      return TRUE;
    }
  if ((*self->at != 'x' && *self->at != 'w') || !g_ascii_isdigit (self->at[1]))
    return FALSE;
  value = g_ascii_strtoull (self->at + 1, &end, 10);
  if (value > 30 || is_word (*end))
    return FALSE;
  *number = (guint8) value;
  self->at = end;
  return TRUE;
}

/* Parses a symbol with an optional number before or after it: "name", "name+8", "8+name". */
static gboolean
parse_symbol (Parser *self, gint64 *value)
{
  char name[MAX_NAME];
  const char *begin;
  gint64 prefix = 0, suffix = 0;
  guint64 address;
  gsize length;

  if (*self->at == '-' || *self->at == '+' || g_ascii_isdigit (*self->at))
    {
      if (!parse_number (self, &prefix) || !skip (self, '+'))
        return FALSE;
    }
  begin = self->at;
  while (is_word (*self->at))
    self->at++;
  length = self->at - begin;
  if (length == 0 || length >= sizeof name)
    return FALSE;
  memcpy (name, begin, length);
  name[length] = '\0';
  if ((*self->at == '+' || *self->at == '-') && !parse_number (self, &suffix))
    return FALSE;
  if (self->find_symbol == NULL || !self->find_symbol (name, &address, self->data))
    return FALSE;
  *value = (gint64) (address + (guint64) prefix + (guint64) suffix);
  return TRUE;
}

/* Parses "disp(base,index,scale)"; every part but the parentheses is optional. */
static gboolean
parse_x86_memory (Parser *self, TbProbeOperand *operand)
{
  gboolean has_symbol = FALSE;
  const char *begin = self->at;
  gint64 scale = 1;

  if (*self->at != '('
      && (!parse_number (self, &operand->value) || strchr ("( ", *self->at) == NULL))
    {
      self->at = begin;
      has_symbol = TRUE;
      if (!parse_symbol (self, &operand->value))
        return FALSE;
    }
  operand->kind = TB_PROBE_OPERAND_MEMORY;
  if (skip (self, '('))
    {
      if (*self->at != ',' && !parse_x86_register (self, &operand->base))
        return FALSE;
      if (skip (self, ',') && *self->at == '%' && !parse_x86_register (self, &operand->index))
        return FALSE;
      if (skip (self, ',') && !parse_number (self, &scale))
        return FALSE;
      if (!skip (self, ')'))
        return FALSE;
    }
  if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
    return FALSE;
  operand->shift = scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
  if (operand->index == TB_PROBE_REGISTER_IP
      || (operand->base == TB_PROBE_REGISTER_IP && !has_symbol))
    return FALSE;
  /* The load address of the file can only be computed from the address of the instruction. */
  if (has_symbol)
    {
      if (operand->base != TB_PROBE_REGISTER_IP && operand->base != TB_PROBE_REGISTER_NONE)
        return FALSE;
      operand->base = TB_PROBE_REGISTER_IP;
      operand->value = (gint64) ((guint64) operand->value - self->instruction);
    }
  return TRUE;
}

static gboolean
parse_x86 (Parser *self, TbProbeOperand *operand)
{
  if (skip (self, '$'))
    {
      operand->kind = TB_PROBE_OPERAND_CONSTANT;
      return parse_number (self, &operand->value);
    }
  if (*self->at != '%')
    return parse_x86_memory (self, operand);
  operand->kind = TB_PROBE_OPERAND_REGISTER;
  return parse_x86_register (self, &operand->base) && operand->base != TB_PROBE_REGISTER_IP;
}

/* Parses "[base]", "[base, 16]", "[base, index]" or "[base, index, lsl 3]". */
static gboolean
parse_arm_memory (Parser *self, TbProbeOperand *operand)
{
  gint64 shift = 0;

  operand->kind = TB_PROBE_OPERAND_MEMORY;
  if (!parse_arm_register (self, &operand->base))
    return FALSE;
  skip_spaces (self);
  if (skip (self, ','))
    {
      skip_spaces (self);
      (void) skip (self, '#');
      if (!parse_number (self, &operand->value) && !parse_arm_register (self, &operand->index))
        return FALSE;
      skip_spaces (self);
      if (operand->index != TB_PROBE_REGISTER_NONE && skip (self, ','))
        {
          skip_spaces (self);
          if (strncmp (self->at, "lsl ", 4) != 0)
            return FALSE;
          self->at += 4;
          (void) skip (self, '#');
          if (!parse_number (self, &shift) || shift < 0 || shift > 3)
            return FALSE;
          operand->shift = (guint8) shift;
        }
    }
  return skip (self, ']');
}

static gboolean
parse_arm (Parser *self, TbProbeOperand *operand)
{
  if (skip (self, '['))
    return parse_arm_memory (self, operand);
  (void) skip (self, '#');
  operand->kind = TB_PROBE_OPERAND_CONSTANT;
  if (parse_number (self, &operand->value))
    return TRUE;
  operand->kind = TB_PROBE_OPERAND_REGISTER;
  return parse_arm_register (self, &operand->base);
}

static gboolean
parse_size (Parser *self, TbProbeOperand *operand)
{
  const char *begin = self->at;
  gint64 size = 8;

  if (!parse_number (self, &size) || *self->at != '@')
    {
      /* The oldest notes have no size; "8f@" and the like are of types that no general register
       * holds. */
      self->at = begin;
      size = 8;
      if (strchr (begin, '@') != NULL && g_ascii_isdigit (begin[*begin == '-']))
        return FALSE;
    }
  else
    self->at++;
  operand->is_signed = size < 0;
  size = ABS (size);
  operand->size = (guint8) size;
  return size == 1 || size == 2 || size == 4 || size == 8;
}

static gboolean
parse_operand (Parser *self, TbProbeOperand *operand)
{
  if (!parse_size (self, operand))
    return FALSE;
  if (self->machine == EM_X86_64)
    return parse_x86 (self, operand);
  return self->machine == EM_AARCH64 && parse_arm (self, operand);
}

/* Finds the next space that is not in brackets. */
static void
skip_operand (Parser *self)
{
  gboolean inside = FALSE;

  while (*self->at != '\0' && (inside || *self->at != ' '))
    {
      inside = (inside || *self->at == '[') && *self->at != ']';
      self->at++;
    }
}

guint
tb_probe_operands_parse (const char *text,
                         guint machine,
                         guint64 instruction,
                         TbProbeSymbolFunc find_symbol,
                         gpointer data,
                         TbProbeOperand operands[TB_PROBE_MAX_OPERANDS])
{
  Parser self = { text, machine, instruction, find_symbol, data };
  guint n = 0;

  for (skip_spaces (&self); *self.at != '\0' && n < TB_PROBE_MAX_OPERANDS; skip_spaces (&self))
    {
      static const TbProbeOperand unknown
          = { .size = 8, .base = TB_PROBE_REGISTER_NONE, .index = TB_PROBE_REGISTER_NONE };
      const char *begin = self.at;

      operands[n] = unknown;
      if (!parse_operand (&self, &operands[n]) || (*self.at != ' ' && *self.at != '\0'))
        {
          operands[n] = unknown;
          self.at = begin;
          skip_operand (&self);
        }
      n++;
    }
  return n;
}
