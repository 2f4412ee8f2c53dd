/* tb-agent-bpf-marks.c: translation of mark records of BPF programs (USDT probes and annotations)
 * into records of the capture stream, with their texts: a text that BPF could not read is read from
 * the memory of the process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"

/* Limits the share of the string table that one program with ever-changing texts can take. */
#define MAX_TEXTS 65536

_Static_assert (TB_BPF_MARK_ARGS == TB_CAPTURE_MARK_ARGS, "as many arguments");
_Static_assert (TB_BPF_MARK_TEXT == TB_CAPTURE_MARK_TEXT + 1, "text and its end");

static uint32_t
intern (TbAgent *self, const char *text, size_t length)
{
  uint64_t hash = length, *known;

  for (size_t i = 0; i < length; i++)
    hash = tb_agent_hash (hash ^ (uint8_t) text[i]);
  hash |= 1;
  known = tb_agent_map_get (&self->bpf->mark_texts, hash);
  if (known != NULL)
    return (uint32_t) *known;
  if (self->bpf->mark_texts.n_used >= MAX_TEXTS)
    {
      self->bpf->n_nameless_marks++;
      return 0;
    }
  tb_agent_map_put (&self->bpf->mark_texts, hash,
                    tb_agent_output_intern_string (self->output, text, length));
  return (uint32_t) *tb_agent_map_get (&self->bpf->mark_texts, hash);
}

/* Whether the memory is read-only, so that it still holds the text of the time of the mark. */
static int
is_constant (int32_t pid, uint64_t address)
{
  char path[32], line[256], mode[8];
  unsigned long long start, end;
  int constant = 0;
  FILE *maps;

  snprintf (path, sizeof path, "/proc/%d/maps", pid);
  maps = fopen (path, "re");
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    if (sscanf (line, "%llx-%llx %7s", &start, &end, mode) == 3 && address >= start
        && address < end)
      {
        constant = mode[0] == 'r' && mode[1] == '-';
        break;
      }
  if (maps != NULL)
    fclose (maps);
  return constant;
}

/* A BPF program cannot read a page of constants that no thread has touched yet; reading
 * /proc/PID/mem can. */
static size_t
read_memory (const TbBpfMark *in, unsigned which, char text[TB_BPF_MARK_TEXT])
{
  char path[32];
  ssize_t got = 0;
  int memory;

  if (which >= TB_BPF_MARK_ARGS || !is_constant (in->header.pid, in->args[which]))
    return 0;
  snprintf (path, sizeof path, "/proc/%d/mem", in->header.pid);
  memory = open (path, O_RDONLY | O_CLOEXEC);
  if (memory < 0)
    return 0;
  got = pread (memory, text, TB_BPF_MARK_TEXT, (off_t) in->args[which]);
  close (memory);
  return got > 0 ? strnlen (text, (size_t) got) : 0;
}

static uint32_t
get_text (TbAgent *self, const TbBpfMark *in, const char *inside)
{
  const uint64_t *which;
  char text[TB_BPF_MARK_TEXT];
  size_t length;

  if (in->text == TB_BPF_MARK_HAS_TEXT)
    return intern (self, inside, strnlen (inside, TB_BPF_MARK_TEXT));
  which = tb_agent_map_get (&self->bpf->mark_places, (uint64_t) in->probe + 1);
  length = which != NULL ? read_memory (in, (unsigned) *which - 1, text) : 0;
  if (length > TB_CAPTURE_MARK_TEXT)
    length = TB_CAPTURE_MARK_TEXT;
  if (length == 0)
    self->bpf->n_nameless_marks++;
  return intern (self, text, length);
}

void
tb_agent_bpf_translate_mark (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfMark *in, size_t size)
{
  TbAgentTaskView task
      = { in->header.tid, in->header.pid, (in->header.flags & TB_BPF_IS_TARGET) != 0 };
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_MARK };

  if (size < sizeof *in || tb_agent_bpf_is_outside (self, in->header.time)
      || (in->text == TB_BPF_MARK_NO_TEXT
              ? !tb_agent_bpf_read_stack (self, &in->stack, (const uint8_t *) (in + 1),
                                          size - sizeof *in)
              : size < sizeof *in + TB_BPF_MARK_TEXT))
    return;
  memcpy (out.mark.args, in->args, sizeof out.mark.args);
  out.mark.probe = in->probe;
  if (in->text != TB_BPF_MARK_NO_TEXT)
    out.mark.text = get_text (self, in, (const char *) (in + 1));
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task,
                               in->text == TB_BPF_MARK_NO_TEXT ? in->stack.id : 0);
}
