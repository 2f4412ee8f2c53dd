/* tb-agent-instructions.c: machine instruction at which a user probe is to be put: whether it may
 * be probed at all, whether the kernel needs no slow single-stepping for it; offset of a better
 * instruction at the beginning of a function or at a mark
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/probes/tb-agent-instructions.h"

#ifndef SYS_uprobe
#  define SYS_uprobe 336
#endif

#define CODE_LENGTH 16

typedef struct
{
  uint8_t bytes[CODE_LENGTH];
  size_t length;
} Code;

static Code
read_code (int file, uint64_t offset)
{
  Code code = { 0 };
  ssize_t length = pread (file, code.bytes, sizeof code.bytes, (off_t) offset);

  code.length = length > 0 ? (size_t) length : 0;
  return code;
}

#if defined __x86_64__

static int
begins_with (const Code *code, const uint8_t *bytes, size_t length)
{
  return code->length >= length && memcmp (code->bytes, bytes, length) == 0;
}

/* Whether the kernel (Linux 6.18 or later) replaces a 5-byte nop by a call and emulates other long
 * nops. The system call is reserved for the kernel's own trampoline, and its error code shows that
 * it exists. */
static int
has_calls (void)
{
  return syscall (SYS_uprobe) < 0 && errno == ENXIO;
}

static int
is_cheap (const Code *self)
{
  const uint8_t *code = self->bytes;

  if (self->length < 6)
    return 0;
  /* push, also of the upper registers; nop; call; jumps */
  if ((code[0] & 0xf8) == 0x50 || (code[0] == 0x41 && (code[1] & 0xf8) == 0x50))
    return 1;
  if (code[0] == 0x90 || code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb
      || (code[0] & 0xf0) == 0x70)
    return 1;
  return code[0] == 0x0f && ((code[1] & 0xf0) == 0x80 || (code[1] == 0x1f && has_calls ()));
}

/* syscall, sysenter, int, with any prefixes */
static int
is_system_call (const Code *self)
{
  static const uint8_t prefixes[]
      = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3 };
  const uint8_t *code = self->bytes;
  size_t i = 0, length = self->length;

  while (i < length && memchr (prefixes, code[i], sizeof prefixes) != NULL)
    i++;
  if (i < length && (code[i] & 0xf0) == 0x40)
    i++;
  return i + 1 < length
         && ((code[i] == 0x0f && (code[i + 1] == 0x05 || code[i + 1] == 0x34)) || code[i] == 0xcd);
}

/* The marker of a permitted target of indirect calls (endbr64). A probe on it would be
 * single-stepped, which is slow. */
static size_t
measure_marker (const Code *code)
{
  static const uint8_t marker[] = { 0xf3, 0x0f, 0x1e, 0xfa };

  return begins_with (code, marker, sizeof marker) ? sizeof marker : 0;
}

/* A 1-byte nop, which every kernel emulates, followed by a 5-byte nop */
static int
is_pair (const Code *code)
{
  static const uint8_t pair[] = { 0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  return begins_with (code, pair, sizeof pair);
}

#else

static int
is_cheap (const Code *self)
{
  return 0;
}

/* The kernel refuses probes on these instructions. */
static int
is_system_call (const Code *self)
{
  return 0;
}

static size_t
measure_marker (const Code *code)
{
  return 0;
}

static int
is_pair (const Code *code)
{
  return 0;
}

static int
has_calls (void)
{
  return 0;
}

#endif

int
tb_agent_instructions_are_safe (int file, uint64_t offset)
{
  Code code = read_code (file, offset);

  return !is_system_call (&code);
}

int
tb_agent_instructions_are_cheap (int file, uint64_t offset)
{
  Code code = read_code (file, offset);

  return is_cheap (&code);
}

uint64_t
tb_agent_instructions_find_entry (int file, uint64_t offset)
{
  Code code = read_code (file, offset);

  return offset + measure_marker (&code);
}

uint64_t
tb_agent_instructions_find_mark (int file, uint64_t offset)
{
  Code code = read_code (file, offset);

  return offset + (is_pair (&code) && has_calls () ? 1 : 0);
}
